"""Scores and probabilities of the chains model against a plain, slow reference of the formulas."""

from __future__ import annotations

import itertools
import math

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from touchline import Match
from touchline.methods.buckets import Window
from touchline.methods.chains.data.candidate_chains import GAP, MAX_CHAINS, REACH
from touchline.methods.chains.data.hypotheses import prepare
from touchline.methods.chains.data.language import Language, finest_known, learn_language, names_of
from touchline.methods.chains.data.mentions import mentions_of
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference.posterior import BEAM, infer, likeliest
from touchline.methods.chains.learning.em import learn
from touchline.methods.chains.model.m_step import Parameters, maximise
from touchline.methods.chains.model.ordering import MOMENT, forward_backward
from touchline.methods.chains.model.scoring import score_all
from touchline.methods.chains.model.sufficient_stats import (
    DRIFT_BIN,
    DRIFT_BINS,
    LOOKS_BACK,
    STEPS_SHAPE,
)
from touchline.methods.chains.model.word_likelihood import wordings
from touchline.text import speech


def prepared_match(match: Match) -> tuple[Language, MatchTables]:
    mentioned = mentions_of(match)
    around = [word for own in mentioned for m in own for word in m.around]
    language = learn_language([match], around)
    return language, prepare(match, language, mentioned, Window())


