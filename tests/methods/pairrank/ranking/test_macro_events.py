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
from touchline.methods.pairrank.pair_model.model import PairModel
from touchline.methods.pairrank.ranking import resolvent
from touchline.methods.pairrank.ranking.graph import mutual_edges, rank_all
from touchline.methods.pairrank.ranking.literal import LiteralSearch
from touchline.methods.pairrank.ranking.macro_events import Rivals, macro_events
from touchline.methods.pairrank.ranking.merging import Bordered, Graph, macro_nodes
from touchline.methods.pairrank.ranking.pair_rank import RankOptions, pair_rank
from touchline.methods.pairrank.ranking.votes import Votes
from touchline.methods.pairs.pairing import Pairs, Reading, pair_up


def half(match: Match, period: int, comments: int = 40) -> Match:
    return msgspec.structs.replace(
        match,
        comments=tuple(c for c in match.comments if c.period == period)[:comments],
        events=tuple(e for e in match.events if e.period == period),
    )


def graph_of(match: Match, power: float = 1.0) -> tuple[Pairs, PairModel, Graph]:
    pairs = pair_up([match], Reading())
    model = PairModel(pairs, count=50, pairing="zip", cost=100.0, seed=0)
    trained = model.train([(p,) for p in range(len(pairs))])
    ranks, own = rank_all(model.confidences(trained), len(pairs))
    graph = Graph(ranks=ranks, edges=mutual_edges(ranks, power), own=own,
                  frequency=pairs.frequency[pairs.event], ties="dense", power=power)  # fmt: skip
    return pairs, model, graph


def literal_search(
    pairs: Pairs, model: PairModel, options: RankOptions, power: float
) -> LiteralSearch:
    trained = model.train([(p,) for p in range(len(pairs))])
    return LiteralSearch(model, trained, pairs.frequency[pairs.event], options, power=power)


def assert_equal_searches(match: Match, k: int = 4, power: float = 1.0, **rank: object) -> None:
    pairs, model, graph = graph_of(match, power)
    options = RankOptions(**rank)
    rho = pair_rank(graph.edges, graph.own, graph.frequency, options)
    efficient = macro_events(pairs, rho, k, Bordered(model, graph, options))
    literal = macro_events(pairs, rho, k, literal_search(pairs, model, options, power))
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


@pytest.mark.parametrize(
    "options",
    [
        {"discount": "root"},
        {"discount": "once"},
        {"discount": "none"},
        {"normalise": False},
        {"d": 0.8},
        {"power": 0.25},
    ],
)
def test_also_for_other_readings(sample, options):
    assert_equal_searches(half(sample[0].match, 1, comments=15), **options)


@pytest.mark.data
@pytest.mark.parametrize("name", ["man-city-chelsea", "west-brom-chelsea", "liverpool-west-ham"])
@pytest.mark.parametrize("period", [1, 2])
def test_also_on_real_matches(data, name, period):
    match = next(m.match for m in read_corpus(data / "epl-2015" / name, clock="minute"))
    assert_equal_searches(half(match, period))


class Given:
    """Models whose confidences are given: those of single pairs, and of one macro-event."""

    def __init__(self, singles: np.ndarray, merged: np.ndarray) -> None:
        self.singles, self.merged = singles, merged

    def train(self, groups):
        return [self.merged for _ in groups]

    def followed_by(self, models, more):
        return [*models, *more]

    def confidences(self, models):
        yield slice(0, len(models)), np.array(models)


# Pairs 0 and 1 are merged. Model 2 likes pair 1 most and pair 0 third; the model of the
# macro-event likes pair 2 most, then its own pair 0.
SINGLES = np.array(
    [[0.9, 0.4, 0.2, 0.1], [0.3, 0.8, 0.5, -1.0], [0.2, 0.9, 0.7, 0.6], [-1.0, -1.0, 0.4, 0.5]]
)
MERGED = np.array([0.6, 0.5, 0.9, -0.2])
FREQUENCY = np.array([20.0, 5.0, 9.0, 2.0])


@pytest.mark.parametrize("power", [1.0, 0.25])
def test_a_macro_event_as_a_node_counted_by_hand(power):
    ranks, own = rank_all([(slice(0, 4), SINGLES)], 4)
    graph = Graph(ranks=ranks, edges=mutual_edges(ranks, power), own=own, frequency=FREQUENCY,
                  ties="dense", power=power)  # fmt: skip
    (nodes,) = macro_nodes(Given(SINGLES, MERGED), graph, [(0, 1)])
    # It ranks pairs 0, 1, 2 as 2, 3, 1. Its best rank under models 0, 1, 2 is 1 each, by pair 0,
    # by pair 1 and by pair 1. Model 3 likes neither member.
    assert nodes.near.tolist() == [0, 1, 2]
    assert nodes.edges == pytest.approx([2.0**-power, 3.0**-power, 1.0])
    # Its own best member is pair 0, of rank 2 under its own model, on both sides of the loop.
    assert nodes.loop == pytest.approx([4.0**-power])
    assert nodes.own.tolist() == [0.6]
    assert nodes.frequency.tolist() == [5.0]  # of the rarest member


