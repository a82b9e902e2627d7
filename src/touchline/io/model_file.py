"""Fitted aligners on disk: one file with a header and named arrays, nothing that can run.

The file is numpy's `.npz` (a zip of plain arrays, read without pickle); its entry `header` contains
the format's version, the method and its options as JSON.
"""

from __future__ import annotations

import io
import re
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from touchline.core.errors import InputError
from touchline.io.files import MAX_BYTES, read_bytes, write_whole
from touchline.io.storage import AnyPath

FORMAT = 1

# All that zipfile, numpy and msgspec raise over a file that is not one of ours, or damaged.
_BROKEN = (ValueError, KeyError, TypeError, AttributeError, OSError, EOFError, MemoryError,
           NotImplementedError, RecursionError, RuntimeError, SyntaxError, struct.error,
           tokenize.TokenError, zipfile.BadZipFile, zlib.error)  # fmt: skip

# An entry of a zip file: its mark, then the lengths of its name and of what else comes first.
_LOCAL_HEADER, _ENTRY = struct.Struct("<4s22xHH"), b"PK\x03\x04"
_NOT_PLAIN = 0x61  # encrypted, or patched: not ours, and zipfile says so

# What precedes the numbers of an array whose rows lie one after another.
_NUMBERS = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(?P<type>[<|][biuf]\d)', 'fortran_order': False, "
    rb"'shape': \((?P<shape>[\d, ]*)\), \} *\n",
    re.DOTALL,
)


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
        arrays = _unpacked(data)
        model = msgspec.json.decode(arrays.pop("header").tobytes(), type=Model)
    except _BROKEN:
        raise InputError(path, "not a touchline model (`touchline fit` writes them)") from None
    if model.format > FORMAT:
        newer = (
            f"model format {model.format} is not supported (up to {FORMAT} is); update touchline"
        )
        raise InputError(path, newer)
    model.arrays = arrays
    return model


def _unpacked(data: bytes) -> dict[str, np.ndarray]:
    """The arrays of a file that unpacks to no more than a file may hold."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if sum(entry.file_size for entry in packed.infolist()) > MAX_BYTES:
            raise ValueError("too large")
        return {
            entry.filename.removesuffix(".npy"): _array(_content(data, packed, entry))
            for entry in packed.infolist()
        }


def _content(data: bytes, packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The bytes of an entry, checked.

    zipfile makes a file object of each of some hundred small entries, which takes longer than to
    unpack them.
    """
    header = data[entry.header_offset : entry.header_offset + _LOCAL_HEADER.size]
    if entry.compress_type != zipfile.ZIP_DEFLATED or entry.flag_bits & _NOT_PLAIN:
        return packed.read(entry)
    mark, name_length, extra_length = _LOCAL_HEADER.unpack(header)
    first = entry.header_offset + _LOCAL_HEADER.size + name_length + extra_length
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    content = unpacking.decompress(data[first : first + entry.compress_size], entry.file_size + 1)
    if mark != _ENTRY or len(content) != entry.file_size or zlib.crc32(content) != entry.CRC:
        raise zipfile.BadZipFile("damaged")
    return content


def _array(stored: bytes) -> np.ndarray:
    """An array of numbers or text, as numpy stores it.

    A model has some hundred small arrays, whose headers numpy reads with Python's own parser. That
    takes longer than to unpack them, so a header of the usual form is matched instead.
    """
    found = _NUMBERS.match(stored)
    if found is None:
        return np.asarray(np.lib.format.read_array(io.BytesIO(stored), allow_pickle=False))
    shape = [int(size) for size in found["shape"].split(b",") if size.strip()]
    values = np.frombuffer(stored, np.dtype(found["type"].decode()), offset=found.end())
    return values.reshape(shape).copy()
