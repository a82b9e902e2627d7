"""Numba kernels of the chains model: chains of a bucket, scores, expected counts.

Arrays in and out. `m` is a Prepared match, `p` are Parameters, `n` are Counts that are added to.
They are one file because numba, which keeps compiled kernels on disk, does not notice when a
kernel that another file's kernel calls has changed.
"""

from __future__ import annotations

import math

import numpy as np

from touchline.chains.counting import (
    ACTS,
    ACTS_IN_HEAD,
    CANDIDATES,
    COMMENTS,
    LEADS,
    MENTIONS,
    NAMED_CANDIDATES,
    NONE,
    OTHER,
    STRANGER,
    STRANGERS,
    TOLD_WITH_NAMES,
)
from touchline.compiled import filled, kernel

REACH = 3  # places looked at from each end of a chain: one step and two skips
GAP = 6.0
# Without a mentioned player any neighbours could be a chain: only pairs of them are looked at.
LONGEST_UNNAMED = 2
# Of one comment. Real buckets stay far below; one without a clock has the whole match as its own.
MOST_CHAINS = 6000


@kernel
def mentions_player(mentions, player):
    for i in range(len(mentions)):  # noqa: SIM110 (numba has no any() of a generator)
        if mentions[i] == player and player >= 0:
            return True
    return False


@kernel
def build_chains(bucket, time, period, actor, mentions, longest):
    """Chains as places in the bucket, from short to long: a bucket without end keeps its singles.

    Chains of which no player is mentioned are looked at for what they may grow into.
    """
    anybody = filled(mentions) > 0
    if not anybody:
        longest = min(longest, LONGEST_UNNAMED)
    size = len(bucket)
    room = size * (1 + REACH * (1 + REACH * (1 + REACH)))
    looked = np.full((room, 4), -1, dtype=np.int64)
    good = np.zeros(room, dtype=np.bool_)
    length = np.ones(room, dtype=np.int64)
    count = size
    for i in range(size):
        looked[i, 0] = i
        good[i] = not anybody or mentions_player(mentions, actor[bucket[i]])
    done = given = 0
    while done < count and (done < size or given < MOST_CHAINS):
        n = length[done]
        given += good[done] or n == 1
        at = looked[done, n - 1]
        last = bucket[at]
        after = at + 1
        while n < longest and after < size and bucket[after] - last <= REACH:
            near = bucket[after]
            if period[near] == period[last] and abs(time[near] - time[last]) <= GAP:
                looked[count, :n] = looked[done, :n]
                looked[count, n] = after
                length[count] = n + 1
                good[count] = good[done] or mentions_player(mentions, actor[near])
                count += 1
            after += 1
        done += 1
    for i in range(size):
        good[i] = True
    return looked[:done][good[:done]]


@kernel
def heads_of(start, chains, actor, mentions):
    """The place of each chain's head: the first event by the player mentioned first."""
    head = np.zeros(len(chains), dtype=np.int64)
    for c in range(len(start) - 1):
        first = mentions[c, 0]
        for h in range(start[c], start[c + 1]):
            for p in range(filled(chains[h])):
                if first >= 0 and actor[chains[h, p]] == first:
                    head[h] = p
                    break
    return head


@kernel
def score_all(m, p):
    """Log-score of every hypothesis, and of "no event" for every comment."""
    scores = np.empty(len(m.chains))
    silent = np.empty(len(m.start) - 1)
    absent = np.log1p(-p.cause).sum(axis=1)
    taken, passed = np.log(p.extend), np.log(1 - p.extend)
    for c in range(len(silent)):
        mentions = m.mentions[c]
        silent[c] = math.log(p.none)
        for i in range(filled(mentions)):
            silent[c] += _mention(m, p, c, i, STRANGER)
        own, quiet = _explains(m, p, c, absent)
        told = 0.0
        for j in range(len(own)):
            told += p.rate[m.kind[m.chains[m.start[c] + j, 0]]]
        for h in range(m.start[c], m.start[c + 1]):
            k = m.kind[m.chains[h, m.head[h]]]
            s = math.log(1 - p.none) + math.log(p.rate[k] / told) + math.log(p.lag[m.lag[h]])
            s += _walk(m, m.chains[h], m.head[h], mentions, taken, passed)
            s += _words(m.words[c], m.places[h], own, quiet, p.background)
            scores[h] = s + _names(m, p, c, h)
    return scores, silent


