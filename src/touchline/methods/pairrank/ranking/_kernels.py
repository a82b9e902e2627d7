"""Numba kernels of PairRank and of macro-event search. Arrays in, arrays out."""

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
def liked_ranks(confidences):
    """The pairs that each model likes, and their ranks, 1 for the one it likes most.

    Equal confidences have one rank and count once. Model m has places ends[m] to ends[m + 1].
    """
    count, size = confidences.shape
    ends = np.zeros(count + 1, dtype=np.int64)
    liked, ranks = np.empty(count * size, dtype=np.int32), np.empty(count * size, dtype=np.float32)
    for m in range(count):
        start = end = ends[m]
        for p in range(size):
            if confidences[m, p] > 0.0:
                liked[end] = p
                end += 1
        found = confidences[m][liked[start:end]]
        order, rank = _order(found), 1
        for k in range(len(order)):
            at = order[len(order) - 1 - k]
            if k > 0 and found[at] != found[order[len(order) - k]]:
                rank += 1
            ranks[start + at] = rank
        ends[m + 1] = end
    return ends, liked[:end].copy(), ranks[:end].copy()


@kernel
def _order(values):
    """Places of positive numbers, the smallest first.

    Their bits are in the same order as whole numbers, which are sorted byte by byte.
    """
    now, order = values.view(np.uint64).copy(), np.arange(len(values))
    after, moved = np.empty_like(now), np.empty_like(order)
    for shift in range(0, 64, 8):
        first = np.zeros(257, dtype=np.int64)
        for i in range(len(now)):
            first[_byte(now[i], shift) + 1] += 1
        if first.max() == len(now):
            continue  # a byte that all have
        for b in range(256):
            first[b + 1] += first[b]
        for i in range(len(now)):
            own = _byte(now[i], shift)
            after[first[own]], moved[first[own]] = now[i], order[i]
            first[own] += 1
        now, after, order, moved = after, now, moved, order
    return order


@kernel
def _byte(number, shift):
    return (number >> np.uint64(shift)) & np.uint64(255)


@kernel
def mutual(by_pair, groups, liked, size):
    """For each group of pairs the pairs that it likes and whose models like it, and both ranks.

    The rank of a group under a model is that of its best member. `by_pair` are the ranks of single
    pairs by the liked one. All are starts, places and what is there. With them each group's rank
    under its own model, infinite where it likes no member.
    """
    first, models, given = by_pair
    starts, members = groups
    begins, pairs, ranks = liked
    count = len(starts) - 1
    ends, own = np.zeros(count + 1, dtype=np.int64), np.full(count, np.inf)
    near, gives, takes = np.empty_like(pairs), np.empty(len(pairs)), np.empty(len(pairs))
    best = np.full(size, np.inf, dtype=np.float32)
    for g in range(count):
        for member in members[starts[g] : starts[g + 1]]:
            for k in range(first[member], first[member + 1]):
                best[models[k]] = min(best[models[k]], given[k])
        end = ends[g]
        for k in range(begins[g], begins[g + 1]):
            if best[pairs[k]] < np.inf:
                near[end], gives[end], takes[end] = pairs[k], ranks[k], best[pairs[k]]
                end += 1
        ends[g + 1] = end
        for member in members[starts[g] : starts[g + 1]]:
            at = begins[g] + np.searchsorted(pairs[begins[g] : begins[g + 1]], member)
            if at < begins[g + 1] and pairs[at] == member:
                own[g] = min(own[g], ranks[at])
            for k in range(first[member], first[member + 1]):
                best[models[k]] = np.inf
    return ends, near[:end].copy(), gives[:end].copy(), takes[:end].copy(), own


@kernel
def popularities(which, total, known, borders, rests, nodes, lowest, guess):
    """Popularity and normaliser of some nodes, each as if it alone were added to the graph.

    `known` are the values of the basis and the source's coordinates, `borders` those of each node
    (see `edges_seen`), `rests` the parts of continued fractions, `nodes` loops, self-confidences,
    roots and scales.
    """
    rho, z = np.empty(len(which)), np.empty(len(which))
    loop, own, root, scale = nodes
    for k in range(len(which)):
        g = which[k]
        terms, fraction = _terms(g, total, known, borders), _fraction(k, rests)
        rho[k], z[k] = bordered(
            total[1:], terms, fraction, loop[g], own[g], root[g], scale[g], lowest, guess
        )
    return rho, z


@kernel
def shares(which, total, known, borders, rests, nodes, lowest, z):
    """The nodes' values over the sum of all, for sums of their own, at given normalisers."""
    found = np.empty(len(which))
    loop, own, root, scale = nodes
    for k in range(len(which)):
        g = which[k]
        terms, fraction = _terms(g, total, known, borders), _fraction(k, rests)
        value, every = solved(
            total[1:], terms, fraction, loop[g], own[g], root[g], scale[g], lowest, z[k]
        )
        found[k] = value / every
    return found


