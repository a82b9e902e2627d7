"""What belongs to fouls, cards and substitutions."""

from __future__ import annotations

from typing import Any

from touchline.generation.facts import geometry
from touchline.generation.facts.chains.neighbours import Neighbours
from touchline.generation.facts.chains.records import Joined
from touchline.generation.facts.kinds import is_set
from touchline.generation.facts.records import EventFacts

# A change so many seconds into the second half was made at the break.
AT_BREAK = 30.0


def foul(near: Neighbours, one: EventFacts) -> Joined:
    """The foul, and the record of whom it was on."""
    won = tuple(other for other in near.related(one) if other.kind == "foul won")[:1]
    more = {
        **_spot(near, one),
        "booking": _booking(near, one),
        "advantage": is_set(one.event.arguments, "advantage") or None,
        "dive": one.event.arguments.get("kind", "").lower() == "dive" or None,
    }
    return Joined(won, more)


def booking(near: Neighbours, one: EventFacts) -> Joined:
    """A card without a foul."""
    return Joined((), {"booking": _booking(near, one)})


def substitution(near: Neighbours, one: EventFacts) -> Joined:
    """A substitution, and the how-manieth of the team it is."""
    earlier = near.order[: near.place[one.id] + 1]
    change = sum(other.kind == "substitution" and other.team == one.team for other in earlier)
    at_break = one.event.period == 2 and one.event.time < AT_BREAK
    return Joined((), {"change": change, "at_break": at_break or None})


def _booking(near: Neighbours, one: EventFacts) -> int | None:
    """The how-manieth yellow card of the match it is."""
    if one.card != "yellow":
        return None
    earlier = near.order[: near.place[one.id] + 1]
    return sum(other.card == "yellow" and other.kind in ("foul", "booking") for other in earlier)


def _spot(near: Neighbours, one: EventFacts) -> dict[str, Any]:
    """Where the free kick is, seen by the team that gets it."""
    place = geometry.in_yards(near.facts.match.provider, one.event.location)
    if place is None:
        return {}
    spot = geometry.mirrored(place)
    return {
        "spot_area": geometry.area(spot),
        "spot_side": geometry.side(spot),
        "spot_distance": round(geometry.distance(spot)),
    }
