"""Python's collector of cyclic garbage, which takes time where nothing is cyclic."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

# A match is some ten thousand records without cycles. To look for cycles after every 700 of them,
# as Python does, takes a twentieth of the time of `align`, and finds none.
MANY_OBJECTS = 200_000


def collect_seldom() -> None:
    """Let the collector look for cycles after many records, for this whole process."""
    gc.set_threshold(MANY_OBJECTS)


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """Let many records be made without the collector looking through those made so far.

    It takes an eighth of the time to read a match, and finds nothing: records have no cycles.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
