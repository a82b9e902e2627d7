"""Numba kernel of macro-event search. Arrays in, arrays out."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def bordered(values, sums, source, border, loop, own, root, d):
    """Popularity of one node more, for a graph given in its eigenbasis.

    With eigenvalues `values`, the border, the source and the sums in their basis, the value of
    the new node and the sum of all nodes are rational functions of the normaliser z; z is where
    the sum is 1, found by bisection between the largest pole and a z at which the sum is less.
    """
    low, high = d * values[-1], 1.0
    while _at(values, sums, source, border, loop, own, root, d, high)[1] > 1.0:
        low, high = high, 2.0 * high
    while True:
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high or high - low < 1e-14 * high:
            break
        if _at(values, sums, source, border, loop, own, root, d, middle)[1] > 1.0:
            low = middle
        else:
            high = middle
    return _at(values, sums, source, border, loop, own, root, d, high)[0]


@numba.njit(cache=True, nogil=True)
def _at(values, sums, source, border, loop, own, root, d, z):
    """The new node's popularity and the sum of all at a normaliser z."""
    left, value, plain, through = z - d * loop, own, 0.0, 0.0
    for i in range(len(values)):
        inverse = 1.0 / (z - d * values[i])
        left -= d * d * border[i] * border[i] * inverse
        value += d * border[i] * inverse * source[i]
        plain += sums[i] * inverse * source[i]
        through += d * sums[i] * inverse * border[i]
    if left <= 0.0:  # z lies below the largest eigenvalue of the bordered graph
        return np.inf, np.inf
    value /= left
    return value / root, plain + through * value + value / root
