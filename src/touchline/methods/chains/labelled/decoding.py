"""Which probability is enough for a link, if links are to be right and complete at once.

F1 counts a link that is missing as much as one that is wrong. Where it is hard to be sure, as in
speech, linking only what is more probable than not leaves out more than it gets wrong. Given
probabilities that can be trusted, the F1 to expect from every threshold can be computed without
labels; the best one is about half of that F1 (Lipton, Elkan & Narayanaswamy 2014).
"""

from __future__ import annotations

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.labelled.layer import Judged, Mean

# Less than this is never enough, whatever else a match has, and more than a half never needed.
MIN_THRESHOLD, MAX_THRESHOLD = 0.25, 0.5


def best_threshold(judged: Judged | Mean) -> float:
    """The threshold with the highest expected F1 over all events of a match."""
    shares = [share for own in judged.marginals() for share in own.values()]
    return threshold_of(np.array(shares))


def threshold_of(shares: Floats) -> float:
    """The threshold with the highest expected F1, given all probabilities."""
    return float(np.clip(_highest_expected_f1(shares), MIN_THRESHOLD, MAX_THRESHOLD))


def _highest_expected_f1(shares: Floats) -> float:
    """The smallest probability worth linking: all those above it belong to the best set of links.

    If the k most probable pairs are linked, as many of them as their probabilities add up to are
    expected to be right, and as many as all add up to should have been found.
    """
    if not len(shares):
        return MAX_THRESHOLD
    falling = np.sort(shares)[::-1]
    expected = 2 * np.cumsum(falling) / (np.arange(1, len(falling) + 1) + falling.sum())
    best = int(expected.argmax())
    after = falling[best + 1] if best + 1 < len(falling) else 0.0
    return float((falling[best] + after) / 2)
