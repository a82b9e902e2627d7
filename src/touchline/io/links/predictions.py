"""Predictions of any system, to be scored: links files, and what is easily made without touchline.

A line of JSON needs no more than `{"match", "comment", "events"}`, where an event is its id or an
object with `id` and perhaps `score`; a list of such objects will do as well. A CSV file has the
columns match, comment and event, one row a pair, and perhaps score; a row without an event says
that the comment describes none.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from touchline.core.errors import InputError
from touchline.core.links import CommentLinks, Link
from touchline.core.records import CommentId
from touchline.io.feeds.table.rows import delimiter_of
from touchline.io.files import read_text, read_utf8
from touchline.io.links.jsonl import read_links
from touchline.io.storage import AnyPath, as_path

T = TypeVar("T")

_COLUMNS = ("match", "comment", "event")


class _Scored(msgspec.Struct):
    id: str
    score: float = 1.0


class _Prediction(msgspec.Struct):
    match: str
    comment: CommentId
    events: list[str | _Scored]


def read_predictions(path: str | AnyPath) -> list[CommentLinks]:
    """The predictions of a file, as links; what a file does not say is left open."""
    if as_path(path).suffix.lower() == ".csv":
        return list(_from_csv(as_path(path)))
    text = read_utf8(path)
    if text.lstrip().startswith(b"["):
        return list(map(_as_links, _decoded(as_path(path), text, list[_Prediction])))
    first = next((line for line in text.split(b"\n") if line.strip()), b"")
    if b'"none"' in first:
        return read_links(path)
    return list(_from_lines(as_path(path), text))


def _from_lines(path: AnyPath, text: bytes) -> Iterator[CommentLinks]:
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.strip():
            yield _as_links(_decoded(path, line, _Prediction, f"line {number}"))


def _decoded(path: AnyPath, text: bytes, kind: type[T], where: str | None = None) -> T:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        expected = 'expected {"match", "comment", "events": [ids]}'
        raise InputError(path, f"{error}; {expected}", where) from None


def _as_links(found: _Prediction) -> CommentLinks:
    links = [Link(id=e, score=1.0) if isinstance(e, str) else Link(id=e.id, score=e.score)
             for e in found.events]  # fmt: skip
    return _answer(found.match, found.comment, links)


def _from_csv(path: AnyPath) -> Iterator[CommentLinks]:
    text = read_text(path).lstrip("\ufeff")
    delimiter = delimiter_of(text.partition("\n")[0], _COLUMNS) or ","
    rows = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        given = ", ".join(rows.fieldnames or ()) or "none"
        problem = f"no column {missing[0]!r}; expected {', '.join(_COLUMNS)}, found {given}"
        raise InputError(path, problem, "line 1")
    pairs: dict[tuple[str, str], list[Link]] = {}
    for number, row in enumerate(rows, 2):
        links = pairs.setdefault((row["match"], row["comment"]), [])
        try:
            score = float(row.get("score") or 1.0)
        except ValueError:
            problem = f"score {row['score']!r}; expected a number"
            raise InputError(path, problem, f"line {number}") from None
        if row["event"]:
            links.append(Link(id=row["event"], score=score))
    for (match, comment), links in pairs.items():
        yield _answer(match, comment, links)


def _answer(match: str, comment: CommentId, links: list[Link]) -> CommentLinks:
    none = 0.0 if links else 1.0
    return CommentLinks(
        match=match,
        comment=comment,
        events=tuple(links),
        none=none,
        period=None,
        time=None,
        span=None,
    )
