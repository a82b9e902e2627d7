"""What the readers of feeds share: raw records kept cheaply, errors that name the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from touchline.core.errors import InputError
from touchline.io.files import File, line_of, read_utf8

MAX_EVENTS = 200_000
T = TypeVar("T")


class RawRecord(Mapping[str, Any]):
    """A provider's own record: a slice of the file, decoded when somebody looks into it."""

    __slots__ = ("_decoded", "_raw")

    def __init__(self, raw: msgspec.Raw | bytes) -> None:
        self._raw = raw
        self._decoded: dict[str, Any] | None = None

    @property
    def _fields(self) -> dict[str, Any]:
        if self._decoded is None:
            self._decoded = self._decode()
        return self._decoded

    def _decode(self) -> dict[str, Any]:
        fields: dict[str, Any] = msgspec.json.decode(self._raw, type=dict[str, Any])
        return fields

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return repr(self._fields)


class Source:
    """A file that is read once, when somebody asks: a pipe has nothing to say the second time."""

    def __init__(self, file: File) -> None:
        self.path = Path(str(file))  # its name, where the file is in memory
        self.kept = b""  # what has been read; nothing where that failed
        self._file = file

    def read(self) -> bytes:
        self.kept = self.kept or read_utf8(self._file)
        return self.kept


def decode_json(path: Path, data: bytes | msgspec.Raw, kind: Any, what: str = "") -> Any:
    """Decode a whole JSON file; a broken one is reported with its line.

    Numbers may be written as text, as some exports do. `what` says what was expected when the
    JSON is sound but something else.
    """
    try:
        return msgspec.json.decode(data, type=kind, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(path, f"not {what} ({error})" if what else str(error)) from None
    except msgspec.DecodeError as error:
        if "truncated" in str(error):
            end = f"line {line_of(bytes(data), len(bytes(data)))}"
            raise InputError(path, "the JSON is truncated", end) from None
        raise InputError(path, f"not valid JSON ({error})", _line(bytes(data), error)) from None
    except RecursionError:
        raise InputError(path, "not valid JSON (nested too deeply)") from None


def _line(data: bytes, error: Exception) -> str | None:
    digits = str(error).rpartition("byte ")[2].rstrip(")")
    return f"line {line_of(data, int(digits))}" if digits.isdigit() else None


def why(error: Exception) -> str:
    """What is wrong with JSON, in words for those who did not write the decoder."""
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def text_of(data: bytes) -> str:
    """UTF-8 bytes as text with plain line ends."""
    return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def limited(path: Path, records: Iterable[T]) -> Iterator[T]:
    """The records of a log as they come, refused when they are more than any match has.

    Events take many times the memory of the file's text, so this looks while it reads.
    """
    for number, record in enumerate(records, 1):
        if number > MAX_EVENTS:
            raise InputError(path, f"more than {MAX_EVENTS:,} events; a match has about 3,500")
        yield record


def check_ids(path: Path, ids: Iterable[tuple[str, str]]) -> None:
    """Refuse a log without events or with an id that names two; given is (where, id) of each."""
    first: dict[str, str] = {}
    for where, name in ids:
        if name in first:
            raise InputError(path, f"the id {name!r} is already used by {first[name]}", where)
        first[name] = where
    if not first:
        raise InputError(path, "no events found")


def stem(path: Path) -> str:
    """The file's name without its endings: what a match is called when nothing else names it."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def starts_with(data: bytes, marks: bytes) -> bool:
    """Whether the first character that is no space is one of those."""
    return data[:1000].lstrip()[:1] in [bytes([mark]) for mark in marks]
