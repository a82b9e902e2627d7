"""Which comment to label next: the one whose label is expected to teach most.

A label teaches little where the answer is right anyway. It teaches most where many decisions are
expected to be wrong, as long as others have not taught the same: each further label on the same
kind of event, or of the same match, counts for less.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from touchline.core.links import CommentLinks
from touchline.core.records import CommentId

# After so many labelled doubts about a kind of event, or labelled comments of a match, the next one
# counts for half as much.
KIND_HALVES, MATCH_HALVES = 20.0, 40.0


class Line(NamedTuple):
    """A comment, and its doubts: decisions expected to be wrong, by the kind of their events."""

    match: str
    comment: CommentId
    doubts: Mapping[str, float]


class Ranked(NamedTuple):
    """A comment, and what its label is expected to teach after those before it."""

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
    known = _Known()
    for line in labelled:
        known.add(line)
    waiting = [(-known.gain(line), place) for place, line in enumerate(lines)]
    heapq.heapify(waiting)
    order = []
    while waiting:
        before, place = heapq.heappop(waiting)
        gain = known.gain(lines[place])
        if gain < -before:
            heapq.heappush(waiting, (-gain, place))
        else:
            order.append(Ranked(lines[place], gain))
            known.add(lines[place])
    return order


class _Known:
    """What has been labelled: doubts by kind of event, and comments by match."""

    def __init__(self) -> None:
        self._doubts: defaultdict[str, float] = defaultdict(float)
        self._matches: defaultdict[str, int] = defaultdict(int)

    def add(self, line: Line) -> None:
        for kind, doubt in line.doubts.items():
            self._doubts[kind] += doubt
        self._matches[line.match] += 1

    def gain(self, line: Line) -> float:
        new = (
            doubt / (1 + self._doubts[kind] / KIND_HALVES) for kind, doubt in line.doubts.items()
        )
        return sum(new) / (1 + self._matches[line.match] / MATCH_HALVES)
