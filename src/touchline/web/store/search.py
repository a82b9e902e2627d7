"""Search over all matches: words of comments and of the events they describe, and filters."""

from __future__ import annotations

import sqlite3
import threading

import msgspec

from touchline.core.clocks import STARTS
from touchline.io.links.vtt import time_code
from touchline.web.records import (
    Choices,
    Facets,
    Filters,
    Hit,
    HitEvent,
    HitPhase,
    Hits,
    Recorded,
    SearchQuery,
)
from touchline.web.store import index
from touchline.web.store.database import Connection
from touchline.web.store.query import Query, any_of, deadline, fitting, parse
from touchline.web.store.spelling import suggestion
from touchline.web.store.values import Wanted, wanted

EXPORT_SECONDS = 10.0
MAX_EXPORTED = 20_000  # hits in a file
_TOKENIZER = 'tokenize = "unicode61 remove_diacritics 2"'  # the same words as in `words.py`
_MARKED = (
    f"SELECT rowid, highlight(words, 0, '{index.OPEN}', '{index.CLOSE}') FROM words "
    "WHERE words MATCH ?"
)
_THREAD = threading.local()


def search(db: Connection, asked: SearchQuery) -> Hits:
    """The comments that match, best first; without any, near spellings of the words."""
    with deadline(db):
        comments = fitting(db, asked)
        shown = comments[asked.offset : asked.offset + asked.limit]
        return Hits(
            total=len(comments),
            hits=_hits(db, shown, parse(asked.q)),
            meant=None if comments else suggestion(db, asked),
            facets=_facets(db, comments, asked) if asked.facets else None,
        )


def _facets(db: Connection, comments: list[int], asked: Filters) -> Facets:
    return db.values.facets(comments, wanted(db, asked) or Wanted((), ()))


def export(db: Connection, asked: Filters) -> list[Hit]:
    """All comments that match, in the order of matches and comments."""
    with deadline(db, EXPORT_SECONDS):
        comments = msgspec.json.encode(fitting(db, asked)).decode()
        rows = db.execute(
            "SELECT row FROM json_each(?) AS asked CROSS JOIN comments ON row = asked.value "
            "ORDER BY match, place LIMIT ?",
            [comments, MAX_EXPORTED],
        ).fetchall()
        return _hits(db, [row[0] for row in rows], parse(asked.q))


def _hits(db: sqlite3.Connection, best: list[int], query: Query) -> list[Hit]:
    """The comments of these rows, in their order, with marks."""
    listed = msgspec.json.encode(best).decode()
    rows = db.execute(
        "SELECT comments.*, title FROM json_each(?) AS asked CROSS JOIN comments "
        "ON row = asked.value JOIN matches ON name = match ORDER BY asked.key",
        [listed],
    ).fetchall()
    texts = [(row["row"], row["text"].translate(index.PLAIN)) for row in rows]
    marked = _marked(texts, query.wanted) if query.wanted else {}
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


def _few() -> sqlite3.Connection:
    """An empty index in memory, one for each thread."""
    if not hasattr(_THREAD, "few"):
        _THREAD.few = sqlite3.connect(":memory:", isolation_level=None)
        _THREAD.few.execute(f"CREATE VIRTUAL TABLE words USING fts5 (text, {_TOKENIZER})")
    few: sqlite3.Connection = _THREAD.few
    return few


def _marked(texts: list[tuple[int, str]], wanted: tuple[str, ...]) -> dict[int, str]:
    """Some texts with the hits marked, by their numbers.

    FTS5 marks them, in an index of these texts alone. Not every word of a query has to occur in the
    text, as some may be in the events that it describes.
    """
    few = _few()
    few.execute("BEGIN")
    try:
        few.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", texts)
        return dict(few.execute(_MARKED, [any_of(wanted)]).fetchall())
    finally:
        few.execute("ROLLBACK")


def _recorded(seconds: float | None) -> Recorded | None:
    if seconds is None:
        return None
    seconds = max(round(seconds, 3), 0.0)
    return Recorded(seconds=seconds, code=time_code(seconds))


def _match_code(event: sqlite3.Row) -> str:
    """The time of an event on the match clock, `47:05`, which runs on through added time."""
    start = 60 * STARTS.get(event["period"], 0)
    minutes, seconds = divmod(max(int(start + event["time"]), 0), 60)
    return f"{minutes:02d}:{seconds:02d}"


def _hit_event(comment: sqlite3.Row, event: sqlite3.Row) -> HitEvent:
    """An event; a recording of one period does not show those of another."""
    own = comment["kickoff"] is not None and comment["period"] == event["period"]
    return HitEvent(
        id=event["id"],
        what=event["what"],
        clock=event["clock"],
        period=event["period"],
        time=event["time"],
        code=_match_code(event),
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
        code=_match_code(events[0]) if events else None,
        recorded=_recorded(row["said"]),
    )


def marks(marked: str) -> list[tuple[int, int]]:
    """The marked parts of a text, in UTF-16 units as browsers count."""
    found, place = [], 0
    for piece in marked.split(index.OPEN):
        inside, closed, after = piece.partition(index.CLOSE)
        if closed:
            found.append((place, place + _units(inside)))
        place += _units(inside) + _units(after)
    return found


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def choices(db: sqlite3.Connection, match: str | None) -> Choices:
    """What the filters can be set to: names that occur in described events."""
    with deadline(db):
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
