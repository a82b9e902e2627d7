"""Macro-events: the efficient search equals the literal one, and each merge gains."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline import Match, read_corpus
from touchline.models.pair_model import PairModel
from touchline.pairs.pairing import Pairs, Reading, pair_up
from touchline.ranking.graph import mutual_edges, rank_all
from touchline.ranking.macro_events import macro_events
from touchline.ranking.merging import Bordered, Graph, OneByOne
from touchline.ranking.pair_rank import RankOptions, pair_rank
from touchline.ranking.votes import Votes


def half(match: Match, period: int, comments: int = 40) -> Match:
    return msgspec.structs.replace(
        match,
        comments=tuple(c for c in match.comments if c.period == period)[:comments],
        events=tuple(e for e in match.events if e.period == period),
    )


def graph_of(match: Match) -> tuple[Pairs, PairModel, Graph]:
    pairs = pair_up([match], Reading())
    model = PairModel(pairs, count=50, pairing="zip", cost=100.0, seed=0)
    trained = model.train([(p,) for p in range(len(pairs))])
    ranks, own = rank_all(model.confidences(trained), len(pairs))
    graph = Graph(ranks=ranks, edges=mutual_edges(ranks), own=own,
                  frequency=pairs.frequency[pairs.event], ties="dense", power=1.0)  # fmt: skip
    return pairs, model, graph


def assert_equal_searches(match: Match, k: int = 4, **rank: object) -> None:
    pairs, model, graph = graph_of(match)
    options = RankOptions(**rank)
    rho = pair_rank(graph.edges, graph.own, graph.frequency, options)
    efficient = macro_events(pairs, rho, k, Bordered(model, graph, options))
    literal = macro_events(pairs, rho, k, OneByOne(model, graph, options))
    assert {s: steps[-1].group for s, steps in efficient.items()} == {
        s: steps[-1].group for s, steps in literal.items()
    }
    for sentence, steps in efficient.items():
        assert [step.rho for step in steps] == pytest.approx(
            [step.rho for step in literal[sentence]], rel=1e-6
        )
    assert any(len(steps) > 1 for steps in efficient.values())


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("period", [1, 2])
def test_the_efficient_search_finds_the_macro_events_of_the_literal_one(sample, number, period):
    assert_equal_searches(half(sample[number].match, period, comments=25))


@pytest.mark.parametrize("options", [{"discount": "root"}, {"normalise": False}, {"d": 0.8}])
def test_also_for_other_readings(sample, options):
    assert_equal_searches(half(sample[0].match, 1, comments=15), **options)


@pytest.mark.data
@pytest.mark.parametrize("name", ["man-city-chelsea", "west-brom-chelsea", "liverpool-west-ham"])
@pytest.mark.parametrize("period", [1, 2])
def test_also_on_real_matches(data, name, period):
    match = next(m.match for m in read_corpus(data / "epl-2015" / name, clock="minute"))
    assert_equal_searches(half(match, period))


def test_each_merge_gains_and_none_is_larger_than_k(sample):
    pairs, model, graph = graph_of(half(sample[0].match, 1))
    rho = pair_rank(graph.edges, graph.own, graph.frequency, RankOptions())
    for k in (1, 2, 3):
        grown = macro_events(pairs, rho, k, Bordered(model, graph, RankOptions()))
        for sentence, steps in grown.items():
            assert len(steps[-1].group) == len(steps) <= k
            assert all(step.gain > 0 for step in steps)
            members = steps[-1].group
            assert {int(s) for s in pairs.sentence[list(members)]} == {sentence}
            assert len(set(members)) == len(members)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 5), st.integers(0, 999))
def test_each_merge_is_the_best_there_is_whoever_ranks(sentences, k, seed):
    """With popularities drawn by chance: steps gain, the best is taken, and none is missed."""
    chance = np.random.default_rng(seed)
    rho = chance.random(len(sentences))
    drawn: dict[frozenset[int], float] = {}

    def popularity(group) -> float:
        return drawn.setdefault(frozenset(group), float(chance.random()))

    pairs = SimpleNamespace(sentence=np.array(sentences), lag=np.zeros(len(sentences)))
    grown = macro_events(pairs, rho, k, lambda groups: np.array([popularity(g) for g in groups]))
    assert set(grown) == set(sentences)
    for sentence, steps in grown.items():
        bucket = [p for p, s in enumerate(sentences) if s == sentence]
        assert rho[steps[0].group[0]] == max(rho[bucket])
        for before, after in pairwise(steps):
            assert after.group[:-1] == before.group
            assert after.rho - before.rho == after.gain > 0
        last = steps[-1]
        merges = [popularity((*last.group, p)) for p in bucket if p not in last.group]
        assert len(steps) == k or all(value <= last.rho for value in merges)
        for before, after in pairwise(steps):
            others = [(*before.group, p) for p in bucket if p not in before.group]
            assert after.rho == max(map(popularity, others))


def test_a_gap_keeps_groups_together(sample):
    pairs, model, graph = graph_of(half(sample[0].match, 2))
    rho = pair_rank(graph.edges, graph.own, graph.frequency, RankOptions())
    grown = macro_events(pairs, rho, 4, Bordered(model, graph, RankOptions()), gap=5.0)
    for steps in grown.values():
        lags = np.sort(pairs.lag[list(steps[-1].group)])
        assert (np.diff(lags) <= 5.0).all()


def test_only_asked_sentences_are_grown(sample):
    pairs, model, graph = graph_of(half(sample[0].match, 1))
    rho = pair_rank(graph.edges, graph.own, graph.frequency, RankOptions())
    merged = Bordered(model, graph, RankOptions())
    every = macro_events(pairs, rho, 3, merged)
    some = macro_events(pairs, rho, 3, merged, only=range(3, 9))
    assert some == {sentence: steps for sentence, steps in every.items() if 3 <= sentence < 9}


def test_votes_count_models_that_do_not_object():
    confidences = np.array([[1.0, -0.1, 0.0], [0.2, 1.0, -3.0], [-1.0, 0.4, 1.0]])
    votes = Votes([(slice(0, 2), confidences[:2]), (slice(2, 3), confidences[2:])])
    assert votes.single().tolist() == [2, 2, 2]
    assert votes([(0, 1), (0, 2), (2,)]).tolist() == [3, 3, 2]
