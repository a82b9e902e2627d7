"""Search over all matches: words of comments and of the events that they tell, and filters.

A user's text becomes an FTS5 query made of quoted strings only, so that nothing in it can be a
syntax error. Every word counts as a beginning, which finds plurals, and what is not typed yet.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from touchline.web import index
from touchline.web.records import Choices, Hit, HitEvent, Hits, SearchQuery

_PART = re.compile(r'(?P<no>-)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')
_LETTERS = re.compile(r"[^\W_]+")


class Query(msgspec.Struct, frozen=True):
    """What must be there and what must not, as FTS5 reads it."""

    wanted: str
    unwanted: str


def parse(text: str) -> Query:
    """`Hazard one-two "far post" -corner` as FTS5 queries; without words, an empty one."""
    wanted: list[str] = []
    unwanted: list[str] = []
    for part in _PART.finditer(text):
        letters = " ".join(_LETTERS.findall(part["phrase"] or part["word"] or ""))
        if letters:
            term = f'"{letters}"' + ("" if part["word"] is None else "*")
            (unwanted if part["no"] else wanted).append(term)
    return Query(" AND ".join(wanted), " OR ".join(unwanted))


def search(db: sqlite3.Connection, asked: SearchQuery) -> Hits:
    """The comments that fit, the best first."""
    query = parse(asked.q)
    if asked.q.strip() and not query.wanted and not query.unwanted:
        return Hits(total=0, hits=[])  # marks without a word in them are nowhere
    source = "comments JOIN words ON words.rowid = comments.row" if query.wanted else "comments"
    conditions = [*_wanted(query), *_filters(asked)]
    where = " AND ".join(condition for condition, _ in conditions) or "1"
    values = [value for _, given in conditions for value in given]
    total = db.execute(f"SELECT COUNT(*) FROM {source} WHERE {where}", values).fetchone()[0]
    marked = f"highlight(words, 0, '{index.OPEN}', '{index.CLOSE}')" if query.wanted else "text"
    order = "bm25(words), " if query.wanted else ""
    rows = db.execute(
        f"SELECT comments.*, matches.title, {marked} AS marked FROM {source} "
        f"JOIN matches ON matches.name = comments.match WHERE {where} "
        f"ORDER BY {order}comments.match, comments.place LIMIT ? OFFSET ?",
        [*values, asked.limit, asked.offset],
    ).fetchall()
    told = index.told_events(db, [row["row"] for row in rows])
    return Hits(total=total, hits=[_hit(row, told[row["row"]]) for row in rows])


Condition = tuple[str, list[Any]]


def _wanted(query: Query) -> Iterator[Condition]:
    if query.wanted:
        yield "words MATCH ?", [query.wanted]
    if query.unwanted:
        yield "row NOT IN (SELECT rowid FROM words WHERE words MATCH ?)", [query.unwanted]


def _filters(asked: SearchQuery) -> Iterator[Condition]:
    if asked.match is not None:
        yield "comments.match = ?", [asked.match]
    if asked.first is not None:
        yield "comments.minute >= ?", [asked.first]
    if asked.last is not None:
        yield "comments.minute <= ?", [asked.last]
    of_event = list(_event_filters(asked))
    if of_event:
        fits = " AND ".join(condition for condition, _ in of_event)
        yield (
            "EXISTS (SELECT 1 FROM told JOIN events AS e ON e.match = comments.match "
            f"AND e.id = told.event WHERE told.comment = comments.row AND {fits})",
            [value for _, values in of_event for value in values],
        )


def _event_filters(asked: SearchQuery) -> Iterator[Condition]:
    if asked.kind is not None:
        yield "e.kind = ?", [asked.kind]
    if asked.team is not None:
        yield "e.team = ?", [asked.team]
    if asked.player is not None:
        of_player = "SELECT 1 FROM people AS p WHERE p.match = e.match AND p.event = e.id"
        yield f"EXISTS ({of_player} AND p.player = ?)", [asked.player]


def _hit(row: sqlite3.Row, told: list[sqlite3.Row]) -> Hit:
    return Hit(
        match=row["match"],
        title=row["title"],
        comment=index.comment_id(row["id"]),
        clock=row["clock"],
        minute=row["minute"],
        text=row["text"],
        marks=marks(row["marked"]),
        events=[HitEvent(**{f: e[f] for f in HitEvent.__struct_fields__}) for e in told],
        by=row["teller"],
    )


def marks(marked: str) -> list[tuple[int, int]]:
    """Where the marked stretches of a text lie, in UTF-16 units as browsers count."""
    found, start, place = [], 0, 0
    for character in marked:
        if character == index.OPEN:
            start = place
        elif character == index.CLOSE:
            found.append((start, place))
        else:
            place += 2 if ord(character) > 0xFFFF else 1
    return found


def choices(db: sqlite3.Connection, match: str | None) -> Choices:
    """What the filters can be set to: names that told events have."""
    where, values = ("WHERE comments.match = ?", [match]) if match is not None else ("", [])
    told = (
        "told JOIN comments ON comments.row = told.comment "
        "JOIN events AS e ON e.match = comments.match AND e.id = told.event"
    )
    people = "JOIN people AS p ON p.match = e.match AND p.event = e.id"

    def distinct(column: str, source: str) -> list[str]:
        rows = db.execute(f"SELECT DISTINCT {column} FROM {source} {where}", values)
        return sorted(row[0] for row in rows if row[0] is not None)

    return Choices(
        players=distinct("p.player", f"{told} {people}"),
        kinds=distinct("e.kind", told),
        teams=distinct("e.team", told),
    )
