"""The threshold that makes the best F1 likely."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.chains.inference.answers import LINKED, answers
from touchline.methods.chains.labelled.decoding import (
    MAX_THRESHOLD,
    MIN_THRESHOLD,
    best_threshold,
)
from touchline.methods.chains.labelled.layer import Judged, Layer, features_of
from touchline.methods.chains.labelled.set_features import LOG_POSTERIOR


class Known:
    """Stands for what a layer makes of a match: the probabilities of pairs."""

    def __init__(self, *shares: float) -> None:
        self._shares = dict(enumerate(shares))

    def marginals(self) -> list[dict[int, float]]:
        return [self._shares]


def expected_f1(shares: list[float], threshold: float) -> float:
    """By simulation: each pair is right as often as it says."""
    chance = np.random.default_rng(0)
    right = chance.random((20_000, len(shares))) < np.array(shares)
    linked = np.array(shares) > threshold
    found = (right & linked).sum(axis=1)
    return float(2 * found.sum() / (linked.sum() * len(right) + right.sum()))


@pytest.mark.parametrize(
    "shares",
    [[0.9, 0.45, 0.4, 0.1], [0.45, 0.4, 0.35, 0.3, 0.05], [0.99, 0.98, 0.45], [0.6, 0.28, 0.27]],
)
def test_no_threshold_has_a_better_expected_f1(shares):
    best = best_threshold(Known(*shares))
    every = np.arange(MIN_THRESHOLD, MAX_THRESHOLD + 0.001, 0.01)
    assert expected_f1(shares, best) >= max(expected_f1(shares, t) for t in every) - 0.005


def test_hardly_probable_events_are_never_enough():
    assert best_threshold(Known(0.1, 0.05, 0.01)) == MIN_THRESHOLD
    assert best_threshold(Known()) == MAX_THRESHOLD
    assert best_threshold(Known(1.0, 1.0)) <= MAX_THRESHOLD


def test_a_comment_that_probably_describes_nothing_has_no_unsure_links(inferred, matches):
    features = features_of(inferred)
    layer = Layer("text", {LOG_POSTERIOR: 0.4})  # less sure than without labels
    weights = np.array([layer.weights.get(name, 0.0) for name in features.names])
    scores = np.exp(features.scores(weights))
    every = np.add.reduceat(scores, features.sets.start[:-1])
    judged = Judged(layer, features, scores / every[features.sets.owner])
    enough = best_threshold(judged)
    assert enough < LINKED
    found = list(answers(matches[0], inferred.tables, inferred.agreed, None, judged))
    unsure = [a for a in found if any(link.score <= LINKED for link in a.events)]
    assert unsure
    assert all(answer.none < LINKED for answer in unsure)
    assert all(link.score > enough for answer in found for link in answer.events)
