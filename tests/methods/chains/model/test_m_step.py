"""Parameters as shares of counts, with their pseudo-counts, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.chains.data.language import Language
from touchline.methods.chains.model.m_step import Parameters, maximise
from touchline.methods.chains.model.sufficient_stats import (
    CANDIDATES,
    LAG_BINS,
    NAMED_CANDIDATES,
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


def test_before_anything_is_described_actors_are_named_mostly_and_other_players_seldom():
    found = parameters()
    assert found.chance == pytest.approx(0.1)
    assert found.named[PASS] == pytest.approx(0.7)
    assert found.other_named[PASS] == pytest.approx(2 * found.chance)


def test_what_is_described_outweighs_what_is_usual():
    found = parameters(with_player=90.0, named=9.0, with_other=90.0, other_named=88.0)
    assert found.named[PASS] == pytest.approx(16 / 100)
    assert found.other_named[PASS] == pytest.approx(90 / 100)


def test_a_lag_counts_by_how_much_more_often_it_is_described_than_there_is():
    available = np.full(LAG_BINS, 50.0)
    available[:40] = (
        500.0  # ten times as many events lie there, and are described ten times as often
    )
    even = parameters(lag=available / 10, lag_available=available).lag
    assert even[5:35] == pytest.approx(1, abs=0.02)
    assert even[45:75] == pytest.approx(1, abs=0.02)
    described = available / 10
    described[50:60] *= 3
    more = parameters(lag=described, lag_available=available).lag
    assert more[55] / more[45] == pytest.approx(3, rel=0.05)
