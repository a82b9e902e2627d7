"""The comments and events of aligned matches, in the database, for labels and search.

All of this is derived from an alignment and the labels, and is rewritten with every alignment. For
search, a comment describes the events of the latest finished label on it, else those that the
machine linked.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
import numpy as np

from touchline.core.clocks import running_minute
from touchline.core.links import CommentLinks
from touchline.core.records import CommentId
from touchline.io.corpus.labels import ADJUDICATED
from touchline.methods.active import doubts
from touchline.report.data import ReportComment, ReportEvent, ReportMatch, ReportPhase
from touchline.text.tokens import tokenise
from touchline.web.errors import ApiError
from touchline.web.store.database import Connection
from touchline.web.store.values import FACET_STEP, FACETS, NUMBERS

MACHINE = "machine"
GOLD = ADJUDICATED  # the annotator of adjudicated labels
VERSION = 3  # of what `put` writes; matches that an older one has indexed are indexed again
# Characters that mark a hit in a text; a comment's own are replaced.
OPEN, CLOSE = "\x01", "\x02"
PLAIN = str.maketrans({OPEN: " ", CLOSE: " ", "\x00": " "})


def key(comment: CommentId) -> str:
    """A comment's id as text in which 7 and "7" differ."""
    return msgspec.json.encode(comment).decode()


def comment_id(key: str) -> CommentId:
    found: CommentId = msgspec.json.decode(key, type=int | str)
    return found


# Writing -----------------------------------------------------------------------------------------


def put(db: Connection, name: str, match: ReportMatch, answers: Sequence[CommentLinks]) -> None:
    """Write a match's comments and events in place of those of an earlier alignment."""
    drop(db, name)
    _put_events(db, name, match)
    kinds = {event.id: match.kinds[event.kind] for event in match.events}
    found = {one.comment: doubts(one, lambda event: kinds.get(event, "")) for one in answers}
    for place, comment in enumerate(match.comments):
        row = _put_comment(db, name, comment, place, found.get(comment.id, {}))
        links = [(row, match.events[number].id) for number, _ in comment.events]
        db.executemany("INSERT OR IGNORE INTO links VALUES (?, ?)", links)
        if comment.phase is not None:
            put_phase(db, name, row, match.teams[comment.phase.team], comment.phase)
        update_described_events(db, name, comment.id)


def drop(db: Connection, name: str) -> None:
    rows = "SELECT row FROM comments WHERE match = ?"
    db.changed.update(row for (row,) in db.execute(rows, [name]))
    for table in ("links", "described", "phases", "facets"):
        db.execute(f"DELETE FROM {table} WHERE comment IN ({rows})", [name])
    for table in ("comments", "events", "people"):
        db.execute(f"DELETE FROM {table} WHERE match = ?", [name])


def _put_events(db: sqlite3.Connection, name: str, match: ReportMatch) -> None:
    standings = _standings(match)
    rows = (
        (name, event.id, place, match.kinds[event.kind], event.what,
         match.teams[event.team] if event.team is not None else None, event.period, event.time,
         event.clock, running_minute(event.period, event.time), event.facts.get("outcome"),
         standings[place])
        for place, event in enumerate(match.events)
    )  # fmt: skip
    db.executemany("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    people = ((name, e.id, player) for e in match.events for player in _people(match, e))
    db.executemany("INSERT OR IGNORE INTO people VALUES (?, ?, ?)", people)


def _standings(match: ReportMatch) -> list[str | None]:
    """Whether the team of each event was leading before it; None if the log has no score."""
    if match.result is None:
        return [None] * len(match.events)
    after = {moment.event: moment.score for moment in match.moments if moment.score is not None}
    score, found = (0, 0), list[str | None]()
    for place, event in enumerate(match.events):
        found.append(_standing(score, event.team))
        score = after.get(place, score)
    return found


def _standing(score: tuple[int, int], team: int | None) -> str | None:
    if team is None:
        return None
    lead = score[team] - score[1 - team]
    return "leading" if lead > 0 else "trailing" if lead < 0 else "level"


def _people(match: ReportMatch, event: ReportEvent) -> Iterator[str]:
    first = [event.player] if event.player is not None else []
    for number in (*first, *(player for _, player in event.others)):
        yield match.players[number].name


def _put_comment(
    db: sqlite3.Connection,
    name: str,
    comment: ReportComment,
    place: int,
    doubts: Mapping[str, float],
) -> int:
    known = comment.start is not None and comment.end is not None
    time = (comment.start + comment.end) / 2 if known else None  # type: ignore[operator]
    row = db.execute(
        "INSERT INTO comments (match, id, place, text, clock, period, time, doubt, doubts, "
        "kickoff, said) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [name, key(comment.id), place, comment.text, comment.clock, comment.period, time,
         sum(doubts.values()), msgspec.json.encode(doubts).decode(), comment.kickoff,
         _in_recording(comment.kickoff, comment.start)],
    ).lastrowid  # fmt: skip
    assert row is not None
    return row


