"""Readers of commentary: a module per kind of text, recognised by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from touchline.commentary import livetext, robocup, tables
from touchline.commentary.placing import Entry, Heading, minute_only, place
from touchline.errors import InputError, TouchlineError
from touchline.files import read_utf8
from touchline.match import Comment

__all__ = ["KINDS", "minute_only", "read_comments"]

Items = list[Entry | Heading]
Paths = str | Path | Sequence[str | Path]

KINDS: dict[str, Callable[[Path, bytes], Items]] = {
    "jsonl": tables.read_json_lines,
    "json": tables.read_json,
    "csv": lambda path, data: tables.read_delimited(path, _text(data)),
    "tsv": lambda path, data: tables.read_delimited(path, _text(data)),
    "robocup": lambda path, data: robocup.read(path, _text(data)),
    "live": lambda path, data: livetext.read(_text(data)),
}


def read_comments(
    paths: Paths, kind: str | None = None, extra_time: bool | None = None
) -> tuple[Comment, ...]:
    """Read a commentary from one file, or from several that follow each other (one a half).

    Parameters
    ----------
    paths
        The file or files: JSON Lines, JSON, CSV, TSV, live text (`45+2' ...`), RoboCup; packed
        with gzip or not.
    kind
        One of `KINDS`; recognised by content when None.
    extra_time
        Whether the match went to extra time, which decides what a clock of 93' means. When None
        the clocks themselves decide.
    """
    items: Items = []
    seen: dict[int | str, Path] = {}
    for path in [paths] if isinstance(paths, str | Path) else paths:
        entries = _read(Path(path), kind)
        _check_ids(Path(path), entries, seen)
        items += entries
    return place(items, extra_time)


def _read(path: Path, kind: str | None) -> Items:
    if kind is not None and kind not in KINDS:
        raise TouchlineError(f"unknown kind of commentary {kind!r}; one of {', '.join(KINDS)}")
    data = read_utf8(path).removeprefix(b"\xef\xbb\xbf")
    entries = KINDS[kind or _recognise(path, data)](path, data)
    if not any(isinstance(entry, Entry) for entry in entries):
        raise InputError(path, "no comment found")
    return entries


def _recognise(path: Path, data: bytes) -> str:
    start = data.lstrip()[:1]
    if start == b"[" and not livetext.recognise(_text(data[:2000])):
        return "json"
    if start == b"{":
        first_line = data.lstrip().partition(b"\n")[0].rstrip()
        return "jsonl" if first_line.endswith(b"}") else "json"
    text = _text(data)
    if robocup.recognise(text):
        return "robocup"
    if tables.is_header(text.partition("\n")[0]):
        return "csv"
    if livetext.recognise(text):
        return "live"
    raise InputError(
        path,
        "not recognised as commentary; expected JSON, a table with a text column, or lines that "
        "start with a clock such as 45+2' (say which with --kind)",
    )


def _check_ids(path: Path, items: Items, seen: dict[int | str, Path]) -> None:
    """Ids must name one comment each, over all files of the match."""
    for number, item in enumerate(items, 1):
        if isinstance(item, Heading) or item.id is None:
            continue
        if item.id in seen:
            raise InputError(path, f"the id {item.id!r} is there twice", f"record {number}")
        seen[item.id] = path


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
