"""Names for the types of arrays, and what numpy does with more than is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.float64]


def distinct(values: Ints) -> Ints:
    """The different values, sorted: `np.unique` loads masked arrays, which takes 10 ms."""
    ordered = np.sort(values, axis=None)
    is_new = np.ones(len(ordered), dtype=bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return np.asarray(ordered[is_new])
