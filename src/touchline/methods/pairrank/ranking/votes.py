"""No PairRank: a pair's score is how many models have no negative confidence in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from scipy import sparse

from touchline.core.arrays import Floats
from touchline.methods.pairrank.ranking.macro_events import Group, Rivals


class Votes:
    """Counts of votes for pairs and for macro-events, whose confidence is their best member's."""

    def __init__(self, blocks: Iterable[tuple[slice, Floats]]) -> None:
        likes = [sparse.csc_matrix(confidences >= 0) for _, confidences in blocks]
        self.likes = sparse.vstack(likes).tocsc()

    def single(self) -> Floats:
        return np.asarray(self.likes.sum(axis=0), dtype=float).ravel()

    def __call__(self, groups: Sequence[Group], rivals: Rivals | None = None) -> Floats:
        return np.array([self._count(group) for group in groups], dtype=float)

    def _count(self, group: Group) -> int:
        voters = [
            self.likes.indices[self.likes.indptr[pair] : self.likes.indptr[pair + 1]]
            for pair in group
        ]
        return len(np.unique(np.concatenate(voters)))
