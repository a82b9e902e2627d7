"""No PairModel: plain distances instead of trained models, behind the same interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.pairrank.pair_model.model import BLOCK, DECIMALS
from touchline.methods.pairs.features import inner_products
from touchline.methods.pairs.pairing import Pairs


class Similarity:
    """Confidence of a pair in another is how alike they are; of a group, the best of its members.

    `euclidean` is 1 / (1 + distance), `cosine` the cosine of the two vectors; the vectors are
    those that PairModel would be trained on.
    """

    def __init__(self, pairs: Pairs, kind: Literal["euclidean", "cosine"]) -> None:
        self.pairs, self.kind = pairs, kind
        self.sentence_products = inner_products(pairs.words)
        self.event_products = inner_products(pairs.values)
        self.row = pairs.row[pairs.event]
        self.squares = (
            np.diag(self.sentence_products)[pairs.sentence]
            + np.diag(self.event_products)[self.row]
            + (pairs.strings**2).sum(axis=1)
        )

    def train(self, groups: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
        return groups

    def followed_by(
        self, models: Sequence[Sequence[int]], more: Sequence[Sequence[int]]
    ) -> Sequence[Sequence[int]]:
        return [*models, *more]

    def confidences(self, models: Sequence[Sequence[int]]) -> Iterator[tuple[slice, Floats]]:
        for start in range(0, len(models), BLOCK):
            block = slice(start, start + BLOCK)
            yield block, np.array([self._best(group) for group in models[block]])

    def _best(self, group: Sequence[int]) -> Floats:
        return np.asarray(np.max([self._alike(pair) for pair in group], axis=0))

    def _alike(self, pair: int) -> Floats:
        pairs = self.pairs
        products = (
            self.sentence_products[pairs.sentence[pair], pairs.sentence]
            + self.event_products[self.row[pair], self.row]
            + pairs.strings @ pairs.strings[pair]
        )
        if self.kind == "cosine":
            alike = products / np.sqrt(self.squares * self.squares[pair])
        else:
            distance = np.sqrt(np.maximum(self.squares + self.squares[pair] - 2 * products, 0))
            alike = 1 / (1 + distance)
        return np.asarray(np.round(alike, DECIMALS))
