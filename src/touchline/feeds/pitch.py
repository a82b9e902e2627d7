"""One common pitch, 120 x 80, seen by the acting team, and the nine zones on it."""

from __future__ import annotations

LENGTH, WIDTH = 120.0, 80.0
_THIRDS = ("back", "middle", "front")
_SIDES = ("left", "centre", "right")


def zone(location: tuple[float, float]) -> str:
    """The zone of a place: a third of the length and a third of the width, `front left`."""
    x, y = location
    return f"{_THIRDS[_third(x, LENGTH)]} {_SIDES[_third(y, WIDTH)]}"


def _third(value: float, size: float) -> int:
    """Which third; places beyond the lines, where throw-ins are taken, belong to the outer ones."""
    return 0 if 3 * value < size else 1 if 3 * value < 2 * size else 2
