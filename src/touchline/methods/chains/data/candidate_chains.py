"""Chains of neighbouring events: all that a comment may describe, as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Floats, Ints

Flags = NDArray[np.bool_]

MAX_CHAIN = 6
# A comment that names so few players describes no more events than this; each further player may
# bring one more, and chains that long hold hardly any event of a player who is not named.
USUAL_CHAIN, USUAL_NAMES, MAX_OTHERS = 4, 3, 1
REACH = 3  # places looked at from each end of a chain: one step and two skips
GAP = 6.0
# Without a mentioned player any neighbours could be a chain: only pairs of them are looked at.
MAX_UNNAMED = 2
# Of one comment. Real buckets stay far below; one without a clock has the whole match as its own.
MAX_CHAINS = 6000


def build_chains(
    bucket: Ints,
    time: Floats,
    period: Ints,
    named: Flags,
    people: int,
    longest: int,
    most: int = MAX_CHAINS,
) -> Ints:
    """At most so many chains as places in the bucket, from short to long; all single events stay.

    `named` are the events of players whom the comment mentions, `people` how many it mentions.
    Chains of which no player is mentioned are looked at for what they may grow into.
    """
    longest = min(longest, _longest(people))
    grown = [np.arange(len(bucket))[:, None]]
    good = [named[bucket] | (not people)]
    joined = _joined(bucket, time, period)
    for size in range(2, longest + 1):
        last = grown[-1][:, -1]
        chain, step = np.nonzero(joined[last])
        chains = np.empty((len(chain), size), dtype=grown[-1].dtype)
        chains[:, :-1] = grown[-1][chain]
        chains[:, -1] = after = last[chain] + step + 1
        is_good = good[-1][chain] | named[bucket[after]]
        if size > USUAL_CHAIN:
            few = (~named[bucket[chains]]).sum(axis=1) <= MAX_OTHERS
            chains, is_good = chains[few], is_good[few]
        grown.append(chains)
        good.append(is_good)
    good[0] = np.ones(len(bucket), dtype=bool)
    kept = np.concatenate(good)
    enough = np.searchsorted(np.cumsum(kept), most) + 1
    kept[max(int(enough), len(bucket)) :] = False
    places = np.full((len(kept), MAX_CHAIN), -1, dtype=np.int32)
    filled = 0
    for chains in grown:
        places[filled : filled + len(chains), : chains.shape[1]] = chains
        filled += len(chains)
    return places[kept]


def _longest(people: int) -> int:
    """How many events a comment may describe that names so many players."""
    if not people:
        return MAX_UNNAMED
    return USUAL_CHAIN + max(people - USUAL_NAMES, 0)


def _joined(bucket: Ints, time: Floats, period: Ints) -> Flags:
    """Whether a chain may go on from each place of a bucket to the 1st, 2nd, 3rd place after it."""
    joined = np.zeros((len(bucket), REACH), dtype=bool)
    time, period = time[bucket], period[bucket]
    for step in range(1, min(REACH, len(bucket) - 1) + 1):
        joined[:-step, step - 1] = (
            (bucket[step:] - bucket[:-step] <= REACH)
            & (period[step:] == period[:-step])
            & (np.abs(time[step:] - time[:-step]) <= GAP)
        )
    return joined


def heads_of(chains: Ints, actor: Ints, first: Ints) -> Ints:
    """The place of each chain's head: its first event by the player mentioned first, `first`."""
    head = np.zeros(len(chains), dtype=np.int8)
    for place in range(chains.shape[1] - 1, -1, -1) if len(actor) else ():
        acting = actor.take(chains[:, place])
        head[(chains[:, place] >= 0) & (acting == first) & (first >= 0)] = place
    return head
