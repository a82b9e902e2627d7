"""Chains of neighbouring events, and what is met on the way along each.

Arrays in and out; all hypotheses of a comment, or of a match, at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from touchline.pairs.pairing import Floats, Ints

Flags = NDArray[np.bool_]

LONGEST = 4
REACH = 3  # places looked at from each end of a chain: one step and two skips
GAP = 6.0
# Without a mentioned player any neighbours could be a chain: only pairs of them are looked at.
LONGEST_UNNAMED = 2
# Of one comment. Real buckets stay far below; one without a clock has the whole match as its own.
MOST_CHAINS = 6000


def build_chains(
    bucket: Ints, time: Floats, period: Ints, named: Flags, anybody: bool, longest: int
) -> Ints:
    """Chains as places in the bucket, from short to long: a bucket without end keeps its singles.

    `named` are the events of players whom the comment mentions, `anybody` whether it mentions one.
    Chains of which no player is mentioned are looked at for what they may grow into.
    """
    longest = longest if anybody else min(longest, LONGEST_UNNAMED)
    grown = [np.arange(len(bucket))[:, None]]
    good = [named[bucket] | (not anybody)]
    joined = _joined(bucket, time, period)
    for _ in range(longest - 1):
        chain, step = np.nonzero(joined[grown[-1][:, -1]])
        after = grown[-1][chain, -1] + step + 1
        good.append(good[-1][chain] | named[bucket[after]])
        grown.append(np.column_stack([grown[-1][chain], after]))
    good[0] = np.ones(len(bucket), dtype=bool)
    kept = np.concatenate(good)
    enough = np.searchsorted(np.cumsum(kept), MOST_CHAINS) + 1
    kept[max(int(enough), len(bucket)) :] = False
    places = np.full((len(kept), LONGEST), -1, dtype=np.int64)
    filled = 0
    for chains in grown:
        places[filled : filled + len(chains), : chains.shape[1]] = chains
        filled += len(chains)
    return places[kept]


def _joined(bucket: Ints, time: Floats, period: Ints) -> Flags:
    """Whether a chain may go on from each place of a bucket to the 1st, 2nd, 3rd place after it."""
    joined = np.zeros((len(bucket), REACH), dtype=bool)
    for step in range(1, min(REACH, len(bucket) - 1) + 1):
        here, near = bucket[:-step], bucket[step:]
        joined[:-step, step - 1] = (
            (near - here <= REACH)
            & (period[near] == period[here])
            & (np.abs(time[near] - time[here]) <= GAP)
        )
    return joined


def heads_of(chains: Ints, actor: Ints, first: Ints) -> Ints:
    """The place of each chain's head: its first event by the player mentioned first, `first`."""
    acting = np.where(chains >= 0, actor[chains], -1) if len(actor) else chains
    return np.asarray(((acting == first[:, None]) & (first[:, None] >= 0)).argmax(axis=1))


class Walks(NamedTuple):
    """The neighbours met along each chain, forwards from its head and backwards from it.

    Going on from each event, up to REACH neighbours within GAP seconds are looked at in turn; the
    first that is taken is the next of the chain. Of each neighbour met: the hypothesis `of` which,
    the event it is reached `origin`, the event `near` itself, whether it lies `ahead`, whether it
    was `taken`.
    """

    of: Ints
    origin: Ints
    near: Ints
    ahead: Flags
    taken: Flags


def walk(chains: Ints, head: Ints, time: Floats, period: Ints) -> Walks:
    """All neighbours met along some chains."""
    met = [
        part
        for sign in (1, -1)
        for part in _one_way(sign, chains, head, _within(sign, time, period))
    ]
    nothing = Walks(*(np.zeros(0, dtype=t) for t in (int, int, int, bool, bool)))
    return Walks(*(np.concatenate(field) for field in zip(nothing, *met, strict=True)))


def _one_way(sign: int, chains: Ints, head: Ints, within: Flags) -> list[Walks]:
    met = []
    of, place = np.arange(len(chains)), head
    while len(of):
        origin, place = chains[of, place], place + sign
        inside = (place >= 0) & (place < chains.shape[1])
        goal = np.where(inside, chains[of, place * inside], -1)
        going = np.ones(len(of), dtype=bool)
        for reach in range(1, REACH + 1):
            going &= within[reach - 1, origin]
            near = origin + sign * reach
            some = near[going]
            met.append(
                Walks(of[going], origin[going], some, np.full(len(some), sign > 0),
                      some == goal[going])
            )  # fmt: skip
            going &= near != goal
        of, place = of[goal >= 0], place[goal >= 0]
    return met


def _within(sign: int, time: Floats, period: Ints) -> Flags:
    """Whether the 1st, 2nd, 3rd event from each one lies within GAP seconds of it."""
    within = np.zeros((REACH, len(time)), dtype=bool)
    for reach in range(1, min(REACH, len(time) - 1) + 1):
        gone = time[reach:] - time[:-reach]
        near = (gone >= 0) & (gone <= GAP) & (period[reach:] == period[:-reach])
        within[reach - 1, slice(None, -reach) if sign > 0 else slice(reach, None)] = near
    return within
