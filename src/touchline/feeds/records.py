"""What the readers of feeds share: raw records kept cheaply, errors that name the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from touchline.errors import InputError
from touchline.files import line_of


class RawRecord(Mapping[str, Any]):
    """A provider's own record: a slice of the file, decoded when somebody looks into it."""

    __slots__ = ("_raw",)

    def __init__(self, raw: msgspec.Raw) -> None:
        self._raw = raw

    def _fields(self) -> dict[str, Any]:
        return msgspec.json.decode(self._raw, type=dict[str, Any])

    def __getitem__(self, key: str) -> Any:
        return self._fields()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields())

    def __len__(self) -> int:
        return len(self._fields())

    def __repr__(self) -> str:
        return repr(self._fields())


def decode_json(path: Path, data: bytes, kind: Any) -> Any:
    """Decode a whole JSON file; a broken one is reported with its line."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise InputError(path, str(error)) from None
    except msgspec.DecodeError as error:
        if "truncated" in str(error):
            end = f"line {line_of(data, len(data))}"
            raise InputError(path, "the JSON breaks off before its end", end) from None
        raise InputError(path, f"not valid JSON ({error})", _line(data, error)) from None
    except RecursionError:
        raise InputError(path, "not valid JSON (nested too deep)") from None


def _line(data: bytes, error: Exception) -> str | None:
    digits = str(error).rpartition("byte ")[2].rstrip(")")
    return f"line {line_of(data, int(digits))}" if digits.isdigit() else None


def check_events(path: Path, events: list[Any]) -> None:
    """Refuse a log without events or with an id that names two of them."""
    if not events:
        raise InputError(path, "no event found")
    seen: dict[str, int] = {}
    for number, event in enumerate(events, 1):
        first = seen.setdefault(event.id, number)
        if first != number:
            problem = f"the id {event.id!r} is also that of record {first}"
            raise InputError(path, problem, f"record {number}")