@pytest.mark.parametrize("power", [1.0, 0.25])
@pytest.mark.parametrize("discount", ["each", "once", "root", "none"])
def test_both_searches_agree_on_a_graph_made_by_hand(discount, power):
    model, options = Given(SINGLES, MERGED), RankOptions(discount=discount)
    ranks, own = rank_all([(slice(0, 4), SINGLES)], 4)
    graph = Graph(ranks=ranks, edges=mutual_edges(ranks, power), own=own, frequency=FREQUENCY,
                  ties="dense", power=power)  # fmt: skip
    literal = LiteralSearch(model, SINGLES, FREQUENCY, options, power=power)
    efficient = Bordered(model, graph, options)
    assert efficient([(0, 1), (1, 0)]) == pytest.approx(literal([(0, 1), (1, 0)]), rel=1e-9)


@pytest.mark.parametrize("options", [{}, {"discount": "once"}, {"d": 0.8}, {"normalise": False}])
def test_few_eigenvectors_and_series_give_what_all_eigenvectors_give(sample, monkeypatch, options):
    """Merges of one half as a large component, and as small ones that are decomposed as a whole."""
    pairs, model, graph = graph_of(half(sample[0].match, 1))
    groups = [
        (p, p + 1) for p in range(len(pairs) - 1) if pairs.sentence[p] == pairs.sentence[p + 1]
    ]
    monkeypatch.setattr(resolvent, "SMALL", len(pairs))
    whole = Bordered(model, graph, RankOptions(**options))
    monkeypatch.setattr(resolvent, "SMALL", 3)
    monkeypatch.setattr(resolvent, "FIRST", 8)
    monkeypatch.setattr(resolvent, "SHARE", 0.6)  # without frequencies few eigenvalues are small
    partial = Bordered(model, graph, RankOptions(**options))
    assert len(whole.resolvent.large) == 0
    nodes, vectors = partial.resolvent.leading.shape
    assert nodes > len(pairs) / 2
    assert vectors < nodes / 4
    assert partial(groups) == pytest.approx(whole(groups), rel=1e-9)


@pytest.mark.parametrize("options", [{}, {"discount": "once"}, {"d": 0.8}, {"normalise": False}])
def test_bounds_leave_out_only_groups_that_are_not_the_best(sample, monkeypatch, options):
    pairs, model, graph = graph_of(half(sample[0].match, 1))
    groups = [
        (p, p + 1) for p in range(len(pairs) - 1) if pairs.sentence[p] == pairs.sentence[p + 1]
    ]
    sentences = pairs.sentence[[p for p, _ in groups]]
    monkeypatch.setattr(resolvent, "SMALL", 3)
    monkeypatch.setattr(resolvent, "FIRST", 8)
    monkeypatch.setattr(resolvent, "SHARE", 0.6)
    merged = Bordered(model, graph, RankOptions(**options))
    every = merged(groups)
    best = np.array([every[sentences == s].max() for s in sentences])
    for least in (np.zeros(len(groups)), np.full(len(groups), np.median(best))):
        some = merged(groups, Rivals(sentences, least))
        wanted = (every == best) & (every > least)
        assert some[wanted].tolist() == every[wanted].tolist()
        kept = np.isfinite(some)
        assert some[kept].tolist() == every[kept].tolist()
        assert kept.sum() < len(groups) / 2
    unbeatable = np.full(len(groups), 2 * every.max())
    assert not np.isfinite(merged(groups, Rivals(sentences, unbeatable))).any()


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
    grown = macro_events(
        pairs, rho, k, lambda groups, rivals: np.array([popularity(g) for g in groups])
    )
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


def test_a_gap_is_to_the_nearest_event_of_the_group():
    """Events at 0, 6, 12 and 30 s, the more of them the better: the last one is too far off."""
    pairs = SimpleNamespace(sentence=np.zeros(4, int), lag=np.array([0.0, 6.0, 12.0, 30.0]))
    rho = np.array([0.4, 0.3, 0.2, 0.1])
    grown = macro_events(
        pairs, rho, 4, lambda groups, rivals: np.array([float(len(g)) for g in groups]), gap=8.0
    )
    assert [step.group for step in grown[0]] == [(0,), (0, 1), (0, 1, 2)]


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
