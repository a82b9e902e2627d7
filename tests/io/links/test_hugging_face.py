"""A corpus as a data set: rows of one type, and a card whose header describes them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
import yaml

from touchline import CommentLinks, Link, Links, align, cli
from touchline.core.links import Counts
from touchline.io.links.hugging_face import COLUMNS, card, rows
from touchline.sample import corpus_path

PYTHON = {"string": str, "int64": int, "float64": (int, float)}


def has_type(value, kind) -> bool:
    if isinstance(kind, dict):
        return [set(one) == set(kind) and all(has_type(one[k], kind[k]) for k in kind)
                for one in value] == [True] * len(value)  # fmt: skip
    if isinstance(kind, list):
        return value is None or all(has_type(one, kind[0]) for one in value)
    return value is None or isinstance(value, PYTHON[kind])


def header(text: str) -> dict:
    return yaml.safe_load(text.split("---\n")[1])


def features(columns) -> list[dict]:
    """The columns as a card's header has them."""
    return [
        {"name": name, "list": features(kind)} if isinstance(kind, dict)
        else {"name": name, "sequence": kind[0]} if isinstance(kind, list)
        else {"name": name, "dtype": kind}
        for name, kind in columns.items()
    ]  # fmt: skip


def loaded(folder: Path, cache: Path) -> int:
    """How many rows Hugging Face's own package finds, of the types that the card names."""
    from datasets import load_dataset  # slow, and needs more of the system than other tests

    found = load_dataset(str(folder), split="train", cache_dir=str(cache))
    assert found.column_names == list(COLUMNS)
    assert {link["id"] for links in found["events"] for link in links}
    return len(found)


def test_a_corpus_becomes_a_data_set(tmp_path: Path, capsys):
    for _ in range(2):  # a second run changes nothing
        with pytest.raises(SystemExit) as stop:
            cli.main(["align", "--corpus", str(corpus_path()), "--format", "huggingface",
                      "--jobs", "1", "--method", "named-nearest",
                      "-o", str(tmp_path / "season")])  # fmt: skip
        assert stop.value.code == 0
        files = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.jsonl"))
        assert [name for name in files if "/data/" in name] == [
            "season/data/harrowmere-castlebrook.jsonl",
            "season/data/port-selwyn-dunveagh.jsonl",
        ]
        assert (tmp_path / "season" / "links" / "manifest.json").is_file()
    assert loaded(tmp_path / "season", tmp_path / "cache") == sum(
        len(path.read_bytes().splitlines()) for path in (tmp_path / "season/data").iterdir()
    )
    read = [json.loads(line) for path in (tmp_path / "season" / "data").glob("*.jsonl")
            for line in path.open(encoding="utf-8")]  # fmt: skip
    text = (tmp_path / "season" / "README.md").read_text(encoding="utf-8")
    about = header(text)
    assert about["dataset_info"]["features"] == features(COLUMNS)
    assert about["configs"] == [{"config_name": "default", "data_files": "data/*.jsonl"}]
    assert f"2 matches, {sum(bool(row['events']) for row in read)} of {len(read)} comments" in text
    for row in read:
        assert set(row) == set(COLUMNS)
        assert all(has_type(row[name], kind) for name, kind in COLUMNS.items())
    gold = {row["comment"]: row["labels"] for row in read if row["match"].startswith("harrow")}
    labels = (corpus_path() / "harrowmere-castlebrook" / "gold.jsonl").read_bytes().splitlines()
    for label in map(msgspec.json.decode, labels):
        assert set(gold[str(label["id"])]) == set(label["events"])


def test_a_data_set_needs_a_corpus(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["align", "events.json", "live.txt", "--format", "huggingface"])
    assert stop.value.code == 2
    assert "--format need --corpus" in capsys.readouterr().err


def test_rows_have_words_and_outcomes(small_match):
    answer = CommentLinks(match="small", comment=0, none=0.0, period=1, time=14.0, span=(14, 14),
                          events=(Link(id="e1", score=0.9, words=((18, 28),)),))  # fmt: skip
    (row,) = rows(Links(small_match, [answer]))
    assert row["events"][0]["outcome"] == "Saved"
    assert row["events"][0]["words"] == small_match.comments[0].text[18:28]
    assert row["labels"] is None
    (other, *_) = rows(align(small_match, method="named"), {0: frozenset(["e0"])})
    assert other["labels"] == ["e0"]


def test_a_name_cannot_break_the_header():
    text = card('2015: "best" # of\n---', "chains", ["bundled live-text"], Counts(10, 5, 6), 1)
    assert header(text)["pretty_name"] == '2015: "best" # of\n---'
    assert "answered by bundled live-text" in text
    assert "1 match, 5 of 10 comments linked, 6 pairs" in text
    assert header(card("a", "m", [], Counts(12_000, 0, 0), 2))["size_categories"] == ["10K<n<100K"]
