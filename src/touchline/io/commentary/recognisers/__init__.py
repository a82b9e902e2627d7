"""What speech recognition writes: a module per family, recognised by content.

All of them are JSON with lines, words and their times on the clock of a recording. They differ in
names, units and nesting; what is the same is done here and in `lines`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from touchline.core.errors import InputError
from touchline.io.commentary.entries import Entry, Heading, Repair
from touchline.io.commentary.html_text import plain_text
from touchline.io.commentary.nested import decode
from touchline.io.commentary.recognisers import services, whisper
from touchline.io.commentary.recognisers.fields import Source
from touchline.io.commentary.recognisers.lines import Line, spoken

Items = list[Entry | Heading]


class Form(NamedTuple):
    """How decoded JSON of one kind is known, and the lines in it."""

    recognise: Callable[[Any], bool]
    lines: Callable[[Source, Any], Iterable[Line]]


FORMS = {
    "segments": Form(whisper.is_segments, whisper.segments),
    "whisper-cpp": Form(whisper.is_cpp, whisper.cpp),
    "amazon": Form(services.is_amazon, services.amazon),
    "google": Form(services.is_google, services.google),
    "azure": Form(services.is_azure, services.azure),
}


def recognise(text: str) -> str | None:
    """The form of a text; None if it is none of them, or no JSON."""
    try:
        content = _decoded(Path(), text)
    except InputError:
        return None
    return next((name for name, form in FORMS.items() if form.recognise(content)), None)


def reader(name: str) -> Callable[[Path, str], Items]:
    """Reads files of a form."""

    def read(path: Path, text: str) -> Items:
        return _entries(path, FORMS[name].lines(Source(path), _decoded(path, text)))

    return read


def _decoded(path: Path, text: str) -> Any:
    """The JSON of a text; also with NaN, which Python writes, and with a segment on each line."""
    try:
        return decode(path, text, 1)
    except InputError:
        lines = text.split("\n")
        first = _lenient(lines[0])
        if len(lines) > 1 and isinstance(first, dict) and whisper.is_segments([first]):
            rows = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
            return [_row(path, line, number) for number, line in rows]
        content = _lenient(text) if "NaN" in text or "Infinity" in text else None
        if content is None:
            raise
        return content


def _row(path: Path, line: str, number: int) -> Any:
    content = _lenient(line)
    return decode(path, line, number) if content is None else content


def _lenient(text: str) -> Any:
    """The JSON of a text as Python reads it, with None for numbers that are none."""
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _entries(path: Path, lines: Iterable[Line]) -> Items:
    """The lines that say something; one without a time takes that of the line before it."""
    entries: list[Entry] = []
    for line in lines:
        text = plain_text(line.text)
        if text:
            entries.append(_entry(text, line))
    known = [entry.time for entry in entries if entry.time is not None]
    if entries and not known:
        raise InputError(path, "no line has a time; expected a start time for each line")
    placed: Items = []
    before = known[0] if known else 0.0
    for entry in entries:
        if entry.time is None:
            entry = msgspec.structs.replace(entry, time=before, end=before, repair=Repair.UNTIMED)
        before = max(entry.time or 0.0, entry.end or 0.0)
        placed.append(entry)
    return placed


def _entry(text: str, line: Line) -> Entry:
    words = spoken(text, line.words)
    said = [
        second for word in line.words for second in (word.start, word.end) if second is not None
    ]
    start = words[0][1] if line.start is None and words else line.start
    end = max(said, default=start) if line.end is None else line.end
    return Entry(text=text, id=line.id, time=start, end=end, spoken=words, where=line.where)
