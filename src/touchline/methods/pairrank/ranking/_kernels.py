"""Numba kernel of macro-event search. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from touchline.methods.compiled import kernel


@kernel
def bordered(values, sums, source, border, loop, own, root, d):
    """Popularity of one node more, for a graph given in its eigenbasis, and the normaliser.

    With eigenvalues `values`, the border, the source and the sums in their basis, the value of
    the new node and the sum of all nodes are rational functions of the normaliser z; z is where
    the sum is 1, between the largest pole and a z at which the sum is less. One over the sum is
    nearly linear in z, so it is found by secants (regula falsi, the Illinois way), and by halving
    whenever four steps have not shrunk the interval to a quarter.
    """
    low, high = d * values.max(), 1.0
    below, above = (
        -1.0,
        1.0 / solved(values, sums, source, border, loop, own, root, d, high)[1] - 1.0,
    )
    while above < 0.0:
        low, below, high = high, above, 2.0 * high
        above = 1.0 / solved(values, sums, source, border, loop, own, root, d, high)[1] - 1.0
    side, step, width = 0, 0, high - low
    while high - low >= 1e-14 * high:
        step += 1
        middle = low - below * (high - low) / (above - below)
        if step % 4 == 0:
            if high - low > 0.25 * width:
                middle = 0.5 * (low + high)
            width = high - low
        # Never on an end itself, so that the other end closes in too.
        middle = min(max(middle, low + 4e-15 * high), high - 4e-15 * high)
        if middle <= low or middle >= high:
            break
        now = 1.0 / solved(values, sums, source, border, loop, own, root, d, middle)[1] - 1.0
        if now < 0.0:
            low, below = middle, now
            above *= 0.5 if side < 0 else 1.0
            side = -1
        else:
            high, above = middle, now
            below *= 0.5 if side > 0 else 1.0
            side = 1
    return solved(values, sums, source, border, loop, own, root, d, high)[0], high


@kernel
def solved(values, sums, source, border, loop, own, root, d, z):
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
