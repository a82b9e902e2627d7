"""Subtitles: SRT and WebVTT, words between two moments of a recording."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from touchline.core.clocks import MAX_MATCH
from touchline.core.errors import InputError
from touchline.core.records import CommentId
from touchline.io.commentary.entries import Entry, Heading
from touchline.io.commentary.html_text import cue_text
from touchline.io.commentary.recognisers.lines import Word, spoken

_STAMP = r"(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"\s*+{_STAMP}\s*+-->\s*+{_STAMP}(?:\s.*)?")
_INNER = re.compile(rf"<{_STAMP}>")
_NOT_CUES = re.compile(r"(NOTE|STYLE|REGION)(\s|$)|WEBVTT")
_BLINK = 0.05  # captions that roll show the finished line once more for a moment, in seconds


class _Cue(msgspec.Struct):
    start: float
    end: float
    where: str
    id: CommentId | None = None
    lines: list[str] = []


def recognise(text: str) -> bool:
    """Whether one of the first lines says from when to when a subtitle is shown."""
    return any(_TIMING.fullmatch(line) for line in text.split("\n", 400)[:400])


def read(path: Path, text: str) -> list[Entry | Heading]:
    """The subtitles that say something; an id is the number or name that stands above a cue."""
    cues = _cues(path, text.split("\n"))
    if not cues:
        raise InputError(path, "no subtitles found; expected times such as 00:12:34,500 --> ...")
    entries: list[Entry | Heading] = []
    before: list[str] = []
    for cue in cues:
        lines = _new_lines(cue, before)
        text, before = cue_text(lines), cue.lines
        if text:
            entries.append(
                Entry(
                    text=text,
                    id=cue.id,
                    time=cue.start,
                    end=cue.end,
                    spoken=_spoken(text, lines, cue),
                    where=cue.where,
                )
            )
    return entries


def _spoken(text: str, lines: list[str], cue: _Cue) -> tuple[tuple[int, float], ...]:
    """The times of words where the cue has them, as in `Archer <00:00:12.400>shoots`."""
    first, *rest = _INNER.split(" ".join(lines))
    times = (_seconds(tuple(rest[i : i + 4])) for i in range(0, len(rest), 5))
    parts = [(cue.start, first), *zip(times, rest[4::5], strict=True)]
    if len(parts) < 2:
        return ()
    # Of the words behind one time, the first is said then.
    words = (
        Word(word, time if number == 0 else None)
        for time, part in parts
        for number, word in enumerate(cue_text([part]).split())
    )
    return spoken(text, words)


def _cues(path: Path, lines: list[str]) -> list[_Cue]:
    cues: list[_Cue] = []
    open_cue: _Cue | None = None
    for number, line in enumerate(lines, 1):
        found = _TIMING.fullmatch(line)
        if found:
            above = lines[number - 2].strip() if number > 1 else ""
            if open_cue is not None and above and open_cue.lines[-1:] == [above]:
                open_cue.lines.pop()  # no blank line stands before this cue's number
            open_cue = _cue(path, found, above, f"line {number}")
            cues.append(open_cue)
        elif open_cue is not None and line.strip():
            open_cue.lines.append(line.strip())
        else:
            open_cue = None
    return cues


def _cue(path: Path, found: re.Match[str], above: str, where: str) -> _Cue:
    start, end = _seconds(found.groups()[:4]), _seconds(found.groups()[4:])
    if max(start, end) > MAX_MATCH:
        raise InputError(path, "the time is out of range for a match recording", where)
    return _Cue(start, end, where, _id(above))


def _id(above: str) -> CommentId | None:
    if not above or _NOT_CUES.match(above) or len(above) > 200:
        return None
    return int(above) if above.isascii() and above.isdigit() and len(above) < 18 else above


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = parts
    whole = 3600 * int(hours or 0) + 60 * int(minutes or 0) + int(seconds or 0)
    return whole + int((fraction or "0").ljust(3, "0")) / 1000


def _new_lines(cue: _Cue, before: list[str]) -> list[str]:
    """The cue's lines without the one that rolled up from the cue before it."""
    rolled_up = before and cue.lines[:1] == before[-1:]
    if rolled_up and (len(cue.lines) > 1 or cue.end - cue.start <= _BLINK):
        return cue.lines[1:]
    return cue.lines
