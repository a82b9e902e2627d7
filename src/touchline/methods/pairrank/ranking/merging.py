"""The popularity of a macro-event: PairRank on the graph with one more node (Algorithm 4, 2(c)).

A model is trained on all pairs of the macro-event. The confidence and the rank of a macro-event
under a model are the best of its members' (Algorithm 2). The frequency of its type is that of its
rarest member: the paper names none, and this reading comes nearest to its figures.

`literal.py` runs PairRank once for each macro-event, as printed. `Bordered` gives the same values
from one eigendecomposition of the graph, component by component: with F the frequencies and A the
edges, rho is a fixed point of z rho = F^-1 ((1 - d) c + d A rho) where z is the sum before
normalisation. In the basis that makes F^-1/2 A F^-1/2 diagonal a further node is a border of that
system, and what is left is to find the one number z for which rho sums to 1.

The values are the same where ties share a rank (`dense`). With other ranks of ties the literal
search counts the macro-event as one more competitor of the pairs that are liked less than it;
`Bordered` leaves the ranks of single pairs as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec
import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from touchline.core.arrays import Floats
from touchline.methods.pairrank.ranking._kernels import bordered, solved
from touchline.methods.pairrank.ranking.graph import Ties, rank_liked
from touchline.methods.pairrank.ranking.macro_events import Group
from touchline.methods.pairrank.ranking.pair_rank import RankOptions, divisors, normaliser


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
    mutual = np.flatnonzero((gives > 0) & np.isfinite(takes))
    edges = np.zeros(len(confidence))
    edges[mutual] = (gives[mutual] * takes[mutual]) ** -graph.power
    best = max(members, key=lambda member: confidence[member])
    own = max(float(confidence[best]), 0.0)
    loop = float(gives[best]) ** (-2 * graph.power) if own > 0 else 0.0
    return MacroNode(edges, loop, own, float(graph.frequency[members].min()))


class Bordered:
    """Popularities of macro-events from one eigendecomposition of the graph of single pairs."""

    def __init__(self, model: Model, graph: Graph, options: RankOptions) -> None:
        self.model, self.graph, self.options = model, graph, options
        self.root = np.sqrt(divisors(graph.frequency, options.discount))
        self.basis = _Eigenbasis(graph.edges, self.root)
        everybody = np.arange(len(self.root))
        self.sums = self.basis.coordinates(everybody, 1 / self.root)
        self.shares = self.basis.coordinates(everybody, 1 / graph.frequency)
        self.source = (1 - options.d) * self.basis.coordinates(everybody, graph.own / self.root)
        self.near = self._normaliser()

    def _normaliser(self) -> float:
        """That of the graph of single pairs, which that of a graph with one node more is near."""
        scale = self.graph.own.sum() if self.options.normalise else 1.0
        weights, poles = self.sums * self.source, self.options.d * self.basis.values
        if not self.graph.own.any():
            return 1.0
        return normaliser(lambda z: float(np.sum(weights / (z - poles)) / scale), poles.max())

    def __call__(self, groups: Sequence[Group]) -> Floats:
        return np.array([self._rho(node) for node in macro_nodes(self.model, self.graph, groups)])

    def _rho(self, node: MacroNode) -> float:
        d = self.options.d
        root = float(np.sqrt(divisors(np.array([node.frequency]), self.options.discount))[0])
        scale = self.graph.own.sum() + node.own if self.options.normalise else 1.0
        source, own = self.source / scale, (1 - d) * node.own / root / scale
        near = np.flatnonzero(node.edges)
        border = self.basis.coordinates(near, node.edges[near] / self.root[near]) / root
        loop = node.loop / root**2
        system = source, border, np.flatnonzero(border), loop, own
        rho, z = bordered(self.basis.values, self.sums, *system, root, d, self.near)
        if self.options.discount == "once":  # after the last iteration, then normalised again
            rho, total = solved(self.basis.values, self.shares, *system, node.frequency, d, z)
            rho /= total
        return float(rho)


class _Eigenbasis:
    """Eigenvalues and eigenvectors of F^-1/2 A F^-1/2, one connected component after the other."""

    def __init__(self, edges: sparse.csr_matrix, root: Floats) -> None:
        count, self.component = connected_components(edges, directed=False)
        order = np.argsort(self.component, kind="stable")
        sizes = np.bincount(self.component, minlength=count)
        self.ends = np.concatenate([[0], np.cumsum(sizes)])
        self.place = np.empty(len(root), dtype=np.int64)  # of each node in its component
        self.place[order] = np.arange(len(root)) - np.repeat(self.ends[:-1], sizes)
        ordered = edges[order][:, order]
        self.values, self.vectors = np.empty(len(root)), []
        for start, end in zip(self.ends[:-1], self.ends[1:], strict=True):
            block = ordered[start:end, start:end].toarray()
            roots = root[order[start:end]]
            block /= roots
            block /= roots[:, None]
            self.values[start:end], vectors = np.linalg.eigh(block)
            self.vectors.append(vectors)

    def coordinates(self, nodes: np.ndarray, weights: Floats) -> Floats:
        """In this basis, the vector that has these weights at these nodes and is 0 elsewhere."""
        found = np.zeros(len(self.values))
        components = self.component[nodes]
        for c in np.unique(components).tolist():
            here = components == c
            rows = self.vectors[c][self.place[nodes[here]]]
            found[self.ends[c] : self.ends[c + 1]] = weights[here] @ rows
        return found
