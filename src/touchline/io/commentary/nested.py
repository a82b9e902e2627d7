"""JSON as live pages serve it: the comments somewhere inside, in lists of lists or of sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.clocks import parse_clock, parse_period
from touchline.core.errors import InputError
from touchline.io.files import line_of

# Of an object in place of a single value, what a reader is shown comes first.
_SHOWN = ("displayValue", "display", "label", "text", "html", "content", "value", "number", "name")
_PERIODS = ("period", "half", "periodId", "matchPeriod")
_TITLES = (*_PERIODS, "title", "name", "heading", "label")

# How much a row looks like a comment: 0 not at all, 1 it has words, 2 it has a clock as well.
Likeness = Callable[[Mapping[str, Any]], int]


def decode(path: Path, text: str, first_line: int) -> Any:
    """The JSON of a text that starts on this line of its file."""
    data = text.rstrip().encode()
    try:
        return msgspec.json.decode(data)
    except RecursionError:
        where = f"line {first_line}"
        raise InputError(path, "not valid JSON (nested too deeply)", where) from None
    except msgspec.DecodeError as error:
        place = re.search(r"\(byte (\d+)\)", str(error))
        line = first_line - 1 + line_of(data, int(place[1]) if place else len(data))
        problem = str(error).partition(" (byte")[0]
        raise InputError(path, f"not valid JSON ({problem})", f"line {line}") from None


def comments_in(content: Any, likeness: Likeness) -> Any:
    """The rows of the commentary, however deep they lie; the content itself where none is found.

    Lists that lie in the same place of their sections (`halves[].entries`) belong together; of
    several such places, the one with most clocks and words is the commentary.
    """
    if isinstance(content, Mapping) and likeness(content) == 2:
        return [content]
    places: dict[tuple[str, ...], list[Any]] = {}
    for place, title, items in _lists(content):
        rows = [_named_cells(item) for item in items]
        if any(isinstance(row, Mapping) and likeness(row) for row in rows):
            places.setdefault(place, []).extend(_with_period(row, title) for row in rows)
    if not places:
        return [content] if isinstance(content, Mapping) else content
    return max(places.values(), key=lambda rows: _weight(rows, likeness))


def shown(value: Any) -> Any:
    """The one value of a field that holds an object or a list of paragraphs."""
    if isinstance(value, Mapping):
        inner = next((value[key] for key in _SHOWN if value.get(key) is not None), value)
        return inner if isinstance(inner, str | int | float) else value
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return "\n".join(value)
    return value


def _lists(content: Any) -> Iterator[tuple[tuple[str, ...], Any, list[Any]]]:
    """Every list in the order of the file, with its place and the title of its section."""
    # No recursion: a file may be nested as deep as its decoder follows.
    waiting: list[tuple[tuple[str, ...], Any, Any]] = [((), None, content)]
    while waiting:
        place, title, value = waiting.pop()
        inner: list[tuple[tuple[str, ...], Any, Any]] = []
        if isinstance(value, list):
            yield place, title, value
            inner = [(place, title, item) for item in value]
        elif isinstance(value, Mapping):
            title = _title(value) or title
            inner = [((*place, key), title, item) for key, item in value.items()]
        waiting += [one for one in reversed(inner) if isinstance(one[2], list | Mapping)]


def _title(section: Mapping[str, Any]) -> int | None:
    """The period that a section says it is."""
    for key in _TITLES:
        value = shown(section.get(key))
        try:
            period = parse_period(value) if isinstance(value, str | int) else None
        except ValueError:
            continue
        if period is not None:
            return period
    return None


def _with_period(row: Any, period: int | None) -> Any:
    if period is None or not isinstance(row, Mapping) or any(key in row for key in _PERIODS):
        return row
    return {**row, "period": period}


def _named_cells(item: Any) -> Any:
    """A row without names, `["12'", "Foul"]`, as clock and text."""
    if not isinstance(item, list) or not all(isinstance(cell, str | int | float) for cell in item):
        return item
    cells = [str(cell) for cell in item]
    clock = next((cell for cell in cells if parse_clock(cell)), None)
    words = [cell for cell in cells if cell != clock]
    return {"clock": clock, "text": max(words, key=len)} if clock and words else item


def _weight(rows: list[Any], likeness: Likeness) -> tuple[int, int]:
    looks = [likeness(row) for row in rows if isinstance(row, Mapping)]
    return looks.count(2), len(looks) - looks.count(0)
