"""Readers who have each learned from half of the matches, and what they agree on."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.aligners.chains import Chains
from touchline.chains import readers
from touchline.chains.inference import Posterior
from touchline.chains.readers import FEWEST, MOST, SPLITS, Learned, agreed, halves


@pytest.mark.parametrize("matches", [FEWEST, 5, 6, 2 * MOST])
def test_each_split_covers_all_matches_once(matches):
    found = halves(matches)
    assert len(found) == 2 * SPLITS
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert sorted(one + other) == list(range(matches))
        assert abs(len(one) - len(other)) <= 1


def test_no_readers_below_four_matches():
    assert [halves(matches) for matches in range(FEWEST)] == [[]] * 4


def test_a_half_of_a_season_is_not_read_by_everybody():
    assert {len(half) for half in halves(380)} == {MOST}


def test_the_same_matches_are_split_the_same_way():
    assert halves(9) == halves(9)
    assert len({tuple(half) for half in halves(9)}) == 2 * SPLITS  # and every time another one


def test_scores_are_the_mean_of_all_readers(monkeypatch):
    def posterior(chains: list[float], none: list[float]) -> Posterior:
        return Posterior(np.array(chains), np.array(none), np.zeros(4), np.zeros(2))

    whole = posterior([1.0, 0.0, 0.5], [0.0, 0.5])
    others = {"a": posterior([0.4, 0.3, 0.2], [0.3, 0.8]), "b": posterior([0.1, 0, 0.8], [0.9, 0])}
    monkeypatch.setattr(readers, "_read", lambda prepared, language, own, parts: others[own])
    mean = agreed(None, whole, Learned(None, None, ("a", "b")), None)
    assert mean.chains == pytest.approx([0.5, 0.1, 0.5])
    assert mean.none == pytest.approx([0.4, 1.3 / 3])
    alone = agreed(None, whole, Learned(None, None), None)
    assert np.array_equal(alone.chains, whole.chains)


def test_readers_move_scores_and_leave_what_is_told(sample):
    """The two matches, each cut in two, are enough for readers."""
    parts = [
        one.match.with_comments(c for c in one.match.comments if c.period == period)
        for one in sample
        for period in (1, 2)
    ]
    aligner = Chains()
    aligner.fit(parts)
    one_voice = Chains()
    arrays = aligner.parameters()
    one_voice.restore({k: v for k, v in arrays.items() if not k.startswith("reader")})
    assert len({k.partition(".")[0] for k in arrays if k.startswith("reader")}) == 2 * SPLITS
    with_readers, without = aligner.align(parts[0]), one_voice.align(parts[0])
    links = [[[link.id for link in a.events] for a in some] for some in (with_readers, without)]
    assert links[0] == links[1]
    scores = [[link.score for a in some for link in a.events] for some in (with_readers, without)]
    assert np.mean(scores[0]) < np.mean(scores[1])  # who learned from all is the surest
    assert min(scores[1]) > 0.5
