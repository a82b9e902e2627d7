"""Agreement of two annotators: pair F1, and Cohen's kappa over pairs."""

from __future__ import annotations

from typing import Protocol


class PairCounts(Protocol):
    """How many pairs of a comment and an event each annotator has, and how many both have."""

    @property
    def a(self) -> int: ...

    @property
    def b(self) -> int: ...

    @property
    def both(self) -> int: ...


def pair_f1(pairs: PairCounts) -> float:
    """F1 of one annotator's pairs against the other's; 1 if both found no event anywhere."""
    return 2 * pairs.both / (pairs.a + pairs.b) if pairs.a + pairs.b else 1.0


def kappa(pairs: PairCounts, possible: int) -> float | None:
    """Cohen's kappa over all possible pairs; None if chance agreement is already complete."""
    if not possible:
        return None
    a, b = pairs.a / possible, pairs.b / possible
    observed = 1 - (pairs.a + pairs.b - 2 * pairs.both) / possible
    chance = a * b + (1 - a) * (1 - b)
    return (observed - chance) / (1 - chance) if chance < 1 else None
