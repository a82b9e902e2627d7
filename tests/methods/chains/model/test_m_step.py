"""Parameters as shares of counts, with their pseudo-counts, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.chains.data.language import Language
from touchline.methods.chains.model.m_step import Parameters, maximise
from touchline.methods.chains.model.sufficient_stats import (
    ACTOR_LAG,
    CANDIDATES,
    DRIFT_BINS,
    FOULED_LAG,
    LAG_BINS,
    LAG_EDGES,
    LATER,
    LIVE,
    LOOKING_BACK,
    MUCH_LATER,
    NAMED_CANDIDATES,
    ON,
    OTHER_LAG,
    RECEIVER_LAG,
    REPLACEMENT_LAG,
    SOON,
    TALK,
    UNNAMED_LAG,
    Counts,
)

LANGUAGE = Language(vocabulary=["ball"], kinds=["?", "Pass"], types=["?", "Pass"], contexts=["?"])
PASS = 1


def parameters(**counted: float | np.ndarray) -> Parameters:
    """Those that follow where a tenth of all candidates' players are named."""
    counts = Counts.zero(LANGUAGE)
    counts.numbers[[CANDIDATES, NAMED_CANDIDATES]] = 1000, 100
    for name, value in counted.items():
        getattr(counts, name)[...] = value
    return maximise(counts, LANGUAGE)


def test_before_anything_is_described_actors_are_named_mostly():
    found = parameters()
    assert found.chance == pytest.approx(0.1)
    assert found.named[PASS] == pytest.approx(0.7)
    assert found.naming[PASS] == pytest.approx([0.2, 0.4, 0.2, 0.2])


def test_what_is_described_outweighs_what_is_usual():
    found = parameters(with_player=90.0, named=9.0)
    assert found.named[PASS] == pytest.approx(16 / 100)


def test_who_of_two_players_is_named_is_one_distribution():
    """Of 90 passes, and ten comments' worth of what is usual; that is known from 20 more."""
    counted = np.array([9.0, 18.0, 36.0, 27.0])
    found = parameters(naming=np.array([np.zeros(4), counted])).naming
    usual = (counted + 20 * np.array([0.2, 0.4, 0.2, 0.2])) / 110
    assert found[0] == pytest.approx(usual)
    assert found[PASS] == pytest.approx((counted + 10 * usual) / 100)
    assert found.sum(axis=1) == pytest.approx(1)


def test_a_lag_counts_by_how_much_more_often_it_is_described_than_there_is():
    # Ten times as many events lie in the first bins, and are described ten times as often.
    available = np.full(LAG_BINS, 50.0)
    available[:40] = 500.0
    even = parameters(lag=available / 10, lag_available=available).lag
    assert even[:, 5:35] == pytest.approx(1, abs=0.02)
    assert even[:, 45:125] == pytest.approx(1, abs=0.02)
    described = available / 10
    described[50:60] *= 3
    more = parameters(lag=described, lag_available=available).lag
    assert more[:, 55] / more[:, 45] == pytest.approx(3, rel=0.05)


def test_lags_of_names_are_apart():
    """How late receivers are named says nothing about actors, or comments without a name."""
    available, described = np.full(LAG_BINS, 50.0), np.full((6, LAG_BINS), 5.0)
    described[1, 60:65] = 100.0
    found = parameters(lag=described, lag_available=available).lag
    assert found[[ACTOR_LAG, UNNAMED_LAG]] == pytest.approx(1, abs=0.01)
    assert found[1, 62] / found[1, 40] > 10


def test_before_anything_is_learned_states_say_nothing():
    """Heads mostly go on; next to a comment that describes nothing they do neither."""
    found = parameters().order
    assert found[:, :TALK, :TALK] == pytest.approx(np.broadcast_to([0.6, 0.2, 0.2], (4, 2, 2, 3)))
    assert found[:, TALK] == pytest.approx(0.5)
    assert found[:, :, TALK] == pytest.approx(0.5)


