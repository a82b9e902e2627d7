"""The lines of a match: what must not be missed, and then what is most likely described.

A live page does not write three lines in ten seconds and is not silent for ten minutes. So a
chain close to one that was picked counts less, and one in a long gap counts more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.generation.facts.chains import Chain, build_chains
from touchline.generation.facts.match import MatchFacts
from touchline.generation.selection.model import SelectionModel
from touchline.generation.selection.periods import period_chains

# Two lines are at least so many seconds apart, unless both must be written.
APART = 10.0
# How much a line counts less near another, and how fast that fades (seconds).
_CROWDED, _FADES = 0.7, 35.0
# How much a line counts less near one of the same kind, and how fast that fades (seconds): fouls
# in a row read like a list. People want every shot.
_ALIKE, _ALIKE_FADES = 0.75, 240.0
# The free kick after a foul reads like one more line about it.
_TOPICS = {"free kick": "foul"}
# From this gap on (seconds) a line counts more, up to so much.
_SILENT, _BONUS = 120.0, 0.35
# Kinds that say little even where people describe them: a weight on their probability.
_LESS = {"recovery": 0.3, "miscontrol": 0.5, "clearance": 0.6, "tackle": 0.7, "interception": 0.7,
         "block": 0.4, "error": 0.8, "dispossessed": 0.7, "keeper": 0.8, "injury": 0.4,
         "kick": 0.4}  # fmt: skip
# Shots count at least so much.
_SHOTS = {"saved": 0.8, "post": 0.9, "off": 0.6, "blocked": 0.5, "goal": 1.0}


class Picked(NamedTuple):
    """A chain that gets a line, how likely people describe it, and whether it must have one."""

    chain: Chain
    score: float
    needed: bool


class Choice:
    """Picks the chains of a match that get a line.

    Parameters
    ----------
    facts
        What the log knows.
    model
        How likely events are described.
    """

    def __init__(self, facts: MatchFacts, model: SelectionModel) -> None:
        self.facts, self.model = facts, model
        scores = model.scores(facts)
        frame = [Picked(chain, 1.0, True) for chain in period_chains(facts)]
        chains = [_picked(chain, scores) for chain in build_chains(facts)]
        self.candidates = sorted([*frame, *chains], key=_moment)

    def ranked(self, min_score: float | None = None) -> Iterator[Picked]:
        """Chains in the order in which they are picked: first what must be said.

        Parameters
        ----------
        min_score
            Leave out less likely chains, and let the others be as close as they are.
        """
        taken = _Taken(self.candidates)
        for place, one in enumerate(self.candidates):
            if one.needed and taken.is_new(place):
                taken.add(place)
                yield one
        worth = self._worth if min_score is None else _as_likely(min_score)
        while (best := taken.best(worth)) is not None:
            taken.add(best)
            yield self.candidates[best]

    def _worth(self, taken: _Taken) -> Floats:
        """A line near another counts less, and one in a long silence more."""
        crowded = 1 - _CROWDED * np.exp(-taken.gap / _FADES)
        silent = _BONUS * np.clip((taken.gap - _SILENT) / 180.0, 0.0, 1.0)
        worth = taken.weight * crowded * unlike(taken.alike) + silent * np.sqrt(taken.score)
        return np.asarray(np.where(taken.gap >= APART, worth, 0.0))


def unlike(seconds: Floats) -> Floats:
    """How much a line counts so many seconds from one of the same kind."""
    return np.asarray(1 - _ALIKE * np.exp(-seconds / _ALIKE_FADES))


def topic_of(chain: Chain) -> str | None:
    """What should not be described twice in a row; None for shots and kick-offs, which may be."""
    kind = chain.head.kind
    return None if "period" in chain.more or kind == "shot" else _TOPICS.get(kind, kind)


def _as_likely(min_score: float) -> Callable[[_Taken], Floats]:
    return lambda taken: np.where(taken.score >= min_score, taken.score, 0.0)


class _Taken:
    """Which candidates are picked, and how far the others are from them (seconds)."""

    def __init__(self, candidates: Sequence[Picked]) -> None:
        self._candidates = candidates
        self._period = np.array([one.chain.head.event.period for one in candidates])
        self._time = np.array([one.chain.head.event.time for one in candidates])
        self.score = np.array([one.score for one in candidates])
        self.weight = np.array([weight_of(one) for one in candidates])
        self.gap = np.full(len(candidates), 600.0)
        self.alike = np.full(len(candidates), np.inf)
        self._topic = np.array([topic_of(one.chain) or "" for one in candidates])
        self._open = np.array([not one.needed for one in candidates], dtype=bool)
        self._frame = ["period" in one.chain.more for one in candidates]
        self._heads: dict[str, list[int]] = {}
        for place, one in enumerate(candidates):
            self._heads.setdefault(one.chain.head.id, []).append(place)
        self._events: set[str] = set()

    def is_new(self, place: int) -> bool:
        """Whether no other line describes the head; the frame of a match may share an event."""
        return self._frame[place] or self._candidates[place].chain.head.id not in self._events

    def add(self, place: int) -> None:
        chain = self._candidates[place].chain
        self._open[place] = False
        if not self._frame[place]:
            self._events.update(chain.ids)
            for key in chain.ids:
                self._open[self._heads.get(key, [])] = False
        near = np.where(self._period == self._period[place], np.abs(self._time - self._time[place]),
                        np.inf)  # fmt: skip
        self.gap = np.minimum(self.gap, near)
        if self._topic[place]:
            same = self._topic == self._topic[place]
            self.alike = np.where(same, np.minimum(self.alike, near), self.alike)

    def best(self, worth: Callable[[_Taken], Floats]) -> int | None:
        """The candidate that is worth most; None when nothing is left."""
        values = np.where(self._open, worth(self), 0.0)
        place = int(values.argmax()) if len(values) else 0
        return place if len(values) and values[place] > 0 else None


def weight_of(one: Picked) -> float:
    """How much a chain counts: as likely as it is, but a shot is never passed over for a throw."""
    head = one.chain.head
    if head.kind == "shot":
        return max(one.score, _SHOTS.get(head.outcome or "", 0.5))
    return one.score * _LESS.get(head.kind, 1.0)


def _picked(chain: Chain, scores: dict[str, float]) -> Picked:
    return Picked(chain, scores.get(chain.head.id, 0.0), is_needed(chain))


def is_needed(chain: Chain) -> bool:
    """Whether a live page must not miss it: goals, penalties, cards, substitutions, the frame."""
    head = chain.head
    return bool(
        "period" in chain.more
        or head.effect is not None
        or (head.kind == "shot" and (head.outcome == "goal" or head.set_piece == "penalty"))
        or head.kind in ("own goal", "substitution")
        or (head.kind in ("foul", "booking") and (head.card or head.penalty))
        or chain.more.get("mode") == "goal"
    )


def _moment(one: Picked) -> tuple[int, float]:
    return one.chain.head.time


def in_order(picked: Iterable[Picked], facts: MatchFacts) -> list[Picked]:
    """Picked chains in the order of the match; a period begins before and ends after the rest."""

    def key(one: Picked) -> tuple[int, float, int]:
        head, more = one.chain.head, one.chain.more
        place = facts.match.place_of.get(head.id, 0)
        if "period" in more:
            return head.event.period, -math.inf if more["kind"] == "start" else math.inf, place
        return head.event.period, head.event.time, place

    return sorted(picked, key=key)
