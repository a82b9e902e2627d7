"""PairRank: the popularity of pairs on the graph of mutual likeness (Algorithm 3, Equation 2).

    rho(p) = (1 - d) Conf(M_p, p) + d sum_q rho(q) / (rank(M_p, q) rank(M_q, p))

then divided by the frequency of the event's type and normalised, until nothing changes. Iterated
as printed this can take thousands of rounds: where two rare event types are about equally
popular, nearly equal eigenvalues hold each other up. What it converges to is a fixed point,

    z rho = F^-1 ((1 - d) c + d A rho),   sum rho = 1,

with A the edges, c the self-confidences, F the frequencies and z the sum before normalisation.
F^-1/2 A F^-1/2 is symmetric, so a short Lanczos basis started at c holds the answer for every z,
and the one number z is found by secants. `iterate` is the algorithm as printed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
import numpy as np
from scipy import sparse
from scipy.linalg import eigvalsh_tridiagonal
from scipy.optimize import brentq

from touchline.core.arrays import Floats, Ints
from touchline.core.errors import TouchlineError
from touchline.methods.pairrank.ranking._kernels import WIDTH, lanczos, tridiagonal

# Steps after which the answer so far is tried.
CHECKED = 40
# Vectors for which there is room at first.
ROOM = 128

Discount = Literal["each", "once", "root", "none"]


class NotConvergedError(TouchlineError):
    """PairRank was still moving when its last iteration was done."""

    def __init__(self, iterations: int, change: float) -> None:
        super().__init__(f"PairRank did not converge in {iterations} steps (moved {change:.1e})")


class RankOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Readings of Section 3.2.

    `d` is the damping factor. `discount` says when rho is divided by the frequency of the event's
    type: at each iteration as printed, once at the end, each time by its square root, or never.
    `normalise` brings self-confidences to the scale of rho, which sums to 1; as printed they are
    about 1 each and outweigh popularity by far. `compete` (ours) lets the pairs of one sentence
    share its weight.
    """

    d: float = 0.5
    discount: Discount = "each"
    normalise: bool = True
    compete: bool = False
    epsilon: float = 1e-10
    steps: int = 2000


def pair_rank(
    edges: sparse.csr_matrix, confidence: Floats, frequency: Floats, options: RankOptions
) -> Floats:
    """Popularity of every pair: the fixed point of Algorithm 3.

    `confidence` are the models' confidences in their own pairs, `frequency` how often the type of
    each pair's event occurs.
    """
    own, divisor = _own(confidence, options), divisors(frequency, options.discount)
    if not own.any():
        return np.full(len(own), 1.0 / max(len(own), 1))
    rho = _fixed_point(edges, (1 - options.d) * own, divisor, options)
    return _shared(rho / frequency) if options.discount == "once" else rho


def iterate(
    edges: sparse.csr_matrix,
    confidence: Floats,
    frequency: Floats,
    options: RankOptions,
    sentence: Ints | None = None,
    prior: Floats | None = None,
) -> Floats:
    """The same by iteration as printed, which can also compete and weigh by a prior (ours)."""
    own, divisor = _own(confidence, options), divisors(frequency, options.discount)
    weight = np.ones(len(own)) if prior is None else prior
    rho = np.full(len(own), 1.0 / max(len(own), 1))
    change = 0.0
    for _ in range(options.steps):
        new = (1 - options.d) * own + options.d * (edges @ rho)
        new = _shared(new * weight / divisor, sentence if options.compete else None)
        change = float(np.abs(new - rho).sum())
        rho = new
        if change < options.epsilon:
            return _shared(rho / frequency) if options.discount == "once" else rho
    raise NotConvergedError(options.steps, change)


def divisors(frequency: Floats, discount: Discount) -> Floats:
    """What rho is divided by at each iteration."""
    if discount == "each":
        return frequency
    return np.sqrt(frequency) if discount == "root" else np.ones_like(frequency)


def _own(confidence: Floats, options: RankOptions) -> Floats:
    own = np.maximum(confidence, 0.0)
    return own / own.sum() if options.normalise and own.sum() > 0 else own


def _shared(rho: Floats, sentence: Ints | None = None) -> Floats:
    """Normalised to 1 in all, or to equal parts for each sentence."""
    if sentence is None:
        total = rho.sum()
        return rho / total if total > 0 else rho
    shares = np.bincount(sentence, weights=rho)
    return rho / np.where(shares > 0, shares, 1.0)[sentence] / len(np.unique(sentence))


