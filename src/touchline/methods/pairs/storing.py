"""Pairs as plain arrays, for a model file, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from touchline.io.model_arrays import Stored
from touchline.methods.pairs.pairing import Pairs

_MATRICES = ("words", "values")
_LISTS = ("vocabulary", "columns", "players")
_NUMBERS = ("row", "named", "around", "mentioned", "sentence", "event")


def pack_pairs(pairs: Pairs) -> dict[str, np.ndarray]:
    """The arrays that `unpack_pairs` makes the same pairs of."""
    arrays: dict[str, np.ndarray] = {}
    for name in pairs.__struct_fields__:
        value: Any = getattr(pairs, name)
        if name in _MATRICES:
            arrays[f"{name}.indices"] = value.indices.astype(np.int32)
            arrays[f"{name}.starts"] = value.indptr.astype(np.int32)
        elif name in _LISTS:
            arrays[name] = np.array(value, dtype=str)
        elif name in _NUMBERS:
            arrays[name] = value.astype(np.int32)
        else:
            arrays[name] = value
    return arrays


def unpack_pairs(arrays: Mapping[str, np.ndarray]) -> tuple[Pairs, Stored]:
    """The pairs that `pack_pairs` made the arrays of, and the arrays with the pairs' sizes."""
    stored = Stored(arrays)
    lists = {name: stored.texts(name, name) for name in _LISTS}
    words = _matrix(stored, "words", "sentences", "vocabulary")
    values = _matrix(stored, "values", "rows", "columns")
    pairs = Pairs(
        **lists,
        words=words,
        values=values,
        row=stored.places("row", "events", of="rows"),
        frequency=stored.counts("frequency", "events"),
        named=stored.places("named", "events", "?", of="players", minimum=-1),
        around=stored.places("around", "events", "?", of="players", minimum=-1),
        mentioned=stored.places("mentioned", "sentences", "?", of="players", minimum=-1),
        sentence=stored.places("sentence", "pairs", of="sentences"),
        event=stored.places("event", "pairs", of="events"),
        strings=stored.counts("strings", "pairs", "strings"),
        lag=stored.floats("lag", "pairs"),
    )
    if (pairs.frequency < 1).any():
        raise ValueError("an event has no type")
    return pairs, stored


def _matrix(stored: Stored, name: str, rows: str, columns: str) -> sparse.csr_matrix:
    """A binary matrix of which the starts of its rows are stored, and the columns of its ones."""
    indices = stored.places(f"{name}.indices", f"{name}.indices", of=columns).astype(np.int32)
    starts = stored.places(f"{name}.starts", "?", of=len(indices) + 1).astype(np.int32)
    ends = [*starts[:1].tolist(), *starts[-1:].tolist()]
    if ends != [0, len(indices)] or (np.diff(starts) < 0).any():
        raise ValueError(f"{name}.starts do not fit {len(indices)} indices")
    shape = stored.named(rows, len(starts) - 1), stored.size(columns)
    ones = np.ones(len(indices), dtype=np.float32)
    return sparse.csr_matrix((ones, indices, starts), shape=shape)