def test_states_that_follow_each_other_more_often_than_by_chance_are_likelier():
    """Twenty comments' worth of no difference; what moves is counted between heads only."""
    every = np.zeros((4, 3, 3, 3))
    steps = every[SOON]
    steps[LIVE, LIVE] = [60, 20, 0]
    steps[LIVE, TALK, ON], steps[TALK, TALK, ON], steps[TALK, LIVE, ON] = 20, 40, 10
    found = parameters(order=every).order[LATER]
    live, looking, talk = 95 / 165, 5 / 165, 65 / 165  # with five more comments of each state
    moves = np.array([66, 22, 2]) / 90
    assert found[LIVE, LIVE] == pytest.approx((80 + 20 * live) / 120 / live * moves)
    assert found[LIVE, LOOKING_BACK] == pytest.approx((20 * looking) / 120 / looking * moves)
    assert found[LIVE, TALK] == pytest.approx((20 + 20 * talk) / 120 / talk * 0.5)
    assert found[TALK, TALK] == pytest.approx((40 + 20 * talk) / 70 / talk * 0.5)
    assert found[LOOKING_BACK, LIVE] == pytest.approx(moves)
    assert found[TALK, TALK, ON] > 0.5 > found[TALK, LIVE, ON]


def test_the_sooner_a_line_follows_the_likelier_it_is_about_the_same():
    """Twenty comments' worth of what is usual, whenever the next one comes."""
    steps = np.zeros((4, 3, 3, 3))
    steps[SOON, LIVE, LIVE], steps[MUCH_LATER, LIVE, LIVE] = [20, 80, 0], [90, 0, 10]
    found = parameters(order=steps).order[:, LIVE, LIVE]
    moves = found / found.sum(axis=1, keepdims=True)
    usual = np.array([116, 82, 12]) / 210
    assert moves[LATER] == pytest.approx(usual)
    assert moves[SOON] == pytest.approx((np.array([20, 80, 0]) + 20 * usual) / 120)
    assert moves[MUCH_LATER] == pytest.approx((np.array([90, 0, 10]) + 20 * usual) / 120)


def test_lags_of_rare_roles_are_like_those_of_other_players():
    available, described = np.full(LAG_BINS, 50.0), np.zeros((6, LAG_BINS))
    described[RECEIVER_LAG, 60:65] = 100.0
    described[FOULED_LAG, 80:85] = 100.0
    described[REPLACEMENT_LAG, 40] = 1.0
    found = parameters(lag=described, lag_available=available).lag
    for row in (REPLACEMENT_LAG, OTHER_LAG):
        assert min(found[row, 62], found[row, 82]) > 10 > 1 > found[row, 70]
    assert found[RECEIVER_LAG, 62] > 5 * found[RECEIVER_LAG, 82]
    assert found[[ACTOR_LAG, UNNAMED_LAG]] == pytest.approx(1, abs=0.01)


def test_odds_of_lags_are_bounded_where_hardly_any_candidate_is_available():
    """Names late in a long line lie just outside of the bucket around it."""
    available = np.full(LAG_BINS, 50.0)
    available[110:] = 0.0
    available[112] = 0.01
    described = np.full((6, LAG_BINS), 5.0)
    described[:, 111:114] = 0.5
    assert parameters(lag=described, lag_available=available).lag[:, 111:114].max() < 2


def test_drifts_are_as_expected_where_lags_have_nothing_to_do_with_another():
    """Lags spread over 0 to 20 s, whoever is named; drifts as of two of them picked at random."""
    lag = np.zeros((6, LAG_BINS))
    bins = [int(np.searchsorted(LAG_EDGES, second, side="right")) for second in range(20)]
    lag[0, bins[:10]], lag[5, bins[10:]] = 10.0, 10.0
    drifted = np.zeros(DRIFT_BINS)
    middle = (DRIFT_BINS - 1) // 2
    drifted[middle - 3 : middle + 4] = 1000 * np.array([1, 2, 3, 4, 3, 2, 1]) / 16
    assert parameters(lag=lag, drifted=drifted).drift == pytest.approx(1, abs=1e-6)
    stays = np.zeros(DRIFT_BINS)
    stays[middle] = 1000.0
    found = parameters(lag=lag, drifted=stays).drift
    assert found[middle] > 1.2
    assert found[middle + 3] < 0.1
    assert found[-1] == 1
