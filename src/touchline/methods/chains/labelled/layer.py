"""The layer: a softmax over the candidate sets of a comment.

Weights are drawn towards "the log posterior counts once, and nothing else counts". For comments
unlike any labelled one the layer therefore answers as `chains` does without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints, distinct
from touchline.methods.chains.labelled.candidate_sets import CandidateSets, candidate_sets
from touchline.methods.chains.labelled.features import Features, Inferred, Numbering, joined
from touchline.methods.chains.labelled.kinds import LISTED, NAMES, SPEECH, TEXT
from touchline.methods.chains.labelled.pair_features import pair_numbers, pair_speech, pair_words
from touchline.methods.chains.labelled.set_features import (
    LOG_POSTERIOR,
    MIN_PROBABILITY,
    set_features,
)
from touchline.methods.chains.model.seen import Sketch

# How strongly weights are drawn to where they start, chosen by the log-likelihood of the labels of
# the dev matches, each left out (docs/scored-runs.md).
L2 = {TEXT: 1.0, SPEECH: 3.0, LISTED: 1.0}
# Features of fewer labelled comments are not learned: they say little, and most of them are words.
MIN_COMMENTS = 3
MAX_ROUNDS = 500
# The weights that change nothing.
START: Mapping[str, float] = {LOG_POSTERIOR: 1.0}
# How labels may answer: not at all, by a layer, by clamped EM, by the mean of a layer over each.
NONE, LAYER, CLAMPED, BOTH = "no labels", "layer", "clamped EM", "both"
WAYS = (NONE, LAYER, CLAMPED, BOTH)
_ANSWERS = {
    NONE: "not used because they did not help",
    LAYER: "used by a layer",
    CLAMPED: "used by clamped EM",
    BOTH: "used by a layer and clamped EM together",
}


class Layer(NamedTuple):
    """What labels have taught about a kind of text: weights of features by name.

    `logs` are sketches of the logs whose labels it was learned from (`labelled.logs`). `clamped`
    says whether it looks at what clamped EM has inferred, not the model without labels.
    """

    kind: str
    weights: Mapping[str, float]
    logs: tuple[Sketch, ...] = ()
    clamped: bool = False


def way_of(layers: Sequence[Layer]) -> str:
    """How the layers of a kind of text answer."""
    if not layers:
        return NONE
    if len(layers) > 1:
        return BOTH
    return CLAMPED if layers[0].clamped else LAYER


class LabelChoice(NamedTuple):
    """How labels of a kind of text answer, and how many there are.

    `likelihood` has the log-likelihood of labels that were left out, for each way that was tried.
    """

    kind: str
    way: str
    matches: int
    comments: int
    likelihood: Mapping[str, float]

    def __str__(self) -> str:
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        found = ", ".join(
            f"{way} {value:.1f}" for way in WAYS if (value := self.likelihood.get(way)) is not None
        )
        said = f"{NAMES[self.kind]}: {self.comments} labelled comments of {matches}, "
        likely = f" (log-likelihood of labels left out: {found})" if found else ""
        return f"{said}{_ANSWERS[self.way]}{likely}"


class Judged(NamedTuple):
    """What a layer makes of a match: the probability of each candidate set."""

    layer: Layer
    features: Features
    probability: Floats

    @property
    def none(self) -> Floats:
        """The probability of "no event", for each comment: its first set is the empty one."""
        return self.probability[self.features.sets.start[:-1]]

    def marginals(self) -> list[dict[int, float]]:
        """For each comment, the probability of each event of its candidate sets."""
        sets = self.features.sets
        total = np.bincount(sets.member, self.probability[sets.member_of], len(sets.event))
        found: list[dict[int, float]] = [{} for _ in sets.start[1:]]
        for comment, event, share in zip(
            sets.comment.tolist(), sets.event.tolist(), total.tolist(), strict=True
        ):
            found[comment][event] = share
        return found


class Mean(NamedTuple):
    """The mean of what two layers make of a match: over the model without labels, over clamped EM.

    They err differently, so that the mean is better than either.
    """

    first: Judged
    second: Judged

    @property
    def none(self) -> Floats:
        return np.asarray((self.first.none + self.second.none) / 2)

    def marginals(self) -> list[dict[int, float]]:
        pairs = zip(self.first.marginals(), self.second.marginals(), strict=True)
        return [
            {e: (one.get(e, 0.0) + two.get(e, 0.0)) / 2 for e in sorted({*one, *two})}
            for one, two in pairs
        ]


class Target(NamedTuple):
    """What labels say: the share of each set among those of its comment; how much that counts.

    Of each label, `exact` is the candidate set that is the same, -1 if none is, and `counts` how
    much it counts.
    """

    share: Floats
    weight: Floats
    exact: Ints
    counts: Floats


class Example(NamedTuple):
    """A labelled match."""

    features: Features
    target: Target


def features_of(known: Inferred, speech: bool = False) -> Features:
    """The candidate sets of a match with their features."""
    sets = candidate_sets(known.tables, known.agreed, speech)
    number = Numbering()
    of_pairs = [*pair_words(known, sets, number), *pair_numbers(known, sets, number)]
    if speech:
        of_pairs += pair_speech(known, sets, number)
    of_sets = joined(set_features(known, sets, number))
    return Features(number.names, sets, joined(of_pairs), of_sets)


def judge(layer: Layer, known: Inferred) -> Judged:
    """Apply a layer to a match."""
    features = features_of(known, speech=layer.kind == SPEECH)
    return Judged(layer, features, probabilities(features, layer.weights))


def probabilities(features: Features, weights: Mapping[str, float]) -> Floats:
    """The probability of each candidate set among those of its comment."""
    own = np.array([weights.get(name, 0.0) for name in features.names])
    return np.exp(_log_softmax(features.scores(own), features.sets))


def label_probabilities(one: Example, weights: Mapping[str, float]) -> Floats:
    """The probability of what each label says; 0 where no candidate set is the same."""
    return np.asarray(np.append(probabilities(one.features, weights), 0.0)[one.target.exact])


def log_likelihood(one: Example, likely: Floats) -> float:
    """Of the labels of a match, given their probabilities."""
    return float(one.target.counts @ np.log(np.maximum(likely, MIN_PROBABILITY)))


def learn(
    examples: Sequence[Example],
    strength: float = L2[TEXT],
    prior: Mapping[str, float] = START,
) -> dict[str, float]:
    """The weights that explain labels best, by name, drawn towards `prior`."""
    from scipy.optimize import minimize  # only learning needs it, and it takes long to load

    names = sorted({*_frequent(examples), *prior})
    known = [Example(one.features.only(names), one.target) for one in examples]
    start = np.array([prior.get(name, 0.0) for name in names])

    def loss(weights: Floats) -> tuple[float, Floats]:
        away = weights - start
        total, gradient = strength / 2 * float(away @ away), strength * away
        for one in known:
            value, by_score = _cross_entropy(one, weights)
            total, gradient = total + value, gradient + one.features.gradient(by_score)
        return total, gradient

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": MAX_ROUNDS})
    return {name: float(weight) for name, weight in zip(names, found.x, strict=True)}


def _frequent(examples: Sequence[Example]) -> list[str]:
    """The names of features that enough labelled comments have, sorted."""
    often: Counter[str] = Counter()
    for (names, sets, of_pairs, of_sets), target in examples:
        labelled = target.weight > 0
        size = len(names)
        for owner, table in ((sets.comment, of_pairs), (sets.owner, of_sets)):
            seen = distinct(owner[table.row] * size + table.column)
            counts = np.bincount(seen[labelled[seen // size]] % size, minlength=size)
            often.update(dict(zip(names, counts.tolist(), strict=True)))
    return sorted(name for name, count in often.items() if count >= MIN_COMMENTS)


def _cross_entropy(one: Example, weights: Floats) -> tuple[float, Floats]:
    """How badly the weights explain the labels of a match, and how that depends on the scores."""
    sets, (share, weight, *_) = one.features.sets, one.target
    logs = _log_softmax(one.features.scores(weights), sets)
    counts = weight[sets.owner]
    return -float((counts * share) @ logs), counts * (np.exp(logs) - share)


def _log_softmax(scores: Floats, sets: CandidateSets) -> Floats:
    """Every comment has a set, the empty one."""
    if not len(scores):
        return scores
    first, owner = sets.start[:-1], sets.owner
    shifted = scores - np.maximum.reduceat(scores, first)[owner]
    return np.asarray(shifted - np.log(np.add.reduceat(np.exp(shifted), first))[owner])
