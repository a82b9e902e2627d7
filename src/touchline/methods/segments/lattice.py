"""All ways to share out the parts of comments among their events, summed by dynamic programming.

Each part describes one event, two that are records of one action, or none. From part to part what
is described mostly stays the same; where it changes, an event that happened later is likelier than
an earlier one. Every event should have a part of its own: the programme remembers which have.

Comments with the same number of events are worked on together, padded to the same length.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats

Flags = NDArray[np.bool_]

# Of more events it is not remembered which have a part, and no two share one.
MAX_COVERED = 5
# What an event without any part costs, as a log-probability.
MISSING = -6.0


class States(NamedTuple):
    """What a part may describe: each event, pairs of them, nothing (last).

    `holds[k, e]` says whether state k is about event e, `earlier[a, b]` whether state a is about
    an earlier event than state b. `into[k, m, n]` is one where events m, as bits, have a part and
    become n with one more part of state k; `without[m]` is how many events then have none.
    """

    events: tuple[tuple[int, ...], ...]
    holds: Flags
    earlier: Flags
    into: Floats
    without: Floats

    @property
    def later(self) -> Flags:
        """`[a, b]`: whether a change from a to b is one to a later event."""
        described = np.asarray(self.holds.any(axis=1))
        return np.asarray(self.earlier & described[:, None] & described)

    @property
    def is_pair(self) -> Flags:
        return np.asarray(self.holds.sum(axis=1) > 1)


@lru_cache(maxsize=32)
def states_of(events: int) -> States:
    """The states of comments with so many events."""
    remembered = events if events <= MAX_COVERED else 0
    singles = [(e,) for e in range(events)]
    own = [*singles, *combinations(range(remembered), 2), ()]
    holds = np.array([[e in state for e in range(events)] for state in own], dtype=bool)
    bits = [sum(1 << e for e in state if remembered) for state in own]
    into = np.zeros((len(own), 1 << remembered, 1 << remembered))
    for k, bit in enumerate(bits):
        for covered in range(1 << remembered):
            into[k, covered, covered | bit] = 1.0
    have = np.array([covered.bit_count() for covered in range(1 << remembered)])
    earlier = np.array([[a < b for b in own] for a in own], dtype=bool)
    return States(tuple(own), holds, earlier, into, (remembered - have).astype(float))


class Changes(NamedTuple):
    """How what is described changes from part to part.

    `switch[c, i]` is how probably it changes at part i, `none[c, i]` how probably to nothing if it
    does; `onwards` how probably to a later rather than to an earlier event, `starts_none` how
    probably a comment starts with nothing.
    """

    switch: Floats
    none: Floats
    onwards: float
    starts_none: float


class Weights(NamedTuple):
    """What is added to the log-probability of a way, for each change and each event without a part.

    `changed[c, i]` counts where at part i something else starts, `to_none[c, i]` also where nothing
    does, `from_none[c, i]` also where nothing ends; `onwards` for each change to a later event.
    """

    changed: Floats
    to_none: Floats
    from_none: Floats
    onwards: float
    missing: float


class Batch(NamedTuple):
    """Comments with the same number of events.

    `score[c, i, k]` is the log-probability of part i if it is of state k, up to a constant;
    -inf where that cannot be. `covers[c, i]` says whether the part can be the only one of an
    event; `allowed[c, k]` which states there are. Padding scores 0 and never changes.
    """

    states: States
    score: Floats
    covers: Flags
    allowed: Flags


class Shares(NamedTuple):
    """Probabilities over all ways: of each part's state, of changes, and of the whole comment.

    `changed[c, i]`, `to_none[c, i]`: that at part i something else starts, or nothing does;
    `onwards` and `back` count changes to later and to earlier events; `missing[c]` is how many
    events have no part, `total[c]` the log of the sum over all ways.
    """

    state: Floats
    changed: Floats
    to_none: Floats
    from_none: Floats
    onwards: float
    back: float
    missing: Floats
    total: Floats

    def of_events(self, states: States) -> Floats:
        """The probability that each part describes each event."""
        return np.asarray(self.state @ states.holds)


def sum_over(batch: Batch, changes: Changes, weights: Weights | None = None) -> Shares:
    """Forward and backward over the parts of all comments."""
    top = batch.score.max(axis=2, keepdims=True)
    likely = np.exp(batch.score - top)
    steps = _steps(batch, changes)
    if weights is not None:
        steps *= _weighed(batch.states, weights)
    end = np.exp((MISSING + (weights.missing if weights else 0.0)) * batch.states.without)
    forward, scale = _forward(batch, likely, steps, _start(batch, changes))
    backward = _backward(batch, likely, steps, end)
    state = (forward * backward).sum(axis=2)
    state /= state.sum(axis=2, keepdims=True)
    ends = (forward[-1] * end[:, None]).sum(axis=2)
    every = np.maximum(ends.sum(axis=1), 1e-300)
    missing = ends @ batch.states.without / every
    total = scale.sum(axis=0) + top.sum(axis=(1, 2)) + np.log(every)
    return _shares(batch, steps, likely, forward, backward, state, missing, total)


def _start(batch: Batch, changes: Changes) -> Floats:
    """How probably each state is the first."""
    some = batch.allowed[:, :-1] / np.maximum(batch.allowed[:, :-1].sum(axis=1, keepdims=True), 1)
    none = np.full((len(some), 1), changes.starts_none)
    return np.hstack([some * (1 - changes.starts_none), none])


def _steps(batch: Batch, changes: Changes) -> Floats:
    """`[i, c, a, b]`: how probably state b follows state a at part i."""
    states, events = batch.states, batch.allowed[:, None, :-1]
    onwards = np.where(states.earlier, changes.onwards, 1 - changes.onwards)[:-1, :-1]
    onwards = np.where(np.eye(len(onwards), dtype=bool), 0.0, onwards) * events
    every = onwards.sum(axis=2, keepdims=True)
    there = np.divide(onwards, every, out=np.zeros_like(onwards), where=every > 0)
    elsewhere = np.where(every[:, None] > 0, 1 - changes.none[..., None, None], 0.0)
    count, parts = changes.switch.shape
    go = np.zeros((count, parts, len(states.events), len(states.events)))
    go[:, :, :-1, :-1] = elsewhere * there[:, None]
    go[:, :, :-1, -1] = 1 - elsewhere[..., 0]
    go[:, :, -1, :-1] = events / np.maximum(events.sum(axis=2, keepdims=True), 1)
    switch = changes.switch[:, :, None, None]
    go *= switch
    go += (1 - switch) * np.eye(len(states.events))
    return np.asarray(np.moveaxis(go, 1, 0))


def _weighed(states: States, weights: Weights) -> Floats:
    """`[i, c, a, b]`: by how much weights change the probability of each step."""
    changed, to_none, from_none = (of.T[:, :, None] for of in weights[:3])
    other = ~np.eye(len(states.events), dtype=bool)
    added = other * changed[..., None] + weights.onwards * states.later
    added[:, :, :-1, -1] += to_none
    added[:, :, -1, :-1] += from_none
    return np.asarray(np.exp(added))


def _forward(batch: Batch, likely: Floats, steps: Floats, start: Floats) -> tuple[Floats, Floats]:
    """`[i, c, covered, k]`, each part scaled to a sum of one, and the logs of the scales."""
    count, parts, width = likely.shape
    into = batch.states.into
    forward = np.zeros((parts, count, into.shape[1], width))
    scale = np.zeros((parts, count))
    reached = np.zeros((count, into.shape[1], width))
    reached[:, 0] = start
    for i in range(parts):
        if i:
            reached = forward[i - 1] @ steps[i]
        grown = np.einsum("cmk,kmn->cnk", reached, into)
        reached = np.where(batch.covers[:, i, None, None], grown, reached)
        reached = reached * likely[:, i, None]
        every = np.maximum(reached.sum(axis=(1, 2)), 1e-300)
        forward[i], scale[i] = reached / every[:, None, None], np.log(every)
    return forward, scale


def _backward(batch: Batch, likely: Floats, steps: Floats, end: Floats) -> Floats:
    count, parts, width = likely.shape
    into = batch.states.into
    backward = np.zeros((parts, count, into.shape[1], width))
    backward[-1] = end[:, None]
    for i in range(parts - 1, 0, -1):
        ahead = _arriving(batch, likely, backward, i)
        found = ahead @ np.swapaxes(steps[i], 1, 2)
        backward[i - 1] = found / np.maximum(found.max(axis=(1, 2), keepdims=True), 1e-300)
    return backward


def _arriving(batch: Batch, likely: Floats, backward: Floats, i: int) -> Floats:
    """What going to each state at part i is worth, by the events that had a part before."""
    grown = np.einsum("cnk,kmn->cmk", backward[i], batch.states.into)
    after = np.where(batch.covers[:, i, None, None], grown, backward[i])
    return np.asarray(after * likely[:, i, None])


def _shares(
    batch: Batch, steps: Floats, likely: Floats, forward: Floats, backward: Floats,
    state: Floats, missing: Floats, total: Floats,
) -> Shares:  # fmt: skip
    count, parts, width = likely.shape
    changed, to_none, from_none = (np.zeros((count, parts)) for _ in range(3))
    moved = np.zeros((width, width))
    for i in range(1, parts):
        ahead = _arriving(batch, likely, backward, i)
        joint = np.swapaxes(forward[i - 1], 1, 2) @ ahead * steps[i]
        joint /= np.maximum(joint.sum(axis=(1, 2), keepdims=True), 1e-300)
        changed[:, i] = 1 - np.trace(joint, axis1=1, axis2=2)
        to_none[:, i], from_none[:, i] = (
            joint[:, :-1, -1].sum(axis=1),
            joint[:, -1, :-1].sum(axis=1),
        )
        moved += joint.sum(axis=0)
    between = np.where(np.eye(width, dtype=bool), 0.0, moved)[:-1, :-1]
    later = batch.states.earlier[:-1, :-1]
    return Shares(
        np.moveaxis(state, 0, 1), changed, to_none, from_none,
        float(between[later].sum()), float(between[~later].sum()), missing, total,
    )  # fmt: skip


def padded_rows(rows: Sequence[Sequence[float]], fill: float = 0.0) -> Floats:
    """Rows of different lengths as one array."""
    width = max(map(len, rows), default=0)
    return np.array([[*row, *[fill] * (width - len(row))] for row in rows], dtype=float)
