"""A kind of commentary: a chat log, `@12 text` a line, where 12 is the minute."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from touchline.io.commentary.entries import Entry


def recognise(text: str) -> bool:
    """Whether every line starts with @ and a minute."""
    lines = text.strip().splitlines()
    return bool(lines) and all(line.startswith("@") and line[1:2].isdigit() for line in lines)


def read(path: Path, text: str) -> Iterator[Entry]:
    for number, line in enumerate(text.strip().splitlines(), 1):
        minute, _, words = line[1:].partition(" ")
        yield Entry(text=words, clock=f"{minute}'", where=f"line {number}")
