"""Labelled phases of a match folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from touchline import InputError, read_corpus
from touchline.io.corpus.layout import read_match_folder
from touchline.sample import corpus_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a bundled match with labels of events and none of phases."""
    source = next(path for path in sorted(corpus_path().iterdir()) if path.is_dir())
    return Path(shutil.copytree(source, tmp_path / source.name))


def label(folder: Path, **fields: object) -> dict[str, object]:
    """A label of the first comment, with some fields changed."""
    match = read_match_folder(folder).match
    first, last = match.linkable[10], match.linkable[20]
    own = {"id": match.comments[0].id, "team": match.teams[0].name, "kind": "attack",
           "first": first.id, "last": last.id}  # fmt: skip
    return own | fields


def write(folder: Path, *labels: dict[str, object]) -> None:
    text = "".join(json.dumps(line) + "\n" for line in labels)
    (folder / "phases.jsonl").write_text(text, encoding="utf-8")


def test_labelled_comments_are_those_of_both_files(folder: Path) -> None:
    gold = folder / "gold.jsonl"
    gold.write_bytes(b"".join(gold.read_bytes().splitlines(keepends=True)[:5]))
    events = read_match_folder(folder)
    other = events.match.comments[-1].id
    write(folder, label(folder), label(folder, id=other, kind=None, sure=False))
    labelled = read_match_folder(folder, track="phases")
    assert set(labelled.gold or {}) == set(events.gold or {}) | {events.match.comments[0].id, other}
    phase = (labelled.phases or {})[events.match.comments[0].id]
    linkable = events.match.linkable
    assert phase.span(events.match) == (linkable[10].time, linkable[20].time)
    assert (phase.kind, phase.sure) == ("attack", True)


def test_without_labels_of_events_every_comment_is_labelled(folder: Path) -> None:
    (folder / "gold.jsonl").unlink()
    write(folder, label(folder))
    labelled = read_match_folder(folder, track="phases")
    assert len(labelled.gold or {}) == len(labelled.match.comments)


def test_a_match_without_labelled_phases_has_no_labels(folder: Path) -> None:
    (found,) = read_corpus(folder, track="phases")
    assert found.gold is None
    write(folder, label(folder))
    assert read_match_folder(folder, track="phases", labels=False).gold is None


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"team": "Nowhere"}, "line 2: the team 'Nowhere' does not play; expected"),
        ({"first": "?"}, "line 2: the event '?' is not in the log"),
        ({"last": "?"}, "line 2: the event '?' is not in the log"),
        ({"id": "?"}, "the comment '?' is not in the commentary"),
        ({"team": None}, "line 2: not a label"),
        ({"id": 0}, "line 2: duplicate label for comment 0"),
    ],
)
def test_wrong_labels(folder: Path, fields: dict[str, object], problem: str) -> None:
    write(folder, label(folder, id=0), label(folder, id=1) | fields)
    with pytest.raises(InputError, match=r"phases\.jsonl") as error:
        read_match_folder(folder, track="phases")
    assert problem in str(error.value)
