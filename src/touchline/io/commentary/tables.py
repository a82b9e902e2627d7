"""Commentary as a table: JSON Lines, JSON, CSV or TSV with whatever the columns are called."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

from touchline.core.clocks import (
    MAX_MATCH,
    NO_PERIOD,
    SHOOTOUT_NAMES,
    Clock,
    parse_clock,
    parse_period,
)
from touchline.core.errors import InputError
from touchline.io.commentary import services
from touchline.io.commentary.clock_lines import LATEST
from touchline.io.commentary.entries import SHOOTOUT, Entry, Heading
from touchline.io.commentary.html_text import plain_text
from touchline.io.commentary.livetext import begins_shootout, is_heading
from touchline.io.commentary.nested import comments_in, decode, shown
from touchline.io.files import allow_long_fields

# Column names are compared in lower case without spaces, dashes and underscores; of several
# that are there, the first listed counts.
COLUMNS = {
    "id": ("id", "commentid", "lineid", "no", "number", "index", "key", "uuid"),
    "text": ("text", "comment", "comments", "commentary", "commenttext", "commentarytext",
             "description", "sentence", "body", "content", "message", "caption", "line",
             "transcript", "narration"),
    "period": ("period", "half", "periodid", "matchperiod"),
    "clock": ("clock", "gameclock", "matchclock", "minuteclock", "displayclock", "displaytime"),
    "time": ("time", "seconds", "start", "starttime", "timestamp", "gametime", "matchtime"),
    "end": ("end", "stop", "endtime"),
    "spoken": ("spoken",),
    "anywhere": ("anywhere",),
    "outside": ("outsideplay",),
    "minute": ("minute", "min", "minutes", "matchminute"),
    "second": ("second", "sec"),
    "added": ("added", "addedtime", "extraminute", "extra", "stoppage", "injurytime"),
}  # fmt: skip
_FIELDS = {name: field for field, names in COLUMNS.items() for name in names}
# What stands in place of a clock that does not run.
_NO_CLOCK = frozenset(
    [*NO_PERIOD, *SHOOTOUT_NAMES, "ko", "kickoff", "aet", "et", "extratime", "break", "interval",
     "pre", "post", "live", "start", "end", "final", "preview", "report"]
)  # fmt: skip
# What tools write where nothing is known.
_UNKNOWN = frozenset(["", "NaN", "nan", "NA", "null", "NULL", "None"])
_LINKS = frozenset(["comment", "none"])  # columns that only our own links have together
_SPAN = re.compile(r"\s*(-)?(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d(?:[.,]\d+)?)\s*")
_DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\d{9,}(?:\.\d*)?")
_WHOLE_NUMBER = re.compile(r"\s*(0|-?[1-9][0-9]{0,17})(?:\.0)?\s*")

ASK_FOR_COLUMN = "name it with --text-column (text_column=... in Python)"
Rows = Iterable[tuple[str, Any]]  # where in the file, and what stands there
Items = list[Entry | Heading]


class Columns(NamedTuple):
    """The columns of the text and of the clock, where the user has named them."""

    text: str | None = None
    clock: str | None = None

    def field(self, column: str) -> str | None:
        """What a column holds, by our names; of the named fields only the given columns count."""
        if column == self.text:
            return "text"
        found = _field(column)
        return None if found == "text" and self.text is not None else found

    def check(self, path: Path, row: Mapping[str, Any], where: str) -> None:
        for name in (self.text, self.clock):
            if name is not None and name not in row:
                raise InputError(path, f"no column {name!r}; found: {_listed(row)}", where)


ANY = Columns()


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
            return _listed(names)
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
        return f"no column {columns.text!r}; found: {_listed(names)}"
    return f"no column for the text; found: {_listed(names)}; {ASK_FOR_COLUMN}"


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
    fields = _fields(row)
    if _is_empty(fields.get("text")):
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
            entry = _entry(fields, where)
        except ValueError as error:
            raise InputError(path, str(error), where) from None
        entries += [SHOOTOUT, entry] if begins_shootout(entry.text) else [entry]
    return entries


def _checked_fields(path: Path, where: str, row: Any, columns: Columns) -> dict[str, Any]:
    if not isinstance(row, Mapping):
        raise InputError(path, "expected an object with the comment's fields", where)
    _refuse_links(path, where, row)
    columns.check(path, row, where)
    fields = _fields(row, columns)
    if "text" not in fields:
        problem = f"no column for the text; found: {_listed(row)}; {ASK_FOR_COLUMN}"
        raise InputError(path, problem, where)
    return fields


def _listed(names: Iterable[str]) -> str:
    """The names of columns, for messages."""
    all_names = [str(name).strip() for name in names]
    return ", ".join(all_names[:20]) + (" ..." if len(all_names) > 20 else "")


def _refuse_links(path: Path, where: str, row: Any) -> None:
    """Links name their comments by numbers, which would be read as the words of a commentary."""
    names = {_plain(name) for name in row} if isinstance(row, Mapping) else set()
    if names >= _LINKS and names & {"events", "event"}:
        problem = "these are links, as `touchline align` writes them; expected the commentary"
        raise InputError(path, problem, where)


def _refuse_numbers(path: Path, texts: list[Any]) -> None:
    """A column of nothing but numbers is called like a text, but is an id or a minute."""
    said = [text for text in texts if not _is_empty(text)]
    if said and all(isinstance(text, bool) or as_float(text) is not None for text in said):
        problem = f"every text is a number ({said[0]!r} ...); expected words in a column called"
        raise InputError(path, f"{problem} one of {_names('text')}")


def _fields(row: Mapping[str, Any], columns: Columns = ANY) -> dict[str, Any]:
    """The row's values under our names for them; empty ones are left out, but for the text."""
    fields = _found_fields(row)
    if columns.text is not None:
        text = shown(row[columns.text])
        fields["text"] = "" if _is_empty(text) else text
    if columns.clock is not None:
        for name in ("clock", "time", "minute", "second", "added"):
            fields.pop(name, None)
        clock = shown(row[columns.clock])
        if not _is_unknown(clock):
            span = _SPAN.fullmatch(clock) if isinstance(clock, str) else None
            fields["time" if span and span[2] else "clock"] = clock
    return fields


