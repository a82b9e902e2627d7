"""Numba kernels of macro-event search. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from touchline.methods.compiled import kernel

# Secants need about five; halving alone, fifty.
MAX_STEPS = 100
# Borders that go through the edges together: their numbers fill the processor's vectors.
WIDTH = 8
# Terms of a continued fraction; five or six are usual.
MAX_DEPTH = 60
# A continued fraction ends where what is left out is below this share of the whole.
LEFT_OUT = 1e-12


@kernel
def bordered(total, terms, fraction, loop, own, root, scale, lowest, guess):
    """Popularity of one node more, and the normaliser.

    The value of the new node and the sum of all nodes are functions of the normaliser z (see
    `solved`); z is where the sum is 1, above the largest pole. One over the sum is nearly
    proportional to z, and `guess`, the normaliser of the graph without the node, is near: secants
    from there need few steps. A step that leaves the interval known to hold z halves it instead.
    """
    low, high = lowest, np.inf
    before, was = 0.0, -1.0  # one over the sum is 0 for a graph without a normaliser
    z = max(guess, low * (1.0 + 1e-12))
    for _ in range(MAX_STEPS):
        now = 1.0 / solved(total, terms, fraction, loop, own, root, scale, lowest, z)[1] - 1.0
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
    return solved(total, terms, fraction, loop, own, root, scale, lowest, z)[0], z


@kernel
def solved(total, terms, fraction, loop, own, root, scale, lowest, z):
    """The new node's popularity and the sum of all at a normaliser z.

    `total` are poles, residues and moments of the sum without the node. `terms` are poles, and for
    each the border's square and its products with source and sums, then both products' series.
    """
    poles, residues, moments = total
    near, squares, sources, sums, source_series, sum_series = terms
    left, value, through = z - loop - continued(fraction, z), 0.0, 0.0
    for i in range(len(near)):
        inverse = 1.0 / (z - near[i])
        left -= squares[i] * inverse
        value += sources[i] * inverse
        through += sums[i] * inverse
    if left <= 0.0:  # z lies below the largest eigenvalue of the bordered graph
        return np.inf, np.inf
    value = (own + (value + _series(source_series, lowest, z)) / scale) / left
    through += _series(sum_series, lowest, z)
    plain = _series(moments, lowest, z)
    for i in range(len(poles)):
        plain += residues[i] / (z - poles[i])
    return value / root, plain / scale + through * value + value / root


@kernel
def plain_sum(total, lowest, z):
    """The sum over the graph without any more node."""
    poles, residues, moments = total
    plain = _series(moments, lowest, z)
    for i in range(len(poles)):
        plain += residues[i] / (z - poles[i])
    return plain


@kernel
def _series(moments, lowest, z):
    """Moments over the powers of z, those of `lowest` taken out."""
    ratio, found = lowest / z, 0.0
    for j in range(len(moments)):
        found = found * ratio + moments[len(moments) - 1 - j]
    return found / z


@kernel
def continued(fraction, z):
    """The square of a border over z, less its diagonal and what comes beside it, and so on."""
    square, diagonal, beside = fraction
    below = 0.0
    for j in range(len(diagonal)):
        at = len(diagonal) - 1 - j
        below = (beside[at - 1] if at > 0 else square) / (z - diagonal[at] - below)
    return below


@kernel
def projected(near, weights, first, width, start, vectors, size):
    """In the basis, the vector that has these weights at these nodes and is 0 elsewhere."""
    found = np.zeros(size)
    for k in range(len(near)):
        i, weight = near[k], weights[k]
        own = found[first[i] : first[i] + width[i]]
        row = vectors[start[i] : start[i] + width[i]]
        for j in range(len(own)):
            own[j] += weight * row[j]
    return found


@kernel
def summed(places, weights, rows):
    """The sum of rows, weighted; a place of -1 has none."""
    found = np.zeros(rows.shape[1])
    for k in range(len(places)):
        if places[k] >= 0:
            row = rows[places[k]]
            for j in range(len(row)):
                found[j] += weights[k] * row[j]
    return found


@kernel
def remainders(block, leading, vectors, indptr, indices, data, lowest):
    """Continued fractions of WIDTH borders outside the span of the leading eigenvectors.

    The columns of `block` are borders, those of `leading` their coordinates. Lanczos makes each a
    tridiagonal matrix, until what further steps could add to the fraction at `lowest`, beside
    `lowest` itself, is lost in rounding. No column's numbers depend on its neighbours.
    """
    size = len(block)
    now, before, after = block, np.zeros((size, WIDTH)), np.zeros((size, WIDTH))
    for i in range(size):
        for j in range(vectors.shape[1]):
            for c in range(WIDTH):
                now[i, c] -= vectors[i, j] * leading[j, c]
    squares = _dots(now, now)
    diagonal, beside = np.zeros((MAX_DEPTH, WIDTH)), np.zeros((MAX_DEPTH, WIDTH))
    depth = np.zeros(WIDTH, dtype=np.int64)
    share = squares / (lowest * lowest)
    length = np.sqrt(squares)
    for step in range(MAX_DEPTH):
        for c in range(WIDTH):
            if share[c] > LEFT_OUT:
                depth[c] = step + 1
        if share.max() <= LEFT_OUT:
            break
        inverse = np.where(length > 0.0, 1.0 / length, 0.0)
        for i in range(size):
            for c in range(WIDTH):
                now[i, c] *= inverse[c]
        _times(indptr, indices, data, now, after)
        diagonal[step] = _dots(now, after)
        for i in range(size):
            for c in range(WIDTH):
                after[i, c] -= diagonal[step, c] * now[i, c] + length[c] * before[i, c]
        beside[step] = _dots(after, after)
        length = np.sqrt(beside[step])
        share = share * beside[step] / (lowest * lowest)
        now, before, after = after, now, before
    return squares, diagonal, beside, depth


@kernel
def _dots(left, right):
    """The inner product of each column of one with that of the other."""
    found = np.zeros(WIDTH)
    for i in range(len(left)):
        for c in range(WIDTH):
            found[c] += left[i, c] * right[i, c]
    return found


@kernel
def _times(indptr, indices, data, columns, found):
    """A sparse matrix times WIDTH columns, whose sums stay in registers."""
    for i in range(len(found)):
        a = b = c = d = e = f = g = h = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            value, row = data[k], columns[indices[k]]
            a += value * row[0]
            b += value * row[1]
            c += value * row[2]
            d += value * row[3]
            e += value * row[4]
            f += value * row[5]
            g += value * row[6]
            h += value * row[7]
        own = found[i]
        own[0], own[1], own[2], own[3] = a, b, c, d
        own[4], own[5], own[6], own[7] = e, f, g, h