@pytest.fixture(scope="module")
def learned(sample) -> tuple[Match, Language, MatchTables, Parameters]:
    """The start of a match whose comments take a while to say, so that names have own times."""
    comments = [
        msgspec.structs.replace(c, end=c.start + 5 * (i % 3))
        for i, c in enumerate(sample[0].match.comments[:30])
    ]
    match = msgspec.structs.replace(
        sample[0].match,
        comments=tuple(comments),
        events=tuple(e for e in sample[0].match.events if e.period == 1 and e.time < 1800),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(speech, "SPOKEN_PACE", 0.0)
        language, prepared = prepared_match(match)
    assert prepared.spoken
    return match, language, prepared, maximise(learn([prepared], language, 7), language)


def row(values: np.ndarray) -> list[int]:
    return [int(v) for v in values if v >= 0]


def reference_score(m: MatchTables, p: Parameters, c: int, h: int) -> float:
    """Log-score of a hypothesis, term by term as docs/model.md has them."""
    chain = row(m.hypotheses.events[h])
    head = chain[m.hypotheses.head[h]]
    own = range(m.hypotheses.start[c], m.hypotheses.start[c + 1])
    singles = [m.hypotheses.events[i, 0] for i in own if m.hypotheses.events[i, 1] < 0]
    score = math.log(1 - p.none)
    score += math.log(p.rate[m.events.kind[head]]) - math.log(
        sum(p.rate[m.events.kind[e]] for e in singles)
    )
    lags = reference_lags(m, c, head)
    score += math.log(sum(p.lag[lag] for lag in lags) / len(lags))
    score += reference_walk(m, p, c, chain, head)
    score += reference_words(m, p, c, chain)
    return score + reference_names(m, p, c, chain, head)


def reference_lags(m: MatchTables, c: int, head: int) -> list[tuple[int, int]]:
    """Whose name lags are counted from, and the bins: of a second near 0, of five elsewhere."""
    named = row(m.comments.mentions[c])
    roles = {int(m.events.actor[head]): 0}
    roles.setdefault(int(m.events.others[head, 0]), int(m.events.other_lag[head]))
    who = next((player for player in roles if player in named), None)
    times = [s for player, s in zip(named, m.comments.heard[c], strict=False) if player == who]
    below = [-200 + 5 * i for i in range(36)] + list(range(-20, 40)) + list(range(40, 201, 5))
    return [
        (5 if who is None else roles[who], sum(s - m.events.time[head] >= edge for edge in below))
        for s in times or [m.comments.time[c]]
    ]


def reference_walk(m: MatchTables, p: Parameters, c: int, chain: list[int], head: int) -> float:
    score, named = 0.0, set(row(m.comments.mentions[c]))
    for sign in (1, -1):
        at, place = head, chain.index(head)
        while True:
            place += sign
            goal = chain[place] if 0 <= place < len(chain) else None
            for near in range(at + sign, at + sign * (REACH + 1), sign):
                if not 0 <= near < len(m.events.time):
                    break
                if not 0 <= sign * (m.events.time[near] - m.events.time[at]) <= GAP:
                    break
                direction = (sign == 1) + 2 * (m.events.actor[near] in named)
                often = p.extend[direction, m.events.type[at], m.events.kind[near]]
                score += math.log(often if near == goal else 1 - often)
                if near == goal:
                    break
            if goal is None:
                break
            at = goal
    return score


def reference_words(m: MatchTables, p: Parameters, c: int, chain: list[int]) -> float:
    score, words, named = 0.0, set(row(m.comments.words[c])), set(row(m.comments.mentions[c]))
    causes = [row(m.events.causes[e])[: -1 if m.events.actor[e] in named else None] for e in chain]
    length = min(1, (m.comments.words >= 0).sum() / len(m.comments.words) / p.length)
    for w in range(len(p.background)):
        quiet = math.prod(1 - p.cause[f, w] for own in causes for f in own)
        if w in words:
            score += math.log((1 - (1 - p.background[w]) * quiet) / p.background[w])
        else:
            score += length * math.log(quiet)
    return score


def reference_names(m: MatchTables, p: Parameters, c: int, chain: list[int], head: int) -> float:
    named, actor, other = row(m.comments.mentions[c]), *reference_players(m, head)
    score = reference_naming(m, p, named, head)
    for i, player in enumerate(named):
        if player == actor:
            role = 0
        elif player in [m.events.actor[e] for e in chain]:
            role = 1
        elif player in [other for e in chain for other in row(m.events.others[e])]:
            role = 2
        else:
            role = 3
            score += 0 if player in named[:i] else math.log(p.stranger)
        score += p.context[role, m.comments.before[c, i]] + p.context[role, m.comments.after[c, i]]
    if named:
        leads = named[0] == actor or (named[0] == other and actor not in named)
        score += math.log(p.first if leads else 1 - p.first)
    return score


def reference_players(m: MatchTables, head: int) -> tuple[int, int]:
    return int(m.events.actor[head]), int(m.events.others[head, 0])


def reference_naming(m: MatchTables, p: Parameters, named: list[int], head: int) -> float:
    """Odds of who is named: of the four ways if the head has two players, of two if it has one."""
    kind, players = m.events.kind[head], reference_players(m, head)
    chance = math.prod(p.chance if x in named else 1 - p.chance for x in players if x >= 0)
    if min(players) >= 0:
        way = [(False, False), (True, False), (False, True), (True, True)].index(
            (players[0] in named, players[1] in named)
        )
        return math.log(p.naming[kind, way] / chance)
    if players[0] >= 0:
        often = p.named[kind] if players[0] in named else 1 - p.named[kind]
        return math.log(often / chance)
    return 0.0


def test_scores_are_those_of_the_plain_reference(learned):
    _, _, m, p = learned
    scores, silent = score_all(m, p, wordings(m, p))
    lags = []
    for c in range(0, len(m.comments.words), 3):
        for h in range(m.hypotheses.start[c], m.hypotheses.start[c + 1], 7):
            assert scores[h] == pytest.approx(reference_score(m, p, c, h), abs=1e-9)
            lags += reference_lags(m, c, row(m.hypotheses.events[h])[m.hypotheses.head[h]])
        expected = math.log(p.none) + sum(
            math.log(p.stranger) * bool(m.comments.first[c, i])
            + p.context[3, m.comments.before[c, i]]
            + p.context[3, m.comments.after[c, i]]
            for i in range(len(row(m.comments.mentions[c])))
        )
        assert silent[c] == pytest.approx(expected)
    assert len(lags) > 100
    assert {named for named, _ in lags} == {0, 1, 5}


def test_alone_a_comment_shares_by_score(learned):
    _, _, m, p = learned
    scores, silent = score_all(m, p, wordings(m, p))
    posterior = infer(m, p, ordered=False)
    for c in range(len(m.comments.words)):
        own = slice(m.hypotheses.start[c], m.hypotheses.start[c + 1])
        weights = np.exp(np.append(scores[own], silent[c]) - max(scores[own].max(), silent[c]))
        assert posterior.chains[own] == pytest.approx(weights[:-1] / weights.sum(), abs=1e-9)
        assert posterior.none[c] == pytest.approx(weights[-1] / weights.sum(), abs=1e-9)


def reference_state(time: float, said: float) -> int:
    return 2 if math.isnan(time) else 1 if said - time > LOOKS_BACK else 0


def reference_odds(
    heads: tuple[float, float], said: tuple[float, float], order, drift
) -> tuple[float, tuple[int, ...], int]:
    """The odds of a step, and its places in `order` and `drift`."""
    gone = heads[1] - heads[0]
    way = 2 if gone < -MOMENT else 1 if gone <= MOMENT else 0
    soon = 1 if said[1] - said[0] < 4 else 2 if said[1] - said[0] < 10 else 3
    step = soon, *(reference_state(*one) for one in zip(heads, said, strict=True)), way
    if math.isnan(gone):
        return order[step] * drift[-1], step, len(drift) - 1
    middle = (len(drift) - 1) // 2
    off = (gone - (said[1] - said[0])) / DRIFT_BIN
    bin_ = min(max(middle + round(off), 0), len(drift) - 2)
    return order[step] * drift[bin_], step, bin_


@settings(max_examples=30)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 10_000))
@example([3, 4, 3, 2], 3)
def test_forward_backward_equals_summing_over_all_paths(sizes, seed):
    chance = np.random.default_rng(seed)
    order = chance.uniform(0.1, 3, STEPS_SHAPE)
    drift = chance.uniform(0.5, 2, DRIFT_BINS)
    shape = len(sizes), max(sizes) + 1
    likely, time = chance.uniform(0.01, 1, shape), chance.uniform(0, 30, shape)
    time[:, -1] = np.nan  # no event
    for c, size in enumerate(sizes):
        likely[c, size - 1 : -1] = 0.0  # padding
    said = np.sort(chance.uniform(0, 60, len(sizes)))
    share, moved, drifted = forward_backward(likely, time, said, order, drift, spoken=True)
    expected, ways, bins = np.zeros(shape), np.zeros(STEPS_SHAPE), np.zeros(DRIFT_BINS)
    for path in itertools.product(range(shape[1]), repeat=len(sizes)):
        states = list(enumerate(path))
        weight = math.prod(likely[state] for state in states)
        steps = []
        for (c, i), (d, j) in itertools.pairwise(states):
            heads, times = (time[c, i], time[d, j]), (said[c], said[d])
            odds, *step = reference_odds(heads, times, order, drift)
            weight *= odds
            steps.append(step)
        for state in states:
            expected[state] += weight
        for way, bin_ in steps:
            ways[way] += weight
            bins[bin_] += weight
    total = expected[0].sum()
    assert share == pytest.approx(expected / total)
    assert moved == pytest.approx(ways / total)
    assert drifted == pytest.approx(bins / total)


