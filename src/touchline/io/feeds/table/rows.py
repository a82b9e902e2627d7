"""The rows of a table, CSV or JSON (a list of objects, or one a line), whatever they are about."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from touchline.core.errors import InputError
from touchline.io.feeds.records import decode_json, text_of
from touchline.io.files import allow_long_fields
from touchline.io.sizes import check_values

# Each is kept in the raw record and as an argument. StatsBomb's log as a table has some 180,000.
MAX_CELLS = 450_000
HEAD = 20_000  # bytes in which the names of all columns stand
_JSON_COLUMN = re.compile(rb'"([^"\n]{1,60})"\s*:')
Row = tuple[str, Mapping[str, Any]]  # where it stands, and its cells by column


def is_json(data: bytes) -> bool:
    return data[:1000].lstrip()[:1] in (b"[", b"{")


def column_names(data: bytes) -> set[str]:
    """The plain names of a table's columns; of JSON those of its first objects."""
    return set(_names(data))


def found_columns(data: bytes) -> str:
    """The columns that a table has, in their order, for messages."""
    names = list(dict.fromkeys(_names(data)))
    return ", ".join(names[:20]) + (" ..." if len(names) > 20 else "")


def columns(header: str) -> set[str]:
    """The plain names in a header, under the delimiter that makes most of them."""
    return set(_cells(header))


def _names(data: bytes) -> list[str]:
    head = data[:HEAD].lstrip()
    if is_json(data):
        return [plain(name.decode("utf-8", "replace")) for name in _JSON_COLUMN.findall(head)]
    return _cells(first_line(head.decode("utf-8", "replace")))


def _cells(header: str) -> list[str]:
    cells = ([plain(name) for name in header.split(delimiter)] for delimiter in ",;\t|")
    return max(cells, key=lambda names: len(set(names)))


def first_line(text: str) -> str:
    return re.split(r"[\r\n]", text, maxsplit=1)[0]


def delimiter_of(header: str, wanted: Collection[str]) -> str | None:
    """The delimiter under which a header has one of the wanted columns."""
    for delimiter in ",;\t|":
        names = [plain(name) for name in header.split(delimiter)]
        if len(names) > 1 and any(name in wanted for name in names):
            return delimiter
    return None


def plain(name: str) -> str:
    return name.strip().strip('"').strip().lower().replace(" ", "_").replace("-", "_")


def rows(path: Path, data: bytes, wanted: Collection[str], lacks: str) -> Iterator[Row]:
    """The rows; `lacks` is what to say of a header without any of the wanted columns."""
    filled = 0
    for where, row in _rows(path, data, wanted, lacks):
        cells = list(row.values())
        filled += len(cells) - cells.count("") - cells.count(None)
        if filled > MAX_CELLS:
            limit = f"the limit for a table of one match is {MAX_CELLS:,} cells with a value"
            raise InputError(path, f"{limit}; leave out columns or give one match", where)
        yield where, row


def _rows(path: Path, data: bytes, wanted: Collection[str], lacks: str) -> Iterator[Row]:
    start = data[:1000].lstrip()[:1]
    if start == b"[":
        found = decode_json(path, data, list[dict[str, Any]], "a list of flat objects")
        return ((f"record {number}", row) for number, row in enumerate(found, 1))
    if start == b"{":
        return _json_lines(path, data)
    return _csv_rows(path, text_of(data), wanted, lacks)


def _json_lines(path: Path, data: bytes) -> Iterator[Row]:
    lines = data.split(b"\n")
    if lines[0].strip() in (b"{", b""):  # an object over many lines
        decode_json(path, data, dict[str, Any], "a table")
        raise InputError(path, "one JSON object; expected a list of rows, or one row a line")
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield f"line {number}", decode_json(path, line, dict[str, Any])
            except InputError as error:
                raise InputError(path, error.problem, f"line {number}") from None


def _csv_rows(path: Path, text: str, wanted: Collection[str], lacks: str) -> Iterator[Row]:
    blank = len(text) - len(text.lstrip("\n"))
    delimiter = delimiter_of(first_line(text[blank:]), wanted)
    if delimiter is None:
        raise InputError(path, lacks, "line 1")
    allow_long_fields()
    check_values(path, text.count(delimiter))
    lines = csv.reader(_lines(text, blank), delimiter=delimiter, strict=True)
    try:
        header = _checked_header(path, next(lines))
        for values in lines:
            where = f"line {blank + lines.line_num}"
            if len(values) > len(header):
                raise InputError(path, "more fields than the header", where)
            if values:
                yield where, dict(zip(header, values, strict=False))  # what is not there is empty
    except csv.Error as error:
        where = f"line {blank + lines.line_num}"
        raise InputError(path, f"not a valid table ({error})", where) from None


def _lines(text: str, start: int) -> Iterator[str]:
    """The lines of a text from a place on; `io.StringIO` would take four bytes a character."""
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _checked_header(path: Path, names: list[str]) -> list[str]:
    counts = Counter(plain(name) for name in names if name.strip())
    twice = next((name for name, count in counts.items() if count > 1), None)
    if twice is not None:
        raise InputError(path, f"two columns called `{twice}`", "line 1")
    return names
