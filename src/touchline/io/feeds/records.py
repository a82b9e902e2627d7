"""What the readers of feeds share: raw records kept cheaply, errors that name the record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from touchline.core.errors import InputError
from touchline.io.files import File, line_of, read_utf8, reader_path
from touchline.io.sizes import MAX_FILE, check_size

# A match with extra time and penalties has 5,000 at most.
MAX_EVENTS = 10_000
# A log may have one unusable record in so many, and so many records that share the id of another.
USABLE, TWICE = 50, 3
MAX_SHIRT_DIGITS = 3  # more are not the number of a shirt
T = TypeVar("T")
R = TypeVar("R")
Decode = Callable[[int, T], R]
Text = Callable[[T], str]
NO_EVENTS = "no events found"
TRUNCATED = "is truncated"  # at the end of what is said of such a file


class Numbered(Protocol):
    """A record that knows its number in the file, from 1."""

    @property
    def number(self) -> int: ...


class RawRecord(Mapping[str, Any]):
    """A provider's own record: a slice of the file, decoded when somebody looks into it."""

    __slots__ = ("_decoded", "_raw")

    def __init__(self, raw: msgspec.Raw | bytes) -> None:
        self._raw = raw
        self._decoded: dict[str, Any] | None = None

    @property
    def slice(self) -> msgspec.Raw | bytes:
        """The record as it is written in the file."""
        return self._raw

    @property
    def _fields(self) -> dict[str, Any]:
        if self._decoded is None:
            self._decoded = self._decode()
        return self._decoded

    def _decode(self) -> dict[str, Any]:
        fields: dict[str, Any]
        try:
            fields = msgspec.json.decode(self.slice, type=dict[str, Any])
        except msgspec.ValidationError:  # a number too large for msgspec, in a field nobody reads
            fields = json.loads(bytes(self.slice))
        return fields

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return repr(self._fields)


class RawList:
    """A JSON list that has been decoded, and is cut into its records when one is looked into."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @cached_property
    def slices(self) -> list[msgspec.Raw]:
        return msgspec.json.decode(self._data, type=list[msgspec.Raw])


class ListedRecord(RawRecord):
    """A provider's own record in such a list."""

    __slots__ = ("_list", "_number")

    def __init__(self, records: RawList, number: int) -> None:
        self._list = records
        self._number = number
        self._decoded = None

    @property
    def slice(self) -> msgspec.Raw | bytes:
        return self._list.slices[self._number]

    def __reduce__(self) -> tuple[type[RawRecord], tuple[bytes]]:
        """In another process it stands alone."""
        return RawRecord, (bytes(self.slice),)


class Source:
    """A file that is read once, when somebody asks: a pipe has nothing to say the second time."""

    def __init__(self, file: File) -> None:
        self.path = reader_path(file)  # its name, where the file is in memory
        self.kept = b""  # what has been read; nothing where that failed
        self._file = file

    def read(self) -> bytes:
        if not self.kept:
            data = read_utf8(self._file, max_bytes=MAX_FILE)
            check_size(self.path, data)
            self.kept = data
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
            raise InputError(path, f"the JSON {TRUNCATED}", end) from None
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
        check_count(path, number)
        yield record


def check_count(path: Path, events: int) -> None:
    if events > MAX_EVENTS:
        problem = f"more than {MAX_EVENTS:,} events, the limit for one match"
        raise InputError(path, f"{problem}; real ones have about 3,500")


def usable(path: Path, records: Sequence[T], notes: list[str], decode: Decode[T, R]) -> list[R]:
    """The decoded records of a log; a few that cannot be used are left out, with a note.

    Many such records, or one in a short file, mean that the file is something else: the first of
    them is then reported. `decode` gets a record and its number, from 1.
    """
    found: list[R] = []
    broken: list[InputError] = []
    for number, record in enumerate(limited(path, records), 1):
        try:
            found.append(decode(number, record))
        except InputError as error:
            broken.append(error)
            if len(broken) > len(records) // USABLE:
                raise broken[0] from None
    if broken:
        first = f"{broken[0].where}: {broken[0].problem}"
        what = "1 record is" if len(broken) == 1 else f"{len(broken)} records are"
        notes.append(f"{what} left out of the log as unusable; {first}")
    return found


def distinct(
    path: Path,
    records: Sequence[T],
    notes: list[str],
    id_of: Text[T],
    where: Text[T],
    version: Text[T] = lambda record: "",
) -> dict[str, T]:
    """The records of a log by their ids; `where` says for messages where one stands.

    Of a few records that share an id the newest version is kept, or else the first, with a note.
    Where many do, the ids are none, and the file is refused.
    """
    kept = dict(zip(map(id_of, records), records, strict=True))
    if kept and len(kept) == len(records):
        return kept
    kept, twice = {}, []
    for record in records:
        name = id_of(record)
        other = kept.setdefault(name, record)
        if other is record:
            continue
        if version(record) > version(other):
            kept[name] = record
        place, first = where(record), where(other)
        twice.append(f"the id {name!r} of {place} is already used by {first}")
        if len(twice) > max(TWICE, len(records) // USABLE):
            raise InputError(path, f"the id {name!r} is already used by {first}", place)
    if not kept:
        raise InputError(path, NO_EVENTS)
    if twice:
        some = f"{twice[0]}; one of the two is left out of the log"
        more = f" ({len(twice) - 1} more such records)" if len(twice) > 1 else ""
        notes.append(some + more)
    return kept


def numbered(record: Numbered) -> str:
    """Where a record stands in a file that has no lines to speak of."""
    return f"record {record.number}"


def shirt_number(text: str) -> int | None:
    """A shirt number as a feed writes it; None for what is none."""
    return int(text) if text.isdecimal() and len(text) <= MAX_SHIRT_DIGITS else None


def day(stamp: object) -> str | None:
    """The date at the start of a time stamp, as `2015-08-24`; None where there is none."""
    found = str(stamp or "")[:10]
    try:
        return date.fromisoformat(found).isoformat()
    except ValueError:
        return None


def stem(path: Path) -> str:
    """The file's name without its endings: what a match is called when nothing else names it."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def starts_with(data: bytes, marks: bytes) -> bool:
    """Whether the first character that is no space is one of those."""
    return data[:1000].lstrip()[:1] in [bytes([mark]) for mark in marks]