def test_more_comments_than_are_looked_at_together():
    """One after the other or in several parts, the shares are the same."""
    chance = np.random.default_rng(1)
    order, drift = chance.uniform(0.1, 3, STEPS_SHAPE), chance.uniform(0.5, 2, DRIFT_BINS)
    likely, time = chance.uniform(0.01, 1, (150, 4)), chance.uniform(0, 900, (150, 4))
    # After a comment that describes nothing for sure, nothing depends on what was before it.
    likely[75] = [0, 0, 0, 1]
    time[:, -1] = np.nan
    said = np.sort(chance.uniform(0, 900, 150))
    whole = forward_backward(likely, time, said, order, drift, spoken=True)
    parts = [
        forward_backward(likely[own], time[own], said[own], order, drift, spoken=True)
        for own in (slice(0, 76), slice(75, 150))
    ]
    assert whole[0] == pytest.approx(np.concatenate([parts[0][0], parts[1][0][1:]]))
    for found, before, after in list(zip(whole, *parts, strict=True))[1:]:
        assert found == pytest.approx(before + after)


def test_order_of_comments_matters(learned):
    _, _, prepared, parameters = learned
    alone = infer(prepared, parameters, ordered=False)
    together = infer(prepared, parameters, ordered=True)
    assert not np.allclose(alone.chains, together.chains)
    for posterior in (alone, together):
        for c in range(len(prepared.comments.words)):
            own = slice(prepared.hypotheses.start[c], prepared.hypotheses.start[c + 1])
            assert posterior.chains[own].sum() + posterior.none[c] == pytest.approx(1)


