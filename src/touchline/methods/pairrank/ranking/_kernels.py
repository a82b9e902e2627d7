"""Numba kernels of macro-event search. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from touchline.methods.compiled import kernel
from touchline.methods.lanes import alike, load, minus, plus, plus_products, store, total

# Secants need about five; halving alone, fifty.
MAX_STEPS = 100
# Borders that go through the edges together: their numbers are the lanes of a register.
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
    `lowest` itself, is lost in rounding. No column's numbers depend on its neighbours. A row of
    WIDTH numbers fills the lanes of a register.
    """
    size = len(block)
    now, before, after = block.ravel(), np.zeros(size * WIDTH), np.zeros(size * WIDTH)
    _project_out(now, leading.ravel(), vectors)
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
        _scale(now, np.where(length > 0.0, 1.0 / length, 0.0))
        _times(indptr, indices, data, now, after)
        diagonal[step] = _dots(now, after)
        _subtract(after, diagonal[step], now, length, before)
        beside[step] = _dots(after, after)
        length = np.sqrt(beside[step])
        share = share * beside[step] / (lowest * lowest)
        now, before, after = after, now, before
    return squares, diagonal, beside, depth


@kernel
def _project_out(columns, leading, vectors):
    """Take away the part of each column in the span of the leading eigenvectors."""
    for i in range(len(vectors)):
        row, own = vectors[i], load(columns, i * WIDTH)
        for j in range(len(row)):
            own = minus(own, row[j], load(leading, j * WIDTH))
        store(columns, i * WIDTH, own)


@kernel
def _scale(columns, factors):
    """Multiply each column by its factor."""
    by = load(factors, 0)
    for at in range(0, len(columns), WIDTH):
        store(columns, at, plus_products(alike(0.0), by, load(columns, at)))


@kernel
def _subtract(columns, first, now, second, before):
    """Take away multiples of the columns of two others."""
    one, two = load(-first, 0), load(-second, 0)
    for at in range(0, len(columns), WIDTH):
        own = plus_products(load(columns, at), one, load(now, at))
        store(columns, at, plus_products(own, two, load(before, at)))


@kernel
def _dots(left, right):
    """The inner product of each column of one with that of the other."""
    found, sums = np.empty(WIDTH), alike(0.0)
    for at in range(0, len(left), WIDTH):
        sums = plus_products(sums, load(left, at), load(right, at))
    store(found, 0, sums)
    return found


@kernel
def _times(indptr, indices, data, columns, found):
    """A sparse matrix times WIDTH columns, whose sums stay in a register."""
    for i in range(len(indptr) - 1):
        sums = alike(0.0)
        for k in range(indptr[i], indptr[i + 1]):
            sums = plus(sums, data[k], load(columns, indices[k] * WIDTH))
        store(found, i * WIDTH, sums)


@kernel
def lanczos(indptr, indices, data, weights, vectors, diagonal, beside, sums, size, stop):
    """Add vectors to a Lanczos basis of `size` until it has `stop`; its size, if complete.

    `vectors` holds one vector more than the basis, the next, and `sums` the products of all with
    the weights. `beside[i]` is what comes beside `diagonal[i]` in the tridiagonal matrix. Rows are
    padded with zeros to whole registers.
    """
    largest = np.abs(diagonal[:size]).max() if size else 0.0
    while size < stop:
        now, after = vectors[size], vectors[size + 1]
        _product(indptr, indices, data, now, after)
        if size:
            _add(after, -beside[size - 1], vectors[size - 1])
        diagonal[size] = _dot(now, after)
        _add(after, -diagonal[size], now)
        length = np.sqrt(_dot(after, after))
        largest = max(largest, abs(diagonal[size]))
        size += 1
        if length <= 1e-13 * largest:
            return size, True
        beside[size - 1] = length
        _add(after, 1.0 / length - 1.0, after)
        sums[size] = _dot(after, weights)
    return size, False


@kernel
def _product(indptr, indices, data, vector, found):
    """A sparse matrix times a vector; numba checks signed places for being negative."""
    end = np.uint64(indptr[0])
    for i in range(len(indptr) - 1):
        start, end = end, np.uint64(indptr[i + 1])
        value = 0.0
        for k in range(start, end):
            value += data[k] * vector[np.uint64(indices[k])]
        found[i] = value


@kernel
def _add(vector, factor, other):
    """Add a multiple of a vector to another; both fill whole registers."""
    for at in range(0, len(vector), WIDTH):
        store(vector, at, plus(load(vector, at), factor, load(other, at)))


@kernel
def _dot(left, right):
    """The inner product of two vectors that fill whole registers."""
    sums = alike(0.0)
    for at in range(0, len(left), WIDTH):
        sums = plus_products(sums, load(left, at), load(right, at))
    return total(sums)


@kernel
def tridiagonal(diagonal, beside, scale, z, first, found):
    """Solve (z - scale T) x = (first, 0, 0, ...); whether that matrix is positive definite."""
    size = len(diagonal)
    pivots = np.empty(size)
    right = first
    for i in range(size):
        pivots[i] = z - scale * diagonal[i]
        if i > 0:
            ratio = scale * beside[i - 1] / pivots[i - 1]
            pivots[i] -= ratio * scale * beside[i - 1]
            right *= ratio
        if not pivots[i] > 0.0:
            return False
        found[i] = right / pivots[i]
    for left in range(1, size):
        i = size - 1 - left
        found[i] += scale * beside[i] / pivots[i] * found[i + 1]
    return True
