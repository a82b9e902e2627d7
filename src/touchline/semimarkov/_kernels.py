"""Numba kernels of the semi-Markov model: exact sums and the best path for one comment.

A segment's words do not depend on its length, so the segmentation is a hidden Markov chain whose
states are (record, field), with "the field goes on" beside the learned steps. One comment takes
words x records x fields numbers of memory, and no table over pairs of positions.
"""

from __future__ import annotations

import numpy as np

from touchline.compiled import kernel


@kernel
def emissions(words, types, values, own, null_words, value_words, generic):
    """p(word | record, field), words x records x fields."""
    out = np.zeros((len(words), len(types), values.shape[1]))
    for i in range(len(words)):
        w = words[i]
        for r in range(len(types)):
            t = types[r]
            out[i, r, 0] = null_words[t, w]
            for f in range(1, values.shape[1]):
                v = values[r, f]
                if v == -1:
                    continue
                share = own[t, f]
                value = value_words[v, w] if v >= 0 else (1.0 if w == -2 - v else 0.0)
                out[i, r, f] = share * value + (1 - share) * generic[w]
    return out


@kernel
def share_out(types, n_types):
    """1 / the number of records of each record's type: which one of them is uniform."""
    count = np.zeros(n_types)
    for t in types:
        count[t] += 1
    return np.array([1 / count[t] for t in types])


@kernel
def forward(emitted, none, types, uniform, steps, chain, single):
    """Scaled forward sums of records' fields and of NONE after each type, and the scales.

    `left[i, t]` is the mass that may start a new segment after word i - 1, with t the last type.
    """
    n, records, fields = emitted.shape
    n_types = steps.shape[0] - 1
    alpha = np.zeros((n, records, fields))
    silent = np.zeros((n, n_types + 1))
    left = np.zeros((n + 1, n_types + 1))
    left[0, n_types] = 1.0
    open_none = left[0].copy()  # NONE does not follow NONE: it goes on
    scale = np.zeros(n)
    for i in range(n):
        enter = np.zeros(n_types)
        for u in range(n_types + 1):
            if left[i, u] > 0:
                for t in range(n_types):
                    enter[t] += left[i, u] * steps[u, t]
        for r in range(records):
            t = types[r]
            for f in range(fields):
                if emitted[i, r, f] == 0:
                    continue
                mass = enter[t] * uniform[r] * chain[t, fields, f]
                if i > 0:
                    mass += alpha[i - 1, r, f]
                    for g in range(fields):
                        mass += alpha[i - 1, r, g] * chain[t, g, f]
                alpha[i, r, f] = mass * emitted[i, r, f]
        for u in range(n_types + 1):
            before = silent[i - 1, u] if i > 0 else 0.0
            silent[i, u] = (before + open_none[u] * steps[u, n_types]) * none[i]
        scale[i] = alpha[i].sum() + silent[i].sum()
        if scale[i] == 0:
            scale[i] = 1e-300
        alpha[i] /= scale[i]
        silent[i] /= scale[i]
        open_none[:] = 0
        if not single or i == n - 1:
            for r in range(records):
                for f in range(fields):
                    open_none[types[r]] += alpha[i, r, f] * chain[types[r], f, fields]
            left[i + 1] = open_none + silent[i]
    return alpha, silent, left, scale


@kernel
def backward(emitted, none, types, uniform, steps, chain, single, scale, total):
    """Backward sums on the same scale; `after[i, t]` is the worth of ending type t at word i,
    `entered[i, t]` that of starting a record of type t at word i."""
    n, records, fields = emitted.shape
    n_types = steps.shape[0] - 1
    beta = np.zeros((n, records, fields))
    silent = np.zeros((n, n_types + 1))
    entered = np.zeros((n, n_types))
    after = np.zeros((n, n_types + 1))
    after[n - 1] = 1 / total
    silent[n - 1] = 1 / total
    for i in range(n - 1, -1, -1):
        if i < n - 1 and not single:
            for u in range(n_types + 1):
                started = 0.0
                for t in range(n_types):
                    started += steps[u, t] * entered[i + 1, t]
                going = none[i + 1] * silent[i + 1, u] / scale[i + 1]
                silent[i, u] = going + started
                after[i, u] = started + steps[u, n_types] * going
        elif i < n - 1:
            silent[i] = none[i + 1] * silent[i + 1] / scale[i + 1]
        for r in range(records):
            t = types[r]
            for f in range(fields):
                worth = chain[t, f, fields] * after[i, t]
                if i < n - 1:
                    worth += emitted[i + 1, r, f] * beta[i + 1, r, f] / scale[i + 1]
                    for g in range(fields):
                        ahead = emitted[i + 1, r, g] * beta[i + 1, r, g] / scale[i + 1]
                        worth += chain[t, f, g] * ahead
                beta[i, r, f] = worth
            for f in range(fields):
                start = uniform[r] * chain[t, fields, f]
                entered[i, t] += start * emitted[i, r, f] * beta[i, r, f] / scale[i]
    return beta, silent, entered, after


