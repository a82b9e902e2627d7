"""Lanes do what loops over single numbers do."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.compiled import kernel
from touchline.methods.lanes import (
    alike,
    load,
    load_wide,
    minus,
    plus,
    plus_products,
    store,
    times,
    total,
)


@kernel
def _combined(left, right, at, factor, found):
    first, second = load(left, at), load(right, at)
    store(found, 0, times(minus(plus(first, factor, second), factor, first), factor))
    return total(plus_products(alike(factor), first, second))


@kernel
def _widened(given, at, found):
    store(found, 0, load_wide(given, at))


@pytest.mark.parametrize(("kind", "count"), [(np.float64, 8), (np.float32, 16)])
def test_lanes_are_combined_one_by_one(kind, count):
    chance = np.random.default_rng(0)
    left, right = (chance.integers(-9, 9, 40).astype(kind) for _ in range(2))
    at, factor, found = 3, kind(2), np.zeros(count, dtype=kind)
    added = _combined(left, right, at, factor, found)
    left, right = left[at : at + count], right[at : at + count]
    assert (found == (left + factor * right - factor * left) * factor).all()
    assert added == count * factor + left @ right


def test_single_precision_is_widened():
    given, found = np.arange(20, dtype=np.float32) / 3, np.zeros(8)
    _widened(given, 5, found)
    assert (found == given[5:13]).all()
