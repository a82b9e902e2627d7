"""Fitted aligners on disk: one file with a header and named arrays, nothing that can run.

The file is numpy's `.npz` (a zip of plain arrays, read without pickle); its entry `header` contains
the format's version, the method and its options as JSON.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from touchline.core.errors import InputError
from touchline.io.files import MAX_BYTES, read_bytes, write_whole
from touchline.io.npz import BROKEN, arrays_of
from touchline.io.storage import AnyPath

FORMAT = 1


class Model(msgspec.Struct):
    """The contents of a model file."""

    method: str
    options: dict[str, Any]
    format: int = FORMAT
    arrays: dict[str, Any] = {}


def write_model(
    path: str | AnyPath, method: str, options: dict[str, Any], arrays: Mapping[str, np.ndarray]
) -> None:
    """Store a fitted aligner."""
    head = {"format": FORMAT, "method": method, "options": options}
    header = np.frombuffer(msgspec.json.encode(head), dtype=np.uint8)
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, header=header, **dict(arrays))
    with write_whole(path) as out:
        out.write(packed.getvalue())


def read_model(path: str | AnyPath) -> Model:
    """Read a fitted aligner; a file of a newer format is refused."""
    data = read_bytes(path)
    try:
        arrays = arrays_of(data, MAX_BYTES)
        model = msgspec.json.decode(arrays.pop("header").tobytes(), type=Model)
    except BROKEN:
        raise InputError(path, "not a touchline model (`touchline fit` writes them)") from None
    if model.format > FORMAT:
        newer = (
            f"model format {model.format} is not supported (up to {FORMAT} is); update touchline"
        )
        raise InputError(path, newer)
    model.arrays = arrays
    return model
