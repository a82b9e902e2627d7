"""Readers who have each learned from half of the matches, and what they agree on."""

from __future__ import annotations

import numpy as np
import pytest

from touchline import Links
from touchline.aligners.chains import Chains, ChainsOptions
from touchline.api import at_least
from touchline.chains import readers
from touchline.chains.counting import Counts
from touchline.chains.inference import Posterior
from touchline.chains.readers import FEWEST, MOST, SPLITS, Learned, agreed, halves
from touchline.corpus import LabelledMatch


class NOTHING_LEFT_OUT:  # noqa: N801
    """Parts that leave whatever parameters there are as they are."""

    @staticmethod
    def neutral(parameters):
        return parameters


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
    monkeypatch.setattr(readers, "maximise", lambda own, language: own)
    monkeypatch.setattr(readers, "_read", lambda prepared, adapted, own: others[own])
    mean = agreed(None, whole, None, Learned(None, None, ("a", "b")), NOTHING_LEFT_OUT)
    assert mean.chains == pytest.approx([0.5, 0.1, 0.5])
    assert mean.none == pytest.approx([0.4, 1.3 / 3])
    alone = agreed(None, whole, None, Learned(None, None), NOTHING_LEFT_OUT)
    assert np.array_equal(alone.chains, whole.chains)


@pytest.fixture(scope="module")
def quarters(sample) -> list[LabelledMatch]:
    """Four small matches, enough for readers: some comments of each half of the sample."""
    return [
        LabelledMatch(match=one.match.with_comments(own), gold={c.id: one.gold[c.id] for c in own})
        for one in sample
        for period in (1, 2)
        for own in [[c for c in one.match.comments if c.period == period][:25]]
    ]


@pytest.fixture(scope="module")
def read(quarters) -> dict[str, list[Links]]:
    """All four by readers, and by nobody but the one who has learned from all."""
    aligner, alone = Chains(ChainsOptions(rounds=6)), Chains()
    aligner.fit([one.match for one in quarters])
    arrays = aligner.parameters()
    of_readers = [name for name in arrays if name.startswith("reader")]
    assert len(of_readers) == 2 * SPLITS * len(Counts._fields)
    alone.restore({name: arrays[name] for name in arrays.keys() - of_readers})
    ways = {"readers": aligner, "alone": alone}
    return {name: [own.align(one.match) for one in quarters] for name, own in ways.items()}


def test_readers_move_scores_and_leave_what_is_told(read):
    told, scores = {}, {}
    for name, matches in read.items():
        told[name] = [(a.comment, [link.id for link in a.events]) for some in matches for a in some]
        scores[name] = [link.score for some in matches for a in some for link in a.events]
    assert told["readers"] == told["alone"]
    assert min(scores["alone"]) > 0.5
    assert np.mean(scores["readers"]) < np.mean(scores["alone"]) - 0.01


@pytest.mark.parametrize("least", [0.5, 0.8, 0.95])
def test_min_score_keeps_what_scores_as_much_and_changes_nothing_else(read, quarters, least):
    right = kept = 0
    for one, links in zip(quarters, read["readers"], strict=True):
        for before, after in zip(links, at_least(links, least), strict=True):
            assert after.events == tuple(x for x in before.events if x.score >= least)
            assert (after.none, after.candidates) == (before.none, before.candidates)
            kept += len(after.events)
            right += sum(link.id in one.gold[after.comment] for link in after.events)
    assert right / kept >= least
