"""Numba kernels of the semi-Markov model: exact sums and the best path for one comment.

A segment's words do not depend on its length, so the segmentation is a hidden Markov chain whose
states are (record, field), with "the field goes on" beside the learned steps. One comment takes
words x records x fields numbers of memory, and no table over pairs of positions.
"""

from __future__ import annotations

import numpy as np

from touchline.methods.compiled import kernel


@kernel
def value_probability(value, word, value_words):
    """p(word | a field's value): learned for a category, certain for a string's own word."""
    if value >= 0:
        return value_words[value, word]
    return 1.0 if word == -2 - value else 0.0


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
                if values[r, f] != -1:
                    mine = value_probability(values[r, f], w, value_words)
                    out[i, r, f] = own[t, f] * mine + (1 - own[t, f]) * generic[w]
    return out


@kernel
def share_out(types, n_types):
    """1 / the number of records of each record's type: which one of them is uniform."""
    count = np.zeros(n_types)
    for t in types:
        count[t] += 1
    return np.array([1 / count[t] for t in types])


@kernel
def starting(left, steps):
    """The mass that starts a record of each type."""
    enter = np.zeros(len(left) - 1)
    for u in range(len(left)):
        if left[u] > 0:
            enter += left[u] * steps[u, :-1]
    return enter


@kernel
def worth_of_starting(entered, steps):
    """After each last type, the worth of going on with a record."""
    worth = np.zeros(len(steps))
    for u in range(len(steps)):
        worth[u] = (steps[u, :-1] * entered).sum()
    return worth


@kernel
def forward(emitted, none, types, uniform, steps, chain, single):
    """Scaled forward sums of records' fields and of NONE after each type, and the scales.

    `left[i, t]` is the mass that may start a new segment at word i, with t the last type.
    """
    n, records, fields = emitted.shape
    n_types = steps.shape[0] - 1
    alpha = np.zeros((n + 1, records, fields))  # the first row is before all words
    silent = np.zeros((n + 1, n_types + 1))
    left = np.zeros((n + 1, n_types + 1))
    left[0, n_types] = 1.0
    ended = left[0].copy()  # of records only: NONE does not follow NONE, it goes on
    scale = np.zeros(n)
    for i in range(n):
        enter = starting(left[i], steps)
        advance(alpha[i], enter, types, uniform, chain, emitted[i], alpha[i + 1])
        for u in range(n_types + 1):
            silent[i + 1, u] = (silent[i, u] + ended[u] * steps[u, n_types]) * none[i]
        scale[i] = max(alpha[i + 1].sum() + silent[i + 1].sum(), 1e-300)
        alpha[i + 1] /= scale[i]
        silent[i + 1] /= scale[i]
        ended[:] = 0
        if not single or i == n - 1:
            for r in range(records):
                for f in range(fields):
                    ended[types[r]] += alpha[i + 1, r, f] * chain[types[r], f, fields]
            left[i + 1] = ended + silent[i + 1]
    return alpha[1:], silent[1:], left, scale


@kernel
def advance(before, enter, types, uniform, chain, emitted, out):
    """Forward sums of one word: a record starts, its field goes on, or another field follows."""
    records, fields = emitted.shape
    for r in range(records):
        t = types[r]
        for f in range(fields):
            if emitted[r, f] > 0:
                mass = enter[t] * uniform[r] * chain[t, fields, f] + before[r, f]
                for g in range(fields):
                    mass += before[r, g] * chain[t, g, f]
                out[r, f] = mass * emitted[r, f]


