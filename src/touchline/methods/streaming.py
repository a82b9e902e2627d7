"""Aligners that learn from condensed matches, so that a corpus need not fit into memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from touchline.core.records import Match
from touchline.methods.base import Aligner, Labels
from touchline.methods.match_store import Arrays, InMemory, MatchStore


class Streaming(Aligner):
    """An aligner that learns from condensed matches."""

    @abstractmethod
    def asks(self, matches: int) -> int:
        """How many questions so many matches are asked while learning."""

    @abstractmethod
    def condense(self, match: Match) -> Arrays:
        """All that is learned from a match, as arrays."""

    @abstractmethod
    def learn(self, store: MatchStore) -> None:
        """Learn from condensed matches."""

    def fit(self, matches: Iterable[Match], labels: Labels | None = None) -> None:
        super().fit(matches, labels)
        self.learn(InMemory(map(self.condense, matches)))
