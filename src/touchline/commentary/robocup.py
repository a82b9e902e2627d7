"""RoboCup sportscasting comments (Chen & Mooney 2008): `time | text`, one a line."""

from __future__ import annotations

import re
from pathlib import Path

from touchline.commentary.placing import Entry, Heading
from touchline.errors import InputError

_LINE = re.compile(r"\s*(-?\d+)\s*\|\s*(.*\S)\s*")


def recognise(text: str) -> bool:
    lines = [line for line in text.split("\n")[:20] if line.strip()]
    return bool(lines) and all(_LINE.fullmatch(line) for line in lines)


def read(path: Path, text: str) -> list[Entry | Heading]:
    """The comments; an id is the 0-based number of the line, as in the corpus's other files."""
    entries: list[Entry | Heading] = []
    for number, line in enumerate(text.rstrip("\n").split("\n")):
        found = _LINE.fullmatch(line)
        if found is None:
            raise InputError(path, "expected `time | text`", f"line {number + 1}")
        entries.append(Entry(id=number, text=found[2], period=1, time=float(found[1])))
    return entries