def put_phase(db: sqlite3.Connection, name: str, row: int, team: str, phase: ReportPhase) -> None:
    """Write the phase that a comment is about."""
    said = f" {fold_words(team)} {fold_words(phase.kind or '')}"
    db.execute(
        "INSERT INTO phases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            row,
            name,
            team,
            phase.kind,
            phase.period,
            *phase.span,
            said,
            _numbers(db, [("phase", phase.kind)]),
        ],
    )


def fold_words(text: str) -> str:
    """Words without accents, case and punctuation, as a search compares them."""
    return " ".join(token.key for token in tokenise(text))


def _in_recording(kickoff: float | None, time: float | None) -> float | None:
    """A time of a period on the clock of the recording, which starts at 0."""
    return None if kickoff is None or time is None else max(round(kickoff + time, 3), 0.0)


def update_described_events(db: Connection, match: str, comment: CommentId) -> None:
    """Bring the events that a comment describes up to date with its labels."""
    found = db.execute(
        "SELECT row, period, time FROM comments WHERE match = ? AND id = ?", [match, key(comment)]
    ).fetchone()
    if found is None:  # a label of a comment that the commentary no longer has
        return
    linked_by, ids = _described_events(db, match, comment, found["row"])
    events = _events(db, match, ids)
    db.execute("DELETE FROM described WHERE comment = ?", [found["row"]])
    columns = ("id", "kind", "team", "outcome", "standing")
    rows = [
        (found["row"], match, *(event[column] for column in columns),
         _numbers(db, _values(db, match, event)))
        for event in events
    ]  # fmt: skip
    db.executemany("INSERT INTO described VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    db.execute(
        "UPDATE comments SET linked_by = ?, minute = ?, described = ? WHERE row = ?",
        [linked_by, _minute(found, events), " · ".join(_words(db, match, events)), found["row"]],
    )
    _put_facets(db, found["row"])


def _numbers(db: sqlite3.Connection, values: Iterable[tuple[str, str | None]]) -> bytes:
    """The numbers of some values of facets, each once."""
    numbers = {_number(db, facet, value) for facet, value in values if value is not None}
    return np.array(sorted(numbers), NUMBERS).tobytes()


