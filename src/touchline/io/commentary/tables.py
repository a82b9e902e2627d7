"""Commentary as a table: JSON Lines, JSON, CSV or TSV with whatever the columns are called."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

from touchline.core.clocks import parse_clock
from touchline.core.errors import InputError
from touchline.io.commentary import services
from touchline.io.commentary.cells import as_float, entry_of, is_empty, plain
from touchline.io.commentary.clock_lines import LATEST
from touchline.io.commentary.columns import ANY, Columns, fields_of, listed, names_of
from touchline.io.commentary.entries import SHOOTOUT, Entry, Heading
from touchline.io.commentary.livetext import begins_shootout
from touchline.io.commentary.nested import comments_in, decode
from touchline.io.files import allow_long_fields

_LINKS = frozenset(["comment", "none"])  # columns that only our own links have together
_WHOLE_NUMBER = re.compile(r"\s*(0|-?[1-9][0-9]{0,17})(?:\.0)?\s*")

ASK_FOR_COLUMN = "name it with --text-column (text_column=... in Python)"
Rows = Iterable[tuple[str, Any]]  # where in the file, and what stands there
Items = list[Entry | Heading]


# CSV and TSV ------------------------------------------------------------------------------------


def recognise(text: str, columns: Columns = ANY) -> bool:
    """Whether the first line names a text column and another one that is known."""
    _, header = _header(text.split("\n"))
    delimiter = _delimiter(header, columns)
    if delimiter is None:
        return False
    fields = {columns.field(name) for name in _cells(header, delimiter)}
    return columns.text is not None or bool(fields - {"text", None})


def unknown_columns(text: str) -> str | None:
    """The columns of what looks like a table but names no text column; None for other texts."""
    lines = text.split("\n")
    skipped, header = _header(lines)
    rest = [line for line in lines[skipped + 1 :] if line.strip()][:5]
    for delimiter in "\t;|,":
        names = _cells(header, delimiter)
        # A sentence has commas too; the names of columns are short.
        if len(names) < 2 or not all(0 < len(name.strip()) <= 30 for name in names):
            continue
        if rest and all(len(_cells(line, delimiter)) >= len(names) for line in rest):
            return listed(names)
    return None


def no_text_column(found: str) -> str:
    """The problem of a table that has only these columns."""
    return f"a table without a column for the text; found: {found}; {ASK_FOR_COLUMN}"


def read_delimited(path: Path, text: str, columns: Columns = ANY) -> Items:
    """Entries of a CSV or TSV text with a header line."""
    allow_long_fields()
    lines = text.split("\n")
    skipped, header = _header(lines)
    delimiter = _delimiter(header, columns)
    if delimiter is None:
        raise InputError(path, _no_text(header, columns), f"line {skipped + 1}")
    read = partial(_delimited_rows, path, lines, skipped, delimiter, columns)
    try:
        rows = list(read(csv.QUOTE_MINIMAL))
    except InputError:
        if delimiter != "\t":
            raise
        # Tables with tabs are often written without quoting, and a quote is then a quote.
        rows = list(read(csv.QUOTE_NONE))
    return _entries(path, rows, columns, whole_ids=True)


def _no_text(header: str, columns: Columns) -> str:
    names = max((_cells(header, delimiter) for delimiter in "\t,;|"), key=len)
    if columns.text is not None:
        return f"no column {columns.text!r}; found: {listed(names)}"
    return f"no column for the text; found: {listed(names)}; {ASK_FOR_COLUMN}"


def _header(lines: list[str]) -> tuple[int, str]:
    """How many lines stand before the header (Excel writes `sep=;`), and the header."""
    for number, line in enumerate(lines):
        if line.strip() and not re.fullmatch(r"sep=.", line.strip(), re.IGNORECASE):
            return number, line
    return 0, ""


def _delimiter(header: str, columns: Columns) -> str | None:
    """The delimiter under which the header names a text column."""
    return next((d for d in "\t,;|" if "text" in map(columns.field, _cells(header, d))), None)


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # a line too long for a header
        return []


def _delimited_rows(
    path: Path,
    lines: list[str],
    skipped: int,
    delimiter: str,
    columns: Columns,
    quoting: Literal[0, 3],
) -> Iterator[tuple[str, dict[str, str]]]:
    rest = (line + "\n" for line in lines[skipped:])
    reader = csv.reader(rest, delimiter=delimiter, strict=True, quoting=quoting)
    header: list[str] = []
    start = 1
    try:
        for cells in reader:
            if not header:
                header = cells
            elif any(cell.strip() for cell in cells):
                yield f"line {skipped + start}", _row(header, cells, delimiter, columns)
            start = reader.line_num + 1
    except (csv.Error, ValueError) as error:
        problem = f"not a valid table ({error})"
        raise InputError(path, problem, f"line {skipped + start}") from None


def _row(header: list[str], cells: list[str], delimiter: str, columns: Columns) -> dict[str, str]:
    """The cells by column; commas in an unquoted text at the end of the row belong to it."""
    cells = cells + [""] * (len(header) - len(cells))
    if any(cell.strip() for cell in cells[len(header) :]):
        if columns.field(header[-1]) != "text":
            raise ValueError(f"{len(cells)} cells under {len(header)} column names")
        cells[len(header) - 1 :] = [delimiter.join(cells[len(header) - 1 :])]
    return dict(zip(header, cells, strict=False))


# JSON -------------------------------------------------------------------------------------------


def read_json(path: Path, text: str, columns: Columns = ANY) -> Items:
    """Entries of a JSON list of objects, or of whatever holds one, as pages serve it."""
    content = decode(path, text, 1)
    _refuse_links(path, "record 1", content)
    known = services.rows_of(content)
    content = comments_in(content, _likeness) if known is None else known
    if not isinstance(content, list):
        raise InputError(path, "expected a list of comments")
    return _entries(path, ((f"record {i}", row) for i, row in enumerate(content, 1)), columns)


def read_json_lines(path: Path, text: str, columns: Columns = ANY) -> Items:
    """Entries of a file with one JSON object a line."""
    lines = enumerate(text.split("\n"), 1)
    rows = ((f"line {i}", decode(path, line, i)) for i, line in lines if line.strip())
    return _entries(path, rows, columns)


# The kinds of commentary that have columns, and how they are read.
READERS = {"csv": read_delimited, "tsv": read_delimited, "json": read_json,
           "jsonl": read_json_lines}  # fmt: skip


def _likeness(row: Mapping[str, Any]) -> int:
    """How much an object looks like a comment: words, and a clock beside them."""
    fields = fields_of(row)
    if is_empty(fields.get("text")):
        return 0
    return 2 if fields.keys() & {"clock", "time", "minute"} else 1


# Rows -------------------------------------------------------------------------------------------


def _entries(path: Path, rows: Rows, columns: Columns, whole_ids: bool = False) -> Items:
    """The entries of a table; `whole_ids` if a column of whole numbers is one of numbers."""
    table = [(where, _checked_fields(path, where, row, columns)) for where, row in rows]
    table = [(where, fields) for where, fields in table if set(fields) - {"text", "period"}
             or fields["text"] not in (None, "")]  # fmt: skip
    _refuse_numbers(path, [fields["text"] for _, fields in table])
    if whole_ids:
        _make_ids_whole([fields for _, fields in table])
    _settle_units([fields for _, fields in table])
    entries: Items = []
    for where, fields in table:
        try:
            entry = entry_of(fields, where)
        except ValueError as error:
            raise InputError(path, str(error), where) from None
        entries += [SHOOTOUT, entry] if begins_shootout(entry.text) else [entry]
    return entries


def _checked_fields(path: Path, where: str, row: Any, columns: Columns) -> dict[str, Any]:
    if not isinstance(row, Mapping):
        raise InputError(path, "expected an object with the comment's fields", where)
    _refuse_links(path, where, row)
    columns.check(path, row, where)
    fields = fields_of(row, columns)
    if "text" not in fields:
        problem = f"no column for the text; found: {listed(row)}; {ASK_FOR_COLUMN}"
        raise InputError(path, problem, where)
    return fields


def _refuse_links(path: Path, where: str, row: Any) -> None:
    """Links name their comments by numbers, which would be read as the words of a commentary."""
    names = {plain(name) for name in row} if isinstance(row, Mapping) else set()
    if names >= _LINKS and names & {"events", "event"}:
        problem = "these are links, as `touchline align` writes them; expected the commentary"
        raise InputError(path, problem, where)


def _refuse_numbers(path: Path, texts: list[Any]) -> None:
    """A column of nothing but numbers is called like a text, but is an id or a minute."""
    said = [text for text in texts if not is_empty(text)]
    if said and all(isinstance(text, bool) or as_float(text) is not None for text in said):
        problem = f"every text is a number ({said[0]!r} ...); expected words in a column called"
        raise InputError(path, f"{problem} one of {names_of('text')}")


def _make_ids_whole(table: list[dict[str, Any]]) -> None:
    """Make ids numbers where all are, so that they match those of the JSON they came from."""
    found = [_WHOLE_NUMBER.fullmatch(fields["id"]) for fields in table if "id" in fields]
    if all(found):
        for fields, whole in zip((f for f in table if "id" in f), found, strict=True):
            fields["id"] = int(whole[1]) if whole else fields["id"]


def _settle_units(table: list[dict[str, Any]]) -> None:
    """What a bare number in a column of times means shows in the other rows.

    Next to `45+2`, a time of 12 is a minute; a clock of 754 is no minute but a second.
    """
    if any(_is_minute(fields.get("time")) for fields in table):
        for fields in table:
            number = as_float(fields.get("time"))
            if number is not None and number.is_integer() and 0 <= number <= LATEST:
                fields["time"] = f"{number:.0f}'"
    if any((as_float(fields.get("clock")) or 0) > LATEST for fields in table):
        for fields in table:
            if "time" not in fields and as_float(fields.get("clock")) is not None:
                fields["time"] = fields.pop("clock")


def _is_minute(value: Any) -> bool:
    if not isinstance(value, str) or as_float(value) is not None:
        return False
    clock = parse_clock(value)
    return clock is not None and clock.second is None
