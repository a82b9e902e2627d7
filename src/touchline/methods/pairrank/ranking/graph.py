"""The graph of mutual likeness between pairs (Section 3.2, lines 1(a)-(d) of Algorithm 3).

A model likes the pairs on which its confidence is positive, and ranks them. Two pairs whose
models like each other are joined by an edge of weight 1 / (rank x rank); a pair that its own model
likes has a loop. Only ranks of liked pairs are stored, never all confidences.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import rankdata

from touchline.core.arrays import Floats

Ties = Literal["dense", "min", "average", "ordinal"]


def rank_liked(confidence: Floats, ties: Ties = "dense") -> tuple[NDArray[np.int64], Floats]:
    """The pairs that a model likes and their ranks, 1 for the one it likes most.

    With `dense` ranks equal confidences count once, so that a macro-event, whose confidence is
    that of its best member, leaves the ranks of all others as they are.
    """
    liked = np.flatnonzero(confidence > 0)
    if ties != "dense":
        return liked, np.asarray(rankdata(-confidence[liked], method=ties), dtype=float)
    found = confidence[liked]
    order = np.argsort(-found, kind="stable")
    found = found[order]
    new = np.ones(len(liked), dtype=bool)
    np.not_equal(found[1:], found[:-1], out=new[1:])
    ranks = np.empty(len(liked))
    ranks[order] = np.cumsum(new)
    return liked, ranks


def rank_all(
    blocks: Iterable[tuple[slice, Floats]], count: int, ties: Ties = "dense"
) -> tuple[sparse.csr_matrix, Floats]:
    """Ranks of the pairs that each model likes (models x pairs), and each model's self-confidence.

    Model m is the model of pair m; `blocks` are their confidences on all pairs.
    """
    columns, ranks, lengths = [], [], []
    own = np.zeros(count)
    for block, confidences in blocks:
        for m, row in zip(
            range(block.start, block.start + len(confidences)), confidences, strict=True
        ):
            liked, rank = rank_liked(row, ties)
            columns.append(liked.astype(np.int32))
            ranks.append(rank.astype(np.float32))
            lengths.append(len(liked))
            own[m] = row[m]
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    data = np.concatenate(ranks) if ranks else np.zeros(0, np.float32)
    where = np.concatenate(columns) if columns else np.zeros(0, np.int32)
    return sparse.csr_matrix((data, where, starts), shape=(count, count)), own


def mutual_edges(ranks: sparse.csr_matrix, power: float = 1.0) -> sparse.csr_matrix:
    """Edges between pairs whose models like each other, loops included.

    The paper's weight is 1 / (rank x rank), `power` 1; a smaller power trusts lower ranks more.
    """
    edges = ranks.multiply(ranks.T).tocsr()
    edges.data = edges.data.astype(float) ** -power
    return edges
