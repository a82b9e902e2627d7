"""Numba kernels of PairModel: solving many small SVMs. Arrays in, arrays out.

Every SVM has few instances (one to six positives, about a hundred negatives) in a space of
thousands of features, so it is solved in its dual, on the Gram matrix of its instances:

    minimise  1/2 a' (Q + D) a - 1'a   subject to  a >= 0,
    Q_ij = y_i y_j <x_i, x_j>,  D_ii = 1 / (2 C_i)      (squared hinge, no intercept)

A few epochs of coordinate descent find roughly which multipliers are positive; block pivoting on
that active set then gives the solution up to rounding.
"""

from __future__ import annotations

import numpy as np

from touchline.methods.compiled import filled, kernel

EPOCHS = 8
TOLERANCE = 1e-9
PATIENCE = 10


@kernel
def solve_all(sentences, rows, strings, positives, cost, sentence_products, event_products):
    """The multipliers of every SVM of a batch.

    Row m of `sentences` and `rows` holds the instances of SVM m as indices into the matrices of
    inner products, the `positives[m]` positive ones first; an index of -1 ends the row.
    `strings[m, i]` is the string part of instance i.
    """
    count, width = sentences.shape
    multipliers = np.zeros((count, width))
    gram = np.empty((width, width))
    work = np.empty((width, width))
    diagonal = np.empty(width)
    for m in range(count):
        n, p = filled(sentences[m]), positives[m]
        _gram(sentences[m], rows[m], strings[m], n, p, sentence_products, event_products, gram)
        for i in range(n):
            # Negatives cost C, positives as much more as there are fewer of them.
            weight = (n - p) / p if i < p < n else 1.0
            diagonal[i] = 1.0 / (2.0 * cost * weight)
        _descend(gram, diagonal, n, multipliers[m])
        _pivot(gram, diagonal, n, multipliers[m], work)
    return multipliers


@kernel
def _gram(sentences, rows, strings, n, p, sentence_products, event_products, gram):
    """Inner products of the instances, the sum of the parts', with the sign of y_i y_j.

    Row by row: a row of products stays in the processor's cache while its numbers are gathered.
    """
    for i in range(n):
        of_sentence, of_event = sentence_products[sentences[i]], event_products[rows[i]]
        own = gram[i]
        for j in range(i + 1):
            own[j] = np.float64(of_sentence[sentences[j]]) + np.float64(of_event[rows[j]])
        if np.any(strings[i] != 0.0):  # seldom: a negative's own player is never named
            for t in range(strings.shape[1]):
                for j in range(i + 1):
                    own[j] += strings[i, t] * strings[j, t]
        for j in range(i + 1):
            gram[j, i] = own[j]
    for i in range(p):
        for j in range(p, n):
            gram[i, j] = -gram[i, j]
            gram[j, i] = -gram[j, i]


@kernel
def _descend(gram, diagonal, n, alpha):
    """Some epochs of dual coordinate descent, from zero."""
    gradient = np.full(n, -1.0)
    for _ in range(EPOCHS):
        for i in range(n):
            slope = gradient[i] + diagonal[i] * alpha[i]
            new = max(alpha[i] - slope / (gram[i, i] + diagonal[i]), 0.0)
            change = new - alpha[i]
            if change != 0.0:
                alpha[i] = new
                for j in range(n):
                    gradient[j] += change * gram[i, j]


@kernel
def _pivot(gram, diagonal, n, alpha, work):
    """Block principal pivoting, from the multipliers that are positive now.

    All variables of the wrong sign change sides at once. When their number has not fallen for a
    while only the last of them does; that ends for every positive definite matrix.
    """
    active = alpha[:n] > 0
    wrong = np.empty(n, dtype=np.bool_)
    solution = np.zeros(n)
    slope = np.empty(n)
    fewest, patience = n + 1, PATIENCE
    while True:
        _solve_active(gram, diagonal, n, active, work, solution)
        _slopes(gram, n, solution, slope)
        count, last = 0, -1
        for i in range(n):
            # Active and negative, or inactive though the objective would fall.
            wrong[i] = (solution[i] if active[i] else slope[i]) < -TOLERANCE
            if wrong[i]:
                count, last = count + 1, i
        if count == 0:
            break
        if count < fewest:
            fewest, patience = count, PATIENCE
        else:
            patience -= 1
        for i in range(n):
            if wrong[i] and (patience > 0 or i == last):
                active[i] = not active[i]
    for i in range(n):
        alpha[i] = max(solution[i], 0.0)


@kernel
def _slopes(gram, n, solution, slope):
    """The gradient of the objective, for inactive variables."""
    slope[:] = -1.0
    for j in range(n):
        if solution[j] != 0.0:
            for i in range(n):
                slope[i] += gram[j, i] * solution[j]


@kernel
def _solve_active(gram, diagonal, n, active, work, solution):
    """Solve (Q + D) a = 1 for the active variables by Cholesky; the others are zero.

    All inner loops add a multiple of one row to another: that needs no sums, so that the
    compiler may use vectors without changing a bit.
    """
    index = np.flatnonzero(active)
    size = np.uint64(len(index))  # numba checks signed indices for being negative, at each step
    solution[:n] = 0.0
    right = np.ones(size)
    for a in range(size):
        for b in range(a, size):
            work[a, b] = gram[index[a], index[b]]
        work[a, a] += diagonal[index[a]]
    for c in range(size):
        pivot = 1.0 / np.sqrt(work[c, c])
        for b in range(c, size):
            work[c, b] *= pivot
        right[c] *= pivot
        for a in range(c + np.uint64(1), size):
            factor = work[c, a]
            right[a] -= factor * right[c]
            for b in range(a, size):
                work[a, b] -= factor * work[c, b]
    for left in range(size):
        a = size - np.uint64(1) - left
        value = right[a]
        for c in range(a + np.uint64(1), size):
            value -= work[a, c] * right[c]
        right[a] = value / work[a, a]
        solution[index[a]] = right[a]


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