def test_only_speakers_have_states(learned):
    """Written comments follow each other as heads move; the states of a speaker say nothing."""
    _, _, prepared, parameters = learned
    written, order = prepared._replace(spoken=False), parameters.order.copy()
    order[:, :2, :2] = order[0, 0, 0] / order[0, 0, 0].sum()
    order[:, 2], order[:, :, 2] = 0.5, 0.5
    expected = infer(prepared, parameters._replace(order=order))
    found = infer(written, parameters)
    assert found.chains == pytest.approx(expected.chains)
    assert not np.allclose(found.chains, infer(prepared, parameters).chains)


def test_where_order_says_nothing_it_says_nothing_for_written_comments_either(learned):
    _, _, prepared, parameters = learned
    flat = parameters._replace(order=np.full(STEPS_SHAPE, 0.5))
    found = infer(prepared._replace(spoken=False), flat)
    assert found.chains == pytest.approx(infer(prepared, flat).chains)


def test_the_likeliest_heads_are_best_first_and_of_equal_ones_the_first(learned):
    _, _, m, _ = learned
    heads = np.round(np.random.default_rng(0).random(len(m.candidates.event)), 1)
    found = likeliest(m, heads)
    for c, row in enumerate(found.tolist()):
        own = range(m.candidates.start[c], m.candidates.start[c + 1])
        best = sorted(own, key=lambda candidate: -heads[candidate])[:BEAM]
        assert row == [*best, *[-1] * (len(row) - len(best))]


def reference_chains(match: Match, bucket: list[int], actors, named: set[int]) -> set[tuple]:
    """Every chain that the rules allow, by trying all."""
    longest = 4 if named else 2
    found = {(e,) for e in bucket}
    grown = list(found)
    for _ in range(longest - 1):
        grown = [
            (*chain, e)
            for chain in grown
            for e in bucket
            if 1 <= e - chain[-1] <= REACH
            and match.linkable[e].period == match.linkable[chain[-1]].period
            and match.linkable[e].time - match.linkable[chain[-1]].time <= GAP
        ]
        found |= {c for c in grown if not named or named & {int(actors[e]) for e in c}}
    return found


def test_hypotheses_are_all_chains_and_no_others(learned):
    match, _, m, _ = learned
    for c in range(0, len(match.comments), 5):
        chains = [
            tuple(row(chain))
            for chain in m.hypotheses.events[m.hypotheses.start[c] : m.hypotheses.start[c + 1]]
        ]
        bucket = [chain[0] for chain in chains if len(chain) == 1]
        assert chains[: len(bucket)] == [(e,) for e in bucket]
        assert len(chains) == len(set(chains))
        assert set(chains) == reference_chains(
            match, bucket, m.events.actor, set(row(m.comments.mentions[c]))
        )
        for h in range(m.hypotheses.start[c], m.hypotheses.start[c + 1]):
            assert [m.candidates.event[pair] for pair in row(m.hypotheses.candidates[h])] == row(
                m.hypotheses.events[h]
            )
            assert all(m.candidates.comment[pair] == c for pair in row(m.hypotheses.candidates[h]))


def test_the_head_is_the_first_event_of_the_player_mentioned_first(learned):
    _, _, m, _ = learned
    led = 0
    for c in range(len(m.comments.words)):
        for h in range(m.hypotheses.start[c], m.hypotheses.start[c + 1]):
            actors = [int(m.events.actor[e]) for e in row(m.hypotheses.events[h])]
            first = m.comments.mentions[c, 0]
            expected = actors.index(first) if first >= 0 and first in actors else 0
            assert m.hypotheses.head[h] == expected
            led += expected > 0
    assert led > 20


def test_a_bucket_of_the_whole_match_is_bounded(sample):
    match = sample[0].match
    lost = [
        msgspec.structs.replace(c, start=None, end=None, period=None) for c in match.comments[:2]
    ]
    _, m = prepared_match(msgspec.structs.replace(match, comments=tuple(lost)))
    assert np.diff(m.hypotheses.start).max() <= len(match.linkable) + MAX_CHAINS
    assert np.diff(m.hypotheses.start).min() >= len(match.linkable)


def test_a_kind_is_the_finest_that_is_known(sample):
    events = [e for e in sample[0].match.linkable if e.arguments.get("set_piece") == "Corner"]
    known = {"?": 0, "Pass": 1, "Pass|set_piece=Corner": 2}
    name = names_of(events[0])[-1]
    assert finest_known(name, known) == 2
    assert finest_known(name, {"?": 0, "Pass": 1}) == 1
    assert finest_known(name, {"?": 0}) == 0
