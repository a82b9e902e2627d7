"""Which comment to label next: the one whose label is expected to teach most.

What has been measured (`benchmarks.active`) is not what one might expect. The most uncertain lines
are bad examples: several of their events are open at once, and what is learned from them makes
answers to ordinary lines worse than labels at random would. A label teaches most where at most one
decision is open, and as long as the labels together are like the lines that will be answered: from
all matches, of all kinds of events, and from nearly sure to quite unsure. So each further label of
the same match, kind or level of doubt counts for less.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from touchline.core.links import CommentLinks
from touchline.core.records import CommentId

# Lines teach if so many decisions about them are expected to be wrong. Others come after them.
MIN_DOUBT, MAX_DOUBT, OTHERS = 0.1, 0.7, 1e-3
# Into so many levels of doubt these lines are divided, of as many lines each.
LEVELS = 8
# After so many labels of the same match, level or kind the next one counts for half as much.
MATCH_HALVES, LEVEL_HALVES, KIND_HALVES = 1.0, 1.0, 20.0
# Lines that are as good as each other are taken from all over a match: steps of the golden section.
GOLDEN = 0.618034


class Line(NamedTuple):
    """A comment, and its doubts: decisions expected to be wrong, by the kind of their events."""

    match: str
    comment: CommentId
    doubts: Mapping[str, float]

    @property
    def doubt(self) -> float:
        return sum(self.doubts.values())


class Ranked(NamedTuple):
    """A comment, and what its label is expected to teach after those before it, from 0 to 1."""

    line: Line
    gain: float


def doubts(answer: CommentLinks, kind_of: Callable[[str], str]) -> dict[str, float]:
    """The doubts about a comment's candidates; `kind_of` gives the kind of an event by its id."""
    found: dict[str, float] = {}
    for link in answer.candidates if answer.candidates is not None else answer.events:
        kind = kind_of(link.id)
        found[kind] = found.get(kind, 0.0) + min(link.score, 1 - link.score)
    return found


def teaching_order(lines: Sequence[Line], labelled: Iterable[Line] = ()) -> list[Ranked]:
    """All lines, each the one that teaches most after those that are `labelled` and those before.

    What a line teaches only shrinks as others are labelled. So the first one whose gain is still
    the same when it is looked at again is the next.
    """
    known = _Known(lines)
    for line in labelled:
        known.add(line)
    waiting = [(-known.gain(line), GOLDEN * i % 1, i) for i, line in enumerate(lines)]
    heapq.heapify(waiting)
    order = []
    while waiting:
        before, spread, place = heapq.heappop(waiting)
        gain = known.gain(lines[place])
        if gain < -before:
            heapq.heappush(waiting, (-gain, spread, place))
        else:
            order.append(Ranked(lines[place], gain))
            known.add(lines[place])
    return order


class _Known:
    """What has been labelled, by match, by level of doubt and by kind of event."""

    def __init__(self, lines: Iterable[Line]) -> None:
        useful = sorted(line.doubt for line in lines if _usefulness(line) == 1)
        self._bounds = [useful[len(useful) * i // LEVELS] for i in range(1, LEVELS) if useful]
        self._matches: Counter[str] = Counter()
        self._levels: Counter[int] = Counter()
        self._kinds: dict[str, float] = {}

    def add(self, line: Line) -> None:
        self._matches[line.match] += 1
        self._levels[self._level(line)] += 1
        for kind, share in _shares(line):
            self._kinds[kind] = self._kinds.get(kind, 0.0) + share

    def gain(self, line: Line) -> float:
        kinds = sum(s / (1 + self._kinds.get(k, 0.0) / KIND_HALVES) for k, s in _shares(line))
        match = 1 + self._matches[line.match] / MATCH_HALVES
        level = 1 + self._levels[self._level(line)] / LEVEL_HALVES
        return _usefulness(line) * kinds / match / level

    def _level(self, line: Line) -> int:
        return bisect_right(self._bounds, line.doubt)


def _usefulness(line: Line) -> float:
    if MIN_DOUBT <= line.doubt <= MAX_DOUBT:
        return 1.0
    return OTHERS * (line.doubt if line.doubt < MIN_DOUBT else MAX_DOUBT / line.doubt)


def _shares(line: Line) -> Iterator[tuple[str, float]]:
    """The kinds of a line's doubts, as shares of all of them."""
    total = line.doubt
    return ((kind, doubt / total) for kind, doubt in line.doubts.items() if total)
