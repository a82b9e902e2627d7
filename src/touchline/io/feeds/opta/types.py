"""Opta's numbers by name: types of events and qualifiers, shared by F24, MA3 and WhoScored.

What Opta and StatsBomb both have carries StatsBomb's name, so that one model reads every feed: a
take-on is a `Dribble`, a missed shot a `Shot` with the outcome `Off T`. What only Opta has keeps
Opta's name.

Every type is linkable but those that are no action of the match (line-ups, data entry), or the
silent half of another record: `Out` is how the kick before it ended, `Offside Provoked` credits a
bystander of the offside pass. A type that is not in the table is linkable: it may be new.
"""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

PASS, OFFSIDE_PASS, OUT, CARD = 1, 2, 5, 17
PLAYER_OFF, PLAYER_ON = 18, 19
START, END, LINE_UP = 32, 30, 34
DELETED = 43


class Kind(NamedTuple):
    """What a type is called here; `kind` and `outcome` are arguments that it always has."""

    type: str
    kind: str | None = None
    outcome: str | None = None
    linkable: bool = True


def _silent(name: str) -> Kind:
    return Kind(name, linkable=False)


def _keeper(kind: str, outcome: str | None = None) -> Kind:
    return Kind("Goal Keeper", kind, outcome)


# One kind, or two: of a record with the outcome 1 (successful) and with 0.
_TABLE: dict[int, Kind | tuple[Kind, Kind]] = {
    1: (Kind("Pass"), Kind("Pass", outcome="Incomplete")),
    2: Kind("Pass", outcome="Pass Offside"),
    3: (Kind("Dribble", outcome="Complete"), Kind("Dribble", outcome="Incomplete")),
    4: (Kind("Foul Won"), Kind("Foul Committed")),
    5: _silent("Out"),
    6: (Kind("Corner Awarded", outcome="Won"), Kind("Corner Awarded", outcome="Conceded")),
    7: (Kind("Duel", "Tackle", "Won"), Kind("Duel", "Tackle", "Lost In Play")),
    8: Kind("Interception", outcome="Won"),
    9: Kind("Turnover"),
    10: _keeper("Shot Saved"),
    11: (_keeper("Collected", "Claim"), _keeper("Collected", "Fail")),
    12: Kind("Clearance"),
    13: Kind("Shot", outcome="Off T"),
    14: Kind("Shot", outcome="Post"),
    15: Kind("Shot", outcome="Saved"),
    16: Kind("Shot", outcome="Goal"),
    17: Kind("Bad Behaviour"),
    18: Kind("Substitution"),
    19: Kind("Player On"),
    20: Kind("Player Off"),
    21: Kind("Player On"),
    22: Kind("Player Becomes Goalkeeper"),
    23: Kind("Goalkeeper Becomes Player"),
    24: _silent("Condition Change"),
    25: _silent("Official Change"),
    27: Kind("Start Delay"),
    28: _silent("End Delay"),
    30: Kind("Half End"),
    32: Kind("Half Start"),
    34: _silent("Starting XI"),
    35: _silent("Tactical Shift"),
    36: _silent("Shirt Change"),
    37: _silent("Collection End"),
    38: _silent("Provisional Goal"),
    39: _silent("Provisional Attempt"),
    40: _silent("Tactical Shift"),
    41: _keeper("Punch", "Punched out"),
    42: Kind("Good Skill"),
    43: _silent("Deleted Event"),
    44: (Kind("Duel", "Aerial Won"), Kind("Duel", "Aerial Lost")),
    45: Kind("Dribbled Past"),
    47: _silent("Rescinded Card"),
    49: Kind("Ball Recovery"),
    50: Kind("Dispossessed"),
    51: Kind("Error"),
    52: _keeper("Keeper Pick-up"),
    53: _keeper("Collected", "Fail"),
    54: _keeper("Smother"),
    55: _silent("Offside Provoked"),
    56: Kind("Shield"),
    57: Kind("Foul Throw-in"),
    58: (_keeper("Penalty Saved"), _keeper("Penalty Conceded")),
    59: _keeper("Keeper Sweeper"),
    60: Kind("Chance Missed"),
    61: (Kind("Ball Touch"), Kind("Miscontrol")),
    63: _silent("Provisional Save"),
    64: _silent("Resume"),
    65: Kind("Contentious Decision"),
    66: _silent("Possession Data"),
    67: (Kind("50/50", outcome="Won"), Kind("50/50", outcome="Lost")),
    68: Kind("Referee Ball-Drop"),
    69: Kind("Failed To Block"),
    70: Kind("Injury Time Announcement"),
    71: _silent("Coach Setup"),
    72: Kind("Offside"),
    73: Kind("Ball Touch"),
    74: Kind("Block"),
    75: _silent("Delayed Start"),
    76: _silent("Early End"),
    77: Kind("Player Off"),
    78: _silent("Provisional Card"),
    79: _silent("Coverage Interruption"),
    80: Kind("Referee Ball-Drop"),
    81: Kind("Obstacle"),
    82: _silent("Control"),
    83: Kind("Attempted Tackle"),
    84: _silent("Deleted After Review"),
    10000: Kind("Offside"),
}
TYPES = {n: (k, k) if isinstance(k, Kind) else k for n, k in _TABLE.items()}

