"""One common pitch, 120 x 80, seen by the acting team, and the nine zones on it."""

from __future__ import annotations

import math
from collections.abc import Mapping

Point = tuple[float, float]
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


def from_percent(x: float, y: float) -> Point | None:
    """A place given in percent of length and width, y from the left; None far off the pitch."""
    if not (math.isfinite(x) and math.isfinite(y) and -20 <= x <= 120 and -20 <= y <= 120):
        return None
    return x * LENGTH / 100, y * WIDTH / 100


def zoned(
    arguments: Mapping[str, str], location: Point | None, end: Point | None
) -> dict[str, str]:
    """The arguments of an event with the zones of its places among them."""
    zones = {"zone": location, "end_zone": end}
    return {**arguments, **{name: zone(place) for name, place in zones.items() if place}}
