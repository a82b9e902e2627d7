"""Numba kernels of PairModel: solving many small SVMs. Arrays in, arrays out.

Every SVM has few instances (one to six positives, about a hundred negatives) in a space of
thousands of features, so it is solved in its dual, on the Gram matrix of its instances:

    minimise  1/2 a' (Q + D) a - 1'a   subject to  a >= 0,
    Q_ij = y_i y_j <x_i, x_j>,  D_ii = 1 / (2 C_i)      (squared hinge, no intercept)

A few epochs of coordinate descent find roughly which multipliers are positive; block pivoting on
that active set then gives the solution up to rounding. So descent may be in single precision, and
start anywhere: only the active set that is found in the end has a say in the solution. The Gram
matrix is in single precision, too: its numbers are counts, and exact.
"""

from __future__ import annotations

import numpy as np

from touchline.methods.compiled import filled, kernel
from touchline.methods.lanes import (
    alike,
    load,
    load_wide,
    minus,
    plus,
    plus_products,
    store,
    times,
    total,
)

EPOCHS = 6
TOLERANCE = 1e-9
PATIENCE = 10
# Numbers that fill a register: singles, and doubles.
SINGLES, DOUBLES = 16, 8
# Rows of a matrix that are factored together.
ROWS = 4


@kernel
def solve_all(sentences, rows, strings, positives, cost, sentence_products, event_products):
    """The multipliers of every SVM of a batch.

    Row m of `sentences` and `rows` holds the instances of SVM m as indices into the matrices of
    inner products, the `positives[m]` positive ones first; an index of -1 ends the row.
    `strings[m, i]` is the string part of instance i. Inner products are whole numbers. Neighbours
    with the same sentences, as the pairs of one sentence have, have similar multipliers, and are
    solved faster: each starts from those of the one before.
    """
    count, most = sentences.shape
    width = _multiple(most, SINGLES)
    multipliers = np.zeros((count, most))
    by_sentence = np.zeros((most, width), dtype=sentence_products.dtype)
    by_row = np.zeros((most, width), dtype=event_products.dtype)
    among = np.zeros((most, most), dtype=event_products.dtype)
    place = np.zeros(len(event_products), dtype=np.int64)
    gram = np.zeros((most, width), dtype=np.float32)
    work = np.zeros((_multiple(most, ROWS), width + SINGLES))
    diagonal = np.zeros(most)
    for m in range(count):
        n, p = filled(sentences[m]), positives[m]
        if m > 0 and np.all(sentences[m] == sentences[m - 1]):
            multipliers[m] = multipliers[m - 1]
        else:
            _gather(sentences[m], n, sentence_products, by_sentence)
        distinct = _gather_distinct(rows[m], n, event_products, by_row, among, place)
        _gram(by_sentence, by_row, distinct, strings[m], n, p, gram)
        for i in range(n):
            # Negatives cost C, positives as much more as there are fewer of them.
            weight = (n - p) / p if i < p < n else 1.0
            diagonal[i] = 1.0 / (2.0 * cost * weight)
        active = _descend(gram, diagonal, n, multipliers[m])
        _pivot(gram, diagonal, n, active, work, multipliers[m])
    return multipliers


@kernel
def _multiple(number, of):
    """The next multiple of a number that is not smaller."""
    return (number + of - 1) // of * of


@kernel
def _gather(which, n, products, found):
    """The products of each instance with each other, one row after the other."""
    for i in range(n):
        row, own = products[which[i]], found[i]
        for j in range(n):
            own[j] = row[which[j]]


@kernel
def _gather_distinct(which, n, products, found, among, place):
    """The same for instances of which many are alike: a row for each kind, and whose it is.

    Products are far apart in memory, so each is read once, for two kinds, into `among`.
    """
    kind, kinds = _kinds(which, n, place)
    for a in range(np.uint64(len(kinds))):
        row = products[kinds[a]]
        for b in range(a, np.uint64(len(kinds))):
            among[a, b] = among[b, a] = row[kinds[b]]
    for a in range(len(kinds)):
        row, own = among[a], found[a]
        for j in range(n):
            own[j] = row[kind[j]]
    return kind


@kernel
def _kinds(which, n, place):
    """The kind of each instance, and what the kinds are.

    `place` is any array of whole numbers from 0, as long as the products; what an earlier call
    left there does no harm, since a kind is only believed to be at its place if it is there.
    """
    kind, kinds, count = np.empty(n, dtype=np.uint64), np.empty(n, dtype=np.uint64), 0
    for i in range(n):
        at = place[which[i]]
        if at >= count or kinds[at] != np.uint64(which[i]):
            at = place[which[i]] = count
            kinds[at] = which[i]
            count += 1
        kind[i] = at
    return kind, kinds[:count]


