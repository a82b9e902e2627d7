"""`align --format dataset`: what is added, kept and replaced, kills, and the documented queries."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
from pathlib import Path

import duckdb
import msgspec
import polars
import pytest

from tests.object_store import forget_clients
from touchline.cli import main
from touchline.core.links import CommentLinks, Links, Phase
from touchline.io.corpus.layout import corpus_matches
from touchline.io.dataset.manifest import Dataset
from touchline.io.dataset.schema import TABLES
from touchline.io.links.origin import Origin
from touchline.pipeline.runs.dataset_folder import DatasetFolder
from touchline.pipeline.runs.manifest import Entry

ROOT = Path(__file__).parents[3]
NEAREST = ("--method", "named-nearest", "--jobs", "1", "--format", "dataset")


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, words)])
    return int(end.value.code or 0)


@pytest.fixture
def corpus(league, tmp_path) -> Path:
    return Path(shutil.copytree(league, tmp_path / "league"))


def change(match: Path) -> None:
    comments = match / "comments.jsonl"
    comments.write_bytes(comments.read_bytes().replace(b'"text": "', b'"text": "Well, '))


def written(folder: Path) -> dict[str, int]:
    files = list(folder.rglob("*.parquet"))
    return {path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in files}


def test_only_what_is_new_is_added_and_what_changed_is_replaced(corpus, tmp_path, files_of):
    out = tmp_path / "data"
    words = ("align", "--corpus", corpus, "-o", out, *NEAREST, "--season", "2015")
    late = tmp_path / "000004"
    shutil.move(corpus / "000004", late)
    assert call(*words) == 0
    first = written(out)
    assert len(first) == 4 * len(TABLES)
    shutil.move(late, corpus / "000004")
    change(corpus / "000001")
    assert call(*words) == 0
    second = written(out)
    kept = {name for name in first if "000001" not in name}
    assert {name: second.get(name) for name in kept} == {name: first[name] for name in kept}
    assert len(second) == 5 * len(TABLES)
    named = {file for entry in Dataset(out).matches for file in entry.files.values()}
    assert set(second) == named
    assert not any("000001" in name for name in set(first) & set(second))
    before = files_of(out)
    receipt = next((out / "_matches").rglob("*.json"))
    receipt.write_bytes(receipt.read_bytes().replace(b'"', b'"\xe7', 1))
    assert call(*words) == 0
    assert files_of(out) == before
    assert call("align", "--corpus", corpus, "-o", out, *NEAREST, "--season", "2016") == 0
    assert len(Dataset(out).matches) == 10


def test_a_match_that_fails_leaves_the_data_set_and_is_named(corpus, tmp_path, capsys):
    out = tmp_path / "data"
    words = ("align", "--corpus", corpus, "-o", out, *NEAREST)
    assert call(*words) == 0
    (corpus / "000002" / "comments.jsonl").write_text('{"id": 1, "text"')
    assert call(*words) == 3
    assert "000002 left out" in capsys.readouterr().err
    found = {entry.match: entry for entry in Dataset(out).manifest.matches}
    assert found["000002"].state == "failed"
    assert "comments.jsonl" in (found["000002"].problem or "")
    assert not [name for name in written(out) if "000002" in name]


def test_on_a_terminal_a_second_run_says_what_was_finished_earlier(
    league, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    words = ("align", "--corpus", league, "-o", tmp_path, *NEAREST)
    assert call(*words) == 0
    assert "finished earlier" not in capsys.readouterr().err
    assert call(*words) == 0
    assert "5 of 5 matches (5 finished earlier)" in capsys.readouterr().err


def test_links_and_data_sets_do_not_share_a_folder(corpus, tmp_path, capsys, files_of):
    assert call("align", "--corpus", corpus, "-o", tmp_path / "x", *NEAREST[:4]) == 0
    assert call("align", "--corpus", corpus, "-o", tmp_path / "x", *NEAREST) == 1
    assert "not the manifest of a data set" in capsys.readouterr().err
    assert call("align", "--corpus", corpus, "-o", tmp_path / "y", "--season", "2015") == 2
    assert call("align", "--corpus", corpus, "-o", tmp_path / "y", *NEAREST) == 0
    before = files_of(tmp_path / "y")
    assert call("align", "--corpus", corpus, "-o", tmp_path / "y", *NEAREST[:4]) == 1
    assert "is a data set; give another folder" in capsys.readouterr().err
    assert files_of(tmp_path / "y") == before


@pytest.mark.posix
def test_until_the_manifest_is_written_the_data_set_is_as_before(
    corpus, tmp_path, command, files_of
):
    out = tmp_path / "data"
    words = ("align", "--corpus", corpus, "-o", out, *NEAREST)
    shutil.move(corpus / "000004", tmp_path / "late")
    assert call(*words) == 0
    manifest = (out / "manifest.json").read_bytes()
    shutil.move(tmp_path / "late", corpus / "000004")
    for folder in corpus.iterdir():
        change(folder)
    process = command(*words)
    for _ in range(400):
        if len(written(out)) > 4 * len(TABLES):
            break
        try:
            process.wait(0.01)
        except subprocess.TimeoutExpired:
            continue
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (out / "manifest.json").read_bytes() == manifest
    assert all(Path(file).exists() for table in TABLES for file in Dataset(out).files(table))
    assert call(*words) == 0
    fresh = tmp_path / "fresh"
    assert call("align", "--corpus", corpus, "-o", fresh, *NEAREST) == 0
    assert files_of(out) == files_of(fresh)


def test_in_an_object_store_the_files_are_the_same(store, league, tmp_path, files_of):
    forget_clients()
    words = ("align", "--corpus", league, *NEAREST)
    assert call(*words, "-o", "s3://archive/dataset") == 0
    assert call(*words, "-o", tmp_path / "data") == 0
    assert store.files("dataset") == files_of(tmp_path / "data")
    assert (
        Dataset("s3://archive/dataset").files("links")[0].startswith("s3://archive/dataset/links/")
    )
    forget_clients()


@pytest.fixture
def counter_attack(league, tmp_path) -> tuple[Path, str]:
    """A data set with one counter-attack that the documented query looks for, of three."""
    one = corpus_matches(league)[0]
    match = one.read().match
    goal = match.linkable[5]
    goal = msgspec.structs.replace(goal, type="Shot", arguments={"outcome": "Goal"})
    events = tuple(goal if event.id == goal.id else event for event in match.events)
    texts = ["A through ball, and it is in!", "A through ball, nothing comes of it.", "A cross."]
    comments = [
        msgspec.structs.replace(c, text=t) for c, t in zip(match.comments, texts, strict=False)
    ]
    match = msgspec.structs.replace(match, events=events, comments=tuple(comments))
    ends = [goal.id, match.linkable[9].id, goal.id]
    answers = []
    for comment, end in zip(comments, ends, strict=True):
        phase = Phase(team="Reds", span=(1.0, 9.0), events=(end,), score=0.8, kind="counter")
        answers.append(CommentLinks(match=one.name, comment=comment.id, events=(), none=0.2,
                                    period=1, time=None, span=None, phase=phase))  # fmt: skip
    folder = DatasetFolder(tmp_path / "archive", "2015", "league")
    origin = Origin(method="x", key="0" * 64)
    entry = folder.write(one, Links(match, answers), origin)
    folder.commit(origin, {one.name: entry})
    return tmp_path, texts[0]


def queries(language: str) -> list[str]:
    text = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_documented_queries_find_the_counter_attack(counter_attack, monkeypatch):
    folder, text = counter_attack
    monkeypatch.chdir(folder)
    sql, *more = queries("sql")
    found = duckdb.connect().execute(sql).fetchall()
    assert [row[-1] for row in found] == [text]
    for query in more:
        assert duckdb.connect().execute(query).fetchall()
    (script,) = [code for code in queries("py") if "polars" in code]
    space: dict[str, object] = {}
    exec(script, space)
    assert isinstance(space["found"], polars.DataFrame)
    assert space["found"]["text"].to_list() == [text]


def test_an_interrupted_run_keeps_what_it_has(league, tmp_path):
    """Matches that were not reached stay as they were."""
    folder = DatasetFolder(tmp_path, "2015", "league")
    one, other = corpus_matches(league)[:2]
    origin = Origin(method="x", key="0" * 64)
    first = folder.write(one, Links(one.read().match, []), origin)
    folder.commit(origin, {one.name: first, other.name: Entry(name=other.name)})
    assert [entry.match for entry in Dataset(tmp_path).matches] == [one.name]
    assert json.loads((tmp_path / "manifest.json").read_bytes())["format"] == 1
