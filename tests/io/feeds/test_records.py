"""Raw records and broken JSON."""

from __future__ import annotations

import pickle
from operator import itemgetter
from pathlib import Path

import msgspec
import pytest

from touchline.core.errors import InputError
from touchline.io.feeds import read_events, records
from touchline.io.feeds.records import (
    ListedRecord,
    RawList,
    RawRecord,
    decode_json,
    distinct,
    shirt_number,
    usable,
)


def test_a_raw_record_is_the_decoded_slice():
    pieces = msgspec.json.decode(b'[{"a": 1, "b": {"c": null}}]', type=list[msgspec.Raw])
    record = RawRecord(pieces[0])
    assert record == {"a": 1, "b": {"c": None}}
    assert (len(record), list(record), "a" in record, record.get("x")) == (
        2,
        ["a", "b"],
        True,
        None,
    )
    assert repr(record) == "{'a': 1, 'b': {'c': None}}"
    assert pickle.loads(pickle.dumps(record)) == record


def test_a_record_of_a_list_is_cut_out_when_it_is_looked_into():
    records = RawList(b'[{"a": 1}, {"b": 2.50}]')
    record = ListedRecord(records, 1)
    assert "slices" not in vars(records)
    assert record == {"b": 2.5}
    assert bytes(record.slice) == b'{"b": 2.50}'
    alone = pickle.dumps(record)
    assert b'"a"' not in alone
    assert pickle.loads(alone) == record


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'[\n{"a": 1},\n{"a"', "a.json, line 3: the JSON is truncated"),
        (b'[\n{"a": 1},\n{"a" 2}]', "a.json, line 3: not valid JSON"),
        (b"[" * 100_000, "a.json: not valid JSON .nested too deeply"),
        (b'{"a": 1}', "a.json: not a list .Expected `array`, got `object`"),
    ],
)
def test_broken_json_is_reported_with_its_line(data: bytes, message: str):
    with pytest.raises(InputError, match=message):
        decode_json(Path("a.json"), data, list, "a list")


def own_ids(ids: str, notes: list[str]) -> list[tuple[str, str, str]]:
    """Records `x`, or `x2` in version 2, by their places, ids and versions."""
    records = [(f"line {place}", name[0], name[1:]) for place, name in enumerate(ids.split(), 1)]
    where, id_of, version = map(itemgetter, range(3))
    return list(distinct(Path("a"), records, notes, id_of, where, version).values())


def test_of_records_that_share_an_id_one_is_kept():
    notes: list[str] = []
    assert own_ids("x y x", notes) == [("line 1", "x", ""), ("line 2", "y", "")]
    assert notes == [
        "the id 'x' of line 3 is already used by line 1; one of the two is left out of the log"
    ]


def test_the_newest_version_is_kept():
    assert own_ids("x3 y x2", [])[0] == ("line 1", "x", "3")
    assert own_ids("x2 y x3", [])[0] == ("line 3", "x", "3")


def test_many_shared_ids_are_none():
    notes: list[str] = []
    own_ids("x x y y z z", notes)
    assert notes[0].endswith("is left out of the log (2 more such records)")
    with pytest.raises(InputError, match="line 5: the id 'x' is already used by line 1"):
        own_ids("x x x x x", [])
    with pytest.raises(InputError, match="no event"):
        own_ids("", [])


def decoded(number: int, record: str) -> int:
    try:
        return int(record)
    except ValueError:
        raise InputError("a", "not a number", f"record {number}") from None


def test_a_few_unusable_records_are_left_out():
    notes: list[str] = []
    assert usable(Path("a"), ["1"] * 99 + ["x"], notes, decoded) == [1] * 99
    assert notes == ["1 record is left out of the log as unusable; record 100: not a number"]


@pytest.mark.parametrize("records", [["1", "x"], ["x"] * 3 + ["1"] * 97])
def test_many_unusable_records_are_another_file(records: list[str]):
    with pytest.raises(InputError, match=r"record [12]: not a number"):
        usable(Path("a"), records, [], decoded)


CSV = "type,period,time\n" + "Pass,1,5\n" * 4
JSON_LINES = '{"type": "Pass", "period": 1, "time": 5}\n' * 4
ROBOCUP = "3 | 3 | kick ( red9 )\n" * 4


@pytest.mark.parametrize("text", [CSV, JSON_LINES, ROBOCUP], ids=["csv", "jsonl", "robocup"])
def test_a_log_with_too_many_events_is_refused_while_it_is_read(tmp_path, monkeypatch, text):
    monkeypatch.setattr(records, "MAX_EVENTS", 3)
    (tmp_path / "events.txt").write_text(text)
    with pytest.raises(InputError, match=r"events\.txt: more than 3 events, the limit for"):
        read_events(tmp_path / "events.txt")


def test_so_is_a_statsbomb_log(sample_folder, monkeypatch):
    monkeypatch.setattr(records, "MAX_EVENTS", 100)
    with pytest.raises(InputError, match=r"events\.json\.gz: more than 100 events"):
        read_events(sample_folder / "events.json.gz")


@pytest.mark.parametrize(
    ("text", "number"), [("9", 9), ("10", 10), ("", None), ("9a", None), ("9" * 5000, None)]
)
def test_a_shirt_has_a_number_of_few_digits(text, number):
    assert shirt_number(text) == number