@kernel
def _gram(by_sentence, by_row, kind, strings, n, p, gram):
    """Inner products of the instances, the sum of the parts', with the sign of y_i y_j."""
    for i in range(n):
        of_sentence, of_event, own = by_sentence[i], by_row[kind[i]], gram[i]
        for j in range(len(own)):
            own[j] = np.float32(of_sentence[j]) + np.float32(of_event[j])
        for t in range(strings.shape[1]):
            if strings[i, t] != 0.0:  # seldom: a negative's own player is never named
                for j in range(n):
                    own[j] += np.float32(strings[i, t] * strings[j, t])
    for i in range(p):
        for j in range(p, n):
            gram[i, j] = -gram[i, j]
            gram[j, i] = -gram[j, i]


@kernel
def _descend(gram, diagonal, n, start):
    """Which multipliers are positive after some epochs of dual coordinate descent.

    An epoch takes those that are positive or want to be when it begins. To list them first costs
    less than to find out one after the other: a processor cannot guess which will be left out.
    """
    none = np.float32(0.0)
    alpha, own, inverse = np.empty((3, n), dtype=np.float32)
    gradient = np.full(gram.shape[1], np.float32(-1.0))
    moving = np.empty(n, dtype=np.uint64)
    for i in range(n):
        alpha[i], own[i], inverse[i] = start[i], diagonal[i], 1.0 / (gram[i, i] + diagonal[i])
        if alpha[i] > none:
            _add(gradient, alpha[i], gram[i])
    for _ in range(EPOCHS):
        count = 0
        for i in range(n):
            moving[count] = i
            count += (alpha[i] > none) | (gradient[i] < none)
        for i in moving[:count]:
            step = (gradient[i] + own[i] * alpha[i]) * inverse[i]
            change = max(-step, -alpha[i])
            alpha[i] += change
            _add(gradient, change, gram[i])
    return alpha > none


@kernel
def _add(sums, factor, row):
    """Add a multiple of a row."""
    for j in range(0, len(row), SINGLES):
        store(sums, j, plus(load(sums, j), factor, load(row, j)))


@kernel
def _pivot(gram, diagonal, n, active, work, alpha):
    """Block principal pivoting, from the multipliers that are taken to be positive.

    All variables of the wrong sign change sides at once. When their number has not fallen for a
    while only the last of them does; that ends for every positive definite matrix.
    """
    solution, signed = np.zeros(work.shape[1]), np.empty(gram.shape[1])
    fewest, patience = n + 1, PATIENCE
    while True:
        index = np.flatnonzero(active)
        _solve(gram, diagonal, index, work, solution)
        _slopes(gram, index, solution, signed)
        for a in range(len(index)):
            signed[index[a]] = solution[a]
        count, last = 0, -1
        for i in range(n):
            # Active and negative, or inactive though the objective would fall.
            if signed[i] < -TOLERANCE:
                count, last = count + 1, i
        if count == 0:
            break
        if count < fewest:
            fewest, patience = count, PATIENCE
        else:
            patience -= 1
        for i in range(n):
            if signed[i] < -TOLERANCE and (patience > 0 or i == last):
                active[i] = not active[i]
    alpha[:] = 0.0
    for a in range(len(index)):
        alpha[index[a]] = max(solution[a], 0.0)


@kernel
def _slopes(gram, index, solution, slope):
    """The gradient of the objective, for inactive variables."""
    for j in range(0, len(slope), 2 * DOUBLES):
        first, second = alike(-1.0), alike(-1.0)
        for a in range(len(index)):
            row = gram[index[a]]
            first = plus(first, solution[a], load_wide(row, j))
            second = plus(second, solution[a], load_wide(row, j + DOUBLES))
        store(slope, j, first)
        store(slope, j + DOUBLES, second)


