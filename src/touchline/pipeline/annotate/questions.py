"""What the annotator is asked: a comment, its neighbours, and the events it may describe."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from touchline.core.clocks import live_clock
from touchline.core.records import Comment, CommentId, Event, Match, label_of, name_of
from touchline.methods.buckets import Indices, Window, buckets

# Comments before and after: without them nobody knows which corner "the corner" is.
NEIGHBOURS = 3
# A bucket of 150 seconds has some 40 events; more than this is no choice for a reader.
MAX_CANDIDATES = 150


class OtherPlayer(msgspec.Struct, frozen=True):
    """Another player of an event and their role in it."""

    role: str
    player: str


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """An event that the comment may describe."""

    id: str
    type: str
    clock: str
    period: int
    time: float
    team: str | None
    player: str | None
    others: tuple[OtherPlayer, ...]
    outcome: str | None
    describe: str


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A comment that the annotator is asked about; one line of JSON."""

    match: str
    comment: CommentId
    clock: str | None
    period: int | None
    time: float | None
    text: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    candidates: tuple[Candidate, ...]


def questions(match: Match) -> Iterator[Question]:
    """A question for each comment whose events can be narrowed down, in order."""
    texts = [comment.text for comment in match.comments]
    for place, (comment, inside) in enumerate(
        zip(match.comments, buckets(match, Window()), strict=True)
    ):
        if len(inside) > MAX_CANDIDATES and comment.time is None:
            continue  # it may be about anything in the log
        yield Question(
            match=match.name,
            comment=comment.id,
            clock=_clock(comment),
            period=comment.period,
            time=None if comment.anywhere else comment.time,
            text=comment.text,
            before=tuple(texts[max(place - NEIGHBOURS, 0) : place]),
            after=tuple(texts[place + 1 : place + 1 + NEIGHBOURS]),
            candidates=tuple(map(_candidate, _nearest(match, comment, inside))),
        )


def _clock(comment: Comment) -> str | None:
    if comment.clock is None and comment.period is not None and comment.time is not None:
        return live_clock(comment.period, comment.time)
    return comment.clock


def _nearest(match: Match, comment: Comment, inside: Indices) -> list[Event]:
    """The events of a bucket in match order; of too many, those nearest in time."""
    events = [match.linkable[index] for index in inside]
    if len(events) <= MAX_CANDIDATES or comment.time is None:
        return events
    time = comment.time
    near = sorted(range(len(events)), key=lambda i: abs(events[i].time - time))
    return [events[i] for i in sorted(near[:MAX_CANDIDATES])]


def _candidate(event: Event) -> Candidate:
    return Candidate(
        id=event.id,
        type=event.type,
        clock=event.clock,
        period=event.period,
        time=event.time,
        team=name_of(event.team),
        player=label_of(event.player),
        others=tuple(OtherPlayer(other.role, other.player.label) for other in event.others),
        outcome=event.arguments.get("outcome"),
        describe=event.describe(),
    )