@kernel
def expect(
    words, types, values, single, steps, chain, own, null_words, value_words, none_words, generic,
    step_count, chain_count, own_count, null_count, value_count, none_count, generic_count,
):  # fmt: skip
    """Add one comment's expected counts; its records' expected segments and log-likelihood."""
    n, records, fields, n_types = len(words), len(types), values.shape[1], steps.shape[0] - 1
    emitted = emissions(words, types, values, own, null_words, value_words, generic)
    none = none_words[words]
    uniform = share_out(types, n_types)
    alpha, silent, left, scale = forward(emitted, none, types, uniform, steps, chain, single)
    total = left[n].sum()
    beta, worth, entered, after = backward(
        emitted, none, types, uniform, steps, chain, single, scale, total
    )
    segments = np.zeros(records)
    for i in range(n):
        w = words[i]
        first = i == 0
        for u in range(n_types + 1):
            for t in range(n_types):
                step_count[u, t] += left[i, u] * steps[u, t] * entered[i, t]
            held = silent[i - 1, u] if not first else 0.0
            opened = (left[i, u] - held) if (first or not single) else 0.0
            going = none[i] * worth[i, u] / scale[i]
            step_count[u, n_types] += opened * steps[u, n_types] * going
            none_count[w] += silent[i, u] * worth[i, u]
        for r in range(records):
            t = types[r]
            enter = 0.0
            for u in range(n_types + 1):
                enter += left[i, u] * steps[u, t]
            for f in range(fields):
                ahead = emitted[i, r, f] * beta[i, r, f] / scale[i]
                if ahead == 0:
                    continue
                start = enter * uniform[r] * chain[t, fields, f] * ahead
                chain_count[t, fields, f] += start
                segments[r] += start
                chain_count[t, f, fields] += alpha[i, r, f] * chain[t, f, fields] * after[i, t]
                if not first:
                    for g in range(fields):
                        chain_count[t, g, f] += alpha[i - 1, r, g] * chain[t, g, f] * ahead
                share = alpha[i, r, f] * beta[i, r, f]
                if f == 0:
                    null_count[t, w] += share
                    continue
                v = values[r, f]
                value = value_words[v, w] if v >= 0 else (1.0 if w == -2 - v else 0.0)
                mine = share * own[t, f] * value / emitted[i, r, f]
                own_count[t, f, 1] += mine
                own_count[t, f, 0] += share - mine
                generic_count[w] += share - mine
                if v >= 0:
                    value_count[v, w] += mine
    return segments, np.log(scale).sum() + np.log(total)


@kernel
def best_records(
    words, types, values, single, steps, chain, own, null_words, value_words, none_words, generic
):  # fmt: skip
    """Viterbi: the number of the record that each word is told by, -1 for NONE."""
    n, records, fields, n_types = len(words), len(types), values.shape[1], steps.shape[0] - 1
    emitted = np.log(emissions(words, types, values, own, null_words, value_words, generic))
    none = np.log(none_words[words])
    uniform = np.log(share_out(types, n_types))
    log_steps, log_chain = np.log(steps), np.log(chain)
    # States: r * fields + f, then NONE after each type.
    size = records * fields
    score = np.full(size + n_types + 1, -np.inf)
    back = np.full((n, len(score)), -1, dtype=np.int32)
    left = np.full(n_types + 1, -np.inf)
    left[n_types] = 0.0
    left_by = np.full(n_types + 1, -1, dtype=np.int32)
    open_none, open_by = left.copy(), left_by.copy()
    for i in range(n):
        now = np.full(len(score), -np.inf)
        for t in range(n_types):
            u = np.argmax(left + log_steps[:, t])
            into, into_by = left[u] + log_steps[u, t], left_by[u]
            for r in range(records):
                if types[r] != t:
                    continue
                for f in range(fields):
                    s = r * fields + f
                    best, by = into + uniform[r] + log_chain[t, fields, f], into_by
                    if score[s] > best:
                        best, by = score[s], s
                    for g in range(fields):
                        step = score[r * fields + g] + log_chain[t, g, f]
                        if step > best:
                            best, by = step, r * fields + g
                    now[s], back[i, s] = best + emitted[i, r, f], by
        for u in range(n_types + 1):
            best, by = score[size + u], size + u
            if open_none[u] + log_steps[u, n_types] > best:
                best, by = open_none[u] + log_steps[u, n_types], open_by[u]
            now[size + u], back[i, size + u] = best + none[i], by
        score = now
        open_none[:], open_by[:] = -np.inf, -1
        if not single or i == n - 1:
            for s in range(size):
                t, f = types[s // fields], s % fields
                if score[s] + log_chain[t, f, fields] > open_none[t]:
                    open_none[t], open_by[t] = score[s] + log_chain[t, f, fields], s
        left, left_by = open_none.copy(), open_by.copy()
        if not single or i == n - 1:
            for u in range(n_types + 1):
                if score[size + u] > left[u]:
                    left[u], left_by[u] = score[size + u], size + u
    told = np.full(n, -1, dtype=np.int64)
    state = left_by[np.argmax(left)]
    for i in range(n - 1, -1, -1):
        told[i] = state // fields if state < size else -1
        state = back[i, state]
    return told
