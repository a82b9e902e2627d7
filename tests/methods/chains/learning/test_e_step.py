"""Expected counts against a plain, slow reference: one hypothesis, word, mention at a time."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from touchline import Match
from touchline.methods.buckets import Window
from touchline.methods.chains.data.candidate_chains import GAP, REACH
from touchline.methods.chains.data.hypotheses import prepare
from touchline.methods.chains.data.language import Language, learn_language
from touchline.methods.chains.data.mentions import mentions_of
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference.posterior import infer
from touchline.methods.chains.learning.e_step import count_available, count_described, count_near
from touchline.methods.chains.learning.em import learn
from touchline.methods.chains.model.m_step import Parameters, maximise
from touchline.methods.chains.model.sufficient_stats import (
    ACTS,
    ACTS_IN_HEAD,
    CANDIDATES,
    COMMENTS,
    DESCRIBED_WITH_NAMES,
    LEADS,
    MENTIONS,
    NAMED_CANDIDATES,
    NONE,
    OTHER,
    STRANGER,
    STRANGERS,
    Counts,
)
from touchline.methods.chains.model.word_likelihood import wordings
from touchline.text import speech


@pytest.fixture(scope="module")
def case(sample) -> tuple[Language, MatchTables, Parameters, np.ndarray, np.ndarray]:
    """A stretch of the sample, comments that weigh differently, and no probability negligible.

    Comments take a while to say, so that the names in them have times of their own.
    """
    match: Match = sample[0].match.with_comments(
        msgspec.structs.replace(c, end=c.start + 5 * (i % 3))
        for i, c in enumerate(sample[0].match.comments[20:50])
    )
    mentioned = mentions_of(match)
    language = learn_language([match], [w for own in mentioned for m in own for w in m.around])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(speech, "SPOKEN_PACE", 0.0)
        prepared = prepare(match, language, mentioned, Window(20, 20))
    parameters = maximise(learn([prepared], language, 6), language)
    posterior = infer(prepared, parameters)
    weighed = prepared.weighted(np.linspace(0.2, 3, len(prepared.comments.time)))
    return language, weighed, parameters, posterior.chains * 0.9 + 1e-4, posterior.none


def row(values: np.ndarray) -> list[int]:
    return [int(v) for v in values if v >= 0]


def own_of(m: MatchTables, c: int) -> range:
    return range(m.hypotheses.start[c], m.hypotheses.start[c + 1])


def reference_causes(m: MatchTables, c: int, event: int) -> list[int]:
    named = m.events.actor[event] in row(m.comments.mentions[c])
    return [f for f in row(m.events.causes[event]) if not (named and f >= m.unnamed)]


def reference_role(m: MatchTables, h: int, player: int) -> int:
    chain = row(m.hypotheses.events[h])
    if m.events.actor[chain[m.hypotheses.head[h]]] == player:
        return ACTS_IN_HEAD
    if player in [m.events.actor[e] for e in chain]:
        return ACTS
    return OTHER if any(player in row(m.events.others[e]) for e in chain) else STRANGER


def reference_mentions(m: MatchTables, c: int, roles: dict[int, int], g: float, n: Counts) -> None:
    named = row(m.comments.mentions[c])
    for i, player in enumerate(named):
        role = roles[player]
        n.context[role, m.comments.before[c, i]] += g
        n.context[role, m.comments.after[c, i]] += g
        n.numbers[STRANGERS] += g * (role == STRANGER and player not in named[:i])


def reference_head(m: MatchTables, p: Parameters, c: int, h: int, g: float, n: Counts) -> None:
    head, named = m.hypotheses.events[h, m.hypotheses.head[h]], row(m.comments.mentions[c])
    kind = m.events.kind[head]
    actor, other = m.events.actor[head], m.events.others[head, 0]
    n.heads[kind] += g
    n.with_player[kind] += g * (actor >= 0)
    n.named[kind] += g * (actor in named)
    if actor >= 0 and other >= 0:
        n.naming[kind, (actor in named) + 2 * (other in named)] += g
    reference_lag(m, p, c, head, g, n)
    if named:
        n.numbers[DESCRIBED_WITH_NAMES] += g
        receives = other == named[0] and actor not in named
        n.numbers[LEADS] += g * (actor == named[0] or receives)


def reference_lag(m: MatchTables, p: Parameters, c: int, head: int, g: float, n: Counts) -> None:
    """From the actor's name, a tenth as sure if somebody receives; from the other's; from none.

    Each time that they are named has its share, by how likely that lag is.
    """
    named, time = row(m.comments.mentions[c]), m.events.time[head]
    actor, other = m.events.actor[head], m.events.others[head, 0]
    role, sure = 0, 0.1 if other >= 0 else 1
    player = actor
    if actor not in named:
        role, sure, player = int(m.events.other_lag[head]), 1, other
    times = [s for one, s in zip(named, m.comments.heard[c], strict=False) if one == player]
    if not times:
        role, times = 5, [m.comments.time[c]]
    bins = [reference_bin(second - time) for second in times]
    every = sum(p.lag[role, b] for b in bins)
    for b in bins:
        n.lag[role, b] += g * sure * p.lag[role, b] / every


def reference_bin(lag: float) -> int:
    """Of a second from 20 s before to 40 s after; of five seconds elsewhere, up to 200 s."""
    if -20 <= lag < 40:
        return 57 + math.floor(lag)
    return min(max(41 + math.floor(lag / 5) if lag < 0 else 89 + math.floor(lag / 5), 0), 129)


def reference_steps(m: MatchTables, c: int, h: int, g: float, n: Counts) -> None:
    chain, named = row(m.hypotheses.events[h]), row(m.comments.mentions[c])
    for sign in (1, -1):
        place = int(m.hypotheses.head[h])
        while 0 <= place < len(chain):
            at, place = chain[place], place + sign
            goal = chain[place] if 0 <= place < len(chain) else None
            for near in range(at + sign, at + sign * (REACH + 1), sign):
                if (
                    not 0 <= near < len(m.events.time)
                    or m.events.period[near] != m.events.period[at]
                ):
                    break
                if not 0 <= sign * (m.events.time[near] - m.events.time[at]) <= GAP:
                    break
                step = (
                    (sign == 1) + 2 * (m.events.actor[near] in named),
                    m.events.type[at],
                    m.events.kind[near],
                )
                n.neighbours[step] += g
                if near == goal:
                    n.steps[step] += g
                    break


def reference_words(m: MatchTables, p: Parameters, c: int, h: int, g: float, n: Counts) -> None:
    causes = [(e, f) for e in row(m.hypotheses.events[h]) for f in reference_causes(m, c, e)]
    for _, f in causes:
        n.described[f] += g
        n.exposed[f] += g * min(1, (m.comments.words >= 0).sum() / len(m.comments.words) / p.length)
    for w in row(m.comments.words[c]):
        missing = (1 - p.background[w]) * np.prod([1 - p.cause[f, w] for _, f in causes])
        n.by_itself[w] += g * p.background[w] / (1 - missing)
        for _, f in causes:
            n.caused[f, w] += g * p.cause[f, w] / (1 - missing)


def test_what_is_described(case):
    language, m, p, share, none = case
    found, expected = Counts.zero(language), Counts.zero(language)
    count_described(m, p, share, none, found, wordings(m, p))
    share, none = share * m.comments.weight[m.hypotheses.comment], none * m.comments.weight
    for c in range(len(m.comments.words)):
        expected.numbers[NONE] += none[c]
        expected.by_itself[row(m.comments.words[c])] += none[c]
        strangers = dict.fromkeys(row(m.comments.mentions[c]), STRANGER)
        reference_mentions(m, c, strangers, none[c], expected)
        for h in own_of(m, c):
            roles = {player: reference_role(m, h, player) for player in row(m.comments.mentions[c])}
            reference_mentions(m, c, roles, share[h], expected)
            reference_head(m, p, c, h, share[h], expected)
            reference_steps(m, c, h, share[h], expected)
            reference_words(m, p, c, h, share[h], expected)
    assert len(m.hypotheses.events) > 500
    for field in Counts._fields:
        assert getattr(found, field) == pytest.approx(getattr(expected, field)), field
        if field not in ("available", "frequency", "lag_available", "order", "drifted"):
            assert getattr(found, field).sum() > 0, field


def test_what_is_negligible_is_not_counted(case):
    language, m, p, share, none = case
    found = Counts.zero(language)
    count_described(m, p, np.full_like(share, 1e-7), np.zeros_like(none), found, wordings(m, p))
    assert all(not counts.any() for counts in found)


def test_what_there_is(case):
    language, m, *_ = case
    found, expected = Counts.zero(language), Counts.zero(language)
    count_available(m, found)
    for c in range(len(m.comments.words)):
        weight = m.comments.weight[c]
        expected.numbers[COMMENTS] += weight
        expected.numbers[MENTIONS] += weight * len(row(m.comments.mentions[c]))
        for w in row(m.comments.words[c]):
            expected.frequency[w] += weight
        for h in own_of(m, c):
            if len(row(m.hypotheses.events[h])) == 1:
                event = m.hypotheses.events[h, 0]
                expected.available[m.events.kind[event]] += weight
                lag = m.comments.time[c] - m.events.time[event]
                expected.lag_available[reference_bin(lag)] += weight
                expected.numbers[CANDIDATES] += weight
                named = m.events.actor[event] in row(m.comments.mentions[c])
                expected.numbers[NAMED_CANDIDATES] += weight * named
    for field in Counts._fields:
        assert getattr(found, field) == pytest.approx(getattr(expected, field)), field


def test_what_is_near(case):
    language, m, _, share, _ = case
    near, both = np.zeros(len(language.causes())), np.zeros(Counts.zero(language).caused.shape)
    expected, beside = np.zeros_like(near), np.zeros_like(both)
    count_near(m, share, near, both)
    share = share * m.comments.weight[m.hypotheses.comment]
    for c in range(len(m.comments.words)):
        for h in own_of(m, c):
            head = m.hypotheses.events[h, m.hypotheses.head[h]]
            around = range(max(head - REACH, 0), min(head + REACH + 1, len(m.events.time)))
            close = [e for e in around if abs(m.events.time[e] - m.events.time[head]) <= GAP]
            met = sorted({f for e in close for f in reference_causes(m, c, e)})
            expected[met] += share[h]
            for w in row(m.comments.words[c]):
                beside[met, w] += share[h]
    assert near == pytest.approx(expected)
    assert both == pytest.approx(beside)
