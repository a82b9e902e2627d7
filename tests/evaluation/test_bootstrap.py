"""Bootstrap: intervals that cover what they should, paired differences, weighted PR-AUC."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.evaluation import Score
from touchline.evaluation.bootstrap import (
    _average_precisions,
    draws,
    intervals,
    paired_difference,
    share_interval,
    tallies,
)
from touchline.evaluation.metrics import average_precision


def scores(n: int, seed: int = 0) -> list[Score]:
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        golds = chance.random(6) < 0.3
        values = np.round(golds * 0.4 + chance.random(6) * 0.6, 1)  # with ties
        linked = values > 0.5
        found.append(
            Score(
                right=int((linked & golds).sum()),
                predicted=int(linked.sum()),
                gold=int(golds.sum()) + 1,
                comments=1,
                candidates=list(zip(values.tolist(), golds.tolist(), strict=True)),
            )
        )
    return found


def test_each_resample_has_as_many_comments():
    weights = draws(40, seed=1, times=50)
    assert weights.shape == (50, 40)
    assert (weights.sum(axis=1) == 40).all()
    assert (draws(40, seed=1, times=50) == weights).all()
    assert (draws(40, seed=2, times=50) != weights).any()


def test_intervals_hold_the_figure_and_narrow_with_more_comments():
    widths = []
    for n in (50, 800):
        some = scores(n)
        total = sum(some, Score(candidates=[])).metrics()
        found = intervals(some, seed=0)
        for name in ("precision", "recall", "f1", "pr_auc"):
            low, high = found[name]
            assert low <= total[name] <= high
        widths.append(found["f1"][1] - found["f1"][0])
    assert widths[1] < widths[0] / 2


def test_weighted_average_precision_is_that_of_repeated_comments():
    some = scores(12)
    weights = draws(12, seed=3, times=5)
    expected = []
    for drawn in weights:
        repeated = [s for s, n in zip(some, drawn, strict=True) for _ in range(int(n))]
        total = sum(repeated, Score(candidates=[]))
        expected.append(average_precision(total.candidates, total.gold))
    assert _average_precisions(some, weights) == pytest.approx(expected)


def test_a_method_does_not_differ_from_itself_and_does_from_a_worse_one():
    good = tallies(scores(300))
    same = paired_difference(good, good, seed=0)
    assert same == {"f1": 0.0, "interval": [0.0, 0.0], "p": 1.0}
    worse = good.copy()
    worse[::2, 0] = 0
    found = paired_difference(good, worse, seed=0)
    assert found["f1"] > 0.1
    assert found["interval"][0] > 0
    assert found["p"] <= 0.002
    assert paired_difference(worse, good, seed=0)["f1"] == -found["f1"]


def test_p_is_of_both_sides():
    """Twice the share of resamples on the side of which there are fewer, whoever is better."""
    good = tallies(scores(60))
    other = good[np.random.default_rng(1).permutation(60)]
    weights = draws(60, seed=0)
    f1 = [2 * sums[:, 0] / (sums[:, 1] + sums[:, 2]) for sums in (weights @ good, weights @ other)]
    share = min((f1[0] <= f1[1]).mean(), (f1[0] >= f1[1]).mean())
    assert 0.02 < share < 0.5
    for mine, theirs in ((good, other), (other, good)):
        assert paired_difference(mine, theirs, seed=0)["p"] == pytest.approx(2 * share)


def test_pairing_is_tighter_than_two_intervals():
    """Methods that err on the same comments differ by few comments only."""
    good = tallies(scores(300))
    other = good.copy()
    other[:5, 0] = 0
    low, high = paired_difference(good, other, seed=0)["interval"]
    alone = intervals(scores(300), seed=0)["f1"]
    assert high - low < (alone[1] - alone[0]) / 2


def test_share_interval():
    low, high = share_interval([True] * 80 + [False] * 20, seed=0)
    assert 0.70 < low < 0.8 < high < 0.9
    assert share_interval([True] * 5, seed=0) == [1.0, 1.0]


def test_an_interval_leaves_out_one_in_forty_at_either_end():
    right = np.random.default_rng(3).random(150) < 0.6
    shares = draws(150, seed=0) @ right.astype(float) / 150
    expected = np.sort(shares)[[25, 974]]  # of a thousand
    assert share_interval(right.tolist(), seed=0) == pytest.approx(expected, abs=0.002)
