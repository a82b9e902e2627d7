"""The popularity of a macro-event: PairRank on the graph with one more node (Algorithm 4, 2(c)).

A model is trained on all pairs of the macro-event. The confidence and the rank of a macro-event
under a model are the best of its members' (Algorithm 2). The frequency of its type is that of its
rarest member: the paper names none, and this reading comes nearest to its figures.

`literal.py` runs PairRank once for each macro-event, as printed. `Bordered` gives the same values
from the graph of single pairs alone: with F the frequencies and A the edges, rho is a fixed point
of z rho = F^-1 ((1 - d) c + d A rho) where z is the sum before normalisation. A further node is a
border of the symmetric system with M = d F^-1/2 A F^-1/2. What (z - M)^-1 is between the border,
the source and the sums is a short function of z (`resolvent.py`), and what is left is to find the
one number z for which rho sums to 1. Of groups that are compared only the best one's value is
needed: bounds, for which the edges are not gone through, leave out most of the others.

The values are the same where ties share a rank (`dense`). With other ranks of ties the literal
search counts the macro-event as one more competitor of the pairs that are liked less than it;
`Bordered` leaves the ranks of single pairs as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
from scipy import sparse

from touchline.core.arrays import Floats, Ints
from touchline.methods.pairrank.ranking._kernels import (
    mutual,
    plain_sum,
    popularities,
    shares,
)
from touchline.methods.pairrank.ranking.graph import Ties, rank_liked
from touchline.methods.pairrank.ranking.macro_events import Group, Rivals
from touchline.methods.pairrank.ranking.pair_rank import RankOptions, divisors, normaliser
from touchline.methods.pairrank.ranking.resolvent import Borders, Fractions, Resolvent

# Bounds of popularity are no closer than this share of it.
SLACK = 1e-9


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


class MacroNodes(NamedTuple):
    """Macro-events as nodes: edges to pairs, loop, self-confidence, frequency of each.

    Those of node g are `edges[ends[g]:ends[g + 1]]`, to the pairs `near` at these places.
    """

    ends: Ints
    near: Ints
    edges: Floats
    loop: Floats
    own: Floats
    frequency: Floats


def macro_nodes(model: Model, graph: Graph, groups: Sequence[Group]) -> Iterator[MacroNodes]:
    """The nodes of macro-events, some at a time."""
    by_pair = graph.ranks.tocsc()
    for block, confidences in model.confidences(model.train(groups)):
        yield _macro_nodes(graph, by_pair, groups[block], confidences)


def _macro_nodes(
    graph: Graph, by_pair: sparse.csc_matrix, groups: Sequence[Group], confidences: Floats
) -> MacroNodes:
    starts = np.cumsum([0, *map(len, groups)])
    members = np.array([pair for group in groups for pair in group])
    ends, near, gives, takes, rank = mutual(
        (by_pair.indptr, by_pair.indices, by_pair.data), (starts, members),
        rank_liked(confidences, graph.ties), confidences.shape[1],
    )  # fmt: skip
    whose = np.repeat(np.arange(len(groups)), np.diff(starts))
    return MacroNodes(
        ends=ends,
        near=near,
        edges=(gives * takes) ** -graph.power,
        loop=rank ** (-2 * graph.power),
        own=np.maximum(np.maximum.reduceat(confidences[whose, members], starts[:-1]), 0.0),
        frequency=np.minimum.reduceat(graph.frequency[members], starts[:-1]),
    )


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
        return normaliser(lambda z: plain_sum(self.sums[1:4], lowest, z) / scale, lowest)

    def __call__(self, groups: Sequence[Group], rivals: Rivals | None = None) -> Floats:
        """Popularity of each group; with rivals, nothing of those that cannot be the best."""
        found, start = [np.zeros(0)], 0
        for nodes in macro_nodes(self.model, self.graph, groups):
            end = start + len(nodes.loop)
            found.append(self._values(nodes, rivals and rivals.part(start, end)))
            start = end
        return np.concatenate(found)

    def _values(self, nodes: MacroNodes, rivals: Rivals | None) -> Floats:
        root = np.sqrt(divisors(nodes.frequency, self.options.discount))
        of = np.repeat(root, np.diff(nodes.ends))
        edges = self.options.d * nodes.edges / self.root[nodes.near] / of
        border = nodes.ends, nodes.near, edges
        borders = self.resolvent.borders(*border, self.sums)
        which = np.arange(len(root))
        if rivals is not None and len(self.resolvent.large):
            low, high = (
                self._rhos(nodes, root, borders, which, rests)
                for rests in self.resolvent.bounds(borders)
            )
            which = _contenders(low, high, rivals)
        values = np.full(len(root), -np.inf)
        rests = self.resolvent.fractions(borders, which)
        values[which] = self._rhos(nodes, root, borders, which, rests)
        return values

    def _rhos(
        self, nodes: MacroNodes, root: Floats, borders: Borders, which: Ints, rests: Fractions
    ) -> Floats:
        """Popularities of some of the nodes. They grow with the fractions."""
        d, lowest, known = self.options.d, self.resolvent.lowest, self.resolvent.known
        scale = np.full(len(root), 1.0)
        if self.options.normalise:
            scale = self.graph.own.sum() + nodes.own
        loop, own = d * nodes.loop / root**2, (1 - d) * nodes.own / root / scale
        rho, z = popularities(which, self.sums[:-1], known, borders.seen, tuple(rests),
                              (loop, own, root, scale), lowest, self.near)  # fmt: skip
        if self.options.discount == "once":  # after the last iteration, then normalised again
            again = self.resolvent.borders(*borders[:3], self.shares)
            rho = shares(which, self.shares[:-1], known, again.seen, tuple(rests),
                         (loop, own, nodes.frequency, scale), lowest, z)  # fmt: skip
        return np.asarray(rho)


def _contenders(low: Floats, high: Floats, rivals: Rivals) -> Ints:
    """Those that may be the most popular of their rivals, given bounds of their popularity."""
    sentences, of = np.unique(rivals.sentences, return_inverse=True)
    best = np.zeros(len(sentences))
    np.maximum.at(best, of, np.maximum(low, rivals.least))
    return np.flatnonzero(high >= best[of] * (1 - SLACK))
