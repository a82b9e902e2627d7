"""`touchline check`: what it prints, writes and exits with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from touchline import cli
from touchline.sample import corpus_path

FOLDER = corpus_path() / "harrowmere-castlebrook"
LOG = (FOLDER / "events.json.gz", "--lineups", FOLDER / "lineups.json")


class Done(NamedTuple):
    code: int
    stdout: str
    stderr: str


@pytest.fixture
def run(capfd) -> Callable[..., Done]:
    def run(*words: object) -> Done:
        with pytest.raises(SystemExit) as stop:
            cli.main(["check", *map(str, words)])
        return Done(stop.value.code, *capfd.readouterr())

    return run


LINES = (FOLDER / "live.txt").read_text(encoding="utf-8").splitlines()[:45]


@pytest.fixture
def true(tmp_path) -> Path:
    """The beginning of the sample's text; less is quicker to learn from."""
    path = tmp_path / "true.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")
    return path


@pytest.fixture
def wrong(tmp_path) -> Path:
    """The same with a goal that never was."""
    lines = [*LINES]
    lines.insert(40, "30' Goal! Ciarán Mulvaney (Harrowmere City) scores. The score is 5:0.")
    path = tmp_path / "wrong.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_true_text_exits_with_0(run, true):
    done = run(*LOG, true)
    assert done.code == 0
    assert "0 errors and" in done.stdout


def test_errors_exit_with_1_and_are_listed(wrong, tmp_path, run):
    out, page = tmp_path / "findings.json", tmp_path / "page.html"
    done = run(*LOG, wrong, "--json", out, "-o", page)
    assert done.code == 1
    assert '"kind":"score","severity":"error","says":"5-0"' in page.read_text(encoding="utf-8")
    assert "error score: says 5-0; the score was" in " ".join(done.stdout.split())
    report = json.loads(out.read_text(encoding="utf-8"))
    errors = [f for f in report["findings"] if f["severity"] == "error"]
    assert report["match"] == "harrowmere-castlebrook"
    assert {"score"} <= {f["kind"] for f in errors}
    (finding,) = (f for f in errors if f["kind"] == "score")
    assert finding["text"] == "5:0"
    assert len(finding["words"]) == 1


def test_json_on_standard_output(wrong, run):
    done = run(*LOG, wrong, "--json", "-")
    assert json.loads(done.stdout)["comments"] > 30


def test_unreadable_input_writes_no_findings(tmp_path, run):
    out = tmp_path / "findings.json"
    bad = tmp_path / "log.json"
    bad.write_text("[")
    done = run(bad, FOLDER / "live.txt", "--json", out)
    assert done.code == 1
    assert "log.json" in done.stderr
    assert not out.exists()


def test_an_input_is_not_overwritten(wrong, run):
    done = run(*LOG, wrong, "--json", wrong)
    assert done.code == 2
    assert "would be overwritten" in done.stderr


@pytest.mark.parametrize("ending", ["csv", "txt"])
def test_the_page_is_html(wrong, tmp_path, run, ending):
    done = run(*LOG, wrong, "-o", tmp_path / f"page.{ending}")
    assert done.code == 2
    assert "expected a file name that ends in .html" in done.stderr
