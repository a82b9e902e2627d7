"""What a search asks for, and the comments that fit.

A text becomes quoted strings only, so that nothing in it can be a syntax error. Every word is a
prefix, which finds plurals, and words that are not complete yet.

Filters on what comments describe are not in it: `values.py` has them in memory.
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
from touchline.web.store.database import Connection
from touchline.web.store.values import wanted

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


_PHASES = "SELECT comment FROM phases WHERE instr(said, ?) > 0"


def fitting(db: Connection, asked: Filters) -> list[int]:
    """The rows of the comments that fit all that is asked for, best first."""
    query, values = parse(asked.q), wanted(db, asked)
    if (asked.q.strip() and query == Query()) or values is None:  # punctuation matches nothing
        return []
    where = joined([*_of_phases(query), *_of_comment(asked)])
    if query.wanted:
        found = db.words.best(query.wanted)
        found = _narrowed(db, found, where) if where.values else found
    else:
        found = _rows(db, f"SELECT row FROM comments WHERE {where.sql} ORDER BY match, place",
                      where.values)  # fmt: skip
    if query.unwanted:
        unwanted = db.words.having_any(query.unwanted)
        found = [row for row in found if row not in unwanted]
    return db.values.fitting(found, values)


def _narrowed(db: Connection, rows: list[int], where: Condition) -> list[int]:
    """The rows of the comments that fit, in their order."""
    listed = msgspec.json.encode(rows).decode()
    sql = (
        "SELECT row FROM json_each(?) AS asked CROSS JOIN comments ON row = asked.value "
        f"WHERE {where.sql} ORDER BY asked.key"
    )
    return _rows(db, sql, (listed, *where.values))


def _rows(db: Connection, sql: str, values: tuple[Any, ...]) -> list[int]:
    cursor = db.cursor()
    cursor.row_factory = None  # plain tuples, as there may be many
    return [row for (row,) in cursor.execute(sql, values)]


def _of_phases(query: Query) -> Iterator[Condition]:
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
