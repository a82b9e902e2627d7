"""The chains model against a plain, slow reference of the same formulas."""

from __future__ import annotations

import itertools
import math

import msgspec
import numpy as np
import pytest

from touchline import Match
from touchline.chains._kernels import GAP, REACH
from touchline.chains.hypotheses import Prepared, prepare
from touchline.chains.inference import _Comment, forward_backward, infer
from touchline.chains.language import Language, kind_of, learn_language
from touchline.chains.learning import learn
from touchline.chains.parameters import Parameters, type_array
from touchline.pairs import Window


@pytest.fixture(scope="module")
def learned(sample) -> tuple[Match, Language, Prepared, Parameters]:
    match = msgspec.structs.replace(
        sample[0].match,
        comments=sample[0].match.comments[:30],
        events=tuple(e for e in sample[0].match.events if e.period == 1 and e.time < 1800),
    )
    language = learn_language([match], 2, 8)
    prepared = prepare(match, language, Window())
    return match, language, prepared, learn([prepared], language, rounds=5)


def reference_score(prepared: Prepared, types, p: Parameters, c: int, h: int) -> float:
    """Log-score of a hypothesis, term by term as docs/model.md has them."""
    chain = [e for e in prepared.chains[h].tolist() if e >= 0]
    head = chain[prepared.head[h]]
    named = {m for m in prepared.mentions[c].tolist() if m >= 0}
    own = range(prepared.start[c], prepared.start[c + 1])
    singles = [prepared.chains[i, 0] for i in own if prepared.chains[i, 1] < 0]
    score = math.log(1 - p.none)
    score += math.log(p.rate[prepared.kind[head]])
    score -= math.log(sum(p.rate[prepared.kind[e]] for e in singles))
    score += math.log(p.lag[prepared.lag[h]])
    for sign in (1, -1):
        at, place = head, chain.index(head)
        while True:
            place += sign
            goal = chain[place] if 0 <= place < len(chain) else None
            for near in range(at + sign, at + sign * (REACH + 1), sign):
                if not 0 <= near < len(prepared.time):
                    break
                if not 0 <= sign * (prepared.time[near] - prepared.time[at]) <= GAP:
                    break
                direction = (sign == 1) + 2 * (prepared.actor[near] in named)
                often = p.extend[direction, types[prepared.kind[at]], types[prepared.kind[near]]]
                score += math.log(often if near == goal else 1 - often)
                if near == goal:
                    break
            if goal is None:
                break
            at = goal
    words = {w for w in prepared.words[c].tolist() if w >= 0}
    for w in range(len(p.background)):
        quiet = math.prod(1 - p.cause[prepared.kind[e], w] for e in chain)
        if w in words:
            score += math.log((1 - (1 - p.background[w]) * quiet) / p.background[w])
        else:
            score += math.log(quiet)
    for player, often in (
        (prepared.actor[head], p.named[prepared.kind[head]]),
        (prepared.other[head], p.other_named[prepared.kind[head]]),
    ):
        if player >= 0:
            hit = player in named
            score += math.log(often / p.chance if hit else (1 - often) / (1 - p.chance))
    score += prepared.unexplained[h] * math.log(p.unexplained)
    if named:
        score += math.log(p.first if prepared.first_named[h] else 1 - p.first)
    return score


def test_probabilities_are_those_of_the_plain_reference(learned):
    _, language, prepared, parameters = learned
    types = type_array(language)
    posterior = infer(prepared, types, parameters, ordered=False)
    for c in range(0, len(prepared.words), 3):
        own = range(prepared.start[c], prepared.start[c + 1])
        scores = [reference_score(prepared, types, parameters, c, h) for h in own]
        mentioned = int((prepared.mentions[c] >= 0).sum())
        scores.append(math.log(parameters.none) + mentioned * math.log(parameters.unexplained))
        shares = np.exp(np.array(scores) - max(scores))
        shares /= shares.sum()
        assert posterior.chains[list(own)] == pytest.approx(shares[:-1], abs=1e-9)
        assert posterior.none[c] == pytest.approx(shares[-1], abs=1e-9)


