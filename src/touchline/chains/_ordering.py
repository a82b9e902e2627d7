"""Numba kernels for comments in a row: forward and backward over their hypotheses."""

from __future__ import annotations

import math

import numpy as np

from touchline.chains.counting import APART, BACK, DRIFT_BIN, ON, SAME
from touchline.compiled import kernel

# Heads this near to each other, in seconds, are the same moment.
MOMENT = 1.5


@kernel
def forward_backward(start, score, time, said, order, drift):
    """Share of each hypothesis given all comments; how often heads moved and drifted how.

    Hypotheses `start[c]` to `start[c + 1]` belong to comment c; `score` are their likelihoods up
    to a factor, `time` the times of their heads, nan for "no event"; `said` the comments' times.
    """
    count = len(start) - 1
    forward, backward = np.empty(len(score)), np.ones(len(score))
    steps = [_step_odds(start, time, said, c, order, drift) for c in range(count - 1)]
    for c in range(count):
        own = slice(start[c], start[c + 1])
        forward[own] = score[own]
        if c > 0:
            forward[own] *= forward[start[c - 1] : start[c]] @ steps[c - 1]
        forward[own] /= forward[own].sum()
    for c in range(count - 2, -1, -1):
        own, ahead = slice(start[c], start[c + 1]), slice(start[c + 1], start[c + 2])
        backward[own] = steps[c] @ (score[ahead] * backward[ahead])
        backward[own] /= backward[own].max()
    share = forward * backward
    moved, drifted = np.zeros(len(order)), np.zeros(len(drift))
    for c in range(count):
        own = slice(start[c], start[c + 1])
        share[own] /= share[own].sum()
        if c + 1 < count:
            ahead = slice(start[c + 1], start[c + 2])
            after = score[ahead] * backward[ahead]
            joint = steps[c] * forward[own].reshape(-1, 1) * after.reshape(1, -1)
            joint /= joint.sum()
            _count_steps(time[own], time[ahead], said[c + 1] - said[c], joint, moved, drifted)
    return share, moved, drifted


@kernel
def _step_odds(start, time, said, c, order, drift):
    """How much likelier each pair of heads is for comments in a row than by itself."""
    before, after = time[start[c] : start[c + 1]], time[start[c + 1] : start[c + 2]]
    odds = np.empty((len(before), len(after)))
    for i in range(len(before)):
        for j in range(len(after)):
            gone = after[j] - before[i]
            odds[i, j] = order[_way(gone)]
            odds[i, j] *= drift[_drift_bin(gone - said[c + 1] + said[c], len(drift))]
    return odds


@kernel
def _count_steps(before, after, between, joint, moved, drifted):
    for i in range(len(before)):
        for j in range(len(after)):
            gone = after[j] - before[i]
            moved[_way(gone)] += joint[i, j]
            drifted[_drift_bin(gone - between, len(drifted))] += joint[i, j]


@kernel
def _way(gone):
    if math.isnan(gone):
        return APART
    if gone > MOMENT:
        return ON
    return BACK if gone < -MOMENT else SAME


@kernel
def _drift_bin(drift, bins):
    if math.isnan(drift):
        return bins - 1
    middle = (bins - 1) // 2
    return min(max(middle + round(drift / DRIFT_BIN), 0), bins - 2)
