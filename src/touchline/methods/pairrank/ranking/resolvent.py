"""What one more node of the graph needs of all others, without solving for them each time.

With M the scaled edges, that is (z - M)^-1 between the node's border, the source and the sums, for
any z above the largest eigenvalue of M. It comes from three places:

- Small components have all their eigenvectors: there the border is a few numbers over z - lambda.
- The large ones have only the eigenvectors whose eigenvalues are not small beside the largest. In
  the rest of the space M is so small that its powers vanish: what source and sums give there is a
  short series in 1/z, whose vectors are computed once.
- What the border gives there with itself is a continued fraction in z, from a few steps of Lanczos
  on the sparse graph, for several borders at a time.

So the edges are gone through a few times for each border, and a dense matrix of all pairs is
neither stored nor decomposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigsh

from touchline.core.arrays import Floats, Ints
from touchline.methods.pairrank.ranking._kernels import WIDTH, projected, remainders, summed

# Components up to this size are decomposed as a whole.
SMALL = 200
# In large components, eigenvalues below this share of the largest one are left to the series.
SHARE = 0.15
# How many eigenvectors of the large components are looked for first.
FIRST = 48
# A series ends where its terms are below this share of the first.
VANISHED = 1e-16
# Terms of a series in the powers of a half, exact up to rounding.
TERMS = 56


class Total(NamedTuple):
    """A weighted sum over all nodes as a function of z.

    `weights` are those in the basis, `series` (nodes x terms) those in the rest of the space. The
    sum of the graph as it is has `poles` with `residues`, and `moments`, the series of the rest.
    """

    weights: Floats
    series: Floats
    poles: Floats
    residues: Floats
    moments: Floats


class Fraction(NamedTuple):
    """A border with itself in the rest of the space: a continued fraction in z."""

    square: float
    diagonal: Floats
    beside: Floats


class Border(NamedTuple):
    """The edges of a new node: to which nodes, their coordinates in the basis, and the rest."""

    near: Ints
    edges: Floats
    places: Ints
    coordinates: Floats
    rest: Fraction


NOTHING = Fraction(0.0, np.zeros(0), np.zeros(0))


class Resolvent:
    """(z - M)^-1 of a symmetric sparse matrix as seen from a source, from sums, from borders."""

    def __init__(self, matrix: sparse.csr_matrix, source: Floats) -> None:
        count, component = connected_components(matrix, directed=False)
        sizes = np.bincount(component, minlength=count)
        self.values = np.zeros(0)
        self.first = np.zeros(len(source), dtype=np.int64)  # of a node's coordinates
        self.width = np.zeros(len(source), dtype=np.int64)  # and how many they are
        self.start = np.zeros(len(source), dtype=np.int64)  # of its row of the eigenvectors
        self.vectors = np.zeros(0)
        blocks = list(_small_blocks(matrix, component, sizes))
        self.large = np.flatnonzero(sizes[component] > SMALL)
        self.position = np.full(len(source), -1)
        self.position[self.large] = np.arange(len(self.large))
        self.rest = matrix[self.large][:, self.large]
        known = max((values[-1] for _, values, _ in blocks), default=0.0)
        self._keep([*blocks, (self.large, *_leading(self.rest, known))])
        self.lowest = max(float(self.values.max(initial=0.0)), np.finfo(float).tiny)
        self.source = self.coordinates(source)
        self.series = self._series(source)

    def _keep(self, blocks: Sequence[tuple[Ints, Floats, Floats]]) -> None:
        """Nodes, eigenvalues and eigenvectors of each block, one after the other."""
        place = row = 0
        for nodes, values, vectors in blocks:
            self.first[nodes], self.width[nodes] = place, len(values)
            self.start[nodes] = row + len(values) * np.arange(len(nodes))
            place, row = place + len(values), row + vectors.size
        self.values = np.concatenate([values for _, values, _ in blocks])
        self.vectors = np.concatenate([vectors.ravel() for _, _, vectors in blocks])
        self.last = len(self.values) - len(blocks[-1][1])  # from here on, of large components
        self.leading = np.ascontiguousarray(blocks[-1][2])

    def coordinates(self, vector: Floats) -> Floats:
        """Those of a vector in the basis."""
        every = np.arange(len(vector))
        return np.asarray(projected(every, vector, *self._basis))

    @property
    def _basis(self) -> tuple[Ints, Ints, Ints, Floats, int]:
        return self.first, self.width, self.start, self.vectors, len(self.values)

    def _series(self, vector: Floats) -> Floats:
        """(M / lowest)^j of the part of a vector in the rest of the space, until it vanishes."""
        terms = [self._without_leading(vector[self.large])]
        least = VANISHED * float(np.abs(terms[0]).max(initial=0.0))
        while np.abs(terms[-1]).max(initial=0.0) > least and len(terms) < len(self.large):
            terms.append(self._without_leading(self.rest @ terms[-1] / self.lowest))
        return np.ascontiguousarray(np.array(terms).T)

    def _without_leading(self, vector: Floats) -> Floats:
        """The part in the rest of the space; what rounding leaves of the others does not vanish."""
        return np.asarray(vector - self.leading @ (self.leading.T @ vector))

    def total(self, sums: Floats) -> Total:
        """The sum of the nodes' values with these weights."""
        weights, series = self.coordinates(sums), self._series(sums)
        residues = weights * self.source
        near = np.abs(self.values) > self.lowest / 2
        ratios = self.values[~near] / self.lowest
        moments = np.zeros(max(TERMS, self.series.shape[1]))
        power = residues[~near]
        for j in range(TERMS):
            moments[j] = power.sum()
            power = power * ratios
        moments[: self.series.shape[1]] += sums[self.large] @ self.series
        return Total(weights, series, self.values[near], residues[near], moments)

    def borders(self, several: Sequence[tuple[Ints, Floats]]) -> Iterator[Border]:
        """New nodes, each given by its neighbours and its edges to them; at most WIDTH of them."""
        found = [projected(near, edges, *self._basis) for near, edges in several]
        rests = self._rests(several, found) if len(self.large) else [NOTHING] * len(several)
        for (near, edges), coordinates, rest in zip(several, found, rests, strict=True):
            places = np.flatnonzero(coordinates)
            yield Border(near, edges, places, coordinates[places], rest)

    def _rests(
        self, several: Sequence[tuple[Ints, Floats]], found: Sequence[Floats]
    ) -> list[Fraction]:
        block = np.zeros((len(self.large), WIDTH))
        leading = np.zeros((self.leading.shape[1], WIDTH))
        for c, ((near, edges), coordinates) in enumerate(zip(several, found, strict=True)):
            inside = self.position[near] >= 0
            block[self.position[near[inside]], c] = edges[inside]
            leading[:, c] = coordinates[self.last :]
        squares, diagonal, beside, depth = remainders(
            block, leading, self.leading, self.rest.indptr, self.rest.indices, self.rest.data,
            self.lowest,
        )  # fmt: skip
        return [
            Fraction(float(squares[c]), diagonal[:n, c].copy(), beside[:n, c].copy())
            for c, n in enumerate(depth[: len(several)])
        ]

    def terms(self, border: Border, total: Total) -> tuple[Floats, ...]:
        """Poles; the border's squares there, its products with source and sums; their series."""
        own, at, inside = border.coordinates, border.places, self.position[border.near]
        return (
            self.values[at],
            own * own,
            own * self.source[at],
            own * total.weights[at],
            summed(inside, border.edges, self.series),
            summed(inside, border.edges, total.series),
        )


