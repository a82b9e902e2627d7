"""Commentary of the SoccerNet data sets, and what speech recognition writes.

`Labels-caption.json` (SoccerNet-Caption) holds `annotations` with the half, the milliseconds into
its video and the words. Segments (SoccerNet-Echoes, Whisper) are `{"segments": {"0": [start, end,
text]}}` or a list of objects with those fields, one file per half or one for the whole broadcast.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from touchline.core.clocks import MAX_MATCH
from touchline.core.errors import InputError
from touchline.core.records import CommentId
from touchline.io.commentary.entries import Entry, Heading
from touchline.io.commentary.html_text import plain_text
from touchline.io.commentary.nested import decode
from touchline.io.commentary.tables import as_float

Items = list[Entry | Heading]

_SEGMENTS = re.compile(r'"segments"\s*:\s*(?:\{\s*(?:"[^"]{0,40}"\s*:\s*\[|\})|\[\s*(?:[{\[]|\]))')
_GAME_TIME = re.compile(r"\s*([1-5])\s*-\s*(\d{1,3}):([0-5]\d)(?:\.\d+)?\s*")
# Of a caption's spellings the first has the names; in the others they are replaced.
_WORDS = ("description", "identified", "anonymized")


def is_captions(text: str) -> bool:
    return text.lstrip().startswith("{") and '"annotations"' in text and '"gameTime"' in text


def is_segments(text: str) -> bool:
    return text.lstrip().startswith("{") and _SEGMENTS.search(text) is not None


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


def _moment(path: Path, row: dict[str, Any], where: str) -> tuple[int, float]:
    """The half, and the seconds into its video: exact in `position`, else by `gameTime`."""
    found = _GAME_TIME.fullmatch(str(row.get("gameTime", "")))
    if found is None:
        problem = f"gameTime {row.get('gameTime')!r} is invalid; expected a value such as 1 - 12:34"
        raise InputError(path, problem, where)
    position = as_float(row.get("position"))
    shown = 60.0 * int(found[2]) + int(found[3])
    time = shown if position is None else position / 1000
    return int(found[1]), _checked(path, time, where)


def read_segments(path: Path, text: str) -> Items:
    """The segments that say something, under the numbers that they have in the file."""
    content = decode(path, text, 1)
    segments = content.get("segments") if isinstance(content, dict) else None
    entries: Items = []
    for name, row in _numbered(path, segments):
        where = f"segment {name}"
        start, end, words = _segment(path, row, where)
        if words:
            entries.append(Entry(id=name, text=words, time=start, end=end, where=where))
    return entries


def _numbered(path: Path, segments: Any) -> Iterable[tuple[CommentId, Any]]:
    if isinstance(segments, dict):
        return ((int(key) if _is_number(key) else key, row) for key, row in segments.items())
    if isinstance(segments, list):
        return enumerate(segments)
    raise InputError(path, 'no segments; expected {"segments": {"0": [start, end, text], ...}}')


def _is_number(key: str) -> bool:
    return key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and len(key) < 18


def _segment(path: Path, row: Any, where: str) -> tuple[float, float, str]:
    if isinstance(row, dict):
        row = [row.get("start"), row.get("end"), row.get("text")]
    if not isinstance(row, list) or len(row) < 3 or not isinstance(row[2], str):
        raise InputError(path, "expected [start, end, text]", where)
    start, end = as_float(row[0]), as_float(row[1])
    if start is None:
        raise InputError(path, f"its start {row[0]!r} is not a number of seconds", where)
    start = _checked(path, start, where)
    if end is not None:  # recognition now and then loses that of its last segment
        end = max(start, _checked(path, end, where))
    return start, start if end is None else end, plain_text(row[2])


def _checked(path: Path, seconds: float, where: str) -> float:
    if abs(seconds) > MAX_MATCH:
        raise InputError(path, f"{seconds:g} seconds is out of range for a match recording", where)
    return seconds
