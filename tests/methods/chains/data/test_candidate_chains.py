"""Chains of a bucket, counted by hand."""

from __future__ import annotations

import numpy as np

from touchline.methods.chains.data.candidate_chains import build_chains, heads_of

TIMES = np.array([0.0, 5.0, 12.0, 13.0])


def chains(named: list[bool], anybody: bool = True, longest: int = 4) -> list[list[int]]:
    period = np.ones(len(TIMES), dtype=np.int64)
    bucket = np.arange(len(TIMES))
    found = build_chains(bucket, TIMES, period, np.array(named), anybody, longest)
    return [[int(place) for place in chain if place >= 0] for chain in found]


def test_a_chain_goes_on_within_six_seconds():
    every = chains([True] * 4)
    assert every == [[0], [1], [2], [3], [0, 1], [2, 3]]


def test_a_longer_chain_holds_an_event_of_somebody_who_is_mentioned():
    assert chains([False, False, False, True]) == [[0], [1], [2], [3], [2, 3]]
    assert chains([False] * 4, anybody=False) == [[0], [1], [2], [3], [0, 1], [2, 3]]


def test_the_head_is_the_first_event_of_who_is_mentioned_first():
    some = np.array([[0, 1, 2, -1], [0, 2, -1, -1], [1, -1, -1, -1]])
    actor = np.array([7, 8, 8])
    assert heads_of(some, actor, np.array([8, 8, 8])).tolist() == [1, 1, 0]
    assert heads_of(some, actor, np.array([-1, -1, -1])).tolist() == [0, 0, 0]
