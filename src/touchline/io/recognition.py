"""What a file is, by its content: a match log, line-ups, a commentary, labels or links."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from touchline.core.errors import TouchlineError
from touchline.io import commentary
from touchline.io.feeds import BUILT_IN, GENERIC, recognise_feed
from touchline.io.feeds.misfiled import is_commentary, is_lineups
from touchline.io.files import read_utf8

Role = Literal["log", "lineups", "commentary", "labels", "links"]
# What kinds of commentary are called; others go by their own name.
_KINDS = {"live": "live text", "srt": "subtitles", "vtt": "subtitles", "csv": "a table of comments",
          "jsonl": "comments as JSON", "json": "comments as JSON"}  # fmt: skip


class Recognised(NamedTuple):
    """The role of a file in a match, and what it is called; None for what is of no use."""

    role: Role | None
    what: str


def recognise_file(path: Path) -> Recognised:
    """What a file is; it may still turn out to be damaged when it is read.

    Raises
    ------
    InputError
        The file cannot be read at all, or is too large.
    """
    data = read_utf8(path)
    of_lines = _recognise_lines(data)
    if of_lines is not None:
        return of_lines
    feed = recognise_feed(data)
    if feed is not None and not (feed is BUILT_IN[GENERIC] and is_commentary(data)):
        return Recognised("log", feed.what)
    if is_lineups(data):
        return Recognised("lineups", "line-ups")
    try:
        kind = commentary.recognise(path, data.decode("utf-8", "replace"))
    except TouchlineError:
        return Recognised(None, "not recognised")
    return Recognised("commentary", _KINDS.get(kind, kind))


def _recognise_lines(data: bytes) -> Recognised | None:
    """The files that touchline itself writes, by the fields of their first line."""
    first = data.lstrip().partition(b"\n")[0]
    try:
        fields = set(msgspec.json.decode(first, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if {"comment", "events", "none"} <= fields:
        return Recognised("links", "links")
    if "id" in fields and "text" not in fields and fields & {"events", "event"}:
        segments = "spans" in fields
        return Recognised(None, "words of labels") if segments else Recognised("labels", "labels")
    return None
