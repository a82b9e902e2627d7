"""Readers of commentary: a module per kind of text, recognised by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from touchline.commentary import livetext, robocup, tables
from touchline.commentary.placing import Entry, Heading, minute_only, place
from touchline.errors import InputError, TouchlineError
from touchline.files import read_text
from touchline.match import Comment

__all__ = ["KINDS", "minute_only", "read_comments"]

Items = list[Entry | Heading]
Paths = str | Path | Sequence[str | Path]

KINDS: dict[str, Callable[[Path, str], Items]] = {
    "jsonl": tables.read_json_lines,
    "json": tables.read_json,
    "csv": tables.read_delimited,
    "tsv": tables.read_delimited,
    "robocup": robocup.read,
    "live": lambda path, text: livetext.read(text),
}


def read_comments(
    paths: Paths, kind: str | None = None, extra_time: bool | None = None
) -> tuple[Comment, ...]:
    """Read a commentary from one file, or from several that follow each other (one a half).

    Comments come in the order of the files, with the ids that they have there. In CSV and TSV,
    where every id is a whole number, ids are numbers, as in the JSON that the table came from.

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
    text = read_text(path).lstrip("\ufeff")
    items = KINDS[kind or _recognise(path, text)](path, text)
    if not any(isinstance(item, Entry) for item in items):
        raise InputError(path, "no comment found")
    return items


def _recognise(path: Path, text: str) -> str:
    first, _, rest = text.strip().partition("\n")
    if first.startswith("[") and not livetext.recognise(first):
        return "json"
    if first.startswith("{"):
        # A single object may hold the list of comments.
        return "jsonl" if rest and first.rstrip().endswith("}") else "json"
    if robocup.recognise(text):
        return "robocup"
    if tables.recognise(text):
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
    for item in items:
        if isinstance(item, Heading) or item.id is None:
            continue
        if item.id in seen:
            other = "" if seen[item.id] == path else f", first in {seen[item.id]}"
            raise InputError(path, f"the id {item.id!r} is there twice{other}", item.where)
        seen[item.id] = path
