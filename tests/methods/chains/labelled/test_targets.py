"""Which candidate sets labels speak for."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.chains.labelled.candidate_sets import CandidateSets
from touchline.methods.chains.labelled.targets import target_of


@pytest.fixture
def sets() -> CandidateSets:
    """Of comment 0: none, {5}, {6}, {5, 6}, {7}; of comment 1: none and {5}."""
    return CandidateSets(
        start=np.array([0, 5, 7]),
        probability=np.ones(7),
        member_of=np.array([1, 2, 3, 3, 4, 6]),
        member=np.array([0, 1, 0, 1, 2, 3]),
        comment=np.array([0, 0, 0, 1]),
        event=np.array([5, 6, 7, 5]),
    )


def test_the_same_set_is_the_target(sets):
    share, weight, exact, counts = target_of(
        sets, {0: {frozenset([5, 6]): 1.0}, 1: {frozenset(): 1.0}}
    )
    assert share.tolist() == [0, 0, 0, 1, 0, 1, 0]
    assert weight.tolist() == [1, 1]
    assert exact.tolist() == [3, 5]
    assert counts.tolist() == [1, 1]


def test_the_nearest_sets_share(sets):
    share, weight, exact, _ = target_of(sets, {0: {frozenset([6, 7]): 1.0}})
    assert share.tolist() == [0, 0, 0.5, 0, 0.5, 0, 0]
    assert weight.tolist() == [1, 0]
    assert exact.tolist() == [-1]


def test_a_comment_without_anything_right_teaches_nothing(sets):
    share, weight, exact, counts = target_of(sets, {1: {frozenset([9]): 1.0}})
    assert not share.any()
    assert not weight.any()
    assert (exact.tolist(), counts.tolist()) == ([-1], [1])


def test_annotators_who_disagree_share_by_weight(sets):
    share, weight, exact, counts = target_of(sets, {0: {frozenset([5]): 0.6, frozenset(): 0.2}})
    assert share == pytest.approx([0.25, 0.75, 0, 0, 0, 0, 0])
    assert weight.tolist() == pytest.approx([0.8, 0])
    assert (exact.tolist(), counts.tolist()) == ([1, 0], [0.6, 0.2])
