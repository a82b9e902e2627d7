"""Arrays as they come back from a model file: checked before anything computes with them.

The kernels are compiled without checks of bounds. A number that points outside of its array would
there read whatever lies beside it, so that what a file says must agree with itself first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
import numpy as np

# No count or weight of a model comes near.
MAX_COUNT = 1e12

Size = int | str
Kind = TypeVar("Kind")


class Stored:
    """The arrays of a model file; a size that goes by a name must be the same wherever it stands.

    Whatever does not fit is a ValueError or a KeyError.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], **sizes: int) -> None:
        self._arrays = arrays
        self._sizes = sizes

    def floats(self, name: str, *shape: Size, dtype: type = np.float64) -> np.ndarray:
        """Finite numbers, small enough that their squares do not overflow."""
        array = self._array(name, shape, dtype)
        if not (np.abs(array) <= MAX_COUNT).all():
            raise ValueError(f"{name} contains NaN or infinity")
        return array

    def counts(self, name: str, *shape: Size) -> np.ndarray:
        """Finite numbers that are not negative."""
        array = self.floats(name, *shape)
        if (array < 0).any():
            raise ValueError(f"{name} contains negative counts")
        return array

    def whole(self, name: str, *shape: Size) -> np.ndarray:
        """Whole numbers of which none is negative or beyond what a count can be."""
        array = self._array(name, shape, np.integer)
        if array.size and not 0 <= array.min() <= array.max() <= 1000 * MAX_COUNT:
            raise ValueError(f"{name} contains values that are not counts")
        return array.astype(np.int64)

    def places(self, name: str, *shape: Size, of: Size, minimum: int = 0) -> np.ndarray:
        """Whole numbers from `minimum` on that point into something of the size `of`."""
        array = self._array(name, shape, np.integer)
        if array.size and not (minimum <= array.min() and array.max() < self.size(of)):
            raise ValueError(f"{name} contains indices out of range")
        return array.astype(np.int64)

    def texts(self, name: str, size: Size) -> list[str]:
        """Distinct strings."""
        texts: list[str] = self._array(name, (size,), np.str_).tolist()
        if len(set(texts)) < len(texts):
            raise ValueError(f"{name} contains duplicate strings")
        return texts

    def json(self, name: str, kind: type[Kind]) -> Kind:
        """What was stored as JSON."""
        try:
            return msgspec.json.decode(self._array(name, ("?",), np.uint8).tobytes(), type=kind)
        except RecursionError:
            raise ValueError(f"{name} is nested too deeply") from None

    def _array(self, name: str, shape: tuple[Size, ...], dtype: Any) -> np.ndarray:
        array = self._arrays[name]
        if not np.issubdtype(array.dtype, dtype):
            raise ValueError(f"{name} has the unexpected type {array.dtype}")
        if len(array.shape) != len(shape):
            raise ValueError(f"{name} has {len(array.shape)} dimensions, expected {len(shape)}")
        sizes = {**self._sizes}
        for size, there in zip(shape, array.shape, strict=True):
            expected = sizes.setdefault(size, there) if isinstance(size, str) else size
            if there != expected and size != "?":
                raise ValueError(f"{name} has the shape {array.shape}, expected {shape}")
        self._sizes = sizes
        return np.ascontiguousarray(array)

    def size(self, name: Size) -> int:
        """A size that is known by now."""
        return self._sizes[name] if isinstance(name, str) else name

    def named(self, name: str, size: int) -> int:
        """Give a size its name; it is the one that has it already, or no other has it."""
        return self._sizes.setdefault(name, size)