@kernel
def _explains(m, p, c, absent):
    """How likely each event of a bucket brings each word of the comment, and none beside them.

    The part of an unnamed player, the last cause of an event, counts only if he is unnamed.
    """
    first, last = m.start[c], m.start[c + 1]
    size = 0
    while first + size < last and m.chains[first + size, 1] < 0:
        size += 1
    count = filled(m.words[c])
    own, quiet = np.empty((size, count)), np.empty(size)
    for j in range(size):
        event = m.chains[first + j, 0]
        causes = causes_of(m, c, event)
        quiet[j] = 0.0
        for f in causes:
            quiet[j] += absent[f]
        for i in range(count):
            missing = 1.0
            for f in causes:
                missing *= 1 - p.cause[f, m.words[c, i]]
            own[j, i] = 1 - missing
            quiet[j] -= math.log(missing)
    return own, quiet


@kernel
def causes_of(m, c, event):
    """What of an event may bring words to a comment."""
    size = filled(m.causes[event])
    if mentions_player(m.mentions[c], m.actor[event]):
        size -= 1
    return m.causes[event, :size]


@kernel
def _words(words, places, own, quiet, background):
    """Log-likelihood ratio of the words under a noisy-or of the events, against no event."""
    size, total = filled(places), 0.0
    for p in range(size):
        total += quiet[places[p]]
    for i in range(own.shape[1]):
        total += math.log(_present(i, words[i], places, size, own, background)) - math.log(
            background[words[i]]
        )
    return total


@kernel
def _present(i, word, places, size, own, background):
    """Probability that a word is there: from one of the events, or by itself."""
    missing = 1 - background[word]
    for p in range(size):
        missing *= 1 - own[places[p], i]
    return 1 - missing


@kernel
def _names(m, p, c, h):
    """What mentions say for a chain: who is named, in which role, who is left out."""
    mentions, leader = m.mentions[c], m.chains[h, m.head[h]]
    k = m.kind[leader]
    total = _named(mentions, m.actor[leader], p.named[k], p.chance)
    total += _named(mentions, m.others[leader, 0], p.other_named[k], p.chance)
    count = filled(mentions)
    for i in range(count):
        total += _mention(m, p, c, i, role_of(m, mentions[i], h))
    if count > 0:
        total += math.log(p.first if m.actor[leader] == mentions[0] else 1 - p.first)
    return total


@kernel
def _named(mentions, player, often, chance):
    """How much more likely a player is mentioned, or not, than one of just any event."""
    if player < 0:
        return 0.0
    if mentions_player(mentions, player):
        return math.log(often / chance)
    return math.log((1 - often) / (1 - chance))


@kernel
def _mention(m, p, c, i, role):
    """Log-odds of a mention in a role, by the words beside it."""
    around = p.context[role, m.before[c, i]] + p.context[role, m.after[c, i]]
    return around + math.log(p.stranger) if role == STRANGER else around


@kernel
def role_of(m, player, h):
    """What a mentioned player is to a chain."""
    chain = m.chains[h]
    if m.actor[chain[m.head[h]]] == player:
        return ACTS_IN_HEAD
    role = STRANGER
    for p in range(filled(chain)):
        if m.actor[chain[p]] == player:
            return ACTS
        if mentions_player(m.others[chain[p]], player):
            role = OTHER
    return role


@kernel
def _walk(m, chain, head, mentions, taken, passed):
    """Log-probability of a chain given its head: each neighbour is taken or passed by.

    Going on from each event, forwards from the head and backwards from it, up to REACH neighbours
    within GAP seconds are looked at in turn; the first that is taken is the next of the chain.
    """
    total = 0.0
    for sign in (1, -1):
        place = head
        current = chain[place]
        while current >= 0:
            place += sign
            goal = chain[place] if 0 <= place < len(chain) else -1
            for reach in range(1, REACH + 1):
                near = current + sign * reach
                if not _within(m, current, near, sign):
                    break
                odds = taken if near == goal else passed
                total += odds[_direction(m, mentions, near, sign), m.type[current], m.kind[near]]
                if near == goal:
                    break
            current = goal
    return total


@kernel
def _count_walk(m, chain, head, mentions, weight, n):
    """Count the steps of a chain and the neighbours met, as `_walk` meets them."""
    for sign in (1, -1):
        place = head
        current = chain[place]
        while current >= 0:
            place += sign
            goal = chain[place] if 0 <= place < len(chain) else -1
            for reach in range(1, REACH + 1):
                near = current + sign * reach
                if not _within(m, current, near, sign):
                    break
                direction = _direction(m, mentions, near, sign)
                n.neighbours[direction, m.type[current], m.kind[near]] += weight
                if near == goal:
                    n.steps[direction, m.type[current], m.kind[near]] += weight
                    break
            current = goal


@kernel
def _within(m, current, near, sign):
    if near < 0 or near >= len(m.time) or m.period[near] != m.period[current]:
        return False
    return 0 <= sign * (m.time[near] - m.time[current]) <= GAP


