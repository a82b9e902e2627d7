"""What is counted: expected numbers of everything the model has a parameter for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints, distinct
from touchline.methods.chains.data.language import Language

# Directions of a step along a chain, for an event whose player is not mentioned and one whose is.
BEFORE, AFTER, BEFORE_NAMED, AFTER_NAMED = range(4)
# What a mentioned player is to a chain.
ACTS_IN_HEAD, ACTS, OTHER, STRANGER = range(4)
ROLES = 4
# How the head of a comment lies to that of the comment before it.
ON, SAME, BACK = range(3)
# What the speaker is doing: describing what happens, what happened before, or nothing of the match.
LIVE, LOOKING_BACK, TALK = range(3)
STATES = ("live", "looking back", "talk")
# A head that happened more seconds before its comment is looked back at.
LOOKS_BACK = 10.0
# How soon a spoken comment follows the one before it, in seconds; written ones are in one bin.
WRITTEN, SOON, LATER, MUCH_LATER = range(4)
SOON_SECONDS, LATER_SECONDS = 4.0, 10.0
# Steps from one comment to the next: how soon, the state before, the state after, how heads move.
STEPS_SHAPE = (4, 3, 3, 3)
# How much more time goes by in the match than between two comments, in bins of so many seconds;
# the last bin is for comments of which that is not known.
DRIFT_BIN, DRIFT_BINS = 5.0, 62
# Single numbers that are counted.
COMMENTS, NONE, MENTIONS, STRANGERS = range(4)
CANDIDATES, NAMED_CANDIDATES, LEADS, DESCRIBED_WITH_NAMES = range(4, 8)
# How long after the head its player is named, or its other player, by their role; where neither is,
# the comment's own time counts. In bins of a second near the head, of five seconds farther away.
ACTOR_LAG, RECEIVER_LAG, FOULED_LAG, REPLACEMENT_LAG, OTHER_LAG, UNNAMED_LAG = range(6)
# By what the feed calls the other player; any other is just that.
LAG_OF_ROLE = {"recipient": RECEIVER_LAG, "fouled": FOULED_LAG, "replacement": REPLACEMENT_LAG}
LAG_EDGES = np.concatenate(
    [np.arange(-200.0, -20.0, 5.0), np.arange(-20.0, 40.0), np.arange(40.0, 201.0, 5.0)]
)
LAG_BINS = len(LAG_EDGES) + 1
# Who of a head is named, if it has two players: nobody, its actor, the other, or both.
NAMINGS = 4


class Counts(NamedTuple):
    """What is expected to have happened, summed over hypotheses by their probability.

    `described[f]` counts comments that describe cause f, `exposed[f]` the same, but a shorter
    comment counts less.

    Counts of several matches add up; parameters are shares of them.
    """

    heads: Floats
    available: Floats
    described: Floats
    exposed: Floats
    caused: Floats
    by_itself: Floats
    frequency: Floats
    steps: Floats
    neighbours: Floats
    named: Floats
    with_player: Floats
    naming: Floats
    context: Floats
    lag: Floats
    lag_available: Floats
    order: Floats
    drifted: Floats
    numbers: Floats

    @staticmethod
    def shapes(language: Language) -> dict[str, tuple[int, ...]]:
        """The shape of each count in a language."""
        kinds, types, words = len(language.kinds), len(language.types), len(language.vocabulary)
        causes = len(language.causes())
        shapes: dict[str, tuple[int, ...]] = {
            "described": (causes,),
            "exposed": (causes,),
            "caused": (causes, words),
            "by_itself": (words,),
            "frequency": (words,),
            "steps": (4, types, kinds),
            "neighbours": (4, types, kinds),
            "context": (4, len(language.contexts)),
            "lag": (UNNAMED_LAG + 1, LAG_BINS),
            "lag_available": (LAG_BINS,),
            "naming": (kinds, NAMINGS),
            "order": STEPS_SHAPE,
            "drifted": (DRIFT_BINS,),
            "numbers": (8,),
        }
        return {field: shapes.get(field, (kinds,)) for field in Counts._fields}

    @classmethod
    def zero(cls, language: Language) -> Counts:
        return cls(*map(np.zeros, cls.shapes(language).values()))

    def copy(self) -> Counts:
        return Counts(*(field.copy() for field in self))

    def part(self, words: Ints) -> Part:
        """What was counted of these words only, as when all others are 0."""
        columns = distinct(words[words >= 0])
        own = {name: getattr(self, name)[..., columns] for name in BY_WORD}
        return Part(columns, self._replace(**own))

    def add(self, part: Part) -> None:
        """Add what was counted elsewhere, here."""
        for name, mine, more in zip(self._fields, self, part.counts, strict=True):
            mine[(..., part.words) if name in BY_WORD else ...] += more

    def rounded(self) -> Counts:
        """To the thousandth of a comment: the rest says nothing and takes most of a file."""
        return Counts(*(np.round(field, 3) for field in self))

    def plus(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))


def lag_bin(lag: Floats) -> Ints:
    """The bin of each lag; one that is not known counts as none."""
    return np.asarray(np.searchsorted(LAG_EDGES, np.nan_to_num(lag, nan=0.0), side="right"))


def add_at(counts: Floats, at: Ints, weights: Floats | None = None) -> None:
    """Add weights, or ones, at places of all the counts in a row; several may be at one place."""
    if weights is None or weights.shape != at.shape:
        weights = np.broadcast_to(1.0 if weights is None else weights, at.shape)
    counts += sums(at.reshape(-1), weights.reshape(-1), counts.size).reshape(counts.shape)


def sums(at: Ints, weights: Floats, size: int) -> Floats:
    """The sum of the weights at each of so many places."""
    found = np.bincount(at, weights, size)
    return found.astype(float, copy=False)  # without any weights they would be whole


# Counts with a place for each word: of one match only few are not 0.
BY_WORD = ("caused", "by_itself", "frequency")


class Part(NamedTuple):
    """Counts of some words only, which are many times smaller."""

    words: Ints
    counts: Counts
