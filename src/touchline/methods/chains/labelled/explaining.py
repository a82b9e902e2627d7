"""Which features moved the answer away from the one without labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.labelled.layer import Judged
from touchline.methods.chains.labelled.set_features import LOG_POSTERIOR

# Features that moved the log-odds by less are not worth a reader's time, nor are more than so many.
MIN_MOVED, MAX_FEATURES = 0.05, 8


class Moved(NamedTuple):
    """The best set without labels and with them, as events by number, and what moved it.

    `features` are those in which the two sets differ, with what they add to the log-odds of the one
    with labels; the heaviest come first. The log posterior counts as far as labels have changed its
    weight.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    features: list[tuple[str, float]]


def moved(judged: Judged, comment: int) -> Moved:
    """What labels have changed about a comment."""
    sets = judged.features.sets
    own = slice(sets.start[comment], sets.start[comment + 1])
    before = int(sets.start[comment] + np.argmax(sets.probability[own]))
    after = int(sets.start[comment] + np.argmax(judged.probability[own]))
    if before == after:
        return Moved(_events(judged, before), _events(judged, after), [])
    weights = judged.layer.weights
    change = _values(judged, after) - _values(judged, before)
    names = judged.features.names
    added = {
        names[i]: float(change[i]) * (weights.get(names[i], 0.0) - (names[i] == LOG_POSTERIOR))
        for i in np.flatnonzero(change).tolist()
    }
    heaviest = sorted(added.items(), key=lambda one: (-abs(one[1]), one[0]))
    shown = [(name, value) for name, value in heaviest if abs(value) >= MIN_MOVED]
    return Moved(_events(judged, before), _events(judged, after), shown[:MAX_FEATURES])


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