# A qualifier that makes another kind of the type.
TURNS: dict[int, tuple[int, Kind]] = {
    10: (94, Kind("Block")),
    15: (82, Kind("Shot", outcome="Blocked")),
    16: (28, Kind("Own Goal Against")),
    27: (41, Kind("Injury Stoppage")),
}

_YES = "yes"
# Qualifiers as arguments. Those that are a number (where a pass ended, how long it was) are places
# or nothing categorical; those that are not listed are in the raw record.
ARGUMENTS: dict[int, tuple[str, str]] = {
    **{number: (name, _YES) for number, name in {
        1: "long_ball", 2: "cross", 4: "through_ball", 14: "last_man", 29: "assisted",
        88: "high_claim", 101: "saved_off_line", 113: "strong", 114: "weak", 120: "swerve_left",
        121: "swerve_right", 122: "swerve_moving", 133: "deflected", 138: "woodwork",
        152: "direct", 154: "intentional_assist", 156: "lay_off", 157: "launch", 168: "flick_on",
        169: "leading_to_attempt", 170: "leading_to_goal", 175: "fingertip", 180: "stooping",
        185: "blocked_cross", 195: "cut_back", 196: "switch", 210: "shot_assist", 211: "overrun",
        214: "big_chance", 215: "individual_play", 218: "second_assist", 238: "fair_play",
        241: "indirect", 264: "aerial_foul", 265: "attempted_tackle", 285: "defensive",
        286: "offensive", 294: "push", 295: "shirt_pull", 296: "elbow", 328: "first_touch",
    }.items()},
    **{number: ("set_piece", name) for number, name in {
        5: "Free Kick", 6: "Corner", 9: "Penalty", 26: "Free Kick", 107: "Throw-in",
        124: "Goal Kick", 279: "Kick Off",
    }.items()},
    **{number: ("body_part", name) for number, name in {
        3: "Head", 15: "Head", 20: "Right Foot", 21: "Other", 72: "Left Foot", 123: "Keeper Arm",
        182: "Hands", 183: "Feet",
    }.items()},
    **{number: ("pattern", name) for number, name in {
        22: "Regular Play", 23: "From Counter", 24: "From Free Kick", 25: "From Corner",
        160: "From Throw In",
    }.items()},
    **{number: ("technique", name) for number, name in {
        108: "Volley", 109: "Overhead Kick", 110: "Half Volley", 111: "Diving Header", 117: "Lob",
        178: "Standing", 179: "Diving", 223: "Inswinging", 224: "Outswinging", 225: "Straight",
        262: "Backheel",
    }.items()},
    **{number: ("place", name) for number, name in {
        16: "small box centre", 17: "box centre", 18: "out of box centre", 19: "35+ centre",
        60: "small box right", 61: "small box left", 62: "box deep right", 63: "box right",
        64: "box left", 65: "box deep left", 66: "out of box deep right", 67: "out of box right",
        68: "out of box left", 69: "out of box deep left", 70: "35+ right", 71: "35+ left",
    }.items()},
    **{number: ("goal_mouth", name) for number, name in {
        73: "left", 74: "high", 75: "right", 76: "low left", 77: "high left", 78: "low centre",
        79: "high centre", 80: "low right", 81: "high right", 83: "close left",
        84: "close right", 85: "close high", 86: "close left and high", 87: "close right and high",
    }.items()},
    **{number: ("outcome", name) for number, name in {
        173: "In Play Safe", 174: "In Play Danger", 176: "Claim", 177: "Claim",
    }.items()},
    **{number: ("reason", name) for number, name in {
        34: "referee abuse", 35: "argument", 36: "violent conduct", 37: "time wasting",
        38: "excessive celebration", 39: "crowd interaction", 40: "other",
    }.items()},
    10: ("kind", "Handball"),
    12: ("kind", "Dangerous Play"),
    31: ("card", "Yellow Card"),
    32: ("card", "Second Yellow"),
    33: ("card", "Red Card"),
    132: ("kind", "Dive"),
    155: ("height", "High Pass"),
}  # fmt: skip
# The same number means something else in records of another type.
PARTICULAR: dict[str, dict[int, tuple[str, str]]] = {
    "Foul Committed": {9: ("penalty", _YES)},
    "Foul Won": {9: ("penalty", _YES)},
    "Substitution": {41: ("outcome", "Injury"), 42: ("outcome", "Tactical")},
}
# What a decision is about, or what a keeper faced, is not what the record is.
MEANINGLESS = {"Goal Keeper": (9,), "Contentious Decision": (31, 32, 33)}


