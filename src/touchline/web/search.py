"""Search over all matches: words of comments and of the events that they tell, and filters.

A user's text becomes an FTS5 query made of quoted strings only, so that nothing in it can be a
syntax error. Every word counts as a beginning, which finds plurals, and what is not typed yet.

Joins are CROSS JOINs, which SQLite takes in the order that they are written in: from what was asked
for to the comments. Its own choice, without statistics, looks at every event of every comment.
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
    source = "words CROSS JOIN comments ON row = words.rowid" if query.wanted else "comments"
    conditions = [*_wanted(query), *_filters(asked)]
    where = " AND ".join(condition for condition, _ in conditions) or "1"
    values = [value for _, given in conditions for value in given]
    total = db.execute(f"SELECT COUNT(*) FROM {source} WHERE {where}", values).fetchone()[0]
    order = "bm25(words), " if query.wanted else ""
    best = db.execute(
        f"SELECT row FROM {source} WHERE {where} "
        f"ORDER BY {order}comments.match, place LIMIT ? OFFSET ?",
        [*values, asked.limit, asked.offset],
    )
    return Hits(total=total, hits=_hits(db, [row["row"] for row in best], query))


def _hits(db: sqlite3.Connection, best: list[int], query: Query) -> list[Hit]:
    """The comments of these rows, in their order; marks are made for these alone.

    `+rowid`: the words are looked for once, not once for each row.
    """
    listed = msgspec.json.encode(best).decode()
    rows = db.execute(
        "SELECT comments.*, title FROM json_each(?) AS asked CROSS JOIN comments "
        "ON row = asked.value JOIN matches ON name = match ORDER BY asked.key",
        [listed],
    ).fetchall()
    marked: dict[int, str] = {}
    if query.wanted:
        marking = f"highlight(words, 0, '{index.OPEN}', '{index.CLOSE}')"
        found = f"SELECT rowid, {marking} FROM words WHERE words MATCH ? AND +rowid IN "
        in_best = "(SELECT value FROM json_each(?))"
        marked = {row[0]: row[1] for row in db.execute(found + in_best, [query.wanted, listed])}
    told = index.told_events(db, best)
    return [_hit(row, told[row["row"]], marks(marked.get(row["row"], ""))) for row in rows]


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
        people = "people AS p CROSS JOIN told ON told.match = p.match AND told.event = p.event"
        told = "told" if asked.player is None else people
        values = [value for _, given in of_event for value in given]
        yield f"row IN (SELECT told.comment FROM {told} WHERE {fits})", values


def _event_filters(asked: SearchQuery) -> Iterator[Condition]:
    if asked.player is not None:
        yield "p.player = ?", [asked.player]
    if asked.kind is not None:
        yield "told.kind = ?", [asked.kind]
    if asked.team is not None:
        yield "told.team = ?", [asked.team]


def _hit(row: sqlite3.Row, told: list[sqlite3.Row], marks: list[tuple[int, int]]) -> Hit:
    return Hit(
        match=row["match"],
        title=row["title"],
        comment=index.comment_id(row["id"]),
        clock=row["clock"],
        minute=row["minute"],
        text=row["text"],
        marks=marks,
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
    where, values = ("WHERE told.match = ?", [match]) if match is not None else ("", [])
    people = "CROSS JOIN people AS p ON p.match = told.match AND p.event = told.event"

    def distinct(column: str, more: str = "") -> list[str]:
        rows = db.execute(f"SELECT DISTINCT {column} FROM told {more} {where}", values)
        return sorted(row[0] for row in rows if row[0] is not None)

    return Choices(
        players=distinct("p.player", people), kinds=distinct("kind"), teams=distinct("team")
    )
