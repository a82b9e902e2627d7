"""Where a shot goes: the corner of the goal, or how it misses.

StatsBomb has the place and the height at the goal line, Opta and Wyscout name the part of the goal.
All of them are seen by the shooter: left is the left-hand side of somebody who faces the goal. That
Opta and Wyscout mean the same side was checked on a match that both have.
"""

from __future__ import annotations

from typing import Any

from touchline.core.records import Event
from touchline.generation.facts.geometry import BAR, POSTS

# Of the goal's width of 8 yards, and of its height: what counts as a corner.
_CORNER = 2.2
_LOW, _HIGH = 0.9, 1.75
# A miss by less than this, in yards, is close.
_CLOSE = 1.0

_NAMED = {
    "low left": "bottom left", "low right": "bottom right", "high left": "top left",
    "high right": "top right", "low centre": "low", "high centre": "high", "centre": "centre",
    "centre left": "left", "centre right": "right",
}  # fmt: skip
_MISSED = {
    "left": "wide left", "right": "wide right", "high": "over", "close left": "wide left",
    "close right": "wide right", "close high": "over", "high left": "over", "high right": "over",
    "close left and high": "over", "close right and high": "over",
    "out left": "wide left", "out low left": "wide left", "out right": "wide right",
    "out low right": "wide right", "out high": "over", "out high left": "over",
    "out high right": "over",
}  # fmt: skip
_POST = {"left": "left post", "right": "right post", "high": "bar", "post left": "left post",
         "post low left": "left post", "post right": "right post", "post low right": "right post",
         "post high": "bar"}  # fmt: skip


def target_of(event: Event, outcome: str | None) -> str | None:
    """Where a shot with that outcome went, as far as the feed says."""
    named = event.arguments.get("goal_mouth", "").lower()
    if outcome in ("goal", "saved"):
        return _NAMED.get(named) or _corner(_goal_line(event))
    if outcome == "off":
        return _MISSED.get(named) or _miss(_goal_line(event))
    if outcome == "post":
        return _POST.get(named) or _frame(_goal_line(event))
    return None


def is_narrow(event: Event, outcome: str | None) -> bool | None:
    """Whether a miss was close; None where the feed does not say how far off it was."""
    if outcome != "off":
        return None
    named = event.arguments.get("goal_mouth", "").lower()
    if named in _MISSED and not named.startswith("out"):
        return named.startswith("close")
    place = _goal_line(event)
    if place is None:
        return None
    y, z = place
    wide = max(POSTS[0] - y, y - POSTS[1], 0.0)
    return wide <= _CLOSE and max(z - BAR, 0.0) <= _CLOSE


def _goal_line(event: Event) -> tuple[float, float] | None:
    """Across and up at the goal line; StatsBomb has both, in yards."""
    shot = event.raw.get("shot") if event.type == "Shot" else None
    end: Any = shot.get("end_location") if isinstance(shot, dict) else None
    try:
        x, y, z = (float(value) for value in end)
    except (TypeError, ValueError):
        return None
    return (y, z) if x >= 119 else None


def _corner(place: tuple[float, float] | None) -> str | None:
    if place is None:
        return None
    y, z = place
    side = "left" if y < POSTS[0] + _CORNER else "right" if y > POSTS[1] - _CORNER else ""
    height = "bottom" if z < _LOW else "top" if z > _HIGH else ""
    if side and height:
        return f"{height} {side}"
    return side or {"bottom": "low", "top": "high"}.get(height, "centre")


def _miss(place: tuple[float, float] | None) -> str | None:
    if place is None:
        return None
    y, z = place
    wide = max(POSTS[0] - y, y - POSTS[1])
    # A ball that is wide, and a little higher than the bar there, is wide.
    if z > BAR and z - BAR >= wide / 2:
        return "over"
    return "wide left" if y < POSTS[0] else "wide right" if y > POSTS[1] else None


def _frame(place: tuple[float, float] | None) -> str | None:
    if place is None:
        return None
    y, z = place
    if z > BAR - 0.4:
        return "bar"
    return "left post" if y < 40 else "right post"
