"""Comments in a row: forward and backward over what each may be about.

A speaker describes what happens, looks back at what has happened, or talks about something else,
and mostly goes on with what they are doing. While they describe the match, they follow it.

The states of a comment are heads; all arrays have a row for each comment and a column for each of
its states, likelihood 0 where it has fewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.model.sufficient_stats import (
    DRIFT_BIN,
    LATER,
    LATER_SECONDS,
    LIVE,
    LOOKING_BACK,
    LOOKS_BACK,
    MUCH_LATER,
    SOON,
    SOON_SECONDS,
    STEPS_SHAPE,
    TALK,
    WRITTEN,
)

# Heads this near to each other, in seconds, are the same moment.
MOMENT = 1.5
# Steps between comments that are looked at together.
_TOGETHER = 64


class Moves(NamedTuple):
    """From each state of some comments to each of the next: how heads move, how they drift."""

    way: Ints
    drift: Ints

    def odds(self, order: Floats, drift: Floats) -> Floats:
        """How much likelier each pair of heads is for comments in a row than by itself."""
        return np.asarray(order.reshape(-1).take(self.way) * drift.take(self.drift))


def forward_backward(
    likely: Floats,
    time: Floats,
    said: Floats,
    order: Floats,
    drift: Floats,
    spoken: bool = False,
    counted: bool = True,
) -> tuple[Floats, Floats, Floats]:
    """Share of each state given all comments; how often heads moved and drifted how, if `counted`.

    `likely` are likelihoods of the states up to a factor, `time` the times of their heads, nan for
    "no event"; `said` are the comments' times.
    """
    every = list(_moves(time, said, len(drift), spoken))
    odds = [one for _, moves in every for one in moves.odds(order, drift)]
    forward = _forward(likely, odds)
    ahead = likely * _backward(likely, odds)
    moved, drifted = np.zeros(order.size), np.zeros(len(drift))
    for some, moves in every if counted else ():
        joint = np.stack(odds[some]) * forward[:-1][some, :, None] * ahead[1:][some, None]
        joint /= joint.sum(axis=(1, 2), keepdims=True)
        moved += np.bincount(moves.way.ravel(), joint.ravel(), len(moved))
        drifted += np.bincount(moves.drift.ravel(), joint.ravel(), len(drifted))
    # Where nothing is likely, both have none: forward holds the comment's own likelihood already.
    share = np.divide(forward * ahead, likely, out=np.zeros_like(likely), where=likely > 0)
    return share / share.sum(axis=1, keepdims=True), moved.reshape(STEPS_SHAPE), drifted


def _moves(time: Floats, said: Floats, bins: int, spoken: bool) -> Iterator[tuple[slice, Moves]]:
    """The moves from some comments to the next ones, and from which comments."""
    _, before, after, moves = STEPS_SHAPE
    state, soon = states(time, said), how_soon(said, spoken)
    for first in range(0, len(said) - 1, _TOGETHER):
        some = slice(first, min(first + _TOGETHER, len(said) - 1))
        gone = time[1:][some, None, :] - time[:-1][some, :, None]
        step = (soon[some, None] * before + state[:-1][some]) * after
        step = (step[:, :, None] + state[1:][some, None, :]) * moves
        yield some, Moves(step + _way(gone), _drift(gone, np.diff(said)[some], bins))


def _way(gone: Floats) -> Ints:
    """How heads move, by the seconds that go by: ON, SAME or BACK; ON where one is no head."""
    return np.add(gone <= MOMENT, gone < -MOMENT, dtype=np.int8)


def _drift(gone: Floats, between: Floats, bins: int) -> Ints:
    """The bin of how much more time goes by than between the comments; the last if not known."""
    off = np.rint((gone - between[:, None, None]) / DRIFT_BIN)
    off += (bins - 1) // 2
    np.clip(off, 0, bins - 2, out=off)
    off[np.isnan(off)] = bins - 1
    return off.astype(np.int64)


def how_soon(said: Floats, spoken: bool) -> Ints:
    """How soon each comment but the first follows the one before it."""
    if not spoken:
        return np.full(len(said) - 1, WRITTEN)
    gone = np.nan_to_num(np.diff(said), nan=LATER_SECONDS)
    return np.select([gone < SOON_SECONDS, gone < LATER_SECONDS], [SOON, LATER], MUCH_LATER)


def states(time: Floats, said: Floats) -> Ints:
    """What the speaker is doing if each head is meant: live, looking back, or "no event"."""
    late = said[:, None] - time > LOOKS_BACK
    return np.select([np.isnan(time), late], [TALK, LOOKING_BACK], LIVE)


def _forward(likely: Floats, odds: list[Floats]) -> Floats:
    forward = likely.copy()
    rows = list(forward)  # views, each of them taken once
    for c, row in enumerate(rows):
        if c > 0:
            row *= rows[c - 1] @ odds[c - 1]
        row /= np.add.reduce(row)
    return forward


def _backward(likely: Floats, odds: list[Floats]) -> Floats:
    backward = np.ones_like(likely)
    rows, own = list(backward), list(likely)
    for c in range(len(rows) - 2, -1, -1):
        np.matmul(odds[c], own[c + 1] * rows[c + 1], out=rows[c])
        rows[c] /= np.maximum.reduce(rows[c])
    return backward
