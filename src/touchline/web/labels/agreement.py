"""Agreement of two annotators: pair F1, share of equal sets, Cohen's kappa over pairs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import msgspec

from touchline.core.agreement import kappa, pair_f1
from touchline.core.records import CommentId
from touchline.web.records import (
    Agreement,
    AnswerOf,
    Difference,
    Disagreement,
    Disagreements,
    Pairs,
)
from touchline.web.store import index
from touchline.web.store import labels as store

BUCKET = 75.0  # seconds; events this near to a comment are those that it could describe
MAX_DIFFERENCES = 500


class Compared(msgspec.Struct, frozen=True):
    """The events of both annotators on a comment, and how many they could have chosen from."""

    match: str
    comment: CommentId
    a: frozenset[str]
    b: frozenset[str]
    possible: int


def agreement(db: sqlite3.Connection, a: str, b: str, match: str | None) -> Agreement:
    """The agreement over all comments that both annotators have finished."""
    found = list(_compared(db, a, b, match))
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
        differences=[_difference(db, one) for one in different[:MAX_DIFFERENCES]],
    )


def _difference(db: sqlite3.Connection, one: Compared) -> Difference:
    title, clock, text = index.shown(db, one.match, one.comment)
    return Difference(
        match=one.match,
        comment=one.comment,
        a=tuple(sorted(one.a)),
        b=tuple(sorted(one.b)),
        title=title,
        clock=clock,
        text=text,
        a_events=index.in_words(db, one.match, one.a),
        b_events=index.in_words(db, one.match, one.b),
    )


def disagreements(db: sqlite3.Connection, match: str) -> Disagreements:
    """The comments of a match on which people's finished labels differ."""
    found = []
    for comment, labels in store.finished(db, match).items():
        adjudicated = labels.pop(index.GOLD, None)
        answers: dict[tuple[str, ...], list[str]] = {}
        for annotator, label in labels.items():
            answers.setdefault(label.events, []).append(annotator)
        if len(answers) > 1:
            shown = [AnswerOf(annotators=names, events=events) for events, names in answers.items()]
            found.append(Disagreement(comment=comment, answers=shown, adjudicated=adjudicated))
    return Disagreements(disagreements=found)


def _compared(db: sqlite3.Connection, a: str, b: str, match: str | None) -> Iterator[Compared]:
    for one in store.done_by_both(db, a, b, match):
        near = index.events_near(db, one.match, one.period, one.time, BUCKET)
        yield Compared(one.match, one.comment, one.a, one.b, len(near | one.a | one.b))