def _found_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields by the names that columns usually have."""
    plain = {_plain(key): shown(value) for key, value in row.items()}
    fields = {}
    for field, names in COLUMNS.items():
        there = [name for name in names if name in plain]
        if field in ("id", "text"):  # one column for all rows, be it empty in some
            there = there[:1]
        empty = _is_empty if field == "text" else _is_unknown
        filled = [plain[name] for name in there if not empty(plain[name])]
        if filled:
            fields[field] = filled[0]
        elif there and field == "text":
            fields[field] = ""
    # Next to minutes, seconds are those of the minute.
    seconds = plain.get("seconds")
    if "minute" in fields and not _is_unknown(seconds) and fields["time"] is seconds:
        fields.setdefault("second", fields.pop("time"))
    return fields


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


def _entry(fields: Mapping[str, Any], where: str) -> Entry:
    if isinstance(fields["text"], list | dict):
        raise ValueError(f"the text is a {type(fields['text']).__name__}, not a string")
    period = parse_period(fields.get("period"))
    if period is None and _plain(str(fields.get("clock"))) in SHOOTOUT_NAMES:
        period = 5  # PEN in place of a clock
    time, clock = _time(fields)
    shown = _clock(fields.get("clock"))
    text = plain_text(str(fields["text"]))
    return Entry(
        text=text,
        id=_id(fields.get("id")),
        period=period,
        time=time,
        end=_seconds(fields.get("end"), "end"),
        spoken=_spoken(fields.get("spoken"), text),
        anywhere=fields.get("anywhere") is True,
        candidates=() if fields.get("outside") is True else None,
        clock=clock or shown,
        shown=shown,
        where=where,
    )


def _time(fields: Mapping[str, Any]) -> tuple[float | None, str | None]:
    """Exact seconds, or a clock more exact than the column of clocks."""
    written = fields.get("time")
    if isinstance(written, str | int | float) and _DATE.fullmatch(str(written)):
        if "clock" not in fields and "minute" not in fields:
            raise ValueError(f"time {written!r} is a date; expected seconds or a clock like 45+2'")
        written = None  # when it was published
    if isinstance(written, str) and as_float(written) is None:
        return _written_time(written)
    if written is None and "minute" in fields and ("second" in fields or "clock" not in fields):
        return None, _minute(fields)
    return _seconds(written, "time"), None


def _written_time(written: str) -> tuple[float | None, str | None]:
    """`0:12:34` is a time like a number of seconds; `12:34` and `45+2` are clocks."""
    span = _SPAN.fullmatch(written)
    if span and (span[1] or span[2]):
        return _seconds(written, "time"), None
    if span:
        return None, written.strip().replace(",", ".")
    return None, _clock(written, "time")


def _minute(fields: Mapping[str, Any]) -> str | None:
    """The clock in the columns for minute, added minutes and seconds."""
    minute = as_float(fields["minute"])
    text = str(fields["minute"]) if minute is None else f"{math.floor(minute)}"
    written = _clock(text, "minute")
    clock = parse_clock(written) if written else None
    if clock is None:
        return None
    added, second = clock.added, _number(fields.get("second"), "second")
    if "added" in fields:
        added = _added(fields["added"]) or None
    if second is None and minute is not None and minute % 1:
        second = 60 * (minute % 1)
    if second is not None and not 0 <= second < 60:
        raise ValueError(f"second must be 0-59, got {fields['second']!r}")
    return str(Clock(clock.minute, added, second))


def _added(value: Any) -> int:
    minutes = _number(str(value).strip("+'’ "), "added minutes") or 0
    if not 0 <= minutes < 100:
        raise ValueError(f"added minutes must be 0-99, got {value!r}")
    return int(minutes)


def _clock(value: Any, what: str = "clock") -> str | None:
    """A clock as it is written; None for words like HT."""
    if value is None:
        return None
    number = as_float(value)
    text = f"{number:.0f}" if number is not None and number.is_integer() else str(value).strip()
    text = text if parse_clock(text) else text.strip("'’. ")
    clock = parse_clock(text)
    if clock is not None and clock.minute <= LATEST:
        return text
    word = _plain(text)
    if word and word not in _NO_CLOCK and not is_heading(text):  # a lone dash is no clock either
        raise ValueError(f"{what} {value!r} is invalid; expected 12', 45+2' or 12:34")
    return None


def _id(value: Any) -> int | str | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)  # what tables of numbers with gaps make of whole ones
    if isinstance(value, int | str) and not isinstance(value, bool):
        return value
    return None if value is None else str(value)


def _seconds(value: Any, what: str) -> float | None:
    """Seconds as a number or as `12:34` or `0:12:34`."""
    span = _SPAN.fullmatch(value) if isinstance(value, str) else None
    if span is None:
        number = _number(value, what)
        if number is not None and abs(number) > MAX_MATCH:
            raise ValueError(f"{what} {value!r} is out of range for a match")
        return number
    minutes = 60 * int(span[2] or 0) + int(span[3])
    seconds = 60 * minutes + float(span[4].replace(",", "."))
    return -seconds if span[1] else seconds


def _spoken(value: Any, text: str) -> tuple[tuple[int, float], ...]:
    """Words and their seconds, as `Comment.spoken` has them."""
    if value is None:
        return ()
    pairs = value if isinstance(value, list) else [value]
    found = []
    for pair in pairs:
        at, second = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
        second = _seconds(second, "spoken")
        if type(at) is not int or second is None or not 0 <= at < len(text):
            raise ValueError(f"spoken {pair!r} is invalid; expected [offset in the text, second]")
        found.append((at, second))
    found.sort()
    for before, after in pairwise(found):
        if before[0] == after[0] or before[1] > after[1]:
            raise ValueError(f"spoken has {before} and {after}; expected the order of the words")
    return tuple(found)


def _number(value: Any, what: str) -> float | None:
    if value is None:
        return None
    number = as_float(value)
    if number is None:
        raise ValueError(f"{what} {value!r} is not a number")
    return number


def as_float(value: Any) -> float | None:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _is_unknown(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in _UNKNOWN)


def _field(column: str) -> str | None:
    """What a column of this name holds, by our names."""
    return _FIELDS.get(_plain(column))


@lru_cache(maxsize=1024)
def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def _names(field: str) -> str:
    return ", ".join(COLUMNS[field])
