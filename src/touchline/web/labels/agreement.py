"""How far two annotators agree: pair F1, the share of equal sets, Cohen's kappa on pairs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import msgspec

from touchline.core.records import CommentId
from touchline.web.records import Agreement, Difference, Pairs
from touchline.web.store import index

BUCKET = 75.0  # seconds before and after a comment whose events a reader would consider
MAX_DIFFERENCES = 500


class Both(msgspec.Struct, frozen=True):
    """What both say about a comment, out of how many events that they could have meant."""

    match: str
    comment: CommentId
    a: frozenset[str]
    b: frozenset[str]
    possible: int


def agreement(db: sqlite3.Connection, a: str, b: str, match: str | None) -> Agreement:
    """The figures over all comments that both have done."""
    found = list(_both(db, a, b, match))
    pairs = Pairs(
        a=sum(len(one.a) for one in found),
        b=sum(len(one.b) for one in found),
        both=sum(len(one.a & one.b) for one in found),
    )
    different = [one for one in found if one.a != one.b]
    return Agreement(
        a=a,
        b=b,
        comments=len(found),
        pairs=pairs,
        pair_f1=pair_f1(pairs) if found else None,
        exact=1 - len(different) / len(found) if found else None,
        kappa=kappa(pairs, sum(one.possible for one in found)) if found else None,
        differences=[
            Difference(match=d.match, comment=d.comment, a=tuple(sorted(d.a)), b=tuple(sorted(d.b)))
            for d in different[:MAX_DIFFERENCES]
        ],
    )


def pair_f1(pairs: Pairs) -> float:
    """F1 of one's pairs against the other's; two who both say "no event" throughout agree."""
    return 2 * pairs.both / (pairs.a + pairs.b) if pairs.a + pairs.b else 1.0


def kappa(pairs: Pairs, possible: int) -> float | None:
    """Cohen's kappa over all possible pairs; None where chance alone would agree on everything."""
    if not possible:
        return None
    a, b = pairs.a / possible, pairs.b / possible
    observed = 1 - (pairs.a + pairs.b - 2 * pairs.both) / possible
    chance = a * b + (1 - a) * (1 - b)
    return (observed - chance) / (1 - chance) if chance < 1 else None


def _both(db: sqlite3.Connection, a: str, b: str, match: str | None) -> Iterator[Both]:
    rows = db.execute(
        "SELECT x.match, x.comment, x.state AS a, y.state AS b, c.period, c.time FROM labels AS x "
        "JOIN labels AS y ON y.match = x.match AND y.comment = x.comment AND y.annotator = ? "
        "JOIN comments AS c ON c.match = x.match AND c.id = x.comment "
        "WHERE x.annotator = ? AND x.done AND y.done AND (? IS NULL OR x.match = ?) "
        "ORDER BY x.match, c.place",
        [b, a, match, match],
    ).fetchall()
    for row in rows:
        first, second = _events(row["a"]), _events(row["b"])
        possible = len(_near(db, row) | first | second)
        yield Both(row["match"], index.comment_id(row["comment"]), first, second, possible)


def _events(state: str) -> frozenset[str]:
    return frozenset(msgspec.json.decode(state).get("events", ()))


def _near(db: sqlite3.Connection, row: sqlite3.Row) -> set[str]:
    """The events in a comment's bucket; of its match, where its time is not known."""
    if row["period"] is None or row["time"] is None:
        where, values = "", []
    else:
        where = "AND period = ? AND time BETWEEN ? AND ?"
        values = [row["period"], row["time"] - BUCKET, row["time"] + BUCKET]
    events = f"SELECT id FROM events WHERE match = ? {where}"
    return {event["id"] for event in db.execute(events, [row["match"], *values])}
