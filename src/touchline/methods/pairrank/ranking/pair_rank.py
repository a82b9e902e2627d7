"""PairRank: the popularity of pairs on the graph of mutual likeness (Algorithm 3, Equation 2).

    rho(p) = (1 - d) Conf(M_p, p) + d sum_q rho(q) / (rank(M_p, q) rank(M_q, p))

then divided by the frequency of the event's type and normalised, until nothing changes. Iterated
as printed this can take thousands of rounds: where two rare event types are about equally
popular, nearly equal eigenvalues hold each other up. What it converges to is a fixed point,

    z rho = F^-1 ((1 - d) c + d A rho),   sum rho = 1,

with A the edges, c the self-confidences, F the frequencies and z the sum before normalisation.
F^-1/2 A F^-1/2 is symmetric, so a short Lanczos basis started at c holds the answer for every z,
and the one number z is found by bisection. `iterate` is the algorithm as printed.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from scipy import sparse
from scipy.linalg import eigh_tridiagonal

from touchline.core.arrays import Floats, Ints
from touchline.core.errors import TouchlineError

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
    root = np.sqrt(divisor)
    basis = _Lanczos(edges, root, source / root)
    alphas: list[float] = []
    betas: list[float] = []
    max_steps = min(len(source), options.steps)
    change = np.inf
    for step in range(1, max_steps + 1):
        alpha, beta = basis.step()
        alphas.append(alpha)
        done = beta <= 1e-13 * max(abs(a) for a in alphas) or step == max_steps
        if done or step % 20 == 0:
            values, vectors = eigh_tridiagonal(alphas, betas)
            start = basis.length * vectors[0]
            sums = (basis.vectors[:step] @ (1 / root)) @ vectors
            z = normaliser(options.d * values, start * sums)
            small = vectors @ (start / (z - options.d * values))
            rho = (small @ basis.vectors[:step]) / root
            moved = source + options.d * (edges @ rho)
            change = float(np.abs(_shared(moved / divisor) - rho).sum())
            if change < options.epsilon:
                return np.asarray(np.maximum(rho, 0.0))
        if done:
            break
        betas.append(beta)
    raise NotConvergedError(max_steps, change)


class _Lanczos:
    """An orthonormal basis of the Krylov space of F^-1/2 A F^-1/2, one vector a step."""

    def __init__(self, edges: sparse.csr_matrix, root: Floats, start: Floats) -> None:
        self.edges, self.root = edges, root
        self.length = float(np.linalg.norm(start))
        self.vectors = np.zeros((16, len(start)))
        self.vectors[0] = start / self.length
        self.size = 0

    def step(self) -> tuple[float, float]:
        """Add a vector; the diagonal and the next off-diagonal entry of the tridiagonal matrix."""
        now = self.vectors[self.size]
        after = (self.edges @ (now / self.root)) / self.root
        alpha = float(now @ after)
        self.size += 1
        for _ in range(2):  # twice is enough to stay orthogonal
            known = self.vectors[: self.size]
            after = after - known.T @ (known @ after)
        beta = float(np.linalg.norm(after))
        if self.size == len(self.vectors):
            self.vectors = np.concatenate([self.vectors, np.zeros_like(self.vectors)])
        if beta > 0:
            self.vectors[self.size] = after / beta
        return alpha, beta


def normaliser(poles: Floats, weights: Floats) -> float:
    """The z above all poles at which sum of weights / (z - poles) is 1; it falls with z."""
    low = float(poles.max())
    high = max(low, 0.0) + float(np.abs(weights).sum()) + 1e-300
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if float(np.sum(weights / (middle - poles))) > 1:
            low = middle
        else:
            high = middle
    return high
