"""PairRank: the graph against a dense reference, the fixed point against the iteration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from touchline.methods.pairrank.pair_model.model import PairModel
from touchline.methods.pairrank.ranking.graph import mutual_edges, rank_all, rank_liked
from touchline.methods.pairrank.ranking.pair_rank import (
    NotConvergedError,
    RankOptions,
    iterate,
    pair_rank,
)
from touchline.methods.pairs.pairing import Reading, pair_up


def dense_reference(confidences: np.ndarray, frequency: np.ndarray, d: float) -> np.ndarray:
    """Algorithm 3 written out: every pair of pairs, every iteration, nothing clever."""
    n = len(confidences)
    rank = np.zeros((n, n))
    for i in range(n):
        liked = sorted({c for c in confidences[i] if c > 0}, reverse=True)
        for j in range(n):
            if confidences[i, j] > 0:
                rank[i, j] = 1 + liked.index(confidences[i, j])
    own = np.maximum(np.diag(confidences), 0)
    own = own / own.sum()
    rho = np.full(n, 1 / n)
    for _ in range(20_000):
        new = np.zeros(n)
        for i in range(n):
            total = sum(
                rho[j] / (rank[i, j] * rank[j, i]) for j in range(n) if rank[i, j] and rank[j, i]
            )
            new[i] = ((1 - d) * own[i] + d * total) / frequency[i]
        new /= new.sum()
        if np.abs(new - rho).sum() < 1e-13:
            break
        rho = new
    return rho


@settings(max_examples=25)
@given(st.integers(2, 9), st.sampled_from([0.2, 0.5, 0.85]), st.integers(0, 10_000))
def test_sparse_equals_dense(n, d, seed):
    chance = np.random.default_rng(seed)
    confidences = np.round(chance.normal(size=(n, n)), 1)  # rounded, so that there are ties
    np.fill_diagonal(confidences, 1.0)
    frequency = chance.integers(1, 30, n).astype(float)
    ranks, own = rank_all([(slice(0, n), confidences)], n)
    rho = pair_rank(mutual_edges(ranks), own, frequency, RankOptions(d=d))
    expected = dense_reference(confidences, frequency, d)
    assert rho == pytest.approx(expected, abs=1e-7)


@settings(max_examples=25)
@given(st.integers(2, 30), st.integers(0, 10_000))
def test_the_order_of_pairs_does_not_matter(n, seed):
    chance = np.random.default_rng(seed)
    confidences = np.round(chance.normal(size=(n, n)), 1)
    np.fill_diagonal(confidences, 1.0)
    frequency = chance.integers(1, 30, n).astype(float)
    shuffle = chance.permutation(n)

    def rho(c, f):
        ranks, own = rank_all([(slice(0, n), c)], n)
        return pair_rank(mutual_edges(ranks), own, f, RankOptions())

    moved = rho(confidences[np.ix_(shuffle, shuffle)], frequency[shuffle])
    assert moved == pytest.approx(rho(confidences, frequency)[shuffle], abs=1e-8)


@pytest.mark.parametrize("discount", ["each", "once", "root", "none"])
@pytest.mark.parametrize("normalise", [True, False])
def test_the_fixed_point_is_where_the_iteration_ends(sample, discount, normalise):
    pairs = pair_up([sample[1].match], Reading())
    model = PairModel(pairs, count=50, pairing="zip", cost=100.0, seed=0)
    trained = model.train([(p,) for p in range(len(pairs))])
    ranks, own = rank_all(model.confidences(trained), len(pairs))
    options = RankOptions(discount=discount, normalise=normalise, steps=100_000, epsilon=1e-12)
    arguments = (mutual_edges(ranks), own, pairs.frequency[pairs.event])
    solved = pair_rank(*arguments, RankOptions(discount=discount, normalise=normalise))
    assert solved == pytest.approx(iterate(*arguments, options), rel=1e-5, abs=1e-9)
    assert solved.sum() == pytest.approx(1)


def test_a_model_likes_what_it_is_confident_of_and_ties_share_a_rank():
    confidences = np.array([[0.5, -1.0, 0.9, 0.5, 0.0, 0.2], [-1, -1, -1, -1, 0.5, 1e-6]])
    for ties, first in [
        ("dense", [2, 1, 2, 3]),
        ("min", [2, 1, 2, 4]),
        ("average", [2.5, 1, 2.5, 4]),
        ("ordinal", [2, 1, 3, 4]),
    ]:
        ends, liked, ranks = rank_liked(confidences, ties)
        assert ends.tolist() == [0, 4, 6]
        assert liked.tolist() == [0, 2, 3, 5, 4, 5]
        assert ranks.tolist() == [*first, 1, 2]


@settings(max_examples=60)
@given(st.lists(st.integers(-3, 6), min_size=1, max_size=20), st.randoms(use_true_random=False))
@pytest.mark.parametrize("ties", ["dense", "min", "average"])
def test_ranks_follow_their_pairs_and_only_the_order_counts(ties, values, chance):
    """Wherever pairs stand, and however confidences are stretched."""

    def ranks(confidence):
        _, liked, ranks = rank_liked(confidence[None], ties)
        return dict(zip(liked.tolist(), ranks.tolist(), strict=True))

    confidence = np.array(values, dtype=float)
    shuffle = list(range(len(values)))
    chance.shuffle(shuffle)
    own = ranks(confidence)
    moved = ranks(confidence[shuffle])
    assert {shuffle[place]: rank for place, rank in moved.items()} == own
    assert ranks(np.sign(confidence) * confidence**2) == own
    assert set(own) == {i for i, value in enumerate(values) if value > 0}
    above = {i: sum(v > values[i] for v in values) for i in own}
    assert all((own[i] < own[j]) == (above[i] < above[j]) for i in own for j in own)


def test_edges_join_those_who_like_each_other():
    confidences = np.array([[1.0, 0.5, -1.0], [0.2, 1.0, 0.1], [0.3, -0.1, 1.0]])
    ranks, own = rank_all([(slice(0, 3), confidences)], 3)
    edges = mutual_edges(ranks).toarray()
    assert edges.tolist() == [[1, 1 / 4, 0], [1 / 4, 1, 0], [0, 0, 1]]
    assert own.tolist() == [1, 1, 1]


def test_a_smaller_power_trusts_lower_ranks_more():
    confidences = np.array([[1.0, 0.5, -1.0], [0.2, 1.0, 0.3], [0.3, -0.1, 1.0]])
    ranks, _ = rank_all([(slice(0, 3), confidences)], 3)
    plain, trusting = (mutual_edges(ranks, power).toarray() for power in (1.0, 0.25))
    assert plain[0, 1] == plain[1, 0] == pytest.approx(1 / 6)
    assert trusting[0, 1] == trusting[1, 0] == pytest.approx(6**-0.25)
    assert np.diag(trusting).tolist() == [1, 1, 1]


def test_an_iteration_that_does_not_end_says_so():
    edges = sparse.csr_matrix(np.diag([1.0, 0.9, 0.8]))
    with pytest.raises(NotConvergedError, match="did not converge in 2 steps"):
        iterate(edges, np.ones(3), np.array([1.0, 2.0, 3.0]), RankOptions(steps=2))


def test_competing_pairs_share_the_weight_of_their_sentence(sample):
    edges = sparse.identity(4, format="csr")
    sentence = np.array([0, 0, 1, 1])
    rho = iterate(edges, np.ones(4), np.ones(4), RankOptions(compete=True), sentence)
    assert rho[:2].sum() == pytest.approx(0.5)
    assert rho[2:].sum() == pytest.approx(0.5)