def _small_blocks(
    matrix: sparse.csr_matrix, component: Ints, sizes: Ints
) -> Iterator[tuple[Ints, Floats, Floats]]:
    """The nodes, eigenvalues and eigenvectors of each small component."""
    order = np.argsort(component, kind="stable")
    ordered = matrix[order][:, order]
    ends = np.cumsum(sizes)
    for size, end in zip(sizes.tolist(), ends.tolist(), strict=True):
        if size <= SMALL:
            start = end - size
            inside = slice(ordered.indptr[start], ordered.indptr[end])
            rows = np.repeat(np.arange(size), np.diff(ordered.indptr[start : end + 1]))
            block = np.zeros((size, size))
            block[rows, ordered.indices[inside] - start] = ordered.data[inside]
            yield order[start:end], *np.linalg.eigh(block)


def _leading(matrix: sparse.csr_matrix, known: float) -> tuple[Floats, Floats]:
    """The eigenvalues that are not small beside the largest, or a known one; their vectors."""
    size, count = matrix.shape[0], FIRST
    while 4 * count < size:
        values, vectors = eigsh(matrix, count, which="LM", v0=np.ones(size))
        least = SHARE * max(float(values.max()), known)
        if np.abs(values).min() < least:
            keep = np.abs(values) >= least
            return values[keep], vectors[:, keep]
        count *= 2
    values, vectors = np.linalg.eigh(matrix.toarray())
    return values, vectors