@kernel
def _terms(g, total, known, borders):
    """Poles; the border's squares there, its products with source and sums; their series."""
    weights, (values, source), (first, places, coordinates, series) = total[0], known, borders
    at, own = places[first[g] : first[g + 1]], coordinates[first[g] : first[g + 1]]
    half = series.shape[1] // 2
    return (
        values[at], own * own, own * source[at], own * weights[at],
        series[g, :half], series[g, half:],
    )  # fmt: skip


@kernel
def _fraction(k, rests):
    squares, diagonals, besides, depth = rests
    return squares[k], diagonals[k, : depth[k]], besides[k, : depth[k]]


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
def projected(near, weights, basis, size):
    """In the basis, the vector that has these weights at these nodes and is 0 elsewhere."""
    found = np.zeros(size)
    _project(near, weights, basis, found)
    return found


@kernel
def _project(near, weights, basis, found):
    first, width, start, vectors = basis
    for k in range(len(near)):
        i, weight = near[k], weights[k]
        own = found[first[i] : first[i] + width[i]]
        row = vectors[start[i] : start[i] + width[i]]
        for j in range(len(own)):
            own[j] += weight * row[j]


@kernel
def edges_seen(ends, near, edges, basis, size, position, rows):
    """Of each node's edges the coordinates that are not 0, and the sum of their rows of series.

    `position` are the rows of nodes in large components, -1 for others.
    """
    count = len(ends) - 1
    first = np.zeros(count + 1, dtype=np.int64)
    places, coordinates = np.empty(count * size, dtype=np.int64), np.empty(count * size)
    series = np.zeros((count, rows.shape[1]))
    for g in range(count):
        own, weights = near[ends[g] : ends[g + 1]], edges[ends[g] : ends[g + 1]]
        found = np.zeros(size)
        _project(own, weights, basis, found)
        at = np.flatnonzero(found)
        first[g + 1] = first[g] + len(at)
        places[first[g] : first[g + 1]] = at
        coordinates[first[g] : first[g + 1]] = found[at]
        for k in range(len(own)):
            if position[own[k]] >= 0:
                row = rows[position[own[k]]]
                for j in range(len(row)):
                    series[g, j] += weights[k] * row[j]
    return first, places[: first[-1]].copy(), coordinates[: first[-1]].copy(), series


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
    """A sparse matrix times WIDTH columns, whose sums stay in registers.

    There are four of each sum, as an addition waits for the one before it. numba checks signed
    places for being negative.
    """
    end, width = np.uint64(indptr[0]), np.uint64(WIDTH)
    for i in range(len(indptr) - 1):
        k, end = end, np.uint64(indptr[i + 1])
        s0, s1, s2, s3 = alike(0.0), alike(0.0), alike(0.0), alike(0.0)
        while k + np.uint64(4) <= end:
            k1, k2, k3 = k + np.uint64(1), k + np.uint64(2), k + np.uint64(3)
            s0 = plus(s0, data[k], load(columns, np.uint64(indices[k]) * width))
            s1 = plus(s1, data[k1], load(columns, np.uint64(indices[k1]) * width))
            s2 = plus(s2, data[k2], load(columns, np.uint64(indices[k2]) * width))
            s3 = plus(s3, data[k3], load(columns, np.uint64(indices[k3]) * width))
            k += np.uint64(4)
        while k < end:
            s0 = plus(s0, data[k], load(columns, np.uint64(indices[k]) * width))
            k += np.uint64(1)
        store(found, i * WIDTH, plus(plus(s0, 1.0, s1), 1.0, plus(s2, 1.0, s3)))


@kernel
def lanczos(indptr, indices, data, weights, vectors, diagonal, beside, sums, size, stop):
    """Add vectors to a Lanczos basis of `size` until it has `stop`: its size, if it is complete.

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
    """A sparse matrix times a vector, summed in four parts as in `_times`."""
    end = np.uint64(indptr[0])
    for i in range(len(indptr) - 1):
        k, end = end, np.uint64(indptr[i + 1])
        s0 = s1 = s2 = s3 = 0.0
        while k + np.uint64(4) <= end:
            k1, k2, k3 = k + np.uint64(1), k + np.uint64(2), k + np.uint64(3)
            s0 += data[k] * vector[np.uint64(indices[k])]
            s1 += data[k1] * vector[np.uint64(indices[k1])]
            s2 += data[k2] * vector[np.uint64(indices[k2])]
            s3 += data[k3] * vector[np.uint64(indices[k3])]
            k += np.uint64(4)
        while k < end:
            s0 += data[k] * vector[np.uint64(indices[k])]
            k += np.uint64(1)
        found[i] = (s0 + s1) + (s2 + s3)


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
