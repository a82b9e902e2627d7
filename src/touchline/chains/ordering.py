"""Comments in a row: forward and backward over their hypotheses."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from touchline.chains.counting import APART, BACK, DRIFT_BIN, ON, SAME
from touchline.pairs.pairing import Floats, Ints

# Heads this near to each other, in seconds, are the same moment.
MOMENT = 1.5


class Step(NamedTuple):
    """From each hypothesis of a comment to each of the next: how heads move, how they drift."""

    way: Ints
    drift: Ints

    def odds(self, order: Floats, drift: Floats) -> Floats:
        """How much likelier each pair of heads is for comments in a row than by itself."""
        return np.asarray(order[self.way] * drift[self.drift])


def step(before: Floats, after: Floats, between: float, bins: int) -> Step:
    """The step between heads at these times, nan for "no event", of comments `between` apart."""
    gone = after[None, :] - before[:, None]
    way = np.full(gone.shape, SAME)
    way[gone > MOMENT] = ON
    way[gone < -MOMENT] = BACK
    way[np.isnan(gone)] = APART
    middle = (bins - 1) // 2
    drift = np.clip(np.rint((gone - between) / DRIFT_BIN) + middle, 0, bins - 2)
    return Step(way, np.where(np.isnan(drift), bins - 1, drift).astype(np.int64))


def forward_backward(
    start: Ints, score: Floats, time: Floats, said: Floats, order: Floats, drift: Floats
) -> tuple[Floats, Floats, Floats]:
    """Share of each hypothesis given all comments; how often heads moved and drifted how.

    Hypotheses `start[c]` to `start[c + 1]` belong to comment c; `score` are their likelihoods up
    to a factor, `time` the times of their heads, nan for "no event"; `said` the comments' times.
    """
    own = [slice(first, last) for first, last in pairwise(start.tolist())]
    steps = [
        step(time[a], time[b], later - earlier, len(drift))
        for (a, b), (earlier, later) in zip(pairwise(own), pairwise(said), strict=True)
    ]
    odds = [one.odds(order, drift) for one in steps]
    forward = _forward(own, score, odds)
    backward = _backward(own, score, odds)
    share = forward * backward
    moved, drifted = np.zeros(len(order)), np.zeros(len(drift))
    for here, (a, b) in enumerate(pairwise(own)):
        joint = odds[here] * forward[a, None] * (score[b] * backward[b])
        joint /= joint.sum()
        moved += np.bincount(steps[here].way.ravel(), joint.ravel(), len(moved))
        drifted += np.bincount(steps[here].drift.ravel(), joint.ravel(), len(drifted))
    for a in own:
        share[a] /= share[a].sum()
    return share, moved, drifted


def _forward(own: list[slice], score: Floats, odds: list[Floats]) -> Floats:
    forward = score.copy()
    for c, here in enumerate(own):
        if c > 0:
            forward[here] *= forward[own[c - 1]] @ odds[c - 1]
        forward[here] /= forward[here].sum()
    return forward


def _backward(own: list[slice], score: Floats, odds: list[Floats]) -> Floats:
    backward = np.ones(len(score))
    for c in range(len(own) - 2, -1, -1):
        ahead = own[c + 1]
        backward[own[c]] = odds[c] @ (score[ahead] * backward[ahead])
        backward[own[c]] /= backward[own[c]].max()
    return backward
