"""Numba kernels, compiled once and kept on disk where there is a place for that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

Kernel = Callable[..., Any]


def kernel(function: Kernel) -> Kernel:
    """Compile a function of arrays to machine code on its first call.

    The result is cached for later runs. Where neither the package nor the user's home can be
    written to, numba refuses to cache; then the kernel is compiled in each process. Division
    follows numpy: by zero it gives infinity, not an exception.
    """
    compiled: Kernel
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:
        compiled = numba.njit(nogil=True, error_model="numpy")(function)
    return compiled


@kernel
def filled(row):  # type: ignore[no-untyped-def]
    """How many places of a row are filled, before the -1 of its padding."""
    n = 0
    while n < len(row) and row[n] >= 0:
        n += 1
    return n
