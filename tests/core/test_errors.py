"""Errors say where, and survive the way home from a worker process."""

from __future__ import annotations

import pickle

import pytest

from touchline.core.errors import InputError, MissingExtraError, TouchlineError


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (InputError("a.json", "the file is empty"), "a.json: the file is empty"),
        (InputError("-", "no time", "line 3"), "standard input, line 3: no time"),
        (InputError("a.csv", "no time", "line 3"), "a.csv, line 3: no time"),
        (MissingExtraError("Parquet", "parquet"), "Parquet needs another package: "
         "pip install 'parquet'"),
    ],
)  # fmt: skip
def test_the_message_survives_pickling(error: TouchlineError, message: str):
    assert str(error) == message
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == message
    assert copy.__dict__ == error.__dict__
