"""Numba kernels of the published systems: word translation and label ranking. Arrays in and out."""

from __future__ import annotations

import numpy as np

from touchline.methods.compiled import kernel


@kernel
def made_by_any(word, symbols, table):
    """p(word | one of the symbols, or the empty one), not yet divided by their number."""
    total = table[len(table) - 1, word]
    for symbol in symbols:
        total += table[symbol, word]
    return total


@kernel
def align_words(pair_sentence, pair_event, weight, words, word_start, symbols, symbol_start, table):
    """Expected counts of IBM Model 1: each word of a pair is made by one symbol, or by none.

    `table[s, w]` is p(word w | symbol s); its last row is the empty symbol.
    """
    counts = np.zeros_like(table)
    empty = len(table) - 1
    for p in range(len(pair_sentence)):
        if weight[p] == 0:
            continue
        s, e = pair_sentence[p], pair_event[p]
        mine = symbols[symbol_start[e] : symbol_start[e + 1]]
        for w in words[word_start[s] : word_start[s + 1]]:
            total = made_by_any(w, mine, table)
            counts[empty, w] += weight[p] * table[empty, w] / total
            for symbol in mine:
                counts[symbol, w] += weight[p] * table[symbol, w] / total
    return counts


@kernel
def translate(pair_sentence, pair_event, words, word_start, symbols, symbol_start, table):
    """Log-probability of each pair's words given its symbols."""
    scores = np.zeros(len(pair_sentence))
    for p in range(len(pair_sentence)):
        s, e = pair_sentence[p], pair_event[p]
        mine = symbols[symbol_start[e] : symbol_start[e + 1]]
        for w in words[word_start[s] : word_start[s + 1]]:
            scores[p] += np.log(made_by_any(w, mine, table) / (len(mine) + 1))
    return scores


@kernel
def dot(grams, symbols, weights):
    """Score of a sentence and an event: the weights of all pairs of their parts, evened out."""
    total = 0.0
    for g in grams:
        for s in symbols:
            total += weights[g, s]
    return total / np.sqrt(max(len(grams), 1) * max(len(symbols), 1))


@kernel
def step(grams, symbols, weights, size):
    """Move the weights of all pairs of parts, each kept within -1 and 1."""
    size /= np.sqrt(max(len(grams), 1) * max(len(symbols), 1))
    for g in grams:
        for s in symbols:
            weights[g, s] = min(max(weights[g, s] + size, -1.0), 1.0)


@kernel
def rank_labels(
    sentence, inside, outside, grams, gram_start, symbols, symbol_start, weights, first
):  # fmt: skip
    """Stochastic gradient of max(0, 1 - f(x, y+) + f(x, y-)) over drawn triples.

    The t-th step has the size 1 / sqrt(t); the triples are numbered from `first` on.
    """
    for i in range(len(sentence)):
        x = grams[gram_start[sentence[i]] : gram_start[sentence[i] + 1]]
        right = symbols[symbol_start[inside[i]] : symbol_start[inside[i] + 1]]
        wrong = symbols[symbol_start[outside[i]] : symbol_start[outside[i] + 1]]
        if dot(x, right, weights) - dot(x, wrong, weights) < 1:
            size = 1 / np.sqrt(first + i)
            step(x, right, weights, size)
            step(x, wrong, weights, -size)


@kernel
def score_labels(pair_sentence, pair_event, grams, gram_start, symbols, symbol_start, weights):
    """Scores of pairs."""
    scores = np.zeros(len(pair_sentence))
    for p in range(len(pair_sentence)):
        s, e = pair_sentence[p], pair_event[p]
        x = grams[gram_start[s] : gram_start[s + 1]]
        y = symbols[symbol_start[e] : symbol_start[e + 1]]
        scores[p] = dot(x, y, weights)
    return scores
