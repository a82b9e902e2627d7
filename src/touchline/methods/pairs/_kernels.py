"""Numba kernels that choose negative examples. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from touchline.methods.compiled import filled, kernel


@kernel
def nearest(products, row, wanted, count):
    """For each wanted vector the `count` members nearest to it, not identical, nearest first.

    `row[i]` is the vector of member i; distances follow from the vectors' inner products. Vectors
    that are not wanted have -1 throughout.
    """
    return _select(products, row, wanted, count, False)


@kernel
def farthest(products, row, wanted, count):
    """For each wanted vector the `count` members farthest from it, farthest first."""
    return _select(products, row, wanted, count, True)


@kernel
def _select(products, row, wanted, count, far):
    """Counting selection: squared distances of binary vectors are small integers."""
    vectors, members = products.shape[0], len(row)
    chosen = np.full((vectors, count), -1, dtype=np.int64)
    distance = np.empty(vectors, dtype=np.int64)
    many = np.zeros(vectors, dtype=np.int64)  # members of each vector
    for i in range(members):
        many[row[i]] += 1
    longest = 1
    for i in range(vectors):
        longest = max(longest, np.int64(products[i, i]))
    start = np.empty(2 * longest + 2, dtype=np.int64)
    identical = 2 * longest if far else 0
    for v in wanted:
        start[:] = 0
        for w in range(vectors):
            squared = np.int64(products[v, v] + products[w, w] - 2 * products[v, w])
            distance[w] = 2 * longest - squared if far else squared
            if distance[w] != identical:
                start[distance[w] + 1] += many[w]
        last = 0  # the greatest distance at which somebody is chosen
        for d in range(1, len(start)):
            if start[d - 1] < count:
                last = d - 1
            start[d] += start[d - 1]
        for i in range(members):
            d = distance[row[i]]
            if d <= last and d != identical:
                if start[d] < count:
                    chosen[v, start[d]] = i
                start[d] += 1
    return chosen


@kernel
def _names(sentence, event, mentioned, named):
    """Whether the sentence mentions a player of the event."""
    for i in range(named.shape[1]):
        for j in range(mentioned.shape[1]):
            if named[event, i] >= 0 and named[event, i] == mentioned[sentence, j]:
                return True
    return False


@kernel
def matched_players(sentences, events, mentioned, around):
    """How many players around each event its sentence mentions; 0 where the index is -1."""
    counts = np.zeros(sentences.shape)
    for p in range(sentences.shape[0]):
        for i in range(sentences.shape[1]):
            s, e = sentences[p, i], events[p, i]
            if s < 0:
                continue
            for who in mentioned[s]:
                if who >= 0 and np.any(around[e] == who):
                    counts[p, i] += 1.0
    return counts


@kernel
def draw_zip(sentence, vector, sentences, events, mentioned, named, count, seed):
    """Join the t-th sentence with the t-th event, or the next one whose player it does not name."""
    chosen_s = np.full((len(sentence), count), -1, dtype=np.int64)
    chosen_e = np.full((len(sentence), count), -1, dtype=np.int64)
    for p in range(len(sentence)):
        some_s, some_e = sentences[sentence[p]], events[vector[p]]
        many_s, many_e = filled(some_s), filled(some_e)
        if many_s == 0 or many_e == 0:
            continue
        found = 0
        for t in range(2 * count):
            s = some_s[t % many_s]
            for shift in range(many_e):
                e = some_e[(t + shift) % many_e]
                if not _names(s, e, mentioned, named):
                    chosen_s[p, found], chosen_e[p, found] = s, e
                    found += 1
                    break
            if found == count:
                break
    return chosen_s, chosen_e


@kernel
def draw_block(sentence, vector, sentences, events, mentioned, named, count, seed):
    """Join sentences and events of the block by chance, never one whose player is named."""
    np.random.seed(seed)
    chosen_s = np.full((len(sentence), count), -1, dtype=np.int64)
    chosen_e = np.full((len(sentence), count), -1, dtype=np.int64)
    for p in range(len(sentence)):
        some_s, some_e = sentences[sentence[p]], events[vector[p]]
        many_s, many_e = filled(some_s), min(filled(some_e), count)
        if many_s == 0 or many_e == 0:
            continue
        found = 0
        for _ in range(20 * count):
            s, e = some_s[np.random.randint(many_s)], some_e[np.random.randint(many_e)]
            if not _names(s, e, mentioned, named):
                chosen_s[p, found], chosen_e[p, found] = s, e
                found += 1
                if found == count:
                    break
    return chosen_s, chosen_e
