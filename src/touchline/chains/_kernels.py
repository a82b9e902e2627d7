"""Numba kernels of the chains model: scores of hypotheses, expected counts. Arrays in and out."""

from __future__ import annotations

import math

import numpy as np

from touchline.compiled import filled, kernel

REACH = 3  # neighbours looked at from each end of a chain: one step and two skips
GAP = 6.0


@kernel
def mentions_player(mentions, player):
    for i in range(len(mentions)):  # noqa: SIM110 (numba has no any() of a generator)
        if mentions[i] == player and player >= 0:
            return True
    return False


@kernel
def walk(chain, head, kind, types, time, actor, mentions, extend, steps, neighbours, weight):
    """Log-probability of a chain given its head: each neighbour is taken or passed by.

    Going on from each event, forwards from the head and backwards from it, up to REACH neighbours
    within GAP seconds are looked at in turn; the first that is taken is the next of the chain.
    With a weight the steps and the neighbours met are counted instead.
    """
    size, total = filled(chain), 0.0
    for forwards in (1, 0):
        sign = 1 if forwards == 1 else -1
        current, place = chain[head], head
        while True:
            place += sign
            goal = chain[place] if 0 <= place < size else -1
            for reach in range(1, REACH + 1):
                near = current + sign * reach
                if (
                    near < 0
                    or near >= len(time)
                    or not 0 <= sign * (time[near] - time[current]) <= GAP
                ):
                    break
                direction = forwards + (2 if mentions_player(mentions, actor[near]) else 0)
                a, b = types[kind[current]], types[kind[near]]
                if weight > 0:
                    neighbours[direction, a, b] += weight
                    if near == goal:
                        steps[direction, a, b] += weight
                p = extend[direction, a, b]
                total += math.log(p) if near == goal else math.log(1 - p)
                if near == goal:
                    break
            if goal < 0:
                break
            current = goal
    return total


@kernel
def score_all(
    kind, time, actor, other, words, mentions, chains, start, head, unexplained, first_named, lag,
    types, rate, extend, cause, background, named, other_named, chance, strange, first, lag_odds,
    none, word_weight,
):  # fmt: skip
    """Log-score of every hypothesis, and of "no event" for every comment."""
    scores = np.empty(len(chains))
    silent = np.empty(len(start) - 1)
    nothing = np.zeros_like(extend)
    log_not = np.log1p(-cause)
    all_absent = log_not.sum(axis=1)
    for c in range(len(start) - 1):
        mentioned = filled(mentions[c])
        silent[c] = math.log(none) + mentioned * math.log(strange)
        total = 0.0
        for h in range(start[c], start[c + 1]):
            if chains[h, 1] < 0:
                total += rate[kind[chains[h, 0]]]
        for h in range(start[c], start[c + 1]):
            leader = chains[h, head[h]]
            k = kind[leader]
            s = math.log(1 - none) + math.log(rate[k] / total) + math.log(lag_odds[lag[h]])
            s += walk(chains[h], head[h], kind, types, time, actor, mentions[c], extend, nothing,
                      nothing, 0.0)  # fmt: skip
            s += word_weight * _words(chains[h], words[c], kind, cause, background, log_not,
                                      all_absent)  # fmt: skip
            s += unexplained[h] * math.log(strange)
            s += _named(mentions[c], actor[leader], named[k], chance)
            s += _named(mentions[c], other[leader], other_named[k], chance)
            if mentioned > 0:
                s += math.log(first if first_named[h] == 1 else 1 - first)
            scores[h] = s
    return scores, silent


@kernel
def _named(mentions, player, often, chance):
    """How much more likely a player is mentioned, or not, than one of just any event."""
    if player < 0:
        return 0.0
    if mentions_player(mentions, player):
        return math.log(often / chance)
    return math.log((1 - often) / (1 - chance))


@kernel
def _words(chain, words, kind, cause, background, log_not, all_absent):
    """Log-likelihood ratio of the words under a noisy-or of the events, against no event."""
    size, total = filled(chain), 0.0
    for p in range(size):
        total += all_absent[kind[chain[p]]]
    for i in range(len(words)):
        w = words[i]
        if w < 0:
            break
        missing = 1 - background[w]
        for p in range(size):
            k = kind[chain[p]]
            missing *= 1 - cause[k, w]
            total -= log_not[k, w]
        total += math.log((1 - missing) / background[w])
    return total


@kernel
def count_all(
    kind, time, actor, other, words, mentions, chains, start, head, unexplained, first_named,
    types, extend, cause, background, weight, heads, events, steps, neighbours, caused, by_itself,
    named, heads_named, other_named, heads_other,
):  # fmt: skip
    """Add up what hypotheses expect, by their probabilities `weight`."""
    for c in range(len(start) - 1):
        for h in range(start[c], start[c + 1]):
            g = weight[h]
            if g < 1e-6:
                continue
            chain, leader = chains[h], chains[h, head[h]]
            k = kind[leader]
            heads[k] += g
            walk(
                chain, head[h], kind, types, time, actor, mentions[c], extend, steps, neighbours, g
            )
            if actor[leader] >= 0:
                heads_named[k] += g
                if mentions_player(mentions[c], actor[leader]):
                    named[k] += g
            if other[leader] >= 0:
                heads_other[k] += g
                if mentions_player(mentions[c], other[leader]):
                    other_named[k] += g
            size = filled(chain)
            for p in range(size):
                events[kind[chain[p]]] += g
            for i in range(words.shape[1]):
                w = words[c, i]
                if w < 0:
                    break
                missing = 1 - background[w]
                for p in range(size):
                    missing *= 1 - cause[kind[chain[p]], w]
                for p in range(size):
                    caused[kind[chain[p]], w] += g * cause[kind[chain[p]], w] / (1 - missing)
                by_itself[w] += g * background[w] / (1 - missing)
