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
neither stored nor decomposed. Before that, how long the border is in the rest of the space bounds
the continued fraction, which often is enough to leave a border out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigsh

from touchline.core.arrays import Floats, Ints
from touchline.core.batches import batched
from touchline.methods.pairrank.ranking._kernels import (
    WIDTH,
    edges_seen,
    projected,
    remainders,
)

# Components up to this size are decomposed as a whole.
SMALL = 200
# In large components, eigenvalues below this share of the largest one are left to the series.
SHARE = 0.25
# How many eigenvectors of the large components are looked for first.
FIRST = 64
# A series ends where its terms are below this share of the first.
VANISHED = 1e-16
# How far a bound is from what rounding may have made of it.
ROUNDING = 1e-12
# Terms of a series in the powers of a half, exact up to rounding.
TERMS = 56


class Total(NamedTuple):
    """A weighted sum over all nodes as a function of z.

    `weights` are those in the basis. The sum of the graph as it is has `poles` with `residues`, and
    `moments`, the series of the rest of the space. `rows` are for each node there the series of the
    source, then as many terms of the sum's.
    """

    weights: Floats
    poles: Floats
    residues: Floats
    moments: Floats
    rows: Floats


class Borders(NamedTuple):
    """The edges of new nodes: to which nodes, and how the graph sees them.

    `first`, `places` and `coordinates` are theirs in the basis, `series` the sums of rows.
    """

    ends: Ints
    near: Ints
    edges: Floats
    first: Ints
    places: Ints
    coordinates: Floats
    series: Floats

    @property
    def seen(self) -> tuple[Ints, Ints, Floats, Floats]:
        return self.first, self.places, self.coordinates, self.series


class Fractions(NamedTuple):
    """Borders with themselves in the rest of the space: continued fractions in z, and how deep."""

    squares: Floats
    diagonals: Floats
    besides: Floats
    depth: Ints


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
        return np.asarray(projected(every, vector, self._basis, len(self.values)))

    @property
    def _basis(self) -> tuple[Ints, Ints, Ints, Floats]:
        return self.first, self.width, self.start, self.vectors

    @property
    def known(self) -> tuple[Floats, Floats]:
        """The values of the basis, and what the source has of each."""
        return self.values, self.source

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
        width = max(series.shape[1], self.series.shape[1])
        rows = np.hstack([_widened(self.series, width), _widened(series, width)])
        return Total(weights, self.values[near], residues[near], moments, rows)

    def borders(self, ends: Ints, near: Ints, edges: Floats, total: Total) -> Borders:
        """New nodes, each given by its neighbours and its edges to them."""
        seen = edges_seen(
            ends, near, edges, self._basis, len(self.values), self.position, total.rows
        )
        return Borders(ends, near, edges, *seen)

    def bounds(self, borders: Borders) -> tuple[Fractions, Fractions]:
        """Between what the fractions are, all eigenvalues of the rest being small."""
        count = len(borders.ends) - 1
        node, of = (np.repeat(np.arange(count), np.diff(e)) for e in (borders.ends, borders.first))
        whole = np.where(self.position[borders.near] >= 0, borders.edges, 0.0) ** 2
        known = np.where(borders.places >= self.last, borders.coordinates, 0.0) ** 2
        whole = np.bincount(node, whole, count)
        squares = np.maximum(whole - np.bincount(of, known, count), 0.0) + ROUNDING * whole
        far = SHARE * self.lowest
        low, high = (np.full((count, 1), end) for end in (-far, far))
        once, nothing = np.ones(count, dtype=np.int64), np.zeros((count, 1))
        return Fractions(squares, low, nothing, once), Fractions(squares, high, nothing, once)

    def fractions(self, borders: Borders, which: Ints) -> Fractions:
        """Those of some of the borders, or of none."""
        if len(self.large) == 0 or len(which) == 0:
            nothing = np.zeros((len(which), 0))
            return Fractions(np.zeros(len(which)), nothing, nothing, np.zeros(len(which), np.int64))
        parts = [self._fractions(borders, some) for some in batched(which.tolist(), WIDTH)]
        return Fractions(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def _fractions(self, borders: Borders, some: Sequence[int]) -> tuple[np.ndarray, ...]:
        block = np.zeros((len(self.large), WIDTH))
        leading = np.zeros((self.leading.shape[1], WIDTH))
        for c, g in enumerate(some):
            own, seen = slice(*borders.ends[g : g + 2]), slice(*borders.first[g : g + 2])
            at, places = self.position[borders.near[own]], borders.places[seen] - self.last
            block[at[at >= 0], c] = borders.edges[own][at >= 0]
            leading[places[places >= 0], c] = borders.coordinates[seen][places >= 0]
        squares, diagonal, beside, depth = remainders(
            block, leading, self.leading, self.rest.indptr, self.rest.indices, self.rest.data,
            self.lowest,
        )  # fmt: skip
        found = squares, diagonal.T, beside.T, depth
        return tuple(np.ascontiguousarray(part[: len(some)]) for part in found)


def _widened(rows: Floats, width: int) -> Floats:
    return np.pad(rows, ((0, 0), (0, width - rows.shape[1])))


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
