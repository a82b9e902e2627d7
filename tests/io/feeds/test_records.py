"""Raw records and broken JSON."""

from __future__ import annotations

import pickle
from pathlib import Path

import msgspec
import pytest

from touchline.core.errors import InputError
from touchline.io.feeds import read_events, records
from touchline.io.feeds.records import RawRecord, check_ids, decode_json


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


def test_an_id_names_one_event():
    with pytest.raises(InputError, match="line 9: the id 'x' is already used by line 2"):
        check_ids(Path("a"), [("line 2", "x"), ("line 3", "y"), ("line 9", "x")])
    with pytest.raises(InputError, match="no event"):
        check_ids(Path("a"), [])


CSV = "type,period,time\n" + "Pass,1,5\n" * 4
JSON_LINES = '{"type": "Pass", "period": 1, "time": 5}\n' * 4
ROBOCUP = "3 | 3 | kick ( red9 )\n" * 4


@pytest.mark.parametrize("text", [CSV, JSON_LINES, ROBOCUP], ids=["csv", "jsonl", "robocup"])
def test_a_log_with_too_many_events_is_refused_while_it_is_read(tmp_path, monkeypatch, text):
    monkeypatch.setattr(records, "MAX_EVENTS", 3)
    (tmp_path / "events.txt").write_text(text)
    with pytest.raises(InputError, match=r"events\.txt: more than 3 events; a match has about"):
        read_events(tmp_path / "events.txt")


def test_so_is_a_statsbomb_log(sample_folder, monkeypatch):
    monkeypatch.setattr(records, "MAX_EVENTS", 100)
    with pytest.raises(InputError, match=r"events\.json\.gz: more than 100 events"):
        read_events(sample_folder / "events.json.gz")
