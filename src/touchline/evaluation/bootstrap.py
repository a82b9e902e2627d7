"""Bootstrap over comments: 95 % intervals, and paired differences between two methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from touchline.core.arrays import Floats
from touchline.evaluation.metrics import Score

TIMES = 1000
LEVEL = (2.5, 97.5)


def tallies(scores: Sequence[Score]) -> Floats:
    """Right, predicted and gold pairs of each comment."""
    rows = [(score.right, score.predicted, score.gold) for score in scores]
    return np.array(rows, dtype=float).reshape(len(rows), 3)


def draws(comments: int, seed: int, times: int = TIMES) -> Floats:
    """How often each comment is drawn in each resample."""
    chance = np.random.default_rng(seed)
    drawn = chance.integers(comments, size=(times, comments)) if comments else np.zeros((times, 0))
    return np.array([np.bincount(row, minlength=comments) for row in drawn.astype(int)], float)


def intervals(scores: Sequence[Score], seed: int) -> dict[str, list[float]]:
    """95 % intervals of precision, recall, F1 and PR-AUC."""
    areas = _average_precisions(scores, draws(len(scores), seed))
    return {**rate_intervals(scores, seed), "pr_auc": interval_of(areas)}


def rate_intervals(scores: Sequence[Score], seed: int) -> dict[str, list[float]]:
    """95 % intervals of precision, recall and F1, which cost little."""
    found = rates(draws(len(scores), seed) @ tallies(scores))
    names = ("precision", "recall", "f1")
    return {name: interval_of(values) for name, values in zip(names, found, strict=True)}


def share_interval(right: Sequence[bool], seed: int) -> list[float]:
    """The 95 % interval of a share."""
    weights = draws(len(right), seed)
    return interval_of(weights @ np.array(right, dtype=float) / max(len(right), 1))


def paired_difference(mine: Floats, other: Floats, seed: int) -> dict[str, Any]:
    """F1 of one method less that of another on the same comments, given both methods' tallies.

    `p` is two-sided: twice the smaller share of resamples on either side of no difference.
    """
    weights = draws(len(mine), seed)
    difference = rates(weights @ mine)[2] - rates(weights @ other)[2]
    beyond = min((difference <= 0).mean(), (difference >= 0).mean())
    observed = rates(mine.sum(axis=0))[2] - rates(other.sum(axis=0))[2]
    return {
        "f1": float(observed),
        "interval": interval_of(difference),
        "p": float(min(1.0, max(2 * beyond, 1 / len(weights)))),
    }


def rates(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """Precision, recall and F1 of sums of what is right, predicted and gold."""
    right, predicted, gold = sums[..., 0], sums[..., 1], sums[..., 2]
    precision, recall = right / np.maximum(predicted, 1), right / np.maximum(gold, 1)
    return precision, recall, 2 * right / np.maximum(predicted + gold, 1)


def _average_precisions(scores: Sequence[Score], weights: Floats) -> Floats:
    """PR-AUC of each resample; the candidates are sorted once for all of them."""
    comment = np.repeat(np.arange(len(scores)), [len(score.candidates) for score in scores])
    listed = [candidate for score in scores for candidate in score.candidates]
    if not listed:
        return np.zeros(len(weights))
    value = np.array([score for score, _ in listed])
    is_gold = np.array([gold for _, gold in listed], dtype=float)
    order = np.argsort(-value, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(value[order])), len(order) - 1)
    golds = weights @ tallies(scores)[:, 2]
    found = np.empty(len(weights))
    for number, drawn in enumerate(weights):
        often = drawn[comment[order]]
        right = np.cumsum(often * is_gold[order])[ends]
        seen = np.cumsum(often)[ends]
        gained = np.diff(right, prepend=0.0)
        found[number] = np.sum(gained * right / np.maximum(seen, 1)) / max(golds[number], 1)
    return found


def interval_of(values: Floats) -> list[float]:
    """The 95 % interval of resampled values."""
    return [round(float(bound), 4) for bound in np.percentile(values, LEVEL)]
