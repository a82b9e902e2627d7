"""Which features moved the answer away from the one without labels."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.labelled.features import Inferred
from touchline.methods.chains.labelled.layer import CLAMPED, Judged, Mean
from touchline.methods.chains.labelled.set_features import LOG_POSTERIOR, MIN_PROBABILITY

# Features that moved the log-odds by less are not worth a reader's time, nor are more than so many.
MIN_MOVED, MAX_FEATURES = 0.05, 8


# A set of events, by number.
Events = tuple[int, ...]


class Plain(NamedTuple):
    """The probability of each set of events of a comment, by a model without labels."""

    likely: dict[tuple[int, ...], float]

    @property
    def best(self) -> tuple[int, ...]:
        return max(self.likely, key=lambda events: self.likely[events])

    def probability(self, events: tuple[int, ...]) -> float:
        return self.likely.get(events, 0.0)


class Moved(NamedTuple):
    """The best set without labels and with them, as events by number, and what moved it.

    `features` are those in which the two sets differ, with what they add to the log-odds of the one
    with labels; the heaviest come first. The log posterior counts as far as labels have changed its
    weight.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    features: list[tuple[str, float]]


def moved(judged: Judged | Mean, comment: int, plain: Plain | None = None) -> Moved:
    """What labels have changed about a comment.

    `plain` is what a model without labels makes of it, where the layer looks at another.
    """
    if isinstance(judged, Mean):
        return _moved_by_both(judged, comment)
    sets = judged.features.sets
    own = slice(sets.start[comment], sets.start[comment + 1])
    after = int(sets.start[comment] + np.argmax(judged.probability[own]))
    if plain is None:
        before = int(sets.start[comment] + np.argmax(sets.probability[own]))
        without = _events(judged, before)
    else:
        without = plain.best
        own_sets = range(sets.start[comment], sets.start[comment + 1])
        before = next((n for n in own_sets if _events(judged, n) == without), -1)
    events = _events(judged, after)
    if without == events:
        return Moved(without, events, [])
    added = _added(judged, before, after) if before >= 0 else {}
    if plain is not None:
        then, now = _log(plain.probability(events)), _log(float(sets.probability[after]))
        start = _log(float(sets.probability[before]) if before >= 0 else 0.0)
        added[CLAMPED] = (now - start) - (then - _log(plain.probability(without)))
    return Moved(without, events, _heaviest(added))


def _moved_by_both(judged: Mean, comment: int) -> Moved:
    """Features of the layer over the model without labels; the rest is what clamped EM adds."""
    first = judged.first
    numbers, one = _sets_of(first, comment)
    other, two = _sets_of(judged.second, comment)
    mean = {e: (one.get(e, 0.0) + two.get(e, 0.0)) / 2 for e in (*numbers, *other)}
    without = max(numbers, key=lambda e: float(first.features.sets.probability[numbers[e]]))
    events = max(mean, key=lambda e: mean[e])
    if without == events:
        return Moved(without, events, [])
    known = events in numbers
    added = _added(first, numbers[without], numbers[events]) if known else {}
    by_first = _log(one.get(events, 0.0)) - _log(one[without])
    added[CLAMPED] = _log(mean[events]) - _log(mean[without]) - (by_first if known else 0.0)
    return Moved(without, events, _heaviest(added))


def _sets_of(judged: Judged, comment: int) -> tuple[dict[Events, int], dict[Events, float]]:
    """The candidate sets of a comment by their events: their numbers, and how probable each is."""
    start = judged.features.sets.start
    numbers = {_events(judged, n): n for n in range(start[comment], start[comment + 1])}
    return numbers, {e: float(judged.probability[n]) for e, n in numbers.items()}


def _heaviest(added: dict[str, float]) -> list[tuple[str, float]]:
    heaviest = sorted(added.items(), key=lambda one: (-abs(one[1]), one[0]))
    return [(name, value) for name, value in heaviest if abs(value) >= MIN_MOVED][:MAX_FEATURES]


def _added(judged: Judged, before: int, after: int) -> dict[str, float]:
    """What each feature adds to the log-odds of one set against another."""
    weights, names = judged.layer.weights, judged.features.names
    change = _values(judged, after) - _values(judged, before)
    return {
        names[i]: float(change[i]) * (weights.get(names[i], 0.0) - (names[i] == LOG_POSTERIOR))
        for i in np.flatnonzero(change).tolist()
    }


def plain_of(inferred: Inferred, comment: int) -> Plain:
    """What a model without labels makes of a comment."""
    hypotheses, agreed = inferred.tables.hypotheses, inferred.agreed
    own = slice(hypotheses.start[comment], hypotheses.start[comment + 1])
    pairs = zip(hypotheses.events[own].tolist(), agreed.chains[own].tolist(), strict=True)
    known = {tuple(sorted(e for e in row if e >= 0)): share for row, share in pairs}
    return Plain({**known, (): float(agreed.none[comment])})


def _log(probability: float) -> float:
    return math.log(max(probability, MIN_PROBABILITY))


def _events(judged: Judged, number: int) -> tuple[int, ...]:
    sets = judged.features.sets
    return tuple(sorted(sets.event[sets.member[sets.member_of == number]].tolist()))


def _values(judged: Judged, number: int) -> Floats:
    """The features of a set, those of its events among them."""
    features = judged.features
    members = features.sets.member[features.sets.member_of == number]
    total = np.zeros(len(features.names))
    for table, rows in ((features.of_sets, [number]), (features.of_pairs, members)):
        some = np.isin(table.row, rows)
        total += np.bincount(table.column[some], table.value[some], len(total))
    return total
