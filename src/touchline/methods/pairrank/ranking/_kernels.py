"""Numba kernel of macro-event search. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from touchline.methods.compiled import kernel

# Secants need about five; halving alone, fifty.
MAX_STEPS = 100


@kernel
def bordered(values, sums, source, border, near, loop, own, root, d, guess):
    """Popularity of one node more, for a graph given in its eigenbasis, and the normaliser.

    With eigenvalues `values`, the border, the source and the sums in their basis, the value of
    the new node and the sum of all nodes are rational functions of the normaliser z; z is where
    the sum is 1, above the largest pole. One over the sum is nearly proportional to z, and `guess`,
    the normaliser of the graph without the node, is near: secants from there need few steps. A step
    that leaves the interval known to hold z halves it instead.
    """
    low, high = d * values.max(), np.inf
    before, was = 0.0, -1.0  # one over the sum is 0 for a graph without a normaliser
    z = max(guess, low * (1.0 + 1e-12))
    for _ in range(MAX_STEPS):
        now = 1.0 / solved(values, sums, source, border, near, loop, own, root, d, z)[1] - 1.0
        if now < 0.0:
            low = max(low, z)
        else:
            high = min(high, z)
        after = z - now * (z - before) / (now - was)
        if not low < after < high:
            after = 2.0 * z if high == np.inf else 0.5 * (low + high)
        if now == 0.0 or abs(after - z) <= 2e-15 * z:
            break
        before, was, z = z, now, after
    return solved(values, sums, source, border, near, loop, own, root, d, z)[0], z


@kernel
def solved(values, sums, source, border, near, loop, own, root, d, z):
    """The new node's popularity and the sum of all at a normaliser z.

    `near` are the places at which the border is not 0: few, for it reaches few components.
    """
    left, value, through = z - d * loop, own, 0.0
    for i in near:
        inverse = 1.0 / (z - d * values[i])
        left -= d * d * border[i] * border[i] * inverse
        value += d * border[i] * inverse * source[i]
        through += d * sums[i] * inverse * border[i]
    if left <= 0.0:  # z lies below the largest eigenvalue of the bordered graph
        return np.inf, np.inf
    value /= left
    return value / root, _plain(values, sums, source, d, z) + through * value + value / root


@kernel
def _plain(values, sums, source, d, z):
    """The sum over the graph without the node, in four parts that need not wait for each other."""
    first = second = third = fourth = 0.0
    whole = len(values) - len(values) % 4
    for i in range(0, whole, 4):
        first += sums[i] * source[i] / (z - d * values[i])
        second += sums[i + 1] * source[i + 1] / (z - d * values[i + 1])
        third += sums[i + 2] * source[i + 2] / (z - d * values[i + 2])
        fourth += sums[i + 3] * source[i + 3] / (z - d * values[i + 3])
    for i in range(whole, len(values)):
        first += sums[i] * source[i] / (z - d * values[i])
    return first + second + third + fourth
