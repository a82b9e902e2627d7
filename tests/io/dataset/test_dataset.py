"""The tables of a data set: columns as documented, rows of the links, bytes that repeat."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow.parquet
import pytest

from touchline.core.errors import InputError
from touchline.core.links import CommentLinks, Link, Links, Phase
from touchline.io.dataset.manifest import Dataset, DatasetEntry
from touchline.io.dataset.rows import parquet_bytes, rows_of
from touchline.io.dataset.schema import FORMAT, PARTITIONS, TABLES

ROOT = Path(__file__).parents[3]


@pytest.fixture
def links(sample) -> Links:
    match = sample[0].match
    first, second, *_ = match.comments
    event, other = match.linkable[3], match.linkable[7]
    phase = Phase(team="Harrowmere", span=(1.0, 9.0), events=(event.id, other.id), score=0.8,
                  kind="counter")  # fmt: skip
    about = {"period": 1, "time": None, "span": None}
    linked = Link(id=event.id, score=0.9, words=((0, 4), (6, 9)))
    return Links(match, [
        CommentLinks(match=match.name, comment=first.id, events=(linked,), none=0.1, **about),
        CommentLinks(match=match.name, comment=second.id, events=(), none=0.9, phase=phase,
                     **about),
    ])  # fmt: skip


def test_the_rows_are_those_of_the_links(links):
    first, second = links.match.comments[:2]
    event = links.match.linkable[3]
    assert [row["state"] for row in rows_of("comments", links)] == ["linked", "none"]
    assert rows_of("links", links) == [{"comment": str(first.id), "event": event.id, "score": 0.9}]
    assert [row["text"] for row in rows_of("words", links)] == [first.text[0:4], first.text[6:9]]
    (phase,) = rows_of("phases", links)
    assert (phase["comment"], phase["kind"]) == (str(second.id), "counter")
    assert phase["events"][0] == event.id
    events = rows_of("events", links)
    assert [row["event"] for row in events] == [one.id for one in links.match.events]
    assert {"outcome", "zone"} & {name for row in events for name, _ in row["arguments"]}


@pytest.mark.parametrize("table", TABLES)
def test_files_have_the_columns_of_the_schema_and_repeat_to_the_byte(table, links):
    data = parquet_bytes(table, rows_of(table, links))
    assert data == parquet_bytes(table, rows_of(table, links))
    read = pyarrow.parquet.read_table(io.BytesIO(data))
    assert read.schema.metadata[b"touchline_dataset"] == str(FORMAT).encode()
    assert read.column_names == [column.name for column in TABLES[table]]
    assert parquet_bytes(table, []) != data


def test_the_schema_is_documented():
    text = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")
    for table, columns in TABLES.items():
        for column in columns:
            assert f"| `{table}` | `{column.name}` | {column.type} | {column.meaning} |" in text
    for name, meaning in PARTITIONS.items():
        assert f"| all | `{name}` | string | {meaning} |" in text


def test_partitions_are_safe_names():
    entry = DatasetEntry(season="2015/16", competition="Premier League", match="a=b", state="done")
    assert entry.partition == "season=2015%2F16/competition=Premier%20League/match=a%3Db"


def test_a_folder_without_a_manifest_is_no_data_set(tmp_path):
    with pytest.raises(InputError, match=r"no data set; expected its manifest\.json"):
        Dataset(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": 1, "matches": [{"name": "x"}]}')
    with pytest.raises(InputError, match="not the manifest of a data set"):
        Dataset(tmp_path)
    for damaged in (b'{"format": 1, "touchline": "\xe7', b"[" * 3000):
        (tmp_path / "manifest.json").write_bytes(damaged)
        with pytest.raises(InputError, match="not the manifest of a data set"):
            Dataset(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": 99, "touchline": "9", "matches": []}')
    with pytest.raises(InputError, match="format 99 is not supported"):
        Dataset(tmp_path)
