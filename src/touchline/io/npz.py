"""The arrays of a `.npz` file, which is a zip of arrays as numpy stores them.

A model has some hundred small arrays. zipfile makes three objects of each, and numpy reads its
header with Python's own parser, which takes many times as long as to unpack it. So files as numpy
writes them are read here, and all others with zipfile.
"""

from __future__ import annotations

import io
import re
import struct
import tokenize
import zlib
from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

# The last part of a zip file: marks, numbers of entries, size and place of its directory.
_END, _END_MARK = struct.Struct("<4s6xHIIH"), b"PK\x05\x06"
# An entry of the directory, and the one before the content, which has a name and more of its own.
_LISTED, _LISTED_MARK = struct.Struct("<4s4xHH4xIIIHHHHHIL"), b"PK\x01\x02"
_LOCAL, _LOCAL_MARK = struct.Struct("<4s22xHH"), b"PK\x03\x04"
_STORED, _DEFLATED, _NOT_PLAIN = 0, 8, 0x61  # encrypted, or patched: not ours
_SUFFIX = ".npy"

# What precedes the numbers of an array whose rows lie one after another.
_NUMBERS = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(?P<type>[<|][biuf]\d)', 'fortran_order': False, "
    rb"'shape': \((?P<shape>[\d, ]*)\), \} *\n",
    re.DOTALL,
)


# All that zlib, zipfile and numpy raise over a file that is none, or damaged.
BROKEN = (ValueError, KeyError, TypeError, AttributeError, OSError, EOFError, MemoryError,
          NotImplementedError, RecursionError, RuntimeError, SyntaxError, struct.error,
          tokenize.TokenError, zlib.error)  # fmt: skip


class _Entry(NamedTuple):
    name: str
    method: int
    checksum: int
    packed: int
    size: int
    place: int


def arrays_of(
    data: bytes, max_bytes: int, names: Collection[str] | None = None
) -> dict[str, np.ndarray]:
    """The arrays of a file, or those of some names.

    ValueError where it unpacks to more than `max_bytes`. A damaged file raises `BROKEN`.
    """
    entries = _directory(data)
    if entries is None:
        return _with_zipfile(data, max_bytes, names)
    if sum(entry.size for entry in entries) > max_bytes:
        raise ValueError("too large")
    found = ((entry.name.removesuffix(_SUFFIX), entry) for entry in entries)
    return {n: _array(_content(data, one)) for n, one in found if names is None or n in names}


def _directory(data: bytes) -> list[_Entry] | None:
    """The entries of a file, None if one of them is not as numpy writes it."""
    if len(data) < _END.size:
        return None
    mark, number, size, place, comment = _END.unpack_from(data, len(data) - _END.size)
    if mark != _END_MARK or comment or place + size + _END.size != len(data):
        return None
    entries = list(_listed(data, place, number))
    return entries if len(entries) == number else None


def _listed(data: bytes, at: int, number: int) -> Iterator[_Entry]:
    """Entries of the directory up to the first that is not plain."""
    for _ in range(number):
        mark, flags, method, checksum, packed, size, *lengths, _, _, _, place = _LISTED.unpack_from(
            data, at
        )
        if mark != _LISTED_MARK or method not in (_STORED, _DEFLATED) or flags & _NOT_PLAIN:
            return
        name = data[at + _LISTED.size : at + _LISTED.size + lengths[0]]
        if not name.isascii():
            return
        yield _Entry(name.decode(), method, checksum, packed, size, place)
        at += _LISTED.size + sum(lengths)


def _content(data: bytes, entry: _Entry) -> bytes:
    """The bytes of an entry, checked."""
    mark, name_length, extra_length = _LOCAL.unpack_from(data, entry.place)
    first = entry.place + _LOCAL.size + name_length + extra_length
    content = data[first : first + entry.packed]
    if entry.method == _DEFLATED:
        content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(content, entry.size + 1)
    if mark != _LOCAL_MARK or len(content) != entry.size or zlib.crc32(content) != entry.checksum:
        raise ValueError("damaged")
    return content


def _with_zipfile(
    data: bytes, max_bytes: int, names: Collection[str] | None
) -> dict[str, np.ndarray]:
    import zipfile  # takes 5 ms to load, and is hardly ever needed

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(entry.file_size for entry in packed.infolist()) > max_bytes:
                raise ValueError("too large")
            listed = ((one.filename.removesuffix(_SUFFIX), one) for one in packed.infolist())
            return {n: _array(packed.read(e)) for n, e in listed if names is None or n in names}
    except zipfile.BadZipFile as error:
        raise ValueError(str(error)) from None


def _array(stored: bytes) -> np.ndarray:
    """An array of numbers or text."""
    found = _NUMBERS.match(stored)
    if found is None:
        return np.asarray(np.lib.format.read_array(io.BytesIO(stored), allow_pickle=False))
    shape = [int(size) for size in found["shape"].split(b",") if size.strip()]
    values = np.frombuffer(stored, np.dtype(found["type"].decode()), offset=found.end())
    return values.reshape(shape).copy()
