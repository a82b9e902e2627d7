"""Raw records and broken JSON."""

from __future__ import annotations

import pickle
from pathlib import Path

import msgspec
import pytest

from touchline.errors import InputError
from touchline.feeds.records import RawRecord, check_ids, decode_json


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
        (b'[\n{"a": 1},\n{"a"', "a.json, line 3: the JSON breaks off"),
        (b'[\n{"a": 1},\n{"a" 2}]', "a.json, line 3: not valid JSON"),
        (b"[" * 100_000, "a.json: not valid JSON .nested too deep"),
        (b'{"a": 1}', "a.json: not a list .Expected `array`, got `object`"),
    ],
)
def test_broken_json_is_reported_with_its_line(data: bytes, message: str):
    with pytest.raises(InputError, match=message):
        decode_json(Path("a.json"), data, list, "a list")


def test_an_id_names_one_event():
    with pytest.raises(InputError, match="line 9: the id 'x' is also that of line 2"):
        check_ids(Path("a"), [("line 2", "x"), ("line 3", "y"), ("line 9", "x")])
    with pytest.raises(InputError, match="no event"):
        check_ids(Path("a"), [])
