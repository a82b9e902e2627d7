"""When comments are made in a corpus that lists their candidates, and what they may describe.

The lists of such a corpus hold events that ended about when the comment was made. Some commentators
do speak when an action ends, others a while after it starts; the lists of the latter lack much of
what they describe. Which of the two a match has, and after how long, is fitted to the times of its
comments: a comment that mentions players describes an event of exactly these players, at a lag that
is uniform between two bounds, or its time says nothing. No label is involved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats
from touchline.core.records import Comment, Event, Match
from touchline.methods.chains.data.mentions import Mentioned

# A comment is made after what it describes, by at most so many seconds.
FAR = 30
# Rounds of expectation-maximisation for the share of comments whose times say nothing.
ROUNDS = 100


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
    """The bounds under which the times of comments are most probable; None if nothing is known."""
    if not lists_candidates(match) or any(event.end is None for event in match.linkable):
        return None
    same = _of_mentioned_players(match, mentioned)
    named = same.any(axis=1)
    said = np.array([np.nan if c.time is None else c.time for c in match.comments])[named]
    anywhere = 1 / np.array([_seconds(match, c.period) for c in match.comments])[named]
    found = []
    for ends in (False, True):
        happened = np.array([_placed(event, ends).time for event in match.linkable])
        shares = _shares_at_lags(said, happened, same[named])
        if shares.any():
            likelihood, first, last = _likeliest_bounds(shares, anywhere)
            found.append((likelihood, Usual(ends, first, last)))
    return max(found, key=lambda one: one[0])[1] if found else None


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
    """For each comment and event whether period and players of both are the same."""
    own = [
        (comment.period, frozenset(mention.player for mention in some))
        for comment, some in zip(match.comments, mentioned, strict=True)
    ]
    number = {key: i for i, key in enumerate(dict.fromkeys(own)) if key[1]}
    comments = np.array([number.get(key, -1) for key in own])
    events = np.array([number.get((e.period, _players(e)), -2) for e in match.linkable])
    return np.asarray(comments[:, None] == events)


def _players(event: Event) -> frozenset[str]:
    people = (event.player, *(other.player for other in event.others))
    return frozenset(player.id for player in people if player)


def _seconds(match: Match, period: int | None) -> float:
    """How many seconds the events of a period take."""
    own = [event for event in match.linkable if event.period == period]
    times = [time for event in own for time in (event.time, event.end) if time is not None]
    return max(times) - min(times) + 1 if times else 1.0


def _shares_at_lags(said: Floats, happened: Floats, same: NDArray[np.bool_]) -> Floats:
    """Which share of the events that a comment may describe has each lag of 0 to FAR seconds."""
    lags = np.round(said[:, None] - happened)
    at = np.stack([(same & (lags == lag)).sum(axis=1) for lag in range(FAR + 1)], axis=1)
    return np.asarray(at / same.sum(axis=1, keepdims=True))


def _likeliest_bounds(shares: Floats, anywhere: Floats) -> tuple[float, int, int]:
    """The log likelihood of the best first and last lag, and these.

    `anywhere` is how probable a comment's time is if it says nothing. The share of such comments is
    fitted for all bounds at once.
    """
    first, last = np.triu_indices(FAR + 1)
    up_to = np.cumsum(np.pad(shares, ((0, 0), (1, 0))), axis=1)
    within = (up_to[:, last + 1] - up_to[:, first]) / (last + 1 - first)
    silent = np.full(len(first), 0.5)
    for _ in range(ROUNDS):
        nothing = silent * anywhere[:, None]
        silent = (nothing / (nothing + (1 - silent) * within)).mean(axis=0)
    likelihood = np.log(silent * anywhere[:, None] + (1 - silent) * within).sum(axis=0)
    best = int(likelihood.argmax())
    return float(likelihood[best]), int(first[best]), int(last[best])


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
