"""Spells: the runs of events in which a team has the ball, more or less.

A feed says who does something, not who has the ball, and the other team gets a foot in now and
then. So a spell is no strict run of one team's events: each event of the team counts for it, each
of the other team twice against, and the spell at a moment is the stretch of the last events that
counts most. A short possession and a minute of pressure are then the same thing, one larger than
the other. No kind of event is looked at, so any feed will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.core.records import Event, Match

# An event of the other team counts so many times against a spell.
AGAINST = 2.0
# How far a spell may reach, in seconds, before the moment and after it: people speak of what they
# have just seen.
BEFORE, AFTER = 45.0, 5.0
# How far apart the moments lie that a spell is compared with.
STEP = 5.0
# Moments that are looked at together.
_TOGETHER = 256


class Spell(NamedTuple):
    """A team's events from the first to the last of a spell, and how much it counts.

    `before` is the last event before it, by which one sees how the team came by the ball.
    """

    events: tuple[Event, ...]
    size: float
    before: Event | None = None


class Possession:
    """Who does something when: the spells of each team at any moment of a match."""

    def __init__(self, match: Match) -> None:
        self.events: dict[int, list[Event]] = {period: [] for period in match.periods}
        for event in match.linkable:
            if event.team:
                self.events[event.period].append(event)
        for own in self.events.values():
            own.sort(key=lambda event: event.time)
        self.times = {p: np.array([e.time for e in own]) for p, own in self.events.items()}
        self._usual: dict[str, Floats] = {}

    def spell(self, team: str, period: int, time: float) -> Spell:
        """The largest spell of a team just before a moment; without events if there is none."""
        if not len(times := self.times.get(period, np.empty(0))):
            return Spell((), 0.0)
        first, last = (int(at) for at in np.searchsorted(times, [time - BEFORE, time + AFTER]))
        events = self.events[period]
        size, start, end = largest_run(_worth(events[first:last], team))
        run = events[first + start : first + end]
        before = events[first + start - 1] if run and first + start else None
        return Spell(tuple(event for event in run if is_of(event, team)), size, before)

    def rank(self, team: str, spell: Spell) -> float:
        """The share of moments in the match at which the team's spell is smaller, 0 to 1."""
        usual = self._usual_sizes(team)
        low, high = (np.searchsorted(usual, spell.size, side) for side in ("left", "right"))
        return float(low + high + 1) / (2 * len(usual) + 2)

    def _usual_sizes(self, team: str) -> Floats:
        """The sizes of the team's spells at moments all over the match, in order."""
        if team not in self._usual:
            own = [_sizes(self.times[p], _worth(of, team)) for p, of in self.events.items() if of]
            self._usual[team] = np.sort(np.concatenate([np.zeros(0), *own]))
        return self._usual[team]


def _worth(events: Sequence[Event], team: str) -> list[float]:
    """How much each event counts for a spell of the team."""
    return [1.0 if is_of(event, team) else -AGAINST for event in events]


def _sizes(times: Floats, worth: list[float]) -> Floats:
    """The sizes of the spells at moments all over a period.

    Many moments at once, as `largest_run` would take long for a thousand of them. Worths are whole
    numbers, so that sums are exact whatever their order.
    """
    moments, total = np.arange(times[0], times[-1] + STEP, STEP), np.append(0.0, np.cumsum(worth))
    sizes = np.zeros(len(moments))
    for start in range(0, len(moments), _TOGETHER):
        some = moments[start : start + _TOGETHER, None]
        first, last = np.searchsorted(times, some - BEFORE), np.searchsorted(times, some + AFTER)
        reached = total.take(np.minimum(first + np.arange((last - first).max() + 1), last))
        since = reached - np.minimum.accumulate(reached, axis=1)
        sizes[start : start + _TOGETHER] = since.max(axis=1)
    return sizes


def is_of(event: Event, team: str) -> bool:
    return event.team is not None and event.team.id == team


def largest_run(worth: list[float]) -> tuple[float, int, int]:
    """The largest sum of a run, and where it starts and ends; of equal ones the latest."""
    best, start, end = 0.0, 0, 0
    total, since = 0.0, 0
    for place, value in enumerate(worth):
        if total <= 0:
            total, since = 0.0, place
        total += value
        if total > 0 and total >= best:
            best, start, end = total, since, place + 1
    return best, start, end