def _number(db: sqlite3.Connection, facet: str, value: str) -> int:
    """The number of a value, which never changes; its remainder is that of the facet."""
    known = "SELECT id FROM facet_values WHERE facet = ? AND value = ?"
    found = db.execute(known, [facet, value]).fetchone()
    if found is not None:
        return int(found["id"])
    last = db.execute("SELECT MAX(id) FROM facet_values").fetchone()[0] or 0
    number = (last // FACET_STEP + 1) * FACET_STEP + FACETS.index(facet)
    db.execute("INSERT INTO facet_values VALUES (?, ?, ?)", [number, facet, value])
    return int(number)


def _values(
    db: sqlite3.Connection, match: str, event: sqlite3.Row
) -> Iterator[tuple[str, str | None]]:
    """The values of an event, with their facets."""
    for facet in ("team", "kind", "outcome", "standing"):
        yield facet, event[facet]
    for player in _named(db, match, event["id"]):
        yield "player", player


def _put_facets(db: Connection, row: int) -> None:
    """Write the numbers of all that a comment describes, each once."""
    numbers = db.execute(
        "SELECT numbers FROM described WHERE comment = :row "
        "UNION ALL SELECT numbers FROM phases WHERE comment = :row",
        {"row": row},
    )
    together = np.unique(np.frombuffer(b"".join(one[0] for one in numbers), NUMBERS))
    db.execute("INSERT OR REPLACE INTO facets VALUES (?, ?)", [row, together.tobytes()])
    db.changed.add(row)


def _described_events(
    db: sqlite3.Connection, match: str, comment: CommentId, row: int
) -> tuple[str, list[str]]:
    """Who linked a comment, and to which events."""
    label = db.execute(
        "SELECT annotator, state FROM labels WHERE match = ? AND comment = ? AND done "
        "ORDER BY annotator = ? DESC, revision DESC LIMIT 1",
        [match, key(comment), GOLD],
    ).fetchone()
    if label is None:
        return MACHINE, links(db, row)
    return label["annotator"], msgspec.json.decode(label["state"]).get("events", [])


def _minute(comment: sqlite3.Row, events: Sequence[sqlite3.Row]) -> int | None:
    if events:
        return int(events[0]["minute"])
    if comment["period"] is None or comment["time"] is None:
        return None
    return running_minute(comment["period"], comment["time"])


def _words(db: sqlite3.Connection, match: str, events: Iterable[sqlite3.Row]) -> Iterator[str]:
    for event in events:
        yield event["what"]
        yield from _named(db, match, event["id"])


def _named(db: sqlite3.Connection, match: str, event: str) -> list[str]:
    """The players of an event."""
    people = "SELECT player FROM people WHERE match = ? AND event = ?"
    return [row["player"] for row in db.execute(people, [match, event])]


# Asking ------------------------------------------------------------------------------------------


def comment_row(db: sqlite3.Connection, match: str, comment: CommentId) -> int:
    """The row of a comment of an aligned match."""
    found = db.execute(
        "SELECT row FROM comments WHERE match = ? AND id = ?", [match, key(comment)]
    ).fetchone()
    if found is None:
        raise ApiError("no_comment", "the match has no such comment")
    return int(found["row"])


def text(db: sqlite3.Connection, row: int) -> str:
    """The text of a comment, by its row."""
    found: str = db.execute("SELECT text FROM comments WHERE row = ?", [row]).fetchone()["text"]
    return found


def shown(db: sqlite3.Connection, match: str, comment: CommentId) -> tuple[str, str | None, str]:
    """The title of a match, and the clock and the text of one of its comments."""
    title, clock, said = db.execute(
        "SELECT title, clock, text FROM comments JOIN matches ON name = match "
        "WHERE match = ? AND id = ?",
        [match, key(comment)],
    ).fetchone()
    return title, clock, said


def in_words(db: sqlite3.Connection, match: str, events: Iterable[str]) -> list[str]:
    """What the log says about some events, in its order."""
    return [row["what"] for row in _events(db, match, events)]


def comments(db: sqlite3.Connection, match: str) -> set[CommentId]:
    rows = db.execute("SELECT id FROM comments WHERE match = ?", [match])
    return {comment_id(row["id"]) for row in rows}


def links(db: sqlite3.Connection, row: int) -> list[str]:
    """The events that the machine links to a comment."""
    return [r["event"] for r in db.execute("SELECT event FROM links WHERE comment = ?", [row])]


def check_event(db: sqlite3.Connection, match: str, event: str) -> None:
    found = db.execute("SELECT 1 FROM events WHERE match = ? AND id = ?", [match, event])
    if found.fetchone() is None:
        raise ApiError("no_event", "the match log has no such event, or it cannot be linked")


def in_match_order(db: sqlite3.Connection, match: str, events: Iterable[str]) -> tuple[str, ...]:
    """Events in the order of the log; those that it no longer has come last."""
    events = set(events)
    known = [row["id"] for row in _events(db, match, events)]
    return (*known, *sorted(events.difference(known)))


def _events(db: sqlite3.Connection, match: str, ids: Iterable[str]) -> list[sqlite3.Row]:
    listed = msgspec.json.encode(list(ids)).decode()
    return db.execute(
        "SELECT events.* FROM json_each(?) AS asked CROSS JOIN events ON events.match = ? "
        "AND events.id = asked.value ORDER BY place",
        [listed, match],
    ).fetchall()


def events_near(
    db: sqlite3.Connection, match: str, period: int | None, time: float | None, seconds: float
) -> set[str]:
    """The events within some seconds of a time; all of the match if the time is not known."""
    where, values = "", []
    if period is not None and time is not None:
        where = "AND period = ? AND time BETWEEN ? AND ?"
        values = [period, time - seconds, time + seconds]
    events = f"SELECT id FROM events WHERE match = ? {where}"
    return {event["id"] for event in db.execute(events, [match, *values])}


def described_events(
    db: sqlite3.Connection, rows: Sequence[int]
) -> Mapping[int, list[sqlite3.Row]]:
    """The events that some comments describe."""
    found: dict[int, list[sqlite3.Row]] = {row: [] for row in rows}
    listed = msgspec.json.encode(list(rows)).decode()
    for event in db.execute(
        "SELECT described.comment, events.* FROM json_each(?) AS asked "
        "CROSS JOIN described ON described.comment = asked.value "
        "CROSS JOIN events ON events.match = described.match AND events.id = described.event "
        "ORDER BY place",
        [listed],
    ):
        found[event["comment"]].append(event)
    return found
