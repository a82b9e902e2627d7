"""Multiple-instance SVMs (Andrews, Tsochantaridis and Hofmann 2002) on pairs.

A positive bag is a sentence with all events of its bucket; negative bags come from the paper's
negative pairs. A pair's vector is sentence part + event part + string part, so a margin is a sum
of three, and a round over all pairs costs as many additions as there are pairs.
"""

from __future__ import annotations

import msgspec
import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from touchline.core.arrays import Floats, Ints
from touchline.methods.pairs.features import inner_products
from touchline.methods.pairs.negatives import choose_negatives
from touchline.methods.pairs.pairing import Pairs

STEPS = 60  # of the optimiser; each round goes on where the one before has stopped


class Instances(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs as instances: numbers of their sentences and event rows, string parts, bags.

    `bag` is -1 for the instances of negative bags, which need not be distinguished.
    """

    words: sparse.csr_matrix
    values: sparse.csr_matrix
    sentence: Ints
    row: Ints
    strings: Floats
    bag: Ints

    @property
    def size(self) -> int:
        """How many weights there are; the last one is the intercept's."""
        return int(self.words.shape[1] + self.values.shape[1] + self.strings.shape[1] + 1)

    def margins(self, weights: Floats) -> Floats:
        words, values, strings = self._split(weights)
        sums = (self.words @ words)[self.sentence] + (self.values @ values)[self.row]
        return np.asarray(sums + self.strings @ strings + weights[-1])

    def pull(self, force: Floats) -> Floats:
        """The weighted sum of all instances' vectors."""
        by_sentence = np.bincount(self.sentence, force, minlength=self.words.shape[0])
        by_row = np.bincount(self.row, force, minlength=self.values.shape[0])
        parts = self.words.T @ by_sentence, self.values.T @ by_row, self.strings.T @ force
        return np.concatenate([*parts, [force.sum()]])

    def _split(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        first = self.words.shape[1]
        second = first + self.values.shape[1]
        return weights[:first], weights[first:second], weights[second:-1]


def positive_bags(pairs: Pairs) -> Instances:
    """Each sentence with its bucket."""
    return Instances(
        words=pairs.words, values=pairs.values, sentence=pairs.sentence,
        row=pairs.row[pairs.event], strings=pairs.strings, bag=pairs.sentence,
    )  # fmt: skip


def all_bags(pairs: Pairs, negatives: int, seed: int) -> Instances:
    """Positive bags, and for each a negative one mined from one of its pairs, drawn by chance."""
    chance = np.random.default_rng(seed)
    shuffled = chance.permutation(len(pairs))
    _, first = np.unique(pairs.sentence[shuffled], return_index=True)
    drawn = np.sort(shuffled[first])
    few = msgspec.structs.replace(
        pairs, sentence=pairs.sentence[drawn], event=pairs.event[drawn],
        strings=pairs.strings[drawn], lag=pairs.lag[drawn],
    )  # fmt: skip
    mined = choose_negatives(
        few, inner_products(pairs.words), inner_products(pairs.values), negatives, seed=seed
    )
    there = mined.sentences >= 0
    positive, count = positive_bags(pairs), int(there.sum())
    strings = np.zeros((count, pairs.strings.shape[1]))
    strings[:, 0] = mined.strings[there]
    return msgspec.structs.replace(
        positive,
        sentence=np.concatenate([positive.sentence, mined.sentences[there]]),
        row=np.concatenate([positive.row, mined.rows[there]]),
        strings=np.concatenate([positive.strings, strings]),
        bag=np.concatenate([positive.bag, np.full(count, -1)]),
    )


def learn(instances: Instances, cost: float, rounds: int, witnesses: bool) -> Floats:
    """Fit and relabel until the labels stay.

    At first every instance of a positive bag is positive. Then those on the positive side are,
    and in each bag at least its best one (mi-SVM); or the best one alone, the others being left
    out (MI-SVM, `witnesses`).
    """
    negative = instances.bag < 0
    positive = ~negative
    weights = np.zeros(instances.size)
    for _ in range(rounds):
        weights = _fit(instances, positive, negative, cost, weights)
        margins = instances.margins(weights)
        again = _best_of_bags(instances.bag, margins)
        if not witnesses:
            again |= (margins > 0) & ~negative
            negative = ~again
        if np.array_equal(again, positive):
            break
        positive = again
    return weights


def _best_of_bags(bag: Ints, margins: Floats) -> np.ndarray:
    order = np.lexsort((np.arange(len(bag)), -margins, bag))
    first = np.diff(bag[order], prepend=-1) != 0
    best = np.zeros(len(bag), dtype=bool)
    best[order[first]] = True
    return best & (bag >= 0)


def _fit(
    instances: Instances, positive: np.ndarray, negative: np.ndarray, cost: float, start: Floats
) -> Floats:
    """A linear SVM with squared hinge; both classes weigh the same in all."""
    sign = positive.astype(float) - negative
    counts = max(positive.sum(), 1), max(negative.sum(), 1)
    share = cost * (positive / counts[0] + negative / counts[1])

    def loss(weights: Floats) -> tuple[float, Floats]:
        slack = np.maximum(0, 1 - sign * instances.margins(weights))
        force = -2 * share * sign * slack
        value = weights @ weights / 2 + share @ slack**2
        return float(value), instances.pull(force) + weights

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return np.asarray(found.x)