@kernel
def _direction(m, mentions, near, sign):
    named = 2 if mentions_player(mentions, m.actor[near]) else 0
    return named + (1 if sign > 0 else 0)


@kernel
def count_available(m, n):
    """What there is before anything is told: candidates, lags, words, mentions."""
    for c in range(len(m.start) - 1):
        n.numbers[COMMENTS] += 1
        n.numbers[MENTIONS] += filled(m.mentions[c])
        for i in range(filled(m.words[c])):
            n.frequency[m.words[c, i]] += 1
        for h in range(m.start[c], m.start[c + 1]):
            if m.chains[h, 1] >= 0:
                break
            event = m.chains[h, 0]
            n.available[m.kind[event]] += 1
            n.lag_available[m.lag[h]] += 1
            n.numbers[CANDIDATES] += 1
            if mentions_player(m.mentions[c], m.actor[event]):
                n.numbers[NAMED_CANDIDATES] += 1


@kernel
def count_told(m, p, share, none, n):
    """What is expected to be told, where hypotheses have probabilities `share`."""
    absent = np.zeros(len(p.cause))
    for c in range(len(m.start) - 1):
        mentions, words = m.mentions[c], m.words[c]
        named = filled(mentions)
        n.numbers[NONE] += none[c]
        for i in range(named):
            _count_mention(m, c, i, STRANGER, none[c], n)
        for i in range(filled(words)):
            n.by_itself[words[i]] += none[c]
        own, _ = _explains(m, p, c, absent)
        told, brought = np.zeros(len(own)), np.zeros(own.shape)
        for h in range(m.start[c], m.start[c + 1]):
            g = share[h]
            if g < 1e-6:
                continue
            leader = m.chains[h, m.head[h]]
            _count_head(m, c, h, leader, g, n)
            _count_walk(m, m.chains[h], m.head[h], mentions, g, n)
            for i in range(named):
                _count_mention(m, c, i, role_of(m, mentions[i], h), g, n)
            size = filled(m.places[h])
            for q in range(size):
                told[m.places[h, q]] += g
            for i in range(own.shape[1]):
                part = g / _present(i, words[i], m.places[h], size, own, p.background)
                n.by_itself[words[i]] += part * p.background[words[i]]
                for q in range(size):
                    brought[m.places[h, q], i] += part
        _count_causes(m, p, c, told, brought, n)


@kernel
def _count_head(m, c, h, leader, g, n):
    mentions, k = m.mentions[c], m.kind[leader]
    n.heads[k] += g
    n.lag[m.lag[h]] += g
    if m.actor[leader] >= 0:
        n.with_player[k] += g
        if mentions_player(mentions, m.actor[leader]):
            n.named[k] += g
    if m.others[leader, 0] >= 0:
        n.with_other[k] += g
        if mentions_player(mentions, m.others[leader, 0]):
            n.other_named[k] += g
    if mentions[0] >= 0:
        n.numbers[TOLD_WITH_NAMES] += g
        if m.actor[leader] == mentions[0]:
            n.numbers[LEADS] += g


@kernel
def _count_mention(m, c, i, role, g, n):
    n.context[role, m.before[c, i]] += g
    n.context[role, m.after[c, i]] += g
    if role == STRANGER:
        n.numbers[STRANGERS] += g


@kernel
def _count_causes(m, p, c, told, brought, n):
    """Hand what events brought on to their causes."""
    for j in range(len(told)):
        if told[j] > 0:
            for f in causes_of(m, c, m.chains[m.start[c] + j, 0]):
                n.told[f] += told[j]
                for i in range(brought.shape[1]):
                    n.caused[f, m.words[c, i]] += brought[j, i] * p.cause[f, m.words[c, i]]


@kernel
def count_near(m, share, near, both):
    """Add the causes of all events within reach of each comment's head, by its probability."""
    beside = np.zeros(len(near))
    met = np.full(len(near), -1, dtype=np.int64)
    for c in range(len(m.start) - 1):
        beside[:] = 0
        for h in range(m.start[c], m.start[c + 1]):
            if share[h] < 1e-6:
                continue
            head = m.chains[h, m.head[h]]
            first, last = max(head - REACH, 0), min(head + REACH + 1, len(m.time))
            for event in range(first, last):
                if abs(m.time[event] - m.time[head]) <= GAP:
                    for f in causes_of(m, c, event):
                        if met[f] != h:
                            met[f] = h
                            beside[f] += share[h]
        near += beside
        for i in range(filled(m.words[c])):
            both[:, m.words[c, i]] += beside
