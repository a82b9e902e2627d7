"""The graph of mutual likeness between pairs (Section 3.2, lines 1(a)-(d) of Algorithm 3).

A model likes the pairs on which its confidence is positive, and ranks them. Two pairs whose
models like each other are joined by an edge of weight 1 / (rank x rank); a pair that its own model
likes has a loop. Only ranks of liked pairs are stored, never all confidences.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import rankdata

from touchline.core.arrays import Floats, Ints
from touchline.methods.pairrank.ranking._kernels import liked_ranks

Ties = Literal["dense", "min", "average", "ordinal"]


def rank_liked(
    confidences: Floats, ties: Ties = "dense"
) -> tuple[Ints, NDArray[np.int32], NDArray[np.float32]]:
    """The pairs that each model likes and their ranks, 1 for the one it likes most.

    Rows of a sparse matrix: where each ends, columns, and what is there. With `dense` ranks equal
    confidences count once, so that a macro-event, whose confidence is that of its best member,
    leaves the ranks of all others as they are.
    """
    if ties == "dense":
        ends, liked, ranks = liked_ranks(np.ascontiguousarray(confidences, dtype=float))
        return ends, liked, ranks
    rows, liked = np.nonzero(confidences > 0)
    ends = np.searchsorted(rows, np.arange(len(confidences) + 1))
    found = -confidences[rows, liked]
    ranks = [rankdata(found[a:b], method=ties) for a, b in pairwise(ends)]
    return ends, liked.astype(np.int32), np.concatenate(ranks).astype(np.float32)


def rank_all(
    blocks: Iterable[tuple[slice, Floats]], count: int, ties: Ties = "dense"
) -> tuple[sparse.csr_matrix, Floats]:
    """Ranks of the pairs that each model likes (models x pairs), and each model's self-confidence.

    Model m is the model of pair m; `blocks` are their confidences on all pairs.
    """
    columns, ranks, lengths = [], [], [np.zeros(1, np.int64)]
    own = np.zeros(count)
    for block, confidences in blocks:
        ends, liked, rank = rank_liked(confidences, ties)
        columns.append(liked)
        ranks.append(rank)
        lengths.append(np.diff(ends))
        models = block.start + np.arange(len(confidences))
        own[models] = confidences[models - block.start, models]
    data = np.concatenate([np.zeros(0, np.float32), *ranks])
    where = np.concatenate([np.zeros(0, np.int32), *columns])
    starts = np.cumsum(np.concatenate(lengths))
    return sparse.csr_matrix((data, where, starts), shape=(count, count)), own


def mutual_edges(ranks: sparse.csr_matrix, power: float = 1.0) -> sparse.csr_matrix:
    """Edges between pairs whose models like each other, loops included.

    The paper's weight is 1 / (rank x rank), `power` 1; a smaller power trusts lower ranks more.
    """
    edges = ranks.multiply(ranks.T).tocsr()
    edges.data = edges.data.astype(float) ** -power
    return edges
