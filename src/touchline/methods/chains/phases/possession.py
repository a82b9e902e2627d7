"""Spells: the runs of events in which a team has the ball, more or less.

A feed says who does something, not who has the ball, and the other team gets a foot in now and
then. So a spell is no strict run of one team's events: each event of the team counts for it, each
of the other team twice against, and the spell at a moment is the stretch of events around it that
counts most. A short possession and a minute of pressure are then the same thing, one larger than
the other. No kind of event is looked at, so any feed will do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.core.records import Event, Match

# An event of the other team counts so many times against a spell.
AGAINST = 2.0
# How far a spell may reach, in seconds, before the moment and after it.
BEFORE, AFTER = 60.0, 30.0
# How far apart the moments lie that a spell is compared with.
STEP = 10.0


class Spell(NamedTuple):
    """A team's events from the first to the last of a spell, and how much it counts."""

    events: tuple[Event, ...]
    size: float


class Possession:
    """Who does something when: the spells of each team at any moment of a match."""

    def __init__(self, match: Match) -> None:
        self._events: dict[int, list[Event]] = {period: [] for period in match.periods}
        for event in match.linkable:
            if event.team:
                self._events[event.period].append(event)
        for own in self._events.values():
            own.sort(key=lambda event: event.time)
        self._times = {p: np.array([e.time for e in own]) for p, own in self._events.items()}
        self._usual: dict[str, Floats] = {}

    def spell(self, team: str, period: int, time: float) -> Spell:
        """The spell of a team at a moment; without events if the other team has the ball."""
        around, now = self._around(period, time)
        worth = np.array([1.0 if _of(event, team) else -AGAINST for event in around])
        before, after = np.cumsum(worth[:now][::-1]), np.cumsum(worth[now:])
        back, forth = _best(before), _best(after)
        run = around[now - back : now + forth]
        size = before[back - 1] if back else 0.0
        size += after[forth - 1] if forth else 0.0
        return Spell(tuple(event for event in run if _of(event, team)), float(size))

    def rank(self, team: str, spell: Spell) -> float:
        """The share of moments in the match at which the team's spell is smaller, 0 to 1."""
        usual = self._usual_sizes(team)
        low, high = (np.searchsorted(usual, spell.size, side) for side in ("left", "right"))
        return float(low + high + 1) / (2 * len(usual) + 2)

    def _around(self, period: int, time: float) -> tuple[list[Event], int]:
        """The events around a moment, and how many of them are before it."""
        times = self._times.get(period, np.empty(0))
        first, now, last = np.searchsorted(times, [time - BEFORE, time, time + AFTER], "right")
        return self._events.get(period, [])[first:last], int(now - first)

    def _usual_sizes(self, team: str) -> Floats:
        """The sizes of the team's spells at moments all over the match, in order."""
        if team not in self._usual:
            moments = [(p, t) for p, own in self._times.items() if len(own)
                       for t in np.arange(own[0], own[-1] + STEP, STEP)]  # fmt: skip
            self._usual[team] = np.sort([self.spell(team, p, t).size for p, t in moments])
        return self._usual[team]


def _of(event: Event, team: str) -> bool:
    return event.team is not None and event.team.id == team


def _best(counted: Floats) -> int:
    """How many events from the moment on make the most of a spell."""
    return int(counted.argmax()) + 1 if len(counted) and counted.max() > 0 else 0
