"""Expected counts of what comments tell, from the probabilities of their hypotheses.

`m` is a prepared match, `p` are parameters, `n` are Counts that are added to.
"""

from __future__ import annotations

import numpy as np

from touchline.chains.chaining import GAP, REACH
from touchline.chains.counting import (
    CANDIDATES,
    COMMENTS,
    LEADS,
    MENTIONS,
    NAMED_CANDIDATES,
    NONE,
    STRANGER,
    STRANGERS,
    TOLD_WITH_NAMES,
    Counts,
)
from touchline.chains.hypotheses import Prepared
from touchline.chains.parameters import Parameters
from touchline.chains.scoring import Explained, causes_of, explained
from touchline.pairs.pairing import Floats, Ints

# Hypotheses that are less probable are not worth counting.
NEGLIGIBLE = 1e-6


def count_available(m: Prepared, n: Counts) -> None:
    """What there is before anything is told: candidates, lags, words, mentions."""
    single = m.chains[:, 1] < 0
    events, comments = m.chains[single, 0], m.of[single]
    n.numbers[COMMENTS] += len(m.said)
    n.numbers[MENTIONS] += len(m.said_by)
    n.numbers[CANDIDATES] += len(events)
    n.numbers[NAMED_CANDIDATES] += m.spoken[comments, m.actor[events]].sum()
    _add(n.frequency, m.words[m.words >= 0])
    _add(n.available, m.kind[events])
    _add(n.lag_available, m.lag[single])


def count_told(m: Prepared, p: Parameters, share: Floats, none: Floats, n: Counts) -> None:
    """What is expected to be told, where hypotheses have probabilities `share`."""
    share = np.where(share >= NEGLIGIBLE, share, 0.0)
    n.numbers[NONE] += none.sum()
    _count_heads(m, share, n)
    _add(n.neighbours.reshape(-1), m.met.step, share[m.met.of])
    _add(n.steps.reshape(-1), m.met.step[m.met.taken], share[m.met.of[m.met.taken]])
    _count_mentions(m, share, none, n)
    for each in explained(m, p):
        n.by_itself[each.words] += none[each.comment]
        _count_words(each, p, share[each.own], n)


def _count_heads(m: Prepared, share: Floats, n: Counts) -> None:
    told = np.flatnonzero(share)
    g, leader, comment = share[told], m.leader[told], m.of[told]
    kind, actor, other = m.kind[leader], m.actor[leader], m.others[leader, 0]
    first = m.mentions[comment, 0]
    _add(n.heads, kind, g)
    _add(n.lag, m.lag[told], g)
    for player, having, named in (
        (actor, n.with_player, n.named),
        (other, n.with_other, n.other_named),
    ):
        _add(having, kind, g * (player >= 0))
        _add(named, kind, g * m.spoken[comment, player])
    n.numbers[TOLD_WITH_NAMES] += g[first >= 0].sum()
    n.numbers[LEADS] += g[(first >= 0) & (actor == first)].sum()


def _count_mentions(m: Prepared, share: Floats, none: Floats, n: Counts) -> None:
    """Each mention in each role."""
    often = np.zeros((len(m.said_by), len(n.context)))
    flat = m.roles.mention * often.shape[1] + m.roles.role
    _add(often.reshape(-1), flat, share[m.roles.of])
    often[:, STRANGER] += none[m.said_by]
    n.numbers[STRANGERS] += often[:, STRANGER].sum()
    for beside in m.beside.T:
        for role, counts in enumerate(n.context):
            _add(counts, beside, often[:, role])


def _count_words(each: Explained, p: Parameters, share: Floats, n: Counts) -> None:
    """Hand each word on to what brought it: itself, or the causes of events."""
    told = np.flatnonzero(share)
    places, words = each.places[told], each.words
    part = share[told, None] / each.present(p, places)
    n.by_itself[words] += part.sum(axis=0) * p.background[words]
    often, brought = np.zeros(len(each.missing)), np.zeros(each.missing.shape)
    for place in places.T:  # padding stands for the row behind the last
        np.add.at(often, place, share[told])
        np.add.at(brought, place, part)
    some = np.flatnonzero(often[:-1])
    for causes in each.causes[some].T:
        events, f = some[causes >= 0], causes[causes >= 0]
        np.add.at(n.told, f, often[events])
        np.add.at(n.caused, (f[:, None], words), brought[events] * p.cause[f[:, None], words])


def count_near(m: Prepared, share: Floats, near: Floats, both: Floats) -> None:
    """Add the causes of all events within reach of each comment's head, by its probability."""
    leader = m.leader
    for c, (first, last) in enumerate(zip(m.start[:-1], m.start[1:], strict=True)):
        told = first + np.flatnonzero(share[first:last] >= NEGLIGIBLE)
        beside = (share[told, None] * _met(m, c, leader[told], len(near))).sum(axis=0)
        near += beside
        both[:, m.words[c][m.words[c] >= 0]] += beside[:, None]


def _met(m: Prepared, c: int, heads: Ints, causes: int) -> Floats:
    """Which causes have events near each head."""
    met = np.zeros((len(heads), causes + 1))
    for reach in range(-REACH, REACH + 1):
        event = np.clip(heads + reach, 0, max(len(m.time) - 1, 0))
        close = np.abs(m.time[event] - m.time[heads]) <= GAP
        rows = np.flatnonzero(close)[:, None]
        met[rows, causes_of(m, c, event[close])] = 1.0
    return met[:, :-1]


def _add(counts: Floats, at: Ints, weights: Floats | None = None) -> None:
    counts += np.bincount(at, weights=weights, minlength=len(counts))
