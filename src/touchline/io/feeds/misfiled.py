"""What people give by mistake where a match log is expected, so that an error can say so."""

from __future__ import annotations

import re
from collections.abc import Callable

from touchline.io.feeds import kloppy_files, spadl, statsbomb, statsperform
from touchline.io.feeds.opta import reader as opta
from touchline.io.feeds.table.rows import columns
from touchline.io.feeds.wyscout import reader as wyscout

_TEXT_FIELD = re.compile(rb'"(text|comment|commentary|caption)"\s*:\s*"', re.IGNORECASE)
# `45+2' Goal!`, `12:30 Goal!`, and RoboCup's `120 | Goal!`.
_TIMED_LINE = re.compile(r"\W?\d{1,3}(['’′]|\+\d|:\d\d).*|\d++ *+\|(?=[\W\d]*+\w)[^|]*+")
_TEXT_COLUMNS = frozenset(["text", "comment", "commentary", "caption"])
LINEUPS = "line-ups"


def is_commentary(data: bytes) -> bool:
    """JSON with texts, a table of them, or lines that start with a clock."""
    head = data[:4000].lstrip()
    if head.startswith((b"{", b"[")):
        return _TEXT_FIELD.search(head) is not None
    lines = head.decode("utf-8", "replace").splitlines()[:5]  # a title may stand before the first
    if not _TEXT_COLUMNS.isdisjoint(columns(lines[0]) if lines else ()):
        return True
    return any(_TIMED_LINE.fullmatch(line.strip()) for line in lines)


def is_lineups(data: bytes) -> bool:
    """Line-ups of any feed, or what it has in their place: results, players, teams."""
    readers = (
        statsbomb.is_lineups,
        opta.is_f7,
        statsperform.is_lineups,
        wyscout.is_lineups,
        spadl.is_lineups,
        kloppy_files.is_metadata,
    )
    return any(looks_so(data) for looks_so in readers)


def is_markup(data: bytes) -> bool:
    return data[:1000].lstrip().startswith(b"<")


# What it looks like, how to see that, and where such a file belongs.
MISTAKES: dict[str, tuple[Callable[[bytes], bool], str]] = {
    LINEUPS: (is_lineups, "they go with --lineups"),
    "commentary": (is_commentary, "the match log comes first, then the comments"),
    "a web page or XML": (is_markup, "no feed of that form is known"),
}
