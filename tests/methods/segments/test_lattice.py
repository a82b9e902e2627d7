"""Sums over all ways to share out parts, against every way written out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from touchline.methods.segments.lattice import MISSING, Batch, Changes, states_of, sum_over


def batch(events: int, parts: int, seed: int = 0, comments: int = 2) -> tuple[Batch, Changes]:
    chance = np.random.default_rng(seed)
    states = states_of(events)
    score = chance.normal(size=(comments, parts, len(states.events)))
    covers = chance.random((comments, parts)) < 0.7
    allowed = np.ones((comments, len(states.events)), dtype=bool)
    changes = Changes(
        chance.uniform(0.1, 0.9, (comments, parts)), chance.uniform(0.1, 0.5, (comments, parts)),
        0.7, 0.2,
    )  # fmt: skip
    return Batch(states, score, covers, allowed), changes


def every_way(b: Batch, changes: Changes, c: int):
    """All sequences of states with their probabilities, by the definition."""
    states, (_, parts, width) = b.states.events, b.score.shape
    events = [k for k in range(width) if states[k]]
    for way in product(range(width), repeat=parts):
        p = changes.starts_none if not states[way[0]] else (1 - changes.starts_none) / len(events)
        for i in range(1, parts):
            p *= _step(states, way[i - 1], way[i], changes, c, i, events)
        p *= np.exp(sum(b.score[c, i, k] for i, k in enumerate(way)))
        covered = {e for i, k in enumerate(way) if b.covers[c, i] for e in states[k]}
        everyone = {e for state in states for e in state}
        yield way, p * np.exp(MISSING * len(everyone - covered))


def _step(states, a, k, changes, c, i, events):
    switch, none = changes.switch[c, i], changes.none[c, i]
    if a == k:
        return 1 - switch
    if not states[a]:
        return switch / len(events)
    others = [x for x in events if x != a]
    if not states[k]:
        return switch * (none if others else 1.0)
    way = {x: changes.onwards if states[a] < states[x] else 1 - changes.onwards for x in others}
    return switch * (1 - none) * way[k] / sum(way.values())


@pytest.mark.parametrize(("events", "parts"), [(1, 4), (2, 4), (3, 3)])
def test_sums_are_those_over_every_way(events, parts):
    b, changes = batch(events, parts)
    shares = sum_over(b, changes)
    for c in range(2):
        ways = dict(every_way(b, changes, c))
        total = sum(ways.values())
        assert shares.total[c] == pytest.approx(np.log(total))
        for i in range(parts):
            for k in range(b.score.shape[2]):
                share = sum(p for way, p in ways.items() if way[i] == k) / total
                assert shares.state[c, i, k] == pytest.approx(share, abs=1e-9)
            if i:
                changed = sum(p for way, p in ways.items() if way[i] != way[i - 1]) / total
                assert shares.changed[c, i] == pytest.approx(changed, abs=1e-9)


def test_padding_changes_nothing():
    b, changes = batch(2, 3)
    longer = Batch(
        b.states,
        np.pad(b.score, [(0, 0), (0, 2), (0, 0)]),
        np.pad(b.covers, [(0, 0), (0, 2)]),
        b.allowed,
    )
    padded = changes._replace(
        switch=np.pad(changes.switch, [(0, 0), (0, 2)]), none=np.pad(changes.none, [(0, 0), (0, 2)])
    )
    short, long = sum_over(b, changes), sum_over(longer, padded)
    assert np.allclose(short.state, long.state[:, :3])
    assert np.allclose(short.total, long.total)


def test_what_is_not_allowed_never_happens():
    b, changes = batch(2, 4)
    pair = b.states.events.index((0, 1))
    b.allowed[:, pair] = False
    b.score[:, :, pair] = -np.inf
    assert sum_over(b, changes).state[..., pair].max() == 0


def test_of_many_events_none_is_remembered():
    b, changes = batch(9, 3)
    assert b.states.into.shape[1] == 1
    assert not b.states.is_pair.any()
    shares = sum_over(b, changes)
    assert np.allclose(shares.state.sum(axis=2), 1)
