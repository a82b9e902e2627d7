"""The popularity of a macro-event: PairRank on the graph with one more node (Algorithm 4, 2(c)).

A model is trained on all pairs of the macro-event. The confidence and the rank of a macro-event
under a model are the best of its members' (Algorithm 2). The frequency of its type is that of its
rarest member: the paper names none, and this reading comes nearest to its figures.

`literal.py` runs PairRank once for each macro-event, as printed. `Bordered` gives the same values
from the graph of single pairs alone: with F the frequencies and A the edges, rho is a fixed point
of z rho = F^-1 ((1 - d) c + d A rho) where z is the sum before normalisation. A further node is a
border of the symmetric system with M = d F^-1/2 A F^-1/2. What (z - M)^-1 is between the border,
the source and the sums is a short function of z (`resolvent.py`), and what is left is to find the
one number z for which rho sums to 1.

The values are the same where ties share a rank (`dense`). With other ranks of ties the literal
search counts the macro-event as one more competitor of the pairs that are liked less than it;
`Bordered` leaves the ranks of single pairs as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec
import numpy as np
from scipy import sparse

from touchline.core.arrays import Floats
from touchline.core.batches import batched
from touchline.methods.pairrank.ranking._kernels import WIDTH, bordered, plain_sum, solved
from touchline.methods.pairrank.ranking.graph import Ties, rank_liked
from touchline.methods.pairrank.ranking.macro_events import Group
from touchline.methods.pairrank.ranking.pair_rank import RankOptions, divisors, normaliser
from touchline.methods.pairrank.ranking.resolvent import Border, Resolvent, Total


class Model(Protocol):
    """What trains models on groups of pairs and applies them."""

    def train(self, groups: Sequence[Sequence[int]]) -> Any: ...

    def followed_by(self, models: Any, more: Any) -> Any: ...

    def confidences(self, models: Any) -> Iterable[tuple[slice, Floats]]: ...


class Graph(msgspec.Struct, frozen=True, kw_only=True):
    """The graph of single pairs and all that PairRank needs of it."""

    ranks: sparse.csr_matrix
    edges: sparse.csr_matrix
    own: Floats
    frequency: Floats
    ties: Ties
    power: float


class MacroNode(msgspec.Struct, frozen=True):
    """A macro-event as a node: edges to all pairs, loop, self-confidence, frequency."""

    edges: Floats
    loop: float
    own: float
    frequency: float


def macro_nodes(model: Model, graph: Graph, groups: Sequence[Group]) -> Iterable[MacroNode]:
    """The nodes of macro-events, one after the other."""
    by_pair = graph.ranks.tocsc()
    for block, confidences in model.confidences(model.train(groups)):
        for group, confidence in zip(groups[block], confidences, strict=True):
            yield _macro_node(graph, by_pair, list(group), confidence)


def _macro_node(
    graph: Graph, by_pair: sparse.csc_matrix, members: list[int], confidence: Floats
) -> MacroNode:
    liked, rank = rank_liked(confidence, graph.ties)
    gives = np.zeros(len(confidence))
    gives[liked] = rank
    takes = np.full(len(confidence), np.inf)  # the best rank of a member under each model
    for member in members:
        column = slice(by_pair.indptr[member], by_pair.indptr[member + 1])
        models = by_pair.indices[column]
        takes[models] = np.minimum(takes[models], by_pair.data[column])
    mutual = liked[np.isfinite(takes[liked])]
    edges = np.zeros(len(confidence))
    edges[mutual] = (gives[mutual] * takes[mutual]) ** -graph.power
    best = max(members, key=lambda member: confidence[member])
    own = max(float(confidence[best]), 0.0)
    loop = float(gives[best]) ** (-2 * graph.power) if own > 0 else 0.0
    return MacroNode(edges, loop, own, float(graph.frequency[members].min()))


class Bordered:
    """Popularities of macro-events from what the graph of single pairs is known to give."""

    def __init__(self, model: Model, graph: Graph, options: RankOptions) -> None:
        self.model, self.graph, self.options = model, graph, options
        self.root = np.sqrt(divisors(graph.frequency, options.discount))
        of_row = np.repeat(self.root, np.diff(graph.edges.indptr))
        scaled = options.d * graph.edges.data / (of_row * self.root[graph.edges.indices])
        matrix = sparse.csr_matrix((scaled, graph.edges.indices, graph.edges.indptr),
                                   graph.edges.shape)  # fmt: skip
        self.resolvent = Resolvent(matrix, (1 - options.d) * graph.own / self.root)
        self.sums = self.resolvent.total(1 / self.root)
        self.shares = self.resolvent.total(1 / graph.frequency)
        self.near = self._normaliser()

    def _normaliser(self) -> float:
        """That of the graph of single pairs, which that of a graph with one node more is near."""
        if not self.graph.own.any():
            return 1.0
        scale = self.graph.own.sum() if self.options.normalise else 1.0
        lowest = self.resolvent.lowest
        return normaliser(lambda z: plain_sum(self.sums[2:], lowest, z) / scale, lowest)

    def __call__(self, groups: Sequence[Group]) -> Floats:
        nodes = macro_nodes(self.model, self.graph, groups)
        return np.array([rho for some in batched(nodes, WIDTH) for rho in self._rhos(some)])

    def _rhos(self, nodes: Sequence[MacroNode]) -> Iterator[float]:
        roots = [float(r) for r in self._roots(nodes)]
        edges = []
        for node, root in zip(nodes, roots, strict=True):
            near = np.flatnonzero(node.edges)
            edges.append((near, self.options.d * node.edges[near] / self.root[near] / root))
        borders = self.resolvent.borders(edges)
        for node, root, border in zip(nodes, roots, borders, strict=True):
            yield self._rho(node, root, border)

    def _roots(self, nodes: Sequence[MacroNode]) -> Floats:
        frequency = np.array([node.frequency for node in nodes])
        return np.asarray(np.sqrt(divisors(frequency, self.options.discount)))

    def _rho(self, node: MacroNode, root: float, border: Border) -> float:
        d, lowest = self.options.d, self.resolvent.lowest
        scale = float(self.graph.own.sum() + node.own) if self.options.normalise else 1.0
        own, loop = (1 - d) * node.own / root / scale, d * node.loop / root**2

        def system(total: Total) -> tuple[Any, ...]:
            terms = self.resolvent.terms(border, total)
            return total[2:], terms, tuple(border.rest), loop, own

        rho, z = bordered(*system(self.sums), root, scale, lowest, self.near)
        if self.options.discount == "once":  # after the last iteration, then normalised again
            rho, total = solved(*system(self.shares), node.frequency, scale, lowest, z)
            rho /= total
        return float(rho)
