"""Learning from more matches than fit into memory: each is condensed once, then asked again.

Who learns sees the matches only through `Everyone.ask`: a function is applied to every condensed
match, here, in other processes or on other machines, and the results come in the matches' order.
Sums over them are therefore the same to the last bit, however many workers there are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

import numpy as np

from touchline.aligners.base import Aligner
from touchline.match import Match

Arrays = Mapping[str, np.ndarray]
R = TypeVar("R")


class Everyone(Protocol):
    """The condensed matches that are learned from, in their order."""

    def ask(self, question: Callable[[Any, Arrays], R], given: Any) -> Iterator[R]:
        """`question(given, match)` for each; question and given must be fit for pickle."""

    def keep(self, state: Arrays) -> None:
        """Remember how far learning has come, should it be interrupted."""

    def kept(self) -> Arrays | None:
        """What was last kept by a run that was interrupted."""


class InMemory:
    """Condensed matches that are all here; nothing is kept, for nothing outlives the process."""

    def __init__(self, condensed: Iterable[Arrays]) -> None:
        self._condensed = list(condensed)

    def ask(self, question: Callable[[Any, Arrays], R], given: Any) -> Iterator[R]:
        return (question(given, one) for one in self._condensed)

    def keep(self, state: Arrays) -> None:
        pass

    def kept(self) -> Arrays | None:
        return None


class Streaming(Aligner):
    """An aligner that learns from condensed matches."""

    @property
    @abstractmethod
    def passes(self) -> int:
        """How often every match is asked while learning."""

    @abstractmethod
    def condense(self, match: Match) -> Arrays:
        """All that is learned from a match, as arrays."""

    @abstractmethod
    def learn(self, everyone: Everyone) -> None:
        """Learn from condensed matches."""

    def fit(self, matches: Iterable[Match]) -> None:
        self.learn(InMemory(map(self.condense, matches)))
