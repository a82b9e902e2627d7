"""Features by name, and the score of a candidate set as the sum of its weighted features.

Names make weights that were learned from some matches hold for any other. They are made of kinds of
events and single stems of the model's vocabulary: no player's name and no piece of text can be read
back from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Match
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference.posterior import Posterior
from touchline.methods.chains.labelled.candidate_sets import CandidateSets


class Inferred(NamedTuple):
    """What `chains` has inferred of a match without labels.

    `agreed` is the mean of the ensemble's `voices`; `words[h]` is what the words of its comment say
    for hypothesis h, as a log-likelihood ratio.
    """

    match: Match
    language: Language
    tables: MatchTables
    agreed: Posterior
    voices: Sequence[Posterior]
    words: Floats


class Table(NamedTuple):
    """A sparse matrix of features: `value[i]` in `row[i]` and `column[i]`."""

    row: Ints
    column: Ints
    value: Floats

    def times(self, weights: Floats, rows: int) -> Floats:
        return np.bincount(self.row, self.value * weights[self.column], rows).astype(float)

    def transposed_times(self, values: Floats, columns: int) -> Floats:
        return np.bincount(self.column, self.value * values[self.row], columns).astype(float)

    def of_columns(self, kept: np.ndarray, renumbered: Ints) -> Table:
        """Some of the columns, under other numbers."""
        some = kept[self.column]
        return Table(self.row[some], renumbered[self.column[some]], self.value[some])


def joined(tables: Iterable[Table]) -> Table:
    """All features of several tables with the same rows."""
    return Table(*(np.concatenate(part) for part in zip(*tables, strict=True)))


def one_column(column: int, values: Floats) -> Table:
    """A single feature, with its value in each row."""
    row = np.flatnonzero(values)
    return Table(row, np.full(len(row), column), values[row].astype(float))


class Features(NamedTuple):
    """The features of a match's candidate sets: those of their pairs, and their own."""

    names: list[str]
    sets: CandidateSets
    of_pairs: Table
    of_sets: Table

    def scores(self, weights: Floats) -> Floats:
        """The score of each set: its own features and those of its events."""
        sets = self.sets
        pairs = self.of_pairs.times(weights, len(sets.event))
        events = np.bincount(sets.member_of, pairs[sets.member], len(sets))
        return np.asarray(self.of_sets.times(weights, len(sets)) + events)

    def gradient(self, by_score: Floats) -> Floats:
        """How something depends on the weights, given how it depends on the scores."""
        sets, size = self.sets, len(self.names)
        by_pair = np.bincount(sets.member, by_score[sets.member_of], len(sets.event)).astype(float)
        pairs = self.of_pairs.transposed_times(by_pair, size)
        return np.asarray(pairs + self.of_sets.transposed_times(by_score, size))

    def only(self, names: Sequence[str]) -> Features:
        """Those with the given names, in their order; the others are dropped."""
        number = {name: i for i, name in enumerate(names)}
        renumbered = np.array([number.get(name, -1) for name in self.names], dtype=np.int64)
        kept = renumbered >= 0
        return Features(
            list(names),
            self.sets,
            self.of_pairs.of_columns(kept, renumbered),
            self.of_sets.of_columns(kept, renumbered),
        )


class Numbering:
    """Numbers features by their names, in the order in which they turn up."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        return self._number.setdefault(name, len(self._number))

    def every(self, names: Iterable[str]) -> Ints:
        number = self._number  # looked up here, for there are thousands of names
        return np.array([number.setdefault(name, len(number)) for name in names], dtype=np.int64)

    @property
    def names(self) -> list[str]:
        return list(self._number)
