"""The events around an event: before it, after it, related to it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator

from touchline.generation.facts.match import MatchFacts
from touchline.generation.facts.records import EventFacts

# How an action ended is written down within so many seconds.
ANSWER = 4.0
# Two records of one action may be in either order, so many seconds apart.
COPIED = 2.0
PASSES = frozenset(["pass", "cross", "corner", "free kick", "throw-in", "goal kick"])
TOUCHES = PASSES | frozenset(
    ["shot", "clearance", "interception", "dribble", "recovery", "miscontrol", "dispossessed",
     "kick-off"]
)  # fmt: skip


class Neighbours:
    """The linkable events of a match in order, to look around in.

    Parameters
    ----------
    facts
        What the log knows.
    """

    def __init__(self, facts: MatchFacts) -> None:
        self.facts = facts
        self.order = list(facts.all())
        self.place = {one.id: number for number, one in enumerate(self.order)}
        goals = (one for one in self.order if one.effect is not None)
        self._goals = sorted(goals, key=lambda goal: goal.time)

    def before(self, one: EventFacts, within: float) -> Iterator[EventFacts]:
        """Earlier events of the period, the latest first, at most so many seconds earlier."""
        for number in range(self.place[one.id] - 1, -1, -1):
            other = self.order[number]
            if other.event.period != one.event.period:
                return
            if one.event.time - other.event.time > within:
                return
            yield other

    def after(self, one: EventFacts, within: float) -> Iterator[EventFacts]:
        """Later events of the period, at most so many seconds later."""
        for number in range(self.place[one.id] + 1, len(self.order)):
            other = self.order[number]
            if other.event.period != one.event.period:
                return
            if other.event.time - one.event.time > within:
                return
            yield other

    def goal_before(self, one: EventFacts) -> EventFacts | None:
        """The last goal of the match before a moment."""
        earlier = bisect_left(self._goals, one.time, key=lambda goal: goal.time)
        return self._goals[earlier - 1] if earlier else None

    def at_once(self, one: EventFacts) -> Iterator[EventFacts]:
        """Other records of the same second."""
        yield from self.before(one, 0.0)
        yield from self.after(one, 0.0)

    def related(self, one: EventFacts) -> Iterator[EventFacts]:
        """The events that the log relates to one."""
        return (self.order[self.place[key]] for key in one.event.related if key in self.place)

    def answer(self, one: EventFacts, kinds: Collection[str]) -> EventFacts | None:
        """The record of how an event ended: one that the log relates to it, else the next one."""
        for other in self.related(one):
            if other.kind in kinds and other.event.time >= one.event.time - COPIED:
                return other
        for other in self.after(one, ANSWER):
            if other.kind in kinds and other.kind != "aerial":
                return other
            if other.kind in TOUCHES:
                return None
        return None
