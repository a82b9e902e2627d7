"""Readings of the paper's text: one option of `pairrank` at a time, from two starting points.

The first is the default. The second is Section 3.1 to the letter: every pair is a node, all players
of a record count, the string part is binary. Neither they nor the options were chosen by a score,
but whoever looks for the published figure among so many will find something near it: what is found
that way is a hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Settings = dict[str, Any]

LETTER: Settings = {"nodes": "all", "players": "all", "strings": "binary"}
SILENT: Settings = {"silence": "consensus"}
WINDOWS: list[Settings] = [{"window": 120}, {"window": 300}]
ONE_AT_A_TIME: list[Settings] = [
    {"nodes": "all"},
    {"players": "all"},
    {"strings": "binary"},
    {"strings": "three-after"},
    {"arguments": ""},
    {"arguments": "zone"},
    {"arguments": "*"},
    {"arguments": "*,team"},
    {"min_count": 1},
    {"min_count": 5},
    {"negatives": 25},
    {"negatives": 100},
    {"pairing": "block"},
    {"cost": 1.0},
    {"cost": 0.01},
    {"ties": "min"},
    {"ties": "average"},
    {"ties": "ordinal"},
    {"normalise": False},
    {"discount": "once"},
    {"discount": "root"},
    {"discount": "none"},
    {"d": 0.2},
    {"d": 0.85},
    {"scope": "match"},
]


def robocup_readings() -> Iterator[tuple[str, Settings]]:
    """Every reading that can differ on RoboCup, where one game is one half, with a name for it."""
    for start in ({}, LETTER):
        for change in ({}, *ONE_AT_A_TIME, SILENT):
            reading = {**start, **change}
            # Zones are not in the log, and a change to what is there already is none.
            if change != {"arguments": "zone"} and (not change or reading != start):
                yield named(reading), reading


def named(reading: Settings) -> str:
    return ", ".join(f"{key}={value}" for key, value in reading.items()) or "the default"