def _fixed_point(
    edges: sparse.csr_matrix, source: Floats, divisor: Floats, options: RankOptions
) -> Floats:
    """The fixed point, looked for in a growing Krylov space until Algorithm 3 hardly moves it."""
    root = np.sqrt(divisor)
    basis = _Lanczos(edges, root, source / root)
    max_steps = min(len(source), options.steps)
    change, done = np.inf, False
    while not done:
        done = basis.grow(min(basis.size + CHECKED, max_steps)) or basis.size == max_steps
        rho = basis.solution(options.d) / root
        moved = source + options.d * (edges @ rho)
        change = float(np.abs(_shared(moved / divisor) - rho).sum())
        if change < options.epsilon:
            return np.asarray(np.maximum(rho, 0.0))
    raise NotConvergedError(max_steps, change)


class _Lanczos:
    """A basis of the Krylov space of S = F^-1/2 A F^-1/2, started at the source, a vector a step.

    In it S is a tridiagonal matrix T, so that a system with any z costs next to nothing. The
    vectors are not made orthogonal to all earlier ones again. As in conjugate gradients that costs
    some steps more and no accuracy, and it saves most of the time.
    """

    def __init__(self, edges: sparse.csr_matrix, root: Floats, start: Floats) -> None:
        of_row = np.repeat(root, np.diff(edges.indptr))
        scaled = edges.data / (of_row * root[edges.indices])
        self._inner = edges.indptr, edges.indices, scaled
        self._length = float(np.linalg.norm(start))
        self._nodes = len(start)
        self._weights = _padded(1 / root)
        self._vectors = np.empty((0, len(self._weights)))
        self._diagonal, self._beside, self._sums = np.zeros(0), np.zeros(0), np.zeros(0)
        self._reserve(ROOM)
        self._vectors[0] = _padded(start / self._length)
        self._sums[0] = self._vectors[0] @ self._weights
        self.size = 0

    def _reserve(self, room: int) -> None:
        """Room for so many vectors. It is not written to before they come, which takes time."""
        vectors = np.empty((room, len(self._weights)))
        vectors[: len(self._vectors)] = self._vectors
        parts = self._diagonal, self._beside, self._sums
        self._diagonal, self._beside, self._sums = (np.resize(part, room) for part in parts)
        self._vectors = vectors

    def grow(self, size: int) -> bool:
        """Grow to a size; whether the space is complete, perhaps before."""
        if size >= len(self._vectors):
            self._reserve(2 * size)
        self._vectors[self.size + 1 : size + 1, self._nodes :] = 0.0
        self.size, complete = lanczos(
            *self._inner, self._weights, self._vectors,
            self._diagonal, self._beside, self._sums, self.size, size,
        )  # fmt: skip
        return bool(complete)

    def solution(self, d: float) -> Floats:
        """The x in the space with (z - d S) x = source, for the z at which F^-1/2 x sums to 1."""
        size = self.size
        diagonal, beside, sums = self._diagonal[:size], self._beside[: size - 1], self._sums[:size]
        small = np.zeros(size)

        def summed(z: float) -> float:
            there = tridiagonal(diagonal, beside, d, z, self._length, small)
            return float(sums @ small) if there else np.inf

        largest = float(eigvalsh_tridiagonal(diagonal, beside, select="i",
                                             select_range=(size - 1, size - 1))[0])  # fmt: skip
        summed(normaliser(summed, d * largest))
        return np.asarray((small @ self._vectors[:size])[: self._nodes])


def _padded(vector: Floats) -> Floats:
    """With zeros at the end, so that it fills whole registers."""
    return np.pad(vector, (0, -len(vector) % WIDTH))


def normaliser(total: Callable[[float], float], low: float) -> float:
    """The z above `low`, the largest pole of a total that falls with z, at which the total is 1.

    One over the total is nearly linear in z, so that secants find it in few steps.
    """

    def excess(z: float) -> float:
        value = total(z)  # infinite at the pole, or negative where rounding took it past
        return 1 / value - 1 if value > 0 else -1.0

    high = max(low, 0.0) + 1.0
    while excess(high) < 0:
        high *= 2
    first = low + 1e-14 * high
    return (
        high if excess(first) >= 0 else float(brentq(excess, first, high, xtol=1e-300, rtol=1e-15))
    )
