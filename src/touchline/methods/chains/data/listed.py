"""When comments are made in a corpus that lists their candidates, and what they may describe.

The lists of such a corpus hold events that ended about when the comment was made. Some commentators
do speak when an action ends, others a while after it starts; the lists of the latter lack much of
what they describe. Which of the two a match has, and after how long, shows in the events of exactly
the players whom a comment mentions: they pile up at the usual lag. No label is involved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Comment, Event, Match
from touchline.methods.chains.data.mentions import Mentioned

# Lags are counted up to so many seconds before and after a comment.
FAR = 30


class Usual(NamedTuple):
    """Whether comments follow the ends of events or their starts, and the first and last lag."""

    ends: bool
    first: int
    last: int


def timed(match: Match, mentioned: Sequence[Sequence[Mentioned]]) -> Match:
    """The match with its events at the times that comments follow.

    A comment may describe what its corpus lists, and what lies at the usual lag.
    """
    usual = usual_lags(match, mentioned)
    if usual is None:
        return match
    events = tuple(_placed(event, usual.ends) for event in match.events)
    placed = msgspec.structs.replace(match, events=events)
    return placed.with_comments([_with_usual(comment, placed, usual) for comment in match.comments])


def usual_lags(match: Match, mentioned: Sequence[Sequence[Mentioned]]) -> Usual | None:
    """What comments follow, by the lags that are the more certain of the two; None if unknown."""
    if not lists_candidates(match) or any(event.end is None for event in match.linkable):
        return None
    same = _of_mentioned_players(match, mentioned)
    said = np.array([np.nan if c.time is None else c.time for c in match.comments])
    by_end = {
        ends: _lags(said, np.array([_placed(e, ends).time for e in match.linkable]), same)
        for ends in (False, True)
    }
    if not by_end[False].any() or not by_end[True].any():
        return None
    ends = _entropy(by_end[True]) < _entropy(by_end[False])
    return Usual(ends, *_around_most_frequent(by_end[ends]))


def lists_candidates(match: Match) -> bool:
    """Whether the corpus says which events each comment may describe."""
    return any(comment.candidates is not None for comment in match.comments)


def _placed(event: Event, at_end: bool) -> Event:
    if not at_end or event.end is None:
        return event
    return msgspec.structs.replace(event, time=event.end)


def _of_mentioned_players(
    match: Match, mentioned: Sequence[Sequence[Mentioned]]
) -> NDArray[np.bool_]:
    """For each comment and event whether the players of both are the same."""
    own = [frozenset(mention.player for mention in some) for some in mentioned]
    number = {players: i for i, players in enumerate(dict.fromkeys(own)) if players}
    comments = np.array([number.get(players, -1) for players in own])
    events = np.array([number.get(_players(event), -2) for event in match.linkable])
    return np.asarray(comments[:, None] == events)


def _players(event: Event) -> frozenset[str]:
    people = (event.player, *(other.player for other in event.others))
    return frozenset(player.id for player in people if player)


def _lags(said: Floats, happened: Floats, same: NDArray[np.bool_]) -> Ints:
    """How many of the comments and events have each lag, from -FAR to FAR seconds."""
    lags = np.round(said[:, None] - happened)[same]
    return np.bincount((lags[np.abs(lags) <= FAR] + FAR).astype(int), minlength=2 * FAR + 1)


def _entropy(counts: Ints) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-np.sum(shares * np.log(shares)))


def _around_most_frequent(counts: Ints) -> tuple[int, int]:
    """The lags around the most frequent one that are all more frequent than on average.

    None is negative, as a comment is made after what it describes: the same players have the ball
    again soon, so that events just after a comment are frequent too.
    """
    rare = np.flatnonzero(counts <= counts.mean())
    most = int(counts.argmax())
    first = int(rare[rare < most].max(initial=-1)) + 1
    last = int(rare[rare > most].min(initial=len(counts))) - 1
    return max(first - FAR, 0), max(last - FAR, 0)


def _with_usual(comment: Comment, match: Match, usual: Usual) -> Comment:
    """A comment that may also describe the events of its period at the usual lag."""
    if comment.time is None:
        return comment
    early, late = comment.time - usual.last, comment.time - usual.first
    listed = set(comment.candidates or ())
    found = [
        event.id
        for event in match.linkable
        if event.id in listed or (event.period == comment.period and early <= event.time <= late)
    ]
    return msgspec.structs.replace(comment, candidates=tuple(found))
