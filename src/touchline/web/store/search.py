"""Search over all matches: words of comments and of the events they describe, and filters.

A user's text becomes an FTS5 query made of quoted strings only, so that nothing in it can be a
syntax error. Every word is a prefix, which finds plurals, and words that are not complete yet.

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

from touchline.io.links.vtt import time_code
from touchline.web.errors import ApiError
from touchline.web.records import (
    Choices,
    Hit,
    HitEvent,
    HitPhase,
    Hits,
    Recorded,
    SearchQuery,
)
from touchline.web.store import index

MAX_SECONDS = 3.0  # of a search
_TOKENIZER = 'tokenize = "unicode61 remove_diacritics 2"'  # as in the table `words`
_STEPS = 1000  # of SQLite's virtual machine between two checks of the time

_PART = re.compile(
    r'(?P<no>-)?(?:phase:(?:"(?P<run>[^"]*)"?|(?P<phase>[^\s"]*))'
    r'|"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))'
)
_LETTERS = re.compile(r"[^\W_]+")


class Query(msgspec.Struct, frozen=True):
    """The words that must and must not occur, as FTS5 queries, and the phases.

    `phases` are words of the team or the kind that a comment's phase must have, `no_phases` those
    that it must not; an empty one stands for any phase.
    """

    wanted: str
    unwanted: str
    phases: tuple[str, ...] = ()
    no_phases: tuple[str, ...] = ()


def parse(text: str) -> Query:
    """`Hazard one-two "far post" -corner phase:counter` as FTS5 queries, and phases by themselves.

    Without words, the FTS5 query is empty.
    """
    wanted: list[str] = []
    unwanted: list[str] = []
    phases: tuple[list[str], list[str]] = [], []
    for part in _PART.finditer(text):
        phase = part["run"] if part["phase"] is None else part["phase"]
        if phase is not None:
            phases[bool(part["no"])].append(index.fold_words(phase))
            continue
        letters = " ".join(_LETTERS.findall(part["phrase"] or part["word"] or ""))
        if letters:
            term = f'"{letters}"' + ("" if part["word"] is None else "*")
            (unwanted if part["no"] else wanted).append(term)
    return Query(
        " AND ".join(_distinct(wanted)),
        " OR ".join(_distinct(unwanted)),
        *(tuple(dict.fromkeys(some)) for some in phases),
    )


def _distinct(terms: list[str]) -> list[str]:
    """Each term once, as FTS5 would search for it every time."""
    return list({term.casefold(): term for term in reversed(terms)}.values())[::-1]


@contextlib.contextmanager
def deadline(db: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Interrupt queries within the block that take longer than that."""
    end = time.monotonic() + seconds
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


def search(db: sqlite3.Connection, asked: SearchQuery) -> Hits:
    """The comments that match, best first."""
    with deadline(db, MAX_SECONDS):
        return _search(db, asked)


def _search(db: sqlite3.Connection, asked: SearchQuery) -> Hits:
    query = parse(asked.q)
    if asked.q.strip() and query == Query("", ""):
        return Hits(total=0, hits=[])  # only punctuation, which matches nothing
    source = "words CROSS JOIN comments ON row = words.rowid" if query.wanted else "comments"
    conditions = [*_wanted(query), *_filters(asked)]
    where = " AND ".join(condition for condition, _ in conditions) or "1"
    values = [value for _, given in conditions for value in given]
    rank = "bm25(words)" if query.wanted else "0"
    total, *best = db.execute(
        f"WITH found AS MATERIALIZED (SELECT row, {rank} AS rank, comments.match AS match, place "
        f"FROM {source} WHERE {where}) SELECT COUNT(*) FROM found UNION ALL SELECT * FROM "
        "(SELECT row FROM found ORDER BY rank, match, place LIMIT ? OFFSET ?)",
        [*values, asked.limit, asked.offset],
    )
    return Hits(total=total[0], hits=_hits(db, [row[0] for row in best], query))


def _hits(db: sqlite3.Connection, best: list[int], query: Query) -> list[Hit]:
    """The comments of these rows, in their order, with marks."""
    listed = msgspec.json.encode(best).decode()
    rows = db.execute(
        "SELECT comments.*, title FROM json_each(?) AS asked CROSS JOIN comments "
        "ON row = asked.value JOIN matches ON name = match ORDER BY asked.key",
        [listed],
    ).fetchall()
    marked = _marked(db, listed, query.wanted) if query.wanted else {}
    described, phases = index.described_events(db, best), _phases(db, listed)
    return [
        _hit(row, described[number], marks(marked.get(number, "")), phases.get(number))
        for row in rows
        for number in [row["row"]]
    ]


