"""Wyscout's events and tags by name, in StatsBomb's words where both mean the same.

Every event is linkable but interruptions of the game: a ball that goes out is how the kick before
it ended, and a whistle becomes the foul or the offside that it was for. A kind of event that is
not in the table is linkable: it may be new.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import NamedTuple

GOAL, OWN_GOAL, LOST, WON, INTERCEPTION, MISSED_BALL = 101, 102, 701, 703, 1401, 1302
ACCURATE, INACCURATE, BLOCKED = 1801, 1802, 2101
POST = range(1217, 1224)


class Kind(NamedTuple):
    """What an event is called here, with arguments that it always has."""

    type: str
    arguments: Mapping[str, str] = MappingProxyType({})
    linkable: bool = True


def _pass(**arguments: str) -> Kind:
    return Kind("Pass", arguments)


_SET_PIECE_PASSES = {
    "Corner": _pass(set_piece="Corner"),
    "Free Kick": _pass(set_piece="Free Kick"),
    "Free kick cross": _pass(set_piece="Free Kick", cross="yes"),
    "Goal kick": _pass(set_piece="Goal Kick"),
    "Throw in": _pass(set_piece="Throw-in"),
}
# By the name of the event and of its kind (`subEventName`); None stands for any kind.
KINDS: dict[tuple[str, str | None], Kind] = {
    ("Pass", None): _pass(),
    ("Pass", "Cross"): _pass(cross="yes"),
    ("Pass", "Hand pass"): _pass(body_part="Keeper Arm"),
    ("Pass", "Head pass"): _pass(body_part="Head"),
    ("Pass", "High pass"): _pass(height="High Pass"),
    ("Pass", "Launch"): _pass(height="High Pass", launch="yes"),
    ("Pass", "Smart pass"): _pass(smart="yes"),
    **{("Free Kick", name): kind for name, kind in _SET_PIECE_PASSES.items()},
    ("Free Kick", "Free kick shot"): Kind("Shot", {"set_piece": "Free Kick"}),
    ("Free Kick", "Penalty"): Kind("Shot", {"set_piece": "Penalty"}),
    ("Free Kick", None): _pass(set_piece="Free Kick"),
    ("Shot", None): Kind("Shot", {"set_piece": "Open Play"}),
    ("Duel", "Ground attacking duel"): Kind("Dribble"),
    ("Duel", "Ground defending duel"): Kind("Duel", {"kind": "Tackle"}),
    ("Duel", "Ground loose ball duel"): Kind("50/50"),
    ("Duel", "Air duel"): Kind("Duel", {"kind": "Aerial"}),
    ("Foul", None): Kind("Foul Committed"),
    ("Foul", "Hand foul"): Kind("Foul Committed", {"kind": "Handball"}),
    ("Foul", "Simulation"): Kind("Foul Committed", {"kind": "Dive"}),
    ("Foul", "Violent Foul"): Kind("Foul Committed", {"kind": "Violent"}),
    ("Foul", "Out of game foul"): Kind("Bad Behaviour", {"reason": "out of play"}),
    ("Foul", "Late card foul"): Kind("Bad Behaviour", {"reason": "late card"}),
    ("Foul", "Protest"): Kind("Bad Behaviour", {"reason": "protest"}),
    ("Foul", "Time lost foul"): Kind("Bad Behaviour", {"reason": "time wasting"}),
    ("Offside", None): Kind("Offside"),
    ("Save attempt", None): Kind("Goal Keeper"),
    ("Goalkeeper leaving line", None): Kind("Goal Keeper", {"kind": "Keeper Sweeper"}),
    ("Others on the ball", "Clearance"): Kind("Clearance"),
    ("Others on the ball", "Acceleration"): Kind("Acceleration"),
    ("Others on the ball", "Touch"): Kind("Ball Touch"),
    ("Interruption", None): Kind("Interruption", linkable=False),
}

_YES = "yes"
TAGS: dict[int, tuple[str, str]] = {
    **{number: (name, _YES) for number, name in {
        201: "opportunity", 301: "goal_assist", 302: "shot_assist", 501: "free_space_right",
        502: "free_space_left", 503: "take_on_left", 504: "take_on_right", 601: "anticipated",
        602: "anticipation", 901: "through_ball", 1001: "fair_play", 1101: "direct",
        1102: "indirect", 1301: "feint", 1401: "interception", 1501: "clearance",
        1601: "sliding_tackle", 1901: "counter_attack", 2001: "dangerous_ball_lost",
    }.items()},
    401: ("body_part", "Left Foot"),
    402: ("body_part", "Right Foot"),
    403: ("body_part", "Head"),
    801: ("height", "High Pass"),
    802: ("height", "Low Pass"),
    1701: ("card", "Red Card"),
    1702: ("card", "Yellow Card"),
    1703: ("card", "Second Yellow"),
}  # fmt: skip
_PLACES = (
    "low centre", "low right", "centre", "centre left", "low left", "centre right", "high centre",
    "high left", "high right", "out low right", "out left", "out low left", "out right",
    "out high", "out high left", "out high right", "post low right", "post left", "post low left",
    "post right", "post high", "post high left", "post high right",
)  # fmt: skip
TAGS |= {1201 + place: ("goal_mouth", name) for place, name in enumerate(_PLACES)}


# Some files number events and their kinds (`eventId`, `subEventId`) instead of naming them.
EVENT_NAMES = {
    1: "Duel", 2: "Foul", 3: "Free Kick", 4: "Goalkeeper leaving line", 5: "Interruption",
    6: "Offside", 7: "Others on the ball", 8: "Pass", 9: "Save attempt", 10: "Shot",
}  # fmt: skip
SUB_EVENT_NAMES = {
    10: "Air duel", 11: "Ground attacking duel", 12: "Ground defending duel",
    13: "Ground loose ball duel", 20: "Foul", 21: "Hand foul", 22: "Late card foul",
    23: "Out of game foul", 24: "Protest", 25: "Simulation", 26: "Time lost foul",
    27: "Violent Foul", 30: "Corner", 31: "Free Kick", 32: "Free kick cross",
    33: "Free kick shot", 34: "Goal kick", 35: "Penalty", 36: "Throw in",
    40: "Goalkeeper leaving line", 50: "Ball out of the field", 51: "Whistle",
    70: "Acceleration", 71: "Clearance", 72: "Touch", 80: "Cross", 81: "Hand pass",
    82: "Head pass", 83: "High pass", 84: "Launch", 85: "Simple pass", 86: "Smart pass",
    90: "Reflexes", 91: "Save attempt", 100: "Shot",
}  # fmt: skip


def name_of(given: int | str | None, number: int | str | None, names: Mapping[int, str]) -> str:
    """The name of an event, which may be given by its number or as its number alone."""
    given = number if given is None else given
    text = "" if given is None else str(given)
    return names.get(int(text), text) if text.isdecimal() and len(text) < 6 else text


def kind_of(event: str, sub: str, tags: Set[int]) -> Kind:
    """The kind of an event; one that is not in the table is called what the feed calls it."""
    if OWN_GOAL in tags and event != "Save attempt":
        return Kind("Own Goal Against")
    kind = KINDS.get((event, sub)) or KINDS.get((event, None)) or Kind(sub or event or "Unknown")
    if kind.type == "Ball Touch" and INTERCEPTION in tags:
        return Kind("Interception", {"outcome": "Won"})
    if kind.type == "Ball Touch" and MISSED_BALL in tags:
        return Kind("Miscontrol")
    if kind.arguments.get("kind") == "Tackle" and LOST in tags:
        return Kind("Dribbled Past")
    return kind


def arguments_of(kind: Kind, tags: Set[int]) -> dict[str, str]:
    """Tags as arguments, with the outcome that they make together."""
    arguments = dict(kind.arguments)
    for tag in sorted(tags):
        if tag in TAGS:
            name, value = TAGS[tag]
            arguments[name] = value
    outcome = _outcome(kind, tags)
    if outcome:
        arguments["outcome"] = outcome
    if arguments.get("kind") == "Aerial" and (LOST in tags or WON in tags):
        arguments["kind"] = "Aerial Won" if WON in tags else "Aerial Lost"
    if kind.type == "Goal Keeper" and "kind" not in arguments:
        arguments["kind"] = "Goal Conceded" if GOAL in tags else "Shot Saved"
    return arguments


def _outcome(kind: Kind, tags: Set[int]) -> str | None:
    if kind.type == "Pass":
        return "Incomplete" if INACCURATE in tags else None
    if kind.type == "Shot":
        return _shot(tags)
    if kind.type == "Dribble":
        return "Complete" if WON in tags else "Incomplete" if LOST in tags else None
    if kind.type == "50/50" or kind.arguments.get("kind") == "Tackle":
        return "Won" if WON in tags else "Lost" if LOST in tags else None
    return None


def _shot(tags: Set[int]) -> str:
    if GOAL in tags:
        return "Goal"
    if BLOCKED in tags:
        return "Blocked"
    if not tags.isdisjoint(POST):
        return "Post"
    return "Saved" if ACCURATE in tags else "Off T"
