"""Learning from more matches than fit into memory: each is condensed once, then asked again.

Who learns sees the matches only through `MatchStore.map`: a function is applied to every condensed
match, here, in other processes or on other machines, and the results come in the matches' order.
Sums over them are therefore the same to the last bit, however many workers there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

Arrays = Mapping[str, np.ndarray]
R = TypeVar("R")
T = TypeVar("T")
# Numbers of some matches; None are all.
Group = Sequence[int] | None


def chosen(every: Sequence[T], of: Group) -> Sequence[T]:
    """Those with the numbers `of`."""
    return every if of is None else [every[number] for number in of]


class MatchStore(Protocol):
    """The condensed matches that are learned from, in their order."""

    def __len__(self) -> int: ...

    def map(
        self, question: Callable[[Any, Arrays], R], given: Any, of: Group = None
    ) -> Iterator[R]:
        """`question(given, match)` for each, or for those with the numbers `of`, in their order.

        Question and given must be fit for pickle.
        """

    def save_checkpoint(self, state: Arrays) -> None:
        """Remember how far learning has come, should it be interrupted."""

    def load_checkpoint(self) -> Arrays | None:
        """What was last kept by a run that was interrupted."""


class Part:
    """Some of the matches of a store, as a store; it keeps no checkpoint."""

    def __init__(self, store: MatchStore, numbers: Sequence[int]) -> None:
        self._store, self._numbers = store, list(numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def map(
        self, question: Callable[[Any, Arrays], R], given: Any, of: Group = None
    ) -> Iterator[R]:
        return self._store.map(question, given, chosen(self._numbers, of))

    def save_checkpoint(self, state: Arrays) -> None:
        pass

    def load_checkpoint(self) -> Arrays | None:
        return None


class InMemory:
    """Condensed matches that are all here; nothing is kept, for nothing outlives the process."""

    def __init__(self, condensed: Iterable[Arrays]) -> None:
        self._condensed = list(condensed)

    def __len__(self) -> int:
        return len(self._condensed)

    def map(
        self, question: Callable[[Any, Arrays], R], given: Any, of: Group = None
    ) -> Iterator[R]:
        return (question(given, one) for one in chosen(self._condensed, of))

    def save_checkpoint(self, state: Arrays) -> None:
        pass

    def load_checkpoint(self) -> Arrays | None:
        return None
