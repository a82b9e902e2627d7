"""Algorithm 4, line 2(c)i, as printed: PairRank over all pairs and one macro-event.

Everything is written out from the text, and nothing is shared with the efficient search in
`merging.py`, so that each can be tested by the other. The macro-event is one node more. Its model
is trained on its pairs, and the confidence of any model in it is the highest of that model's
confidences in its pairs (Section 3.3, Algorithm 2). All nodes are then ranked anew under every
model, and PairRank runs over all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from scipy.stats import rankdata

from touchline.core.arrays import Floats
from touchline.methods.pairrank.ranking.graph import Ties
from touchline.methods.pairrank.ranking.macro_events import Group, Rivals
from touchline.methods.pairrank.ranking.merging import Model
from touchline.methods.pairrank.ranking.pair_rank import RankOptions, pair_rank


class LiteralSearch:
    """One PairRank for each macro-event.

    `trained` are the models of the single pairs, `frequency` is that of each pair's event type.
    The paper gives a macro-event no type; it is divided by the frequency of its rarest member.
    """

    def __init__(
        self,
        model: Model,
        trained: Any,
        frequency: Floats,
        options: RankOptions,
        *,
        ties: Ties = "dense",
        power: float = 1.0,
    ) -> None:
        self.model, self.frequency, self.options = model, frequency, options
        self.ties, self.power = ties, power
        self.singles = np.concatenate([block for _, block in model.confidences(trained)])

    def __call__(self, groups: Sequence[Group], rivals: Rivals | None = None) -> Floats:
        models = self.model.confidences(self.model.train(groups))
        confidences = (row for _, block in models for row in block)
        return np.array([self._rho(*each) for each in zip(groups, confidences, strict=True)])

    def _rho(self, group: Group, confidence: Floats) -> float:
        nodes = len(self.singles) + 1
        conf = np.empty((nodes, nodes))
        conf[:-1, :-1] = self.singles
        conf[-1, :-1] = confidence
        conf[:, -1] = conf[:, list(group)].max(axis=1)
        frequency = np.append(self.frequency, min(self.frequency[member] for member in group))
        edges = sparse.csr_matrix(self._edges(conf))
        return float(pair_rank(edges, np.diag(conf), frequency, self.options)[-1])

    def _edges(self, conf: Floats) -> Floats:
        """1 / (rank x rank) between nodes whose models like each other, loops included."""
        liked = conf > 0
        # A node that is not liked comes after all that are, so the ranks of those are right.
        ranks = rankdata(np.where(liked, -conf, 0.0), method=self.ties, axis=1)
        mutual = liked & liked.T
        return np.where(mutual, (ranks * ranks.T) ** -self.power, 0.0)
