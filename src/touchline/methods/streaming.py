"""Aligners that learn from condensed matches, so that a corpus need not fit into memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from touchline.core.records import Match
from touchline.io.storage import AnyPath
from touchline.methods.base import Aligner, Labels, WordLabels
from touchline.methods.match_store import Arrays, InMemory, MatchStore


class Read(NamedTuple):
    """A match, and who is to read it."""

    match: Match
    reader: Streaming


class Streaming(Aligner):
    """An aligner that learns from condensed matches.

    `kept_in` is a folder for models of a part of the matches: learning from labels takes several of
    them, and so does scoring matches one by one.
    """

    kept_in: AnyPath | None = None

    @abstractmethod
    def asks(self, matches: int, labelled: int = 0) -> int:
        """How many questions so many matches are asked while learning."""

    @abstractmethod
    def condense(self, match: Match) -> Arrays:
        """All that is learned from a match, as arrays."""

    @abstractmethod
    def learn(self, store: MatchStore) -> None:
        """Learn from condensed matches."""

    def learn_labels(self, store: MatchStore, labelled: Iterable[Match], labels: Labels) -> None:
        """Learn from the labels of some matches, once all condensed matches have been learned."""
        self.check_labels()

    def learn_words(self, labelled: Iterable[Match], labels: Labels, words: WordLabels) -> None:
        """Learn from the words that annotators have given to events, last of all.

        `labels` are the links of the same matches, where they are known.
        """

    def learn_read(self, labelled: Sequence[Read], labels: Labels) -> None:
        """Learn from labels of matches, each read by an aligner that has not seen it.

        For matches that have a model of another kind of text, such as that of another corpus.
        """
        self.check_labels()

    def over_bundled(self, labelled: Sequence[Match], labels: Labels) -> Streaming | None:
        """An aligner that has a bundled model, and beside it what these labels teach.

        None if the method has no bundled model that is for all these matches and knows none of
        them.
        """
        return None

    def fit(
        self,
        matches: Iterable[Match],
        labels: Labels | None = None,
        words: WordLabels | None = None,
    ) -> None:
        """Learn from matches, from labels of their comments, and from the words of events."""
        super().fit(matches, labels)
        labelled: list[Match] = []
        given: list[Match] = []

        def condensed(match: Match) -> Arrays:
            if labels and match.name in labels:
                labelled.append(match)
            if words and match.name in words:
                given.append(match)
            return self.condense(match)

        store = InMemory(map(condensed, matches))
        self.learn(store)
        if labels:
            self.learn_labels(store, labelled, labels)
        if words:
            self.learn_words(given, labels or {}, words)
