"""Predictions of other systems: little is asked of them, and what is wrong is said."""

from __future__ import annotations

import json

import pytest

from touchline import InputError, cli
from touchline.io.links.predictions import read_predictions
from touchline.sample import corpus_path


def test_ids_are_enough(tmp_path):
    path = tmp_path / "theirs.jsonl"
    path.write_text('{"match": "m", "comment": 1, "events": ["a", {"id": "b", "score": 0.5}]}\n'
                    '{"match": "m", "comment": "x", "events": []}\n')  # fmt: skip
    first, second = read_predictions(path)
    assert [(link.id, link.score) for link in first.events] == [("a", 1.0), ("b", 0.5)]
    assert (second.comment, second.events, second.none) == ("x", (), 1.0)


def test_a_table_has_a_row_a_pair(tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text("match,comment,event,score\nm,1,a,0.9\nm,1,b,\nm,2,,\n")
    first, second = read_predictions(path)
    assert [(link.id, link.score) for link in first.events] == [("a", 0.9), ("b", 1.0)]
    assert (second.comment, second.events) == ("2", ())


def test_a_list_is_read_as_its_lines_are(tmp_path):
    path = tmp_path / "theirs.json"
    path.write_text('[\n {"match": "m", "comment": 1, "events": ["a"]},\n'
                    ' {"match": "m", "comment": 2, "events": []}]')  # fmt: skip
    first, second = read_predictions(path)
    assert (first.events[0].id, second.events) == ("a", ())
    path.write_text('[{"match": "m", "comment": 1}]')
    with pytest.raises(InputError, match="missing required field `events`"):
        read_predictions(path)


def test_a_table_of_a_spreadsheet_has_semicolons_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text("match;comment;event\nm;1;a\n", encoding="utf-8-sig")
    (only,) = read_predictions(path)
    assert (only.match, only.comment, only.events[0].id) == ("m", "1", "a")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.csv", "match,id\n", "no column 'comment'; expected match, comment, event"),
        ("a.csv", "match,comment,event,score\nm,1,a,high\n", "score 'high'"),
        ("a.jsonl", '{"match": "m", "comment": 1}\n', "missing required field `events`"),
        ("a.jsonl", "nonsense\n", 'expected {"match"'),
    ],
)
def test_what_is_wrong_is_said(tmp_path, name, text, problem):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as said:
        read_predictions(tmp_path / name)
    assert problem in str(said.value)


def test_predictions_are_scored_and_compared(capsys, tmp_path):
    """Those made of the gold itself are right everywhere."""
    rows = [
        f"{folder.name},{label['id']},{event}"
        for folder in sorted(corpus_path().iterdir())
        if folder.is_dir()
        for label in map(json.loads, (folder / "gold.jsonl").read_text().splitlines())
        for event in (label["events"] or [""])
    ]
    path = tmp_path / "right.csv"
    path.write_text("\n".join(["match,comment,event", *rows]) + "\n")
    out = tmp_path / "scores.json"
    corpus = str(corpus_path())
    assert cli._run(["evaluate", corpus, "--predictions", str(path), "--json", str(out)]) == 0
    assert json.loads(out.read_text())["total"]["f1"] == 1
    both = ["evaluate", corpus, "--compare", "named", "--predictions", str(path)]
    assert cli._run([*both, "--json", str(out)]) == 0
    methods = json.loads(out.read_text())["methods"]
    assert list(methods) == ["named", "right.csv"]
    assert methods["right.csv"]["total"]["f1"] == 1