@kernel
def _solve(gram, diagonal, index, work, solution):
    """Solve (Q + D) a = 1 for the active variables by Cholesky: U'U a = 1.

    The ones are a further column of the matrix, so that factoring it also solves with U'. Rows of
    the identity matrix fill up the last ROWS.
    """
    size = len(index)
    filled_up = _multiple(size, ROWS)
    width = _multiple(filled_up + 1, DOUBLES)
    _fill(gram, diagonal, index, filled_up, width, work)
    for a in range(0, filled_up, ROWS):
        _factor(work, a, width)
    solution[:width] = 0.0
    for left in range(size):
        a = size - 1 - left
        row, products = work[a], alike(0.0)
        for b in range(a // DOUBLES * DOUBLES, filled_up, DOUBLES):
            products = plus_products(products, load(row, b), load(solution, b))
        solution[a] = (row[filled_up] - total(products)) / row[a]


@kernel
def _fill(gram, diagonal, index, filled_up, width, work):
    """The upper part of the matrix, from the register on that holds the diagonal."""
    size = np.uint64(len(index))  # numba checks signed indices for being negative, at each step
    for a in range(size):
        own, row = work[a], gram[index[a]]
        for b in range(a // np.uint64(DOUBLES) * np.uint64(DOUBLES), size):
            own[b] = row[np.uint64(index[b])]
        own[size:width] = 0.0
        own[a] += diagonal[index[a]]
        own[filled_up] = 1.0
    for a in range(size, np.uint64(filled_up)):
        work[a, :width] = 0.0
        work[a, a] = 1.0


@kernel
def _factor(work, a, width):
    """Rows a to a + 3 of U, given those above: ROWS times DOUBLES numbers at a time.

    The first such block holds the triangle on the diagonal, which all others need.
    """
    rows = work[a], work[a + 1], work[a + 2], work[a + 3]
    start = a // DOUBLES * DOUBLES
    for b in range(start, width, DOUBLES):
        r0, r1, r2, r3 = load(rows[0], b), load(rows[1], b), load(rows[2], b), load(rows[3], b)
        for c in range(a):
            above = work[c]
            lanes = load(above, b)
            r0 = minus(r0, above[a], lanes)
            r1 = minus(r1, above[a + 1], lanes)
            r2 = minus(r2, above[a + 2], lanes)
            r3 = minus(r3, above[a + 3], lanes)
        if b == start:
            _write(rows, b, r0, r1, r2, r3)
            pivots, (u01, u02, u03, u12, u13, u23) = _triangle(rows, a)
        r0 = times(r0, pivots[0])
        r1 = times(minus(r1, u01, r0), pivots[1])
        r2 = times(minus(minus(r2, u02, r0), u12, r1), pivots[2])
        r3 = times(minus(minus(minus(r3, u03, r0), u13, r1), u23, r2), pivots[3])
        _write(rows, b, r0, r1, r2, r3)


@kernel
def _write(rows, b, r0, r1, r2, r3):
    store(rows[0], b, r0)
    store(rows[1], b, r1)
    store(rows[2], b, r2)
    store(rows[3], b, r3)


@kernel
def _triangle(rows, a):
    """One over the diagonal of four rows of U from column a on, and what is beside it."""
    p0 = 1.0 / np.sqrt(rows[0][a])
    u01, u02, u03 = rows[0][a + 1] * p0, rows[0][a + 2] * p0, rows[0][a + 3] * p0
    p1 = 1.0 / np.sqrt(rows[1][a + 1] - u01 * u01)
    u12, u13 = (rows[1][a + 2] - u01 * u02) * p1, (rows[1][a + 3] - u01 * u03) * p1
    p2 = 1.0 / np.sqrt(rows[2][a + 2] - u02 * u02 - u12 * u12)
    u23 = (rows[2][a + 3] - u02 * u03 - u12 * u13) * p2
    p3 = 1.0 / np.sqrt(rows[3][a + 3] - u03 * u03 - u13 * u13 - u23 * u23)
    return (p0, p1, p2, p3), (u01, u02, u03, u12, u13, u23)


@kernel
def weighted_sums(index, weights, products):
    """For each model the sum of the instances' rows of inner products, weighted.

    Most multipliers are zero, and so is the weight of an index of -1.
    """
    sums = np.zeros((len(index), products.shape[1]))
    for m in range(len(index)):
        for i in range(index.shape[1]):
            weight = weights[m, i]
            if weight != 0.0:
                row = products[index[m, i]]
                for j in range(len(row)):
                    sums[m, j] += weight * row[j]
    return sums


@kernel
def spread(words, values, names, sentence, row, decimals):
    """Confidences of some models in all pairs, from those in their sentences and rows of values.

    Rounded as numpy rounds, and written once: the sum of the parts takes more memory than a cache.
    """
    found, unit = np.empty(names.shape), 10.0**decimals
    for m in range(len(found)):
        for p in range(len(sentence)):
            value = words[m, sentence[p]] + values[m, row[p]] + names[m, p]
            found[m, p] = np.rint(value * unit) / unit
    return found
