"""Captions of the SoccerNet data sets; its speech recognition is read by `recognisers`.

`Labels-caption.json` (SoccerNet-Caption) holds `annotations` with the half, the milliseconds into
its video and the words.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from touchline.core.clocks import MAX_MATCH
from touchline.core.errors import InputError
from touchline.io.commentary.cells import as_float
from touchline.io.commentary.entries import Entry, Heading
from touchline.io.commentary.html_text import plain_text
from touchline.io.commentary.nested import decode

Items = list[Entry | Heading]

_GAME_TIME = re.compile(r"\s*([1-5])\s*-\s*(\d{1,3}):([0-5]\d)(?:\.\d+)?\s*")
# Of a caption's spellings the first has the names; in the others they are replaced.
_WORDS = ("description", "identified", "anonymized")


def is_captions(text: str) -> bool:
    return text.lstrip().startswith("{") and '"annotations"' in text and '"gameTime"' in text


def read_captions(path: Path, text: str) -> Items:
    """The captions of a `Labels-caption.json`; an id is the 0-based place in its list."""
    content = decode(path, text, 1)
    rows = content.get("annotations") if isinstance(content, dict) else None
    if not isinstance(rows, list):
        raise InputError(path, "no `annotations` list; expected SoccerNet's captions")
    entries: Items = []
    for number, row in enumerate(rows):
        where = f"annotation {number + 1}"
        words = _caption(row)
        if words is None:
            continue  # an action without words, as in the other label files
        period, time = _moment(path, row, where)
        entries.append(Entry(id=number, text=words, period=period, time=time, where=where))
    return entries


def _caption(row: Any) -> str | None:
    texts = (row.get(name) for name in _WORDS) if isinstance(row, dict) else ()
    return next((plain_text(text) for text in texts if isinstance(text, str) and text), None)


def game_time(value: Any) -> tuple[int, float] | None:
    """Half and second of a time such as `1 - 12:34`; None if it is none."""
    found = _GAME_TIME.fullmatch(str(value))
    return (int(found[1]), 60.0 * int(found[2]) + int(found[3])) if found else None


def _moment(path: Path, row: dict[str, Any], where: str) -> tuple[int, float]:
    """The half, and the seconds into its video: exact in `position`, else by `gameTime`."""
    found = game_time(row.get("gameTime", ""))
    if found is None:
        problem = f"gameTime {row.get('gameTime')!r} is invalid; expected a value such as 1 - 12:34"
        raise InputError(path, problem, where)
    position = as_float(row.get("position"))
    period, shown = found
    time = shown if position is None else position / 1000
    return period, _checked(path, time, where)


def _checked(path: Path, seconds: float, where: str) -> float:
    if abs(seconds) > MAX_MATCH:
        raise InputError(path, f"{seconds:g} seconds is out of range for a match recording", where)
    return seconds
