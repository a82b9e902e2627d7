"""Kernels compile where they cannot be cached, too."""

from __future__ import annotations

import numba

from touchline.methods.compiled import kernel


def test_a_kernel_without_a_place_for_its_cache_still_runs(monkeypatch):
    refused = []

    def njit(*signatures, **options):
        if options.get("cache"):
            refused.append(options)
            raise RuntimeError("cannot cache function: no locator available")
        return original(*signatures, **options)

    original = numba.njit
    monkeypatch.setattr(numba, "njit", njit)

    @kernel
    def double(x):
        return 2 * x

    assert refused
    assert double(21) == 42
