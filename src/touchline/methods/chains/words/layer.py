"""What labelled words teach: a conditional random field over the ways to share out a comment.

Its weights are added to what words, names and order say without labels. They are drawn to zero, so
that a comment unlike any labelled one is shared out as without labels. If labels leave something
open, as for an event whose words nobody has given, all ways that agree with them are summed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.words.features import ALWAYS, Features
from touchline.methods.segments.lattice import Batch, Changes, Flags, Shares, sum_over

# How strongly weights are drawn to zero, chosen by the likelihood of labels of one match left out.
L2 = 1.0
# Features of fewer labelled comments are not learned.
MIN_COMMENTS = 2
MAX_ROUNDS = 100


class WordLayer(NamedTuple):
    """What labelled words have taught about a kind of text: weights of features by name.

    `comments` of `matches` were learned from; `likelihood` is the log-likelihood of labels that
    were left out, without these labels and with them. `logs` are sketches of the matches' logs.
    """

    kind: str
    weights: Mapping[str, float]
    matches: int = 0
    comments: int = 0
    likelihood: tuple[float, float] = (0.0, 0.0)
    logs: tuple[tuple[int, ...], ...] = ()

    def __str__(self) -> str:
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        without, with_labels = self.likelihood
        used = "used" if with_labels > without else "not used because they did not help"
        return (
            f"words of events: {self.comments} labelled comments of {matches}, {used} "
            f"(log-likelihood of labels left out: {without:.1f} without, {with_labels:.1f} with)"
        )


class Example(NamedTuple):
    """Labelled comments with the same number of events; `agrees[c, i, k]` is what labels allow."""

    features: Features
    batch: Batch
    changes: Changes
    agrees: Flags

    def labelled(self) -> Batch:
        """Only ways that agree with the labels."""
        return self.batch._replace(score=np.where(self.agrees, self.batch.score, -np.inf))


def share_out(
    batch: Batch, changes: Changes, features: Features, weights: Mapping[str, float]
) -> tuple[Batch, Shares]:
    """The sum over all ways with the weights of a layer, and the scores of parts that it is of."""
    own = np.array([weights.get(name, 0.0) for name in features.names])
    return _weighed(batch, changes, features, own)


def _weighed(
    batch: Batch, changes: Changes, features: Features, weights: Floats
) -> tuple[Batch, Shares]:
    score, of_steps = features.apply(weights)
    weighed = batch._replace(score=batch.score + score)
    return weighed, sum_over(weighed, changes, of_steps)


def learn(
    examples: Sequence[Example], prior: Mapping[str, float], strength: float = L2
) -> dict[str, float]:
    """The weights by which labels are most probable, drawn to those that are known before."""
    from scipy.optimize import minimize  # only learning needs it, and it takes long to load

    names = sorted({*_frequent(examples), *ALWAYS, *prior})
    start = np.array([prior.get(name, 0.0) for name in names])
    known = [one._replace(features=one.features.only(names)) for one in examples]

    def loss(weights: Floats) -> tuple[float, Floats]:
        away = weights - start
        total, gradient = strength / 2 * float(away @ away), strength * away
        for one in known:
            value, by_weight = _surprise(one, weights)
            total, gradient = total + value, gradient + by_weight
        return total, gradient

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": MAX_ROUNDS})
    return dict(zip(names, found.x.tolist(), strict=True))


def log_likelihood(examples: Sequence[Example], weights: Mapping[str, float]) -> float:
    """Of the labels of some comments."""
    total = 0.0
    for one in examples:
        own = np.array([weights.get(name, 0.0) for name in one.features.names])
        total -= _surprise(one, own)[0]
    return total


def _surprise(one: Example, weights: Floats) -> tuple[float, Floats]:
    """How improbable labels are, and how that depends on the weights."""
    every, right = (
        _weighed(batch, one.changes, one.features, weights)[1]
        for batch in (one.batch, one.labelled())
    )
    gradient = _expected(one.features, every) - _expected(one.features, right)
    return float((every.total - right.total).sum()), gradient


def _expected(features: Features, shares: Shares) -> Floats:
    steps = shares.changed, shares.to_none, shares.from_none
    rest = shares.onwards, float(shares.missing.sum())
    return features.expected(shares.state, steps, rest)


def _frequent(examples: Sequence[Example]) -> list[str]:
    """The names of features that enough labelled comments have."""
    often: Counter[str] = Counter()
    for one in examples:
        counts = one.features.comments_with().tolist()
        often.update(dict(zip(one.features.names, counts, strict=True)))
    return [name for name, count in often.items() if count >= MIN_COMMENTS]