def _arguments_of(kind: str) -> dict[int, tuple[str, str]]:
    without = MEANINGLESS.get(kind, ())
    general = {number: named for number, named in ARGUMENTS.items() if number not in without}
    return {**general, **PARTICULAR.get(kind, {})}


_PARTICULAR_ARGUMENTS = {kind: _arguments_of(kind) for kind in (*PARTICULAR, *MEANINGLESS)}


def arguments_of(kind: str) -> dict[int, tuple[str, str]]:
    """What each qualifier says in a record of that type."""
    return _PARTICULAR_ARGUMENTS.get(kind, ARGUMENTS)


END_X, END_Y, GOAL_MOUTH_Y, BLOCKED_X, BLOCKED_Y = 140, 141, 102, 146, 147
RELATED, OPPOSITE = 55, 233  # numbers of another record: of the same team, of the other
CAUGHT_OFFSIDE = 7
INVOLVED, SHIRTS = 30, 59
# The qualifiers that anything here is read from.
USED = frozenset(
    [*ARGUMENTS, *(number for named in PARTICULAR.values() for number in named),
     *(number for number, _ in TURNS.values()), END_X, END_Y, GOAL_MOUTH_Y, BLOCKED_X, BLOCKED_Y,
     RELATED, OPPOSITE, CAUGHT_OFFSIDE, INVOLVED, SHIRTS]
)  # fmt: skip


def kind_of(
    number: int, success: bool, qualifiers: Container[int], name: str | None = None
) -> Kind:
    """The kind of a record; a type that is not known is called what the feed calls it."""
    found = TYPES.get(number)
    if found is None:
        return Kind(name or f"Type {number}", outcome=None if success else "Unsuccessful")
    turn = TURNS.get(number)
    if turn is not None and turn[0] in qualifiers:
        return turn[1]
    return found[0] if success else found[1]


def silent_types() -> frozenset[str]:
    """The names of types that no commentator would describe."""
    return frozenset(kind.type for kinds in TYPES.values() for kind in kinds if not kind.linkable)