def _phases(db: sqlite3.Connection, listed: str) -> dict[int, HitPhase]:
    """The phases that some comments are about."""
    rows = db.execute(
        "SELECT phases.* FROM json_each(?) AS asked CROSS JOIN phases ON comment = asked.value",
        [listed],
    )
    return {
        row["comment"]: HitPhase(
            team=row["team"],
            kind=row["kind"],
            period=row["period"],
            span=(row["start"], row["end"]),
        )
        for row in rows
    }


def _marked(db: sqlite3.Connection, listed: str, wanted: str) -> dict[int, str]:
    """The texts of some rows with the hits marked.

    FTS5 can mark hits only in the results of a query, which would search all matches again. So
    these rows are copied into an index of their own.
    """
    rows = (
        "SELECT rowid, text, described FROM words WHERE rowid IN (SELECT value FROM json_each(?))"
    )
    with contextlib.closing(sqlite3.connect(":memory:")) as few:
        few.execute(f"CREATE VIRTUAL TABLE words USING fts5 (text, described, {_TOKENIZER})")
        few.executemany(
            "INSERT INTO words (rowid, text, described) VALUES (?, ?, ?)",
            map(tuple, db.execute(rows, [listed])),
        )
        marking = f"highlight(words, 0, '{index.OPEN}', '{index.CLOSE}')"
        found = f"SELECT rowid, {marking} FROM words WHERE words MATCH ?"
        return dict(few.execute(found, [wanted]).fetchall())


Condition = tuple[str, list[Any]]
_PHASES = "SELECT comment FROM phases WHERE instr(said, ?) > 0"


def _wanted(query: Query) -> Iterator[Condition]:
    if query.wanted:
        yield "words MATCH ?", [query.wanted]
    if query.unwanted:
        yield "row NOT IN (SELECT rowid FROM words WHERE words MATCH ?)", [query.unwanted]
    for said in query.phases:
        yield f"row IN ({_PHASES})", [f" {said}"]
    for said in query.no_phases:
        yield f"row NOT IN ({_PHASES})", [f" {said}"]


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
        source = "described"
        if asked.player is not None:
            source = (
                "people AS p CROSS JOIN described AS d ON d.match = p.match AND d.event = p.event"
            )
        values = [value for _, given in of_event for value in given]
        yield f"row IN (SELECT comment FROM {source} WHERE {fits})", values


def _event_filters(asked: SearchQuery) -> Iterator[Condition]:
    if asked.player is not None:
        yield "p.player = ?", [asked.player]
    if asked.kind is not None:
        yield "kind = ?", [asked.kind]
    if asked.team is not None:
        yield "team = ?", [asked.team]


def _recorded(seconds: float | None) -> Recorded | None:
    if seconds is None:
        return None
    seconds = max(round(seconds, 3), 0.0)
    return Recorded(seconds=seconds, code=time_code(seconds))


def _hit_event(comment: sqlite3.Row, event: sqlite3.Row) -> HitEvent:
    """An event; a recording of one period does not show those of another."""
    own = comment["kickoff"] is not None and comment["period"] == event["period"]
    return HitEvent(
        id=event["id"],
        what=event["what"],
        clock=event["clock"],
        period=event["period"],
        time=event["time"],
        recorded=_recorded(comment["kickoff"] + event["time"]) if own else None,
    )


def _hit(
    row: sqlite3.Row,
    events: list[sqlite3.Row],
    marks: list[tuple[int, int]],
    phase: HitPhase | None,
) -> Hit:
    return Hit(
        match=row["match"],
        title=row["title"],
        comment=index.comment_id(row["id"]),
        clock=row["clock"],
        minute=row["minute"],
        text=row["text"],
        marks=marks,
        events=[_hit_event(row, event) for event in events],
        by=row["linked_by"],
        phase=phase,
        recorded=_recorded(row["said"]),
    )


def marks(marked: str) -> list[tuple[int, int]]:
    """The marked parts of a text, in UTF-16 units as browsers count."""
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
    """What the filters can be set to: names that occur in described events."""
    with deadline(db, MAX_SECONDS):
        return _choices(db, match)


def _choices(db: sqlite3.Connection, match: str | None) -> Choices:
    where, values = ("WHERE described.match = ?", [match]) if match is not None else ("", [])
    people = "CROSS JOIN people AS p ON p.match = described.match AND p.event = described.event"

    def distinct(column: str, more: str = "") -> list[str]:
        rows = db.execute(f"SELECT DISTINCT {column} FROM described {more} {where}", values)
        return sorted(row[0] for row in rows if row[0] is not None)

    return Choices(
        players=distinct("p.player", people), kinds=distinct("kind"), teams=distinct("team")
    )
