"""Neighbours in lists of a given size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of consecutive items of the given size; the last may be shorter."""
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch
