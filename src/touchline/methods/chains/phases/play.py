"""How much play there is at each moment of a match: what the words of comments are learned from.

Of the team that has the larger spell just then: how large it is, how often it touches the ball, how
often in the final third and in the penalty area, and how far it comes after winning the ball. Each
is measured against all moments of the match, as normal scores, so that comments which come at any
moment average zero. That is what the same comments on a shifted clock would give.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm, rankdata

from touchline.core.arrays import Floats
from touchline.core.records import Event, Match
from touchline.methods.chains.phases.kinds import BOX, FINAL_THIRD
from touchline.methods.chains.phases.possession import AFTER, BEFORE, Possession, is_of

# The moments that are measured lie so many seconds apart.
STEP = 2.0
# Touches are counted over so many seconds, and a team that wins the ball has so long to come far.
LATELY, SOON = 30.0, 15.0


class Play:
    """How much play there is at any moment of a match, by the mean of five measures."""

    def __init__(self, match: Match) -> None:
        possession = Possession(match)
        teams = [team.id for team in match.teams]
        lengths = {p: int(end / STEP) + 1 for p, end in match.ends.items()}
        measured = {
            team: _scores(np.array([_measures(possession, team, p, i * STEP)
                                    for p, n in lengths.items() for i in range(n)]))
            for team in teams
        }  # fmt: skip
        self._start: dict[int, tuple[int, int]] = {}
        total = 0
        for period, length in lengths.items():
            self._start[period] = total, length
            total += length
        self._play = _play(list(measured.values()), total)

    def at(self, period: int, time: float) -> float | None:
        """The measure of a moment; None in a period without events."""
        if period not in self._start:
            return None
        start, length = self._start[period]
        return float(self._play[start + min(max(int(time / STEP), 0), length - 1)])


def _play(measured: list[Floats], moments: int) -> Floats:
    """The mean of the measures of the team with the larger spell, against all moments."""
    if not measured or not moments:
        return np.zeros(moments)
    stacked = np.stack(measured)
    larger = stacked[:, :, 0].argmax(axis=0)
    return np.asarray(_scores(stacked[larger, np.arange(moments)]).mean(axis=1))


def _scores(measures: Floats) -> Floats:
    """Each column as normal scores among its own values."""
    ranks = (rankdata(measures, axis=0) - 0.5) / max(len(measures), 1)
    return np.asarray(norm.ppf(ranks))


def _measures(possession: Possession, team: str, period: int, time: float) -> list[float]:
    spell = possession.spell(team, period, time)
    times, events = possession.times[period], possession.events[period]
    first, recent, last = np.searchsorted(times, [time - BEFORE, time - LATELY, time + AFTER])
    around = events[first:last]
    own = [event for event in around if is_of(event, team)]
    touches = sum(is_of(event, team) for event in events[recent:last])
    reached = [_farthest(event) for event in own]
    return [
        spell.size, touches, sum(x >= FINAL_THIRD for x in reached), sum(x >= BOX for x in reached),
        _gain(around, team),
    ]  # fmt: skip


def _gain(events: list[Event], team: str) -> float:
    """How far the team comes, at best, within some seconds of winning the ball."""
    gains = [0.0]
    for place, event in enumerate(events):
        if is_of(event, team) and (not place or not is_of(events[place - 1], team)):
            soon = [_farthest(e) for e in events[place:]
                    if is_of(e, team) and e.time <= event.time + SOON]  # fmt: skip
            gains.append(max(soon) - _farthest(event))
    return max(gains)


def _farthest(event: Event) -> float:
    places = [place for place in (event.location, event.end_location) if place]
    return max((x for x, _ in places), default=0.0)
