"""Arrays of `.npz` files: the same as numpy reads, however they are packed."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from touchline.io.npz import BROKEN, arrays_of

ARRAYS = {
    "floats": np.arange(6.0).reshape(2, 3),
    "bytes": np.frombuffer(b"abc", dtype=np.uint8),
    "empty": np.zeros((0, 4), dtype=np.int16),
    "turned": np.asfortranarray(np.arange(6).reshape(2, 3)),
    "text": np.array(["one", "three"]),
}
MANY = 10**6


def written(write=np.savez_compressed) -> bytes:
    out = io.BytesIO()
    write(out, allow_pickle=False, **ARRAYS)
    return out.getvalue()


def zipped_otherwise() -> bytes:
    """With a comment at the end, which numpy does not write."""
    out = io.BytesIO(written())
    with zipfile.ZipFile(out, "a") as archive:
        archive.comment = b"by hand"
    return out.getvalue()


@pytest.mark.parametrize("data", [written(), written(np.savez), zipped_otherwise()])
def test_arrays_are_those_that_numpy_reads(data):
    found = arrays_of(data, MANY)
    with np.load(io.BytesIO(data)) as known:
        assert list(found) == known.files
        for name, array in found.items():
            assert array.dtype == known[name].dtype
            assert np.array_equal(array, known[name])


@pytest.mark.parametrize("data", [written(), zipped_otherwise()])
def test_only_the_arrays_that_are_asked_for(data):
    assert list(arrays_of(data, MANY, ["text", "missing"])) == ["text"]


@pytest.mark.parametrize("data", [written(), zipped_otherwise()])
def test_a_file_that_unpacks_to_too_much_is_refused(data):
    with pytest.raises(ValueError, match="too large"):
        arrays_of(data, 100)


@pytest.mark.parametrize("write", [np.savez, np.savez_compressed])
def test_no_damaged_file_gives_other_arrays(write):
    data = written(write)
    for at in range(0, len(data), 3):
        damaged = bytearray(data)
        damaged[at] ^= 0x55
        for spoiled in (bytes(damaged), data[:at]):
            try:
                found = arrays_of(spoiled, MANY)
            except BROKEN:
                continue
            known = {name: array for name, array in found.items() if name in ARRAYS}
            assert all(np.array_equal(known[name], ARRAYS[name]) for name in known)
