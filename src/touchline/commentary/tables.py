"""Commentary as a table: JSON Lines, JSON, CSV or TSV with whatever the columns are called."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from touchline.clocks import parse_clock
from touchline.commentary.placing import Entry, Heading
from touchline.errors import InputError

# Column names are compared in lower case without spaces, dashes and underscores; of several
# that are there, the first listed counts.
COLUMNS = {
    "id": ("id", "commentid", "lineid", "no", "number", "index", "key", "uuid"),
    "text": ("text", "comment", "commentary", "description", "sentence", "body", "content",
             "message", "caption", "line", "transcript"),
    "period": ("period", "half", "periodid", "matchperiod"),
    "clock": ("clock", "gameclock", "matchclock", "minuteclock", "displayclock", "displaytime"),
    "time": ("time", "seconds", "start", "timestamp", "gametime"),
    "end": ("end", "stop", "endtime"),
    "minute": ("minute", "min", "minutes", "matchminute"),
    "second": ("second", "sec"),
    "added": ("added", "addedtime", "extraminute", "extra", "stoppage", "injurytime"),
}  # fmt: skip
_PERIODS = {
    1: ("1", "1h", "h1", "firsthalf", "1sthalf", "first", "p1", "1st"),
    2: ("2", "2h", "h2", "secondhalf", "2ndhalf", "second", "p2", "2nd"),
    3: ("3", "e1", "1e", "extratimefirsthalf", "firstextra", "et1", "firstperiodofextratime"),
    4: ("4", "e2", "2e", "extratimesecondhalf", "secondextra", "et2", "secondperiodofextratime"),
    5: ("5", "p", "penalties", "penaltyshootout", "pso"),
}
_HOURS = re.compile(r"(\d{1,2}):(\d\d):(\d\d(?:\.\d+)?)")
_LIST_KEYS = ("comments", "commentary", "entries", "items", "lines", "data", "annotations")


def is_header(line: str) -> str | None:
    """The delimiter of a table whose first line names a text column; None when it does not."""
    for delimiter in "\t,;|":
        names = {_plain(name) for name in next(csv.reader([line], delimiter=delimiter), [])}
        if len(names) > 1 and names & set(COLUMNS["text"]):
            return delimiter
    return None


def read_delimited(path: Path, text: str) -> list[Entry | Heading]:
    """Entries of a CSV or TSV text with a header line."""
    delimiter = is_header(text.partition("\n")[0])
    if delimiter is None:
        raise InputError(
            path, f"no column for the text; expected one of {_names('text')}", "line 1"
        )
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        return _entries(path, ((f"line {reader.line_num}", row) for row in reader))
    except csv.Error as error:
        raise InputError(path, f"not a valid table ({error})", f"line {reader.line_num}") from None


def read_json(path: Path, data: bytes) -> list[Entry | Heading]:
    """Entries of a JSON list of objects, or of an object that holds one."""
    try:
        content = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(path, f"not valid JSON ({error})") from None
    if isinstance(content, Mapping):
        content = next((content[key] for key in _LIST_KEYS if key in content), [content])
    if not isinstance(content, list):
        raise InputError(path, "expected a list of comments")
    return _entries(path, ((f"record {i}", row) for i, row in enumerate(content, 1)))


def read_json_lines(path: Path, data: bytes) -> list[Entry | Heading]:
    """Entries of a file with one JSON object a line."""
    return _entries(path, _json_lines(path, data))


def _json_lines(path: Path, data: bytes) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                yield f"line {number}", msgspec.json.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                raise InputError(path, f"not valid JSON ({error})", f"line {number}") from None


def _entries(path: Path, rows: Iterator[tuple[str, Any]]) -> list[Entry | Heading]:
    entries: list[Entry | Heading] = []
    for where, row in rows:
        if not isinstance(row, Mapping):
            raise InputError(path, "expected an object with the comment's fields", where)
        fields = _fields(row)
        if "text" not in fields:
            expected = f"no text; expected a field called one of {_names('text')}"
            raise InputError(path, expected, where)
        try:
            entries.append(_entry(fields))
        except ValueError as error:
            raise InputError(path, str(error), where) from None
    return entries


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row's values under our names for them."""
    plain = {
        _plain(key): value
        for key, value in row.items()
        if key is not None and value is not None and value != ""
    }
    fields = {}
    for field, names in COLUMNS.items():
        name = next((name for name in names if name in plain), None)
        if name is not None:
            fields[field] = plain.pop(name)
    return fields


def _entry(fields: Mapping[str, Any]) -> Entry:
    period = _period(fields.get("period"))
    time, clock = _time(fields)
    return Entry(
        text=str(fields["text"]).strip(),
        id=_id(fields.get("id")),
        period=period,
        time=time,
        end=_number(fields.get("end"), "end"),
        clock=clock,
    )


def _time(fields: Mapping[str, Any]) -> tuple[float | None, str | None]:
    """Exact seconds and the shown clock, from whichever of the columns there are."""
    clock = str(fields["clock"]) if "clock" in fields else None
    written = fields.get("time")
    if isinstance(written, str) and (found := _HOURS.fullmatch(written)):
        return 3600.0 * int(found[1]) + 60 * int(found[2]) + float(found[3]), clock
    if isinstance(written, str) and _as_float(written) is None:
        if parse_clock(written) is None:
            raise ValueError(f"time {written!r} is neither seconds nor a clock like 45+2'")
        return None, clock or written
    time = _number(written, "time")
    minute, second = fields.get("minute"), _number(fields.get("second"), "second")
    if time is None and minute is not None and second is not None:
        return 60 * (_number(minute, "minute") or 0) + second, clock
    if time is None and clock is None and minute is not None:
        added = _number(fields.get("added"), "added minutes")
        whole = _as_float(minute)
        clock = (str(minute) if whole is None else f"{whole:.0f}") + (
            f"+{added:.0f}" if added else ""
        )
    if clock is not None and parse_clock(clock) is None:
        if parse_clock(clock.strip("'’. ")) is None and any(c.isdigit() for c in clock):
            raise ValueError(f"clock {clock!r} is not understood; expected 12', 45+2' or 12:34")
        clock = None
    return time, clock


def _period(value: Any) -> int | None:
    if value is None:
        return None
    name = _plain(str(value).removesuffix(".0"))
    for period, names in _PERIODS.items():
        if name in names:
            return period
    raise ValueError(f"period {value!r} is not understood; expected 1, 2, 3, 4 or 5")


def _id(value: Any) -> int | str | None:
    if value is None or isinstance(value, int | str):
        return value
    return str(value)


def _number(value: Any, what: str) -> float | None:
    if value is None:
        return None
    number = _as_float(value)
    if number is None:
        raise ValueError(f"{what} {value!r} is not a number")
    return number


def _as_float(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _names(field: str) -> str:
    return ", ".join(COLUMNS[field])
