"""RoboCup sportscasting comments (Chen & Mooney 2008): `time | text`, one a line."""

from __future__ import annotations

import re
from pathlib import Path

from touchline.core.errors import InputError
from touchline.io.commentary.clock_lines import LATEST
from touchline.io.commentary.entries import Entry, Heading

_LINE = re.compile(r"\s*+(-?\d{1,9})\s*+\|\s*+(.*)")


def recognise(text: str) -> bool:
    """Whether all lines are `time | text` with times that are no live page's minutes."""
    found = [_LINE.fullmatch(line) for line in text.split("\n") if line.strip()]
    # The corpus puts a space before the number; without it, `12 | text` may be a live page.
    return all(found) and (
        text.startswith(" ") or any(int(line[1]) > LATEST for line in found if line)
    )


def read(path: Path, text: str) -> list[Entry | Heading]:
    """The comments; an id is the 0-based number of the line, as in the corpus's other files."""
    entries: list[Entry | Heading] = []
    for number, line in enumerate(text.rstrip().split("\n")):
        where = f"line {number + 1}"
        found = _LINE.fullmatch(line)
        if found is None:
            raise InputError(path, "expected `time | text`", where)
        time, words = float(found[1]), found[2].strip()
        entries.append(Entry(id=number, text=words, period=1, time=time, where=where))
    return entries
