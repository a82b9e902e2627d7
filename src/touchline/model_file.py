"""Fitted aligners on disk: one file with a header and named arrays, nothing that can run.

The file is numpy's `.npz` (a zip of plain arrays, read without pickle); its entry `header` holds
the format's version, the method and its options as JSON.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from touchline.errors import InputError
from touchline.files import read_bytes, write_whole

FORMAT = 1


class Model(msgspec.Struct):
    """What a model file holds."""

    method: str
    options: dict[str, Any]
    format: int = FORMAT
    arrays: dict[str, Any] = {}


def write_model(
    path: str | Path, method: str, options: dict[str, Any], arrays: Mapping[str, np.ndarray]
) -> None:
    """Store a fitted aligner."""
    head = {"format": FORMAT, "method": method, "options": options}
    header = np.frombuffer(msgspec.json.encode(head), dtype=np.uint8)
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, header=header, **dict(arrays))
    with write_whole(path) as out:
        out.write(packed.getvalue())


def read_model(path: str | Path) -> Model:
    """Read a fitted aligner; a file of a newer format is refused."""
    data = read_bytes(path)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as packed:
            arrays = {name: packed[name] for name in packed.files}
        model = msgspec.json.decode(arrays.pop("header").tobytes(), type=Model)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, AttributeError):
        raise InputError(path, "not a touchline model (`touchline fit` writes them)") from None
    if model.format > FORMAT:
        newer = f"a model of format {model.format}; this touchline reads up to {FORMAT}, update it"
        raise InputError(path, newer)
    model.arrays = arrays
    return model
