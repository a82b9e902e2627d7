"""One common pitch, 120 x 80, seen by the acting team, and the nine zones on it."""

from __future__ import annotations

import math

Point = tuple[float, float]
LENGTH, WIDTH = 120.0, 80.0
_THIRDS = ("back", "middle", "front")
_SIDES = ("left", "centre", "right")
# Made once: every event has one or two of them.
_ZONES = [[f"{third} {side}" for side in _SIDES] for third in _THIRDS]
_THIRD, _TWO_THIRDS, _TWICE_WIDTH = LENGTH / 3, 2 * LENGTH / 3, 2 * WIDTH


def zone(location: tuple[float, float]) -> str:
    """The zone of a place: a third of the length and a third of the width, `front left`."""
    # Places beyond the lines, where throw-ins are taken, belong to the outer thirds.
    x, y = location
    y *= 3  # a third of the width is no round number
    third = 0 if x < _THIRD else 1 if x < _TWO_THIRDS else 2
    side = 0 if y < WIDTH else 1 if y < _TWICE_WIDTH else 2
    return _ZONES[third][side]


def from_percent(x: float, y: float) -> Point | None:
    """A place given in percent of length and width, y from the left; None far off the pitch."""
    if not (math.isfinite(x) and math.isfinite(y) and -20 <= x <= 120 and -20 <= y <= 120):
        return None
    return x * LENGTH / 100, y * WIDTH / 100


def zoned(arguments: dict[str, str], location: Point | None, end: Point | None) -> dict[str, str]:
    """The same arguments, the zones of the event's places now among them."""
    if location is not None:
        arguments["zone"] = zone(location)
    if end is not None:
        arguments["end_zone"] = zone(end)
    return arguments