def test_forward_backward_equals_summing_over_all_paths():
    chance = np.random.default_rng(3)
    order = np.log([0.7, 0.2, 0.1])
    comments = []
    for size in (2, 3, 2, 1):
        times = np.append(chance.uniform(0, 6, size), np.nan)
        comments.append(_Comment(np.arange(size), chance.normal(size=size + 1), times))
    shares, counts = forward_backward(comments, order)
    expected = [np.zeros(len(comment.score)) for comment in comments]
    ways = np.zeros(3)
    total = 0.0
    for path in itertools.product(*(range(len(comment.score)) for comment in comments)):
        log = sum(comment.score[i] for comment, i in zip(comments, path, strict=True))
        steps = []
        for (a, i), (b, j) in itertools.pairwise(zip(comments, path, strict=True)):
            gone = b.time[j] - a.time[i]
            way = None if math.isnan(gone) else 0 if gone > 1.5 else 2 if gone < -1.5 else 1
            log += math.log(0.5) if way is None else order[way]
            steps.append(way)
        total += math.exp(log)
        for k, i in enumerate(path):
            expected[k][i] += math.exp(log)
        for way in steps:
            if way is not None:
                ways[way] += math.exp(log)
    for share, other in zip(shares, expected, strict=True):
        assert share == pytest.approx(other / total)
    assert counts == pytest.approx(ways / total)


def test_order_of_comments_matters(learned):
    _, language, prepared, parameters = learned
    alone = infer(prepared, type_array(language), parameters, ordered=False)
    together = infer(prepared, type_array(language), parameters, ordered=True)
    assert not np.allclose(alone.chains, together.chains)
    for posterior in (alone, together):
        for c in range(len(prepared.words)):
            own = slice(prepared.start[c], prepared.start[c + 1])
            assert posterior.chains[own].sum() + posterior.none[c] == pytest.approx(1)


def test_chains_are_near_neighbours_with_a_mentioned_player(learned):
    match, _, prepared, _ = learned
    for c in range(len(match.comments)):
        named = {m for m in prepared.mentions[c].tolist() if m >= 0}
        for h in range(prepared.start[c], prepared.start[c + 1]):
            chain = [e for e in prepared.chains[h].tolist() if e >= 0]
            for a, b in itertools.pairwise(chain):
                assert 1 <= b - a <= REACH
                assert match.tellable[b].time - match.tellable[a].time <= GAP
            if len(chain) > 1 and named:
                assert named & {int(prepared.actor[e]) for e in chain}
            assert len(chain) <= (4 if named else 2)


def test_the_head_is_the_first_event_of_the_player_mentioned_first(small_match):
    language = learn_language([small_match], 1, 1)
    prepared = prepare(small_match, language, Window())
    chains = prepared.chains[: prepared.start[1]].tolist()
    both = chains.index([0, 1, -1, -1])  # Archer's pass and Reis's shot; Archer comes first
    assert prepared.head[both] == 0
    assert prepared.first_named[both] == 1
    assert prepared.unexplained[both] == 0
    shot = chains.index([1, -1, -1, -1])
    assert (prepared.first_named[shot], prepared.unexplained[shot]) == (0, 1)


def test_kinds_are_as_fine_as_the_corpus_allows(small_match):
    language = learn_language([small_match], 1, least_events=1)
    assert "Shot|outcome=Saved" in language.kinds
    coarse = learn_language([small_match], 1, least_events=5)
    assert coarse.kinds == ["?", "Foul Committed", "Goal Keeper", "Pass", "Shot"]
    known = {name: i for i, name in enumerate(coarse.kinds)}
    assert coarse.kinds[kind_of(small_match.tellable[1], known)] == "Shot"
    stranger = msgspec.structs.replace(small_match.tellable[1], type="Nutmeg")
    assert coarse.kinds[kind_of(stranger, known)] == "?"


def test_names_are_no_words(sample):
    language = learn_language([labelled.match for labelled in sample], 1, 8)
    assert not {"marsac", "zeco", "havlovec", "city"} & set(language.vocabulary)
    assert "corner" in language.vocabulary


def test_learning_finds_which_words_tell_which_events(sample):
    matches = [labelled.match for labelled in sample]
    language = learn_language(matches, 2, 8)
    learned = learn([prepare(m, language, Window()) for m in matches], language, rounds=9)
    words = {word: i for i, word in enumerate(language.vocabulary)}
    kinds = {kind: i for i, kind in enumerate(language.kinds)}
    corner, clearance = kinds["Pass|set_piece=Corner"], kinds["Clearance"]
    assert learned.cause[corner, words["corner"]] > 5 * learned.cause[clearance, words["corner"]]


def test_a_bucket_without_end_is_bounded(sample):
    """Comments without a clock may tell any event of the match; all of them stay possible."""
    match = sample[0].match
    lost = [msgspec.structs.replace(c, period=None, start=None, end=None, clock=None)
            for c in match.comments[:5]]  # fmt: skip
    language = learn_language([match], 2, 8)
    prepared = prepare(match.with_comments(lost), language, Window())
    assert np.diff(prepared.start).max() <= 6000 + len(match.tellable)
    singles = prepared.chains[: prepared.start[1]]
    assert (singles[:, 1] < 0).sum() == len(match.tellable)