@kernel
def backward(emitted, none, types, uniform, steps, chain, single, scale, total):
    """Backward sums on the same scale.

    `after[i, t]` is the worth of ending type t at word i, `entered[i, t]` that of starting a
    record of type t at word i.
    """
    n, records, fields = emitted.shape
    n_types = steps.shape[0] - 1
    beta = np.zeros((n, records, fields))
    silent = np.full((n, n_types + 1), 1 / total)
    entered = np.zeros((n, n_types))
    after = np.zeros((n, n_types + 1))
    after[n - 1] = 1 / total
    ahead = np.zeros((records, fields))
    for i in range(n - 1, -1, -1):
        if i < n - 1:
            going = none[i + 1] * silent[i + 1] / scale[i + 1]
            silent[i] = going
            if not single:
                started = worth_of_starting(entered[i + 1], steps)
                silent[i] += started
                after[i] = started + steps[:, n_types] * going
        retreat(ahead, after[i], types, chain, beta[i])
        ahead = emitted[i] * beta[i] / scale[i]
        for r in range(records):
            for f in range(fields):
                entered[i, types[r]] += uniform[r] * chain[types[r], fields, f] * ahead[r, f]
    return beta, silent, entered, after


@kernel
def retreat(ahead, after, types, chain, out):
    """Backward sums of one word: its record ends, its field goes on, or another follows."""
    records, fields = ahead.shape
    for r in range(records):
        t = types[r]
        for f in range(fields):
            worth = chain[t, f, fields] * after[t] + ahead[r, f]
            for g in range(fields):
                worth += chain[t, f, g] * ahead[r, g]
            out[r, f] = worth


@kernel
def expect(
    words, types, values, single, steps, chain, own, null_words, value_words, none_words, generic,
    step_count, chain_count, own_count, null_count, value_count, none_count, generic_count,
):  # fmt: skip
    """Add one comment's expected counts; its records' expected segments and log-likelihood."""
    n_types = steps.shape[0] - 1
    emitted = emissions(words, types, values, own, null_words, value_words, generic)
    none = none_words[words]
    uniform = share_out(types, n_types)
    alpha, silent, left, scale = forward(emitted, none, types, uniform, steps, chain, single)
    total = left[len(words)].sum()
    beta, worth, entered, after = backward(
        emitted, none, types, uniform, steps, chain, single, scale, total
    )
    count_types(words, none, steps, silent, left, worth, entered, scale, single, step_count,
                none_count)  # fmt: skip
    segments = count_fields(emitted, types, uniform, steps, chain, alpha, beta, left, after, scale,
                            chain_count)  # fmt: skip
    count_words(words, types, values, emitted, alpha, beta, own, value_words, own_count,
                null_count, value_count, generic_count)  # fmt: skip
    return segments, np.log(scale).sum() + np.log(total)


@kernel
def count_types(
    words, none, steps, silent, left, worth, entered, scale, single, step_count, none_count
):  # fmt: skip
    """Expected steps from type to type and to NONE, and NONE's words."""
    n_types = steps.shape[0] - 1
    for i in range(len(words)):
        for u in range(n_types + 1):
            for t in range(n_types):
                step_count[u, t] += left[i, u] * steps[u, t] * entered[i, t]
            none_count[words[i]] += silent[i, u] * worth[i, u]
            if i == 0 or not single:
                opened = left[i, u] - (silent[i - 1, u] if i > 0 else 0.0)
                going = none[i] * worth[i, u] / scale[i]
                step_count[u, n_types] += opened * steps[u, n_types] * going


@kernel
def count_fields(
    emitted, types, uniform, steps, chain, alpha, beta, left, after, scale, chain_count
):  # fmt: skip
    """Expected steps from field to field; how often each record starts a segment."""
    n, records, fields = emitted.shape
    segments = np.zeros(records)
    for i in range(n):
        enter = starting(left[i], steps)
        for r in range(records):
            t = types[r]
            for f in range(fields):
                ahead = emitted[i, r, f] * beta[i, r, f] / scale[i]
                start = enter[t] * uniform[r] * chain[t, fields, f] * ahead
                segments[r] += start
                chain_count[t, fields, f] += start
                chain_count[t, f, fields] += alpha[i, r, f] * chain[t, f, fields] * after[i, t]
                if i > 0:
                    for g in range(fields):
                        chain_count[t, g, f] += alpha[i - 1, r, g] * chain[t, g, f] * ahead
    return segments


