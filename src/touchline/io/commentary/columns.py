"""What the columns of a commentary hold, whatever they are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from touchline.core.errors import InputError
from touchline.io.commentary.cells import SPAN, is_empty, is_unknown, plain
from touchline.io.commentary.nested import shown

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
                raise InputError(path, f"no column {name!r}; found: {listed(row)}", where)


ANY = Columns()


def fields_of(row: Mapping[str, Any], columns: Columns = ANY) -> dict[str, Any]:
    """The row's values under our names for them; empty ones are left out, but for the text."""
    fields = _found_fields(row)
    if columns.text is not None:
        text = shown(row[columns.text])
        fields["text"] = "" if is_empty(text) else text
    if columns.clock is not None:
        for name in ("clock", "time", "minute", "second", "added"):
            fields.pop(name, None)
        clock = shown(row[columns.clock])
        if not is_unknown(clock):
            span = SPAN.fullmatch(clock) if isinstance(clock, str) else None
            fields["time" if span and span[2] else "clock"] = clock
    return fields


def _found_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields by the names that columns usually have."""
    values = {plain(key): shown(value) for key, value in row.items()}
    fields = {}
    for field, names in COLUMNS.items():
        there = [name for name in names if name in values]
        if field in ("id", "text"):  # one column for all rows, be it empty in some
            there = there[:1]
        empty = is_empty if field == "text" else is_unknown
        filled = [values[name] for name in there if not empty(values[name])]
        if filled:
            fields[field] = filled[0]
        elif there and field == "text":
            fields[field] = ""
    # Next to minutes, seconds are those of the minute.
    seconds = values.get("seconds")
    if "minute" in fields and not is_unknown(seconds) and fields["time"] is seconds:
        fields.setdefault("second", fields.pop("time"))
    return fields


def listed(names: Iterable[str]) -> str:
    """The names of columns, for messages."""
    all_names = [str(name).strip() for name in names]
    return ", ".join(all_names[:20]) + (" ..." if len(all_names) > 20 else "")


def _field(column: str) -> str | None:
    """What a column of this name holds, by our names."""
    return _FIELDS.get(plain(column))


def names_of(field: str) -> str:
    return ", ".join(COLUMNS[field])
