"""Steps along chains: from each event on to a neighbour, past others that are not described.

A chain goes forwards from its head, then backwards. At each of its events up to REACH neighbours
within GAP seconds are met in turn, and the first one that is taken is the chain's next; at either
end of the chain none is. A step is thus a pair of comment and event, a way, and how far.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.candidate_chains import GAP, REACH, Flags
from touchline.methods.chains.model.sufficient_stats import sums

WAYS = FORWARDS, BACKWARDS = 0, 1
# How far a step goes that takes nobody; less are the numbers of neighbours, from 0.
NOWHERE = REACH
# Pairs of comment and event that are looked at together.
_TOGETHER = 2_000


class Met(NamedTuple):
    """Who is met from each event of a log: `[event, way, i]`, the neighbour i + 1 places away.

    `near` is the neighbour, and `met` whether it and all before it are within reach.
    """

    near: Ints
    met: Flags


def met_from(time: Floats, period: Ints) -> Met:
    near = np.arange(len(time))[:, None] + np.arange(1, REACH + 1)
    near = np.stack([near, 2 * np.arange(len(time))[:, None] - near], axis=1)
    inside = (near >= 0) & (near < len(time))
    near = np.where(inside, near, 0)
    here = np.arange(len(time))[:, None, None]
    gone = (time[near] - time[here]) * np.array([1, -1])[:, None] if len(time) else near
    close = inside & (gone >= 0) & (gone <= GAP) & (period[near] == period[here])
    return Met(near, np.logical_and.accumulate(close, axis=2))


def steps_along(pairs: Ints, events: Ints, head: Ints) -> Ints:
    """The steps of each chain, as places in a table `[pair, way, how far]`; past its end: none.

    `events` are the chains of events, `pairs` the same as pairs with the comment.
    """
    longest, pairs, events = pairs.shape[1], pairs.T, events.T
    taken = np.empty((longest + 1, len(head)), dtype=pairs.dtype)
    last = pairs[0]
    for k in range(longest - 1):
        ahead, goes_on = k >= head, pairs[k + 1] >= 0
        origin, back = np.where(ahead, pairs[k], pairs[k + 1]), ~ahead
        step = _place(origin, back, events[k + 1] - events[k] - 1)
        taken[k] = np.where(goes_on, step, -1)
        last = np.where(goes_on, pairs[k + 1], last)
    taken[-2] = _place(last, FORWARDS, NOWHERE)
    taken[-1] = _place(pairs[0], BACKWARDS, NOWHERE)
    return np.asarray(taken[(taken >= 0).any(axis=1)].T)


def _place(pair: Ints, way: Flags | int, far: Ints | int) -> Ints:
    return np.asarray((pair * len(WAYS) + way) * (REACH + 1) + far)


def sum_of_row(values: Floats, places: Ints) -> Floats:
    """The sum of the values at each row's places; column by column, for rows are short."""
    total = np.zeros(len(places))
    for column in places.T:
        total += values.take(column)
    return total


class Steps(NamedTuple):
    """The steps of some hypotheses.

    `taken[h]` are those of hypothesis h, see `steps_along`. Of each pair and way `near` are the
    neighbours that are met, as places in `Parameters.extend`; -1 for those that are not.
    """

    taken: Ints
    near: Ints

    @property
    def _places(self) -> int:
        """How many steps there may be: of each pair and way each neighbour, and none."""
        return self.near.size // REACH * (REACH + 1)

    def score(self, extend: Floats) -> Floats:
        """The log-probability of each hypothesis' steps: neighbours are taken or passed by."""
        often = extend.reshape(-1)
        # Of who is not met, the last, nothing is known.
        take, pass_by = np.append(np.log(often), 0.0), np.append(np.log1p(-often), 0.0)
        every = np.zeros(self._places + 1)  # the last is for who is past the end of a chain
        table = every[:-1].reshape(*self.near.shape[:2], REACH + 1)
        for first in range(0, len(table), _TOGETHER):
            some = table[first : first + _TOGETHER]
            near = self.near[first : first + _TOGETHER]
            passed = pass_by.take(near)
            for i in range(REACH):
                np.add(some[..., i], passed[..., i], out=some[..., i + 1])
            some[..., :-1] += take.take(near)
        return sum_of_row(every, self.taken)

    def add_counts(self, share: Floats, steps: Floats, neighbours: Floats) -> None:
        """Add who is taken and who is met, by the probability of hypotheses."""
        likely = np.flatnonzero(share)
        size = self._places + 1
        taken = self.taken[likely]
        taken[taken < 0] = size - 1  # the place past the end
        weights = np.repeat(share[likely], taken.shape[1])
        every = sums(taken.reshape(-1), weights, size)[:-1].reshape(*self.near.shape[:2], REACH + 1)
        some = self._used(taken)
        often, near = every[some], self.near[some]
        met = near >= 0
        near = near[met]
        steps += sums(near, often[..., :-1][met], steps.size).reshape(steps.shape)
        for i in reversed(range(REACH)):  # who is taken farther away has passed the nearer ones
            often[..., i] += often[..., i + 1]
        neighbours += sums(near, often[..., :-1][met], neighbours.size).reshape(neighbours.shape)

    def _used(self, taken: Ints) -> Ints:
        """The pairs that some steps start from: few, for most hypotheses are not likely."""
        used = np.zeros(len(self.near) + 1, dtype=bool)  # the last is for the place past the end
        used[taken // (len(WAYS) * (REACH + 1))] = True
        return np.flatnonzero(used[:-1])
