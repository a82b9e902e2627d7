"""Candidate sets: the few sets of events that a labelled layer chooses from.

Among the hypotheses of `chains` the right set is nearly always one of the likeliest, or differs
from one of the very best by a single neighbour. Ranking these few is all that labels have to teach.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.candidate_chains import GAP, REACH
from touchline.methods.chains.data.tables import MatchTables, owners
from touchline.methods.chains.inference.posterior import Posterior

# So many hypotheses of a comment are candidates, unless they are less probable than the minimum;
# neighbours are added to, and events removed from, so many of the best.
LIKELIEST, MIN_PROBABILITY, VARIED = 60, 1e-4, 6
# Of a line of speech every event is a candidate from so many seconds before it to so many after:
# most lines name nobody, and then a hypothesis is rarely probable.
BEFORE, AFTER = 12.0, 2.0

EventSet = tuple[int, ...]


class _Log:
    """The neighbours of each event; most events have a part in many sets, so they are kept."""

    def __init__(self, m: MatchTables) -> None:
        # Plain numbers, for they are looked at one by one.
        self._time: list[float] = m.events.time.tolist()
        self._period: list[int] = m.events.period.tolist()
        self._neighbours: dict[int, list[int]] = {}

    def neighbours(self, event: int) -> list[int]:
        if event not in self._neighbours:
            around = range(max(event - REACH, 0), min(event + REACH + 1, len(self._time)))
            self._neighbours[event] = [near for near in around if self._is_close(near, event)]
        return self._neighbours[event]

    def _is_close(self, one: int, other: int) -> bool:
        if self._period[one] != self._period[other]:
            return False
        return bool(abs(self._time[one] - self._time[other]) <= GAP)


class CandidateSets(NamedTuple):
    """The candidate sets of all comments; those of comment c are `start[c]` to `start[c + 1]`.

    The first of each comment is the empty one. `probability` is that of the same hypothesis, 0 for
    a set that is none. A pair is a comment with an event of one of its sets, `comment[p]` and
    `event[p]`; `member[i]` is a pair that belongs to the set `member_of[i]`.
    """

    start: Ints
    probability: Floats
    member_of: Ints
    member: Ints
    comment: Ints
    event: Ints

    def __len__(self) -> int:
        return len(self.probability)

    @property
    def owner(self) -> Ints:
        """The comment of each set."""
        return owners(self.start)

    @property
    def size(self) -> Ints:
        """How many events each set has."""
        return np.bincount(self.member_of, minlength=len(self))


def candidate_sets(m: MatchTables, posterior: Posterior, speech: bool = False) -> CandidateSets:
    """The candidate sets of a match, given the probabilities of its hypotheses."""
    log = _Log(m)
    comments = range(len(m.comments.time))
    found = [list(_of_comment(m, log, posterior, c, speech)) for c in comments]
    sets = [events for own in found for events, _ in own]
    start = np.cumsum([0, *map(len, found)])
    member_of = np.repeat(np.arange(len(sets)), [len(events) for events in sets])
    events = np.fromiter(chain.from_iterable(sets), dtype=np.int64)
    width = max(len(m.events.time), 1)
    pairs, member = np.unique(owners(start)[member_of] * width + events, return_inverse=True)
    return CandidateSets(
        start=start,
        probability=np.array([share for own in found for _, share in own], dtype=float),
        member_of=member_of,
        member=member,
        comment=pairs // width,
        event=pairs % width,
    )


def _of_comment(
    m: MatchTables, log: _Log, posterior: Posterior, c: int, speech: bool
) -> Iterator[tuple[EventSet, float]]:
    """No event, the likeliest hypotheses, and the best of them with one event more or less."""
    own = slice(m.hypotheses.start[c], m.hypotheses.start[c + 1])
    shares, rows = posterior.chains[own], m.hypotheses.events[own]
    some = np.flatnonzero(shares >= MIN_PROBABILITY)
    some = some[np.argsort(-shares[some], kind="stable")[:LIKELIEST]]
    likely = dict(zip(map(_set, rows[some].tolist()), shares[some].tolist(), strict=True))
    yield (), float(posterior.none[c])
    yield from likely.items()
    varied = [events for best in list(likely)[:VARIED] for events in _varied(log, best)]
    near = _near(m, c) if speech else ()
    new = [events for events in dict.fromkeys([*varied, *near]) if events and events not in likely]
    # Of all hypotheses, which are many, only those that begin with the same events can be the same.
    begins = np.zeros(len(m.events.time), dtype=bool)
    begins[[events[0] for events in new]] = True
    same = np.flatnonzero(begins[rows[:, 0]])
    known = dict(zip(map(_set, rows[same].tolist()), shares[same].tolist(), strict=True))
    yield from ((events, known.get(events, 0.0)) for events in new)


def _set(row: list[int]) -> EventSet:
    """The events of a chain: -1 only follows after its end."""
    return tuple(row[: row.index(-1)] if row[-1] < 0 else row)


def _varied(log: _Log, events: EventSet) -> Iterator[EventSet]:
    """A set with each of its events removed, and with each neighbour added."""
    for event in events:
        yield tuple(other for other in events if other != event)
    neighbours = {near for event in events for near in log.neighbours(event)}
    for near in sorted(neighbours.difference(events)):
        yield tuple(sorted((*events, near)))


def _near(m: MatchTables, c: int) -> Iterator[EventSet]:
    """Each event of the bucket that happened about when the comment was made."""
    bucket = m.candidates.event[m.candidates.start[c] : m.candidates.start[c + 1]]
    lag = m.comments.time[c] - m.events.time[bucket]
    for event in bucket[(lag >= -AFTER) & (lag <= BEFORE)].tolist():
        yield (event,)
