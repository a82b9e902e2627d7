"""What a search asks for, as SQL: a user's text as an FTS5 query, and the filters.

A text becomes quoted strings only, so that nothing in it can be a syntax error. Every word is a
prefix, which finds plurals, and words that are not complete yet.

Joins are CROSS JOINs, which SQLite runs in the order they are written: from the filters to the
comments. Its own choice, without statistics, would scan every event of every comment.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import msgspec

from touchline.web.errors import ApiError
from touchline.web.records import Filters
from touchline.web.store import index

MAX_SECONDS = 1.0  # of a search
_STEPS = 20_000  # of SQLite's virtual machine, 1 or 2 ms, between two checks of the time

PART = re.compile(
    r'(?P<no>-)?(?:phase:(?:"(?P<run>[^"]*)"?|(?P<phase>[^\s"]*))'
    r'|"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))'
)
LETTERS = re.compile(r"[^\W_]+")


class Query(msgspec.Struct, frozen=True):
    """The words that must and must not occur, as terms of FTS5 queries, and the phases.

    `phases` are words of the team or the kind that a comment's phase must have, `no_phases` those
    that it must not; an empty one stands for any phase.
    """

    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    no_phases: tuple[str, ...] = ()


def parse(text: str) -> Query:
    """`Hazard one-two "far post" -corner phase:counter` as FTS5 terms, and phases by themselves."""
    wanted: list[str] = []
    unwanted: list[str] = []
    phases: tuple[list[str], list[str]] = [], []
    for part in PART.finditer(text):
        phase = part["run"] if part["phase"] is None else part["phase"]
        if phase is not None:
            phases[bool(part["no"])].append(index.fold_words(phase))
            continue
        letters = " ".join(LETTERS.findall(part["phrase"] or part["word"] or ""))
        if letters:
            term = f'"{letters}"' + ("" if part["word"] is None else "*")
            (unwanted if part["no"] else wanted).append(term)
    return Query(
        _distinct(wanted),
        _distinct(unwanted),
        *(tuple(dict.fromkeys(some)) for some in phases),
    )


def _distinct(terms: list[str]) -> tuple[str, ...]:
    """Each term once, as FTS5 would search for it every time."""
    return tuple({term.casefold(): term for term in reversed(terms)}.values())[::-1]


@contextlib.contextmanager
def deadline(db: sqlite3.Connection, seconds: float | None = None) -> Iterator[None]:
    """Interrupt queries within the block that take longer than that."""
    end = time.monotonic() + (MAX_SECONDS if seconds is None else seconds)
    db.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        message = "the search took too long; use fewer or longer words"
        raise ApiError("too_slow", message) from None
    finally:
        db.set_progress_handler(None, 0)


def any_of(terms: tuple[str, ...]) -> str:
    """An FTS5 query for what has at least one of the terms."""
    return " OR ".join(terms)


class Condition(msgspec.Struct, frozen=True):
    """A part of a WHERE clause, with the values of its parameters."""

    sql: str
    values: tuple[Any, ...] = ()


def joined(conditions: list[Condition]) -> Condition:
    """All of them together; without any, what is always true."""
    sql = " AND ".join(one.sql for one in conditions) or "1"
    return Condition(sql, tuple(value for one in conditions for value in one.values))


class Found(msgspec.Struct, frozen=True):
    """The comments that fit, as a SELECT of their `row`; `nothing` if none can.

    `ranked` has their `rank` too, which takes longer to compute, and `order` uses it.
    """

    select: str
    ranked: str
    order: str
    values: tuple[Any, ...]
    query: Query
    nothing: bool = False


def found(asked: Filters) -> Found:
    """The SELECT of the comments that were asked for."""
    query = parse(asked.q)
    # Only punctuation, which matches nothing.
    nothing = bool(asked.q.strip()) and query == Query()
    of_comment = list(_of_comment(asked))
    where = joined([*_of_text(query), *of_comment, *_of_events(asked)])
    if not query.wanted:
        select = f"FROM comments WHERE {where.sql}"
        columns, order = "row, match, place", "match, place"
        return Found(f"SELECT row {select}", f"SELECT {columns} {select}", order, where.values,
                     query, nothing)  # fmt: skip
    # Comments are long: they are looked up only where a filter is about them. The `+` keeps FTS5
    # from searching once for each row of a filter.
    source = "words CROSS JOIN comments ON comments.row = words.rowid" if of_comment else "words"
    select = f"FROM {source} WHERE {where.sql}"
    return Found(
        f"SELECT +words.rowid AS row {select}",
        f"SELECT +words.rowid AS row, bm25(words) AS rank {select}",
        "rank, row",
        where.values,
        query,
        nothing,
    )


_PHASES = "SELECT comment FROM phases WHERE instr(said, ?) > 0"


def _of_text(query: Query) -> Iterator[Condition]:
    if query.wanted:
        yield Condition("words MATCH ?", (" AND ".join(query.wanted),))
    if query.unwanted:
        sql = "row NOT IN (SELECT rowid FROM words WHERE words MATCH ?)"
        yield Condition(sql, (any_of(query.unwanted),))
    for said in query.phases:
        yield Condition(f"row IN ({_PHASES})", (f" {said}",))
    for said in query.no_phases:
        yield Condition(f"row NOT IN ({_PHASES})", (f" {said}",))


def _of_comment(asked: Filters) -> Iterator[Condition]:
    if asked.match is not None:
        yield Condition("comments.match = ?", (asked.match,))
    if asked.first is not None:
        yield Condition("comments.minute >= ?", (asked.first,))
    if asked.last is not None:
        yield Condition("comments.minute <= ?", (asked.last,))


def _of_events(asked: Filters) -> Iterator[Condition]:
    if asked.phase is not None:
        yield Condition("row IN (SELECT comment FROM phases WHERE kind = ?)", (asked.phase,))
    of_event = list(of_described(asked))
    if of_event:
        fits = joined(of_event)
        source = "described"
        if asked.player is not None:
            source = (
                "people AS p CROSS JOIN described ON described.match = p.match "
                "AND described.event = p.event"
            )
            fits = joined([Condition("p.player = ?", (asked.player,)), *_of_event(asked)])
        yield Condition(f"row IN (SELECT comment FROM {source} WHERE {fits.sql})", fits.values)


def of_described(asked: Filters) -> Iterator[Condition]:
    """What a described event must be; one of a comment's must be all of it."""
    yield from _of_event(asked)
    if asked.player is not None:
        by = "p.match = described.match AND p.event = described.event AND p.player = ?"
        yield Condition(f"EXISTS (SELECT 1 FROM people AS p WHERE {by})", (asked.player,))


def _of_event(asked: Filters) -> Iterator[Condition]:
    for column in ("kind", "team", "outcome", "standing"):
        value = getattr(asked, column)
        if value is not None:
            yield Condition(f"described.{column} = ?", (value,))
