"""The model's parameters: how often kinds are told, chained, named, and by which words."""

from __future__ import annotations

import msgspec
import numpy as np

from touchline.chains.hypotheses import LAG_BINS
from touchline.chains.language import Language
from touchline.pairs.pairing import Floats, Ints

# Directions of a step along a chain, for an event whose player is not mentioned and one whose is.
BEFORE, AFTER, BEFORE_NAMED, AFTER_NAMED = range(4)
# Starting points. A generous start of `extend` lets the words of a chain's further events be
# learned at all; it is drawn back in later rounds.
START_EXTEND = 0.3
START_NAMED = 0.7


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """All that is learned; docs/model.md has the formulas.

    `rate[k]` how often an event of kind k is the head of what is told; `extend[d, a, b]` how often
    a chain goes on from type a to a neighbour of type b; `cause[k, w]` how often an event of kind
    k brings word w, `background[w]` how often w comes by itself; `named[k]` how often a head's
    player is mentioned, `other_named[k]` its first other player; `chance` how often a player of
    just any event of the bucket is; `unexplained` how often a mention belongs to no told event;
    `first` how often the first mention is the head's; `lag` odds of each lag; `order` how often
    heads go on, stay, go back from comment to comment; `none` how often nothing is told.
    """

    rate: Floats
    extend: Floats
    cause: Floats
    background: Floats
    named: Floats
    other_named: Floats
    chance: float
    unexplained: float
    first: float
    lag: Floats
    order: Floats
    none: float


def start(
    language: Language, available: Floats, background: Floats, chance: float, unnamed: float
) -> Parameters:
    """Parameters before anything is learned; `available[k]` counts candidates of kind k.

    Rare kinds are told rather than common ones, words come by themselves, players are named, and
    comments that name nobody, a share of `unnamed`, tell nothing.
    """
    kinds, types = len(language.kinds), len(language.types)
    return Parameters(
        rate=1 / np.sqrt(np.maximum(available, 1.0)),
        extend=np.full((4, types, types), START_EXTEND),
        cause=np.tile(0.3 * background, (kinds, 1)),
        background=background,
        named=np.full(kinds, START_NAMED),
        other_named=np.full(kinds, 0.3),
        chance=chance,
        unexplained=0.1,
        first=0.8,
        lag=np.ones(LAG_BINS),
        order=np.array([0.6, 0.2, 0.2]),
        none=float(np.clip(unnamed, 0.05, 0.9)),
    )


class Counts(msgspec.Struct, kw_only=True):
    """What is expected to have happened, summed over hypotheses by their probability."""

    heads: Floats
    events: Floats
    steps: Floats
    neighbours: Floats
    caused: Floats
    by_itself: Floats
    named: Floats
    heads_named: Floats
    other_named: Floats
    heads_other: Floats
    lag: Floats
    order: Floats
    unexplained: float = 0.0
    first: float = 0.0
    with_mentions: float = 0.0
    none: float = 0.0

    @classmethod
    def zero(cls, language: Language) -> Counts:
        kinds, types, words = len(language.kinds), len(language.types), len(language.vocabulary)
        return cls(
            heads=np.zeros(kinds),
            events=np.zeros(kinds),
            named=np.zeros(kinds),
            heads_named=np.zeros(kinds),
            other_named=np.zeros(kinds),
            heads_other=np.zeros(kinds),
            steps=np.zeros((4, types, types)),
            neighbours=np.zeros((4, types, types)),
            caused=np.zeros((kinds, words)),
            by_itself=np.zeros(words),
            lag=np.zeros(LAG_BINS),
            order=np.zeros(3),
        )


def type_array(language: Language) -> Ints:
    return np.array(language.type_numbers(), dtype=np.int64)
