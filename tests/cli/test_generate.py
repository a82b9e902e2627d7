"""`touchline generate` as a user types it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from touchline.cli import cli
from touchline.core.errors import TouchlineError, TouchlineWarning, UsageError


def run(*words: object) -> str:
    done = CliRunner().invoke(cli, ["generate", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def log(sample_folder: Path) -> list[object]:
    return [sample_folder / "events.json.gz", "--lineups", sample_folder / "lineups.json"]


def test_text_on_standard_output(log: list[object]) -> None:
    lines = run(*log, "--lines", 50).splitlines()
    assert len(lines) == 50
    assert lines[0].startswith("1' ")


def test_json_lines_with_an_origin(log: list[object], tmp_path: Path) -> None:
    out = tmp_path / "lines.jsonl"
    run(*log, "-o", out, "--seed", 5, "--min-score", 0.5)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert all(row["events"] and row["text"] for row in rows)
    origin = json.loads(Path(f"{out}.meta.json").read_text())
    assert (origin["method"], origin["seed"], origin["command"]) == (
        "generate",
        5,
        {"min_score": 0.5},
    )


def test_a_log_that_is_cut_off_is_said_to_be(log: list[object], tmp_path: Path) -> None:
    whole = gzip.decompress(Path(str(log[0])).read_bytes())
    (tmp_path / "half.json").write_bytes(whole[: len(whole) // 2])
    with pytest.warns(TouchlineWarning, match=r"half\.json ends too early"):
        run(tmp_path / "half.json")


def test_subtitles_and_report(log: list[object], tmp_path: Path) -> None:
    run(*log, "-o", tmp_path / "a.vtt")
    assert (tmp_path / "a.vtt").read_text(encoding="utf-8").startswith("WEBVTT")
    run(*log, "-o", tmp_path / "a.html")
    assert "<title>Harrowmere City" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_wrong_use(log: list[object], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.csv"):
        run(*log, "-o", tmp_path / "a.csv")
    with pytest.raises(UsageError, match="cannot be combined"):
        run(*log, "--lines", 5, "--min-score", 0.5)
    with pytest.raises(UsageError, match="0 to 1"):
        run(*log, "--min-score", 7)
    (tmp_path / "log.jsonl").write_text("{}")
    with pytest.raises(UsageError, match="overwritten"):
        run(tmp_path / "log.jsonl", "-o", tmp_path / "log.jsonl")


def test_a_log_without_events(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("type,minute,second\n")
    with pytest.raises(TouchlineError, match="no events found"):
        run(tmp_path / "log.csv")
    (tmp_path / "log.csv").write_text("type,minute,second\nFoo,1,2\n")
    with pytest.raises(TouchlineError, match="no events that can be described"):
        run(tmp_path / "log.csv")
