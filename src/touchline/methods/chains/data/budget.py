"""How many chains of a match are looked at: memory and time of an alignment grow with them.

The bytes are estimates, made from the peaks of processes that aligned matches of many shapes, and
rather too high than too low (docs/reliability.md has some of them). Real matches, with a television
commentary of 1,845 lines the largest, stay below the limits; what does not is looked at again with
fewer chains for each comment, and refused if even single events are too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Ints
from touchline.core.errors import InputError
from touchline.methods.chains.data.candidate_chains import MAX_CHAINS

# With what Python, numpy and a bundled model take, a process stays below 300 MB.
MAX_BYTES = 260e6
# A log takes more than real ones do from so many events on.
USUAL_EVENTS, BYTES_OF_EVENT = 4_000, 6_500
BYTES_OF_COMMENT = 8_000
BYTES_OF_CHAIN, BYTES_OF_CHAIN_AND_MENTION = 200, 10
# In a comment with so many mentions they are mostly of the same few players, who are in its chains.
USUAL_MENTIONS, BYTES_OF_FURTHER_MENTION = 4, 30
BYTES_OF_PAIR, BYTES_OF_PAIR_AND_WORD = 260, 20
# Of tables that are as wide as the comment with the most words or mentions, by what a row is of.
BYTES_OF_COMMENT_CELL, BYTES_OF_PAIR_CELL, BYTES_OF_CHAIN_CELL = 150, 16, 4
MAX_TOGETHER = int(MAX_BYTES / BYTES_OF_CHAIN)  # chains, whatever their words
# Chains of one comment, if all that may be are too many: at last its single events alone.
FEWER = (3000, 1500, 700, 300, 100, 0)


class Limits(NamedTuple):
    """What is done with a match: how much may be, and what it takes besides the tables.

    `words` of comments are each looked at once for every chain of their comment. `pair_bytes` is
    what is kept of a comment and an event near it afterwards.
    """

    words: float = 8e6
    pair_bytes: float = 0


USUAL_LIMITS = Limits()
# Words are looked at a dozen times to learn from the match alone.
ALONE_LIMITS = Limits(words=3.5e6)
# What labels have taught is applied to candidate sets and their features.
LABELLED_LIMITS = Limits(pair_bytes=370)


class TooManyChainsError(Exception):
    """There are more chains than one match may have: so many of each comment."""

    def __init__(self, chains: Ints) -> None:
        super().__init__()
        self.chains = chains


class Budget(NamedTuple):
    """How many words, mentions and candidate events each comment has, and the log events."""

    words: Ints
    mentions: Ints
    pairs: Ints
    events: int = 0
    limits: Limits = USUAL_LIMITS

    def allows(self, chains: Ints) -> bool:
        """Whether so many chains of each comment are within the limits."""
        words, mentions, pairs, events, limits = self
        named = self.mentions.max(initial=0)
        cells = words.max(initial=0) + named
        taken = (BYTES_OF_COMMENT + BYTES_OF_COMMENT_CELL * cells) * len(words)
        taken += BYTES_OF_EVENT * max(0, events - USUAL_EVENTS)
        taken += named * (BYTES_OF_PAIR_CELL * pairs.sum() + BYTES_OF_CHAIN_CELL * chains.sum())
        further = np.maximum(mentions - USUAL_MENTIONS, 0)
        taken += chains @ (BYTES_OF_CHAIN + BYTES_OF_CHAIN_AND_MENTION * mentions)
        taken += BYTES_OF_FURTHER_MENTION * (chains @ further)
        taken += pairs @ (BYTES_OF_PAIR + limits.pair_bytes + BYTES_OF_PAIR_AND_WORD * words)
        return bool(taken <= MAX_BYTES and chains @ words <= limits.words)

    def most(self, name: str, chains: Ints) -> int:
        """How many chains each comment may have, if it has so many by itself."""
        for most in (MAX_CHAINS, *FEWER):
            if self.allows(np.maximum(np.minimum(chains, most), self.pairs)):
                return most
        size = f"{len(self.words):,} comments with {self.words.sum():,} words"
        problem = (
            f"{size} and {self.pairs.sum():,} events near them need more than "
            f"{MAX_BYTES / 1e6:.0f} MB, or more than {self.limits.words:,.0f} comparisons of words "
            "with events, the limits for one match"
        )
        advice = "give the comments' clocks, or fewer or shorter comments at a time"
        raise InputError(name, f"{problem}; {advice}")


def lengths(rows: Iterable[Sized]) -> Ints:
    return np.array([len(row) for row in rows], dtype=np.int64)
