"""PairModel: what sets a pair apart from all others (Algorithm 1), and Conf (Algorithm 2).

The model of a pair is an exemplar SVM: the pair, or the pairs of a macro-event, against mined
negatives. All models are trained at once. A model is never needed as a weight vector: its
confidence on a pair is a sum of inner products between its instances and that pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.io.model_arrays import Stored
from touchline.methods.pairrank.pair_model._kernels import solve_all, spread, weighted_sums
from touchline.methods.pairs.features import inner_products
from touchline.methods.pairs.negatives import Negatives, choose_negatives
from touchline.methods.pairs.pairing import Pairs

# Rows of confidences that are in memory at once.
BLOCK = 256
# Confidences are compared after rounding, so that the last bits of a sum break no tie.
DECIMALS = 6


class PairModels(msgspec.Struct, frozen=True, kw_only=True):
    """Trained models: the instances of each, the positive ones first, and their signed weights.

    `weights[m, i]` is the multiplier of instance i, negative for a negative example; the weight
    vector Θ of model m is the sum of its instances' vectors so weighted.
    """

    sentences: Ints
    rows: Ints
    positives: Ints
    weights: Floats
    string_weights: Floats

    def __len__(self) -> int:
        return len(self.positives)

    @classmethod
    def restored(cls, stored: Stored) -> PairModels:
        """The models of a file, one for each of its pairs."""
        shape = "pairs", "instances"
        return cls(
            sentences=stored.places("models.sentences", *shape, of="sentences", minimum=-1),
            rows=stored.places("models.rows", *shape, of="rows", minimum=-1),
            positives=stored.places("models.positives", "pairs", of=stored.size("instances") + 1),
            weights=stored.floats("models.weights", *shape),
            string_weights=stored.floats("models.string_weights", "pairs", "strings"),
        )


class PairModel:
    """Trains models on the pairs of a corpus and applies them: the paper's own way."""

    def __init__(
        self, pairs: Pairs, *, count: int, pairing: Literal["zip", "block"], cost: float, seed: int
    ) -> None:
        self.pairs = pairs
        self.cost = cost
        self.sentence_products = inner_products(pairs.words)
        self.event_products = inner_products(pairs.values)
        self.products = narrow(self.sentence_products), narrow(self.event_products)
        self.negatives = choose_negatives(
            pairs, self.sentence_products, self.event_products, count, pairing, seed
        )

    def train(self, groups: Sequence[Sequence[int]]) -> PairModels:
        """One model for each group of pairs: a single pair, or those of a macro-event."""
        sentences, rows, strings, positives = self.instances(groups)
        multipliers = solve_all(sentences, rows, strings, positives, self.cost, *self.products)
        places = np.arange(sentences.shape[1])
        signs = np.where(places < positives[:, None], 1.0, -1.0)
        weights = multipliers * signs
        return PairModels(
            sentences=sentences,
            rows=rows,
            positives=positives,
            weights=weights,
            string_weights=np.einsum("mi,mit->mt", weights, strings),
        )

    def instances(self, groups: Sequence[Sequence[int]]) -> tuple[Ints, Ints, Floats, Ints]:
        """Sentences, rows of values and string parts of each model's instances, and how many of
        them are positive."""
        return _instances(self.pairs, self.negatives, groups)

    def followed_by(self, models: PairModels, more: PairModels) -> PairModels:
        """Both sets of models as one."""
        width = max(models.sentences.shape[1], more.sentences.shape[1])
        fill = {"sentences": -1, "rows": -1, "weights": 0.0}

        def joined(name: str) -> np.ndarray:
            both = [getattr(models, name), getattr(more, name)]
            if name in fill:
                both = [_widened(rows, width, fill[name]) for rows in both]
            return np.concatenate(both)

        return PairModels(**{name: joined(name) for name in models.__struct_fields__})

    def confidences(self, models: PairModels) -> Iterator[tuple[slice, Floats]]:
        """Conf of every model on every pair (Algorithm 2), a block of models at a time."""
        pairs = self.pairs
        row = pairs.row[pairs.event]
        for start in range(0, len(models), BLOCK):
            block = slice(start, start + BLOCK)
            weights = models.weights[block]
            words = weighted_sums(models.sentences[block], weights, self.sentence_products)
            values = weighted_sums(models.rows[block], weights, self.event_products)
            names = models.string_weights[block] @ pairs.strings.T
            yield block, spread(words, values, names, pairs.sentence, row, DECIMALS)


def narrow(products: np.ndarray) -> np.ndarray:
    """Inner products of binary rows as bytes, of which four times as many fit into a cache."""
    small = products.astype(np.int8)
    return small if np.array_equal(small, products) else products


def _widened(rows: np.ndarray, width: int, fill: float) -> np.ndarray:
    missing = width - rows.shape[1]
    return np.pad(rows, ((0, 0), (0, missing)), constant_values=fill)


def _instances(
    pairs: Pairs, negatives: Negatives, groups: Sequence[Sequence[int]]
) -> tuple[Ints, Ints, Floats, Ints]:
    """Positive and negative instances of each model.

    The negatives of a macro-event are taken from those of its pairs in turn, so that their number
    stays that of a single pair's. All models at once: a step of Python for each took a tenth of
    the time of training.
    """
    positives = np.array([len(group) for group in groups], dtype=np.int64)
    largest, count = positives.max(initial=1), negatives.sentences.shape[1]
    place = np.arange(largest + count)
    positive = place < positives[:, None]
    members = np.zeros((len(groups), largest), dtype=np.int64)
    members[positive[:, :largest]] = [pair for group in groups for pair in group]
    whose = np.take_along_axis(members, place[:count] % positives[:, None], axis=1)
    there = negatives.sentences[whose, place[:count]] >= 0
    end = positives + there.sum(axis=1)
    negative = ~positive & (place < end[:, None])
    pair, taken = members[positive[:, :largest]], (whose[there], np.nonzero(there)[1])
    sentences = np.full(positive.shape, -1, dtype=np.int64)
    rows = np.full_like(sentences, -1)
    strings = np.zeros((*sentences.shape, pairs.strings.shape[1]))
    sentences[positive], sentences[negative] = pairs.sentence[pair], negatives.sentences[taken]
    rows[positive], rows[negative] = pairs.row[pairs.event[pair]], negatives.rows[taken]
    strings[positive] = pairs.strings[pair]
    strings[negative, 0] = negatives.strings[taken]
    return sentences, rows, strings, positives
