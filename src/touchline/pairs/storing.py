"""Pairs as plain arrays, for a model file, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from touchline.pairs.pairing import Pairs

_MATRICES = ("words", "values")
_LISTS = ("vocabulary", "columns", "players")
_NUMBERS = ("row", "named", "mentioned", "sentence", "event")


def pack_pairs(pairs: Pairs) -> dict[str, np.ndarray]:
    """The arrays that `unpack_pairs` makes the same pairs of."""
    arrays: dict[str, np.ndarray] = {}
    for name in pairs.__struct_fields__:
        value: Any = getattr(pairs, name)
        if name in _MATRICES:
            arrays[f"{name}.indices"] = value.indices.astype(np.int32)
            arrays[f"{name}.starts"] = value.indptr.astype(np.int32)
            arrays[f"{name}.shape"] = np.array(value.shape)
        elif name in _LISTS:
            arrays[name] = np.array(value, dtype=str)
        elif name in _NUMBERS:
            arrays[name] = value.astype(np.int32)
        else:
            arrays[name] = value
    return arrays


def unpack_pairs(arrays: Mapping[str, np.ndarray]) -> Pairs:
    """The pairs that `pack_pairs` made the arrays of."""
    fields: dict[str, Any] = {}
    for name in Pairs.__struct_fields__:
        if name in _MATRICES:
            indices, starts = arrays[f"{name}.indices"], arrays[f"{name}.starts"]
            ones = np.ones(len(indices), dtype=np.float32)
            shape = tuple(arrays[f"{name}.shape"])
            fields[name] = sparse.csr_matrix((ones, indices, starts), shape=shape)
        elif name in _LISTS:
            fields[name] = arrays[name].tolist()
        elif name in _NUMBERS:
            fields[name] = arrays[name].astype(np.int64)
        else:
            fields[name] = arrays[name]
    return Pairs(**fields)
