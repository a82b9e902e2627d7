"""Places in yards: how far from goal, on which side, in which part of the pitch.

`core.pitch` lays every feed on one pitch, 120 x 80, by percent of its length and width. Opta and
Wyscout draw their lines elsewhere than a real pitch has them: Opta's penalty area is 17 % deep, on
a pitch of 120 yards that would be more than 20 yards. Here places are moved so that the lines
of every feed lie where they are on a real pitch, and distances are right near the goal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from touchline.core.pitch import LENGTH, WIDTH, Point

GOAL = (LENGTH, WIDTH / 2)
POSTS = (36.0, 44.0)
BOX_X, BOX_Y = 102.0, (18.0, 62.0)
SIX_X, SIX_Y = 114.0, (30.0, 50.0)
BAR = 2.67
# A shot comes from a tight angle if the goal lies so far to the side, in degrees.
TIGHT = 58.0
# Outside the box, but not farther from goal than this, is its edge.
EDGE = 24.0
# No two places are farther apart: damaged files have some that are no places at all.
FARTHEST = 1_000.0
# Feeds round places, so one this close to a line (yards) could lie on either side of it.
DOUBT = 0.5


def apart(one: Point, other: Point) -> float:
    """How far apart two places are, in yards."""
    return min(math.dist(one, other), FARTHEST)


class Lines(NamedTuple):
    """Where a feed draws its lines, in percent of half the length and of half the width.

    `x` are the six-yard box, the penalty spot and the penalty area from the goal line, `y` the
    post, the six-yard box and the penalty area from the middle.
    """

    x: tuple[float, float, float]
    y: tuple[float, float, float]


_REAL_X, _REAL_Y = (6.0, 12.0, 18.0), (4.0, 10.0, 22.0)
_OPTA = Lines((5.8, 11.5, 17.0), (4.8, 13.2, 28.9))
_WYSCOUT = Lines((6.0, 10.0, 16.0), (6.0, 13.0, 31.0))
LINES = {
    "opta": _OPTA,
    "statsperform": _OPTA,
    "whoscored": _OPTA,
    "wyscout": _WYSCOUT,
}


def in_yards(provider: str, place: Point | None) -> Point | None:
    """A place of the common pitch with the feed's lines where a real pitch has them."""
    lines = LINES.get(provider)
    if place is None or lines is None:
        return place
    x, y = place
    deep = _moved(min(x, LENGTH - x), [1.2 * line for line in lines.x], _REAL_X, LENGTH / 2)
    wide = _moved(abs(y - 40), [0.8 * line for line in lines.y], _REAL_Y, WIDTH / 2)
    return (LENGTH - deep if x > LENGTH / 2 else deep), 40 + math.copysign(wide, y - 40)


def _moved(value: float, drawn: Sequence[float], real: Sequence[float], end: float) -> float:
    """Stretch between each two lines; what is beyond the pitch stays as far beyond it."""
    if not 0 <= value <= end:
        return value
    places = pairwise([(0.0, 0.0), *zip(drawn, real, strict=True), (end, end)])
    for (low, low_real), (high, high_real) in places:
        if value <= high:
            return low_real + (value - low) * (high_real - low_real) / (high - low)
    return value


def distance(place: Point) -> float:
    """Yards to the middle of the goal that is attacked."""
    return apart(place, GOAL)


def side(place: Point) -> str:
    """The side of the pitch, seen by the acting team: left, centre or right."""
    return "left" if place[1] < 26 else "right" if place[1] > 54 else "centre"


def is_central(place: Point) -> bool:
    """Whether a place lies between the sides of the six-yard box, where a box has its middle."""
    return SIX_Y[0] <= place[1] <= SIX_Y[1]


def mirrored(place: Point) -> Point:
    """The same place, seen by the other team."""
    return LENGTH - place[0], WIDTH - place[1]


def in_box(place: Point, doubt: float = 0.0) -> bool:
    """Whether a place is in the penalty area that is attacked, by more than a doubt in yards."""
    return _within(place, BOX_X, BOX_Y, doubt)


def in_six(place: Point, doubt: float = 0.0) -> bool:
    """Whether a place is in the six-yard box that is attacked."""
    return _within(place, SIX_X, SIX_Y, doubt)


def _within(place: Point, x: float, y: tuple[float, float], doubt: float) -> bool:
    return place[0] >= x + doubt and y[0] + doubt <= place[1] <= y[1] - doubt


def area(place: Point) -> str:
    """The part of the pitch, seen by the acting team, from its own box to the other's."""
    x, y = place
    if in_six(place, DOUBT):
        return "six-yard box"
    if in_box(place, DOUBT):
        return "box"
    if distance(place) <= EDGE and BOX_Y[0] - 1 <= y <= BOX_Y[1] + 1:
        return "edge of the box"
    if in_box(mirrored(place)):
        return "own box"
    return "final third" if x >= 80 else "midfield" if x >= 40 else "own third"


def is_tight(place: Point) -> bool:
    """Whether a shot comes from a tight angle: close to the goal line and well to one side."""
    x, y = place
    turned = math.degrees(math.atan2(abs(y - 40), max(LENGTH - x, 0.01)))
    return turned >= TIGHT and distance(place) <= EDGE