@kernel
def count_words(
    words, types, values, emitted, alpha, beta, own, value_words, own_count, null_count,
    value_count, generic_count,
):  # fmt: skip
    """Expected words of null fields, of values, of the generic distribution."""
    n, records, fields = emitted.shape
    for i in range(n):
        w = words[i]
        for r in range(records):
            t = types[r]
            null_count[t, w] += alpha[i, r, 0] * beta[i, r, 0]
            for f in range(1, fields):
                v, share = values[r, f], alpha[i, r, f] * beta[i, r, f]
                if v == -1 or share == 0:
                    continue
                mine = share * own[t, f] * value_probability(v, w, value_words) / emitted[i, r, f]
                own_count[t, f, 1] += mine
                own_count[t, f, 0] += share - mine
                generic_count[w] += share - mine
                if v >= 0:
                    value_count[v, w] += mine


@kernel
def best_records(
    words, types, values, single, steps, chain, own, null_words, value_words, none_words, generic
):  # fmt: skip
    """Viterbi: the number of the record that each word describes, -1 for NONE.

    A state is record * fields + field; after those come the states of NONE, one for each last
    type.
    """
    n, records, fields, n_types = len(words), len(types), values.shape[1], steps.shape[0] - 1
    emitted = np.log(emissions(words, types, values, own, null_words, value_words, generic))
    none = np.log(none_words[words])
    uniform = np.log(share_out(types, n_types))
    log_steps, log_chain = np.log(steps), np.log(chain)
    size = records * fields
    score = np.full(size + n_types + 1, -np.inf)
    back = np.full((n, len(score)), -1, dtype=np.int64)
    # The best way to have ended a record of each type, and to be free to start one.
    ended = np.full(n_types + 1, -np.inf)
    ended[n_types] = 0.0
    ended_by = np.full(n_types + 1, -1, dtype=np.int64)
    left, left_by = ended.copy(), ended_by.copy()
    for i in range(n):
        now = np.full(len(score), -np.inf)
        step_records(score, left, left_by, types, uniform, log_steps, log_chain, emitted[i], now,
                     back[i])  # fmt: skip
        for u in range(n_types + 1):
            best, by = score[size + u], size + u
            if ended[u] + log_steps[u, n_types] > best:
                best, by = ended[u] + log_steps[u, n_types], ended_by[u]
            now[size + u], back[i, size + u] = best + none[i], by
        score = now
        end_records(score, types, log_chain, ended, ended_by, single and i < n - 1)
        left, left_by = ended.copy(), ended_by.copy()
        for u in range(n_types + 1):
            if score[size + u] > left[u] and not (single and i < n - 1):
                left[u], left_by[u] = score[size + u], size + u
    return trace(back, left_by[np.argmax(left)], fields, size)


@kernel
def step_records(
    score, left, left_by, types, uniform, log_steps, log_chain, emitted, now, back
):  # fmt: skip
    """The best way into each record's field: the record starts, goes on, changes its field."""
    records, fields = emitted.shape
    for r in range(records):
        t = types[r]
        u = np.argmax(left + log_steps[:, t])
        start = left[u] + log_steps[u, t] + uniform[r]
        for f in range(fields):
            s = r * fields + f
            best, by = start + log_chain[t, fields, f], left_by[u]
            if score[s] > best:
                best, by = score[s], s
            for g in range(fields):
                step = score[r * fields + g] + log_chain[t, g, f]
                if step > best:
                    best, by = step, r * fields + g
            now[s], back[s] = best + emitted[r, f], by


@kernel
def end_records(score, types, log_chain, ended, ended_by, never):
    """The best way to end a record of each type at this word."""
    ended[:] = -np.inf
    ended_by[:] = -1
    fields = log_chain.shape[1] - 1
    for s in range(0 if never else len(types) * fields):
        t = types[s // fields]
        total = score[s] + log_chain[t, s % fields, fields]
        if total > ended[t]:
            ended[t], ended_by[t] = total, s


@kernel
def trace(back, state, fields, size):
    """The records along the best path, read from its end."""
    records = np.full(len(back), -1, dtype=np.int64)
    for i in range(len(back) - 1, -1, -1):
        records[i] = state // fields if state < size else -1
        state = back[i, state]
    return records
