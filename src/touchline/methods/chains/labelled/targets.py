"""What labels say about candidate sets: which of them are nearest to what the comment describes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.labelled.candidate_sets import CandidateSets
from touchline.methods.chains.labelled.layer import Target

# What annotators say that a comment describes, as events by number, and how much each counts.
Said = Mapping[frozenset[int], float]


def target_of(sets: CandidateSets, labels: Mapping[int, Said]) -> Target:
    """The sets nearest to the labels, by F1; several of them share.

    A comment of which no candidate set has anything right teaches nothing.
    """
    share, weight = np.zeros(len(sets)), np.zeros(len(sets.start) - 1)
    exact: list[int] = []
    for comment, said in labels.items():
        own = slice(sets.start[comment], sets.start[comment + 1])
        for events, counts in said.items():
            near = _f1(sets, own, events)
            exact.append(own.start + int(near.argmax()) if near.max() == 1 else -1)
            if near.max() > 0:
                best = near == near.max()
                share[own] += counts * best / best.sum()
                weight[comment] += counts
        share[own] /= weight[comment] or 1.0
    every = [counts for said in labels.values() for counts in said.values()]
    return Target(share, weight, np.array(exact, dtype=np.int64), np.array(every, dtype=float))


def _f1(sets: CandidateSets, own: slice, events: frozenset[int]) -> Floats:
    """How near each set of a comment is to some events."""
    first, last = np.searchsorted(sets.member_of, [own.start, own.stop])
    member_of, member = sets.member_of[first:last] - own.start, sets.member[first:last]
    right = np.isin(sets.event[member], list(events))
    size = np.bincount(member_of, minlength=own.stop - own.start)
    if not events:
        return np.asarray(size == 0, dtype=float)
    found = np.bincount(member_of, right, len(size)).astype(float)
    return np.asarray(2 * found / (size + len(events)))
