"""Numbers that say how far a name, or a whole comment, fits the log; a weighted sum judges them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from touchline.core.records import Event, Match, Player
from touchline.generation.check.acts import RARE, ActIndex, people_of
from touchline.generation.check.reading import Reading, shares, teammates

# Seconds from when a comment places its action: surely meant, possibly meant.
NEAR, FAR = 90.0, 240.0
MAX_ODDS = 6.0
_EPSILON = 1e-3

NAME_FEATURES = (
    "constant", "odds against", "own share", "mate share", "none", "own act near",
    "own act far", "mate act near", "no own act", "not linked", "rare act", "goal or card",
    "first name", "named alone",
)  # fmt: skip
EVENT_FEATURES = (
    "constant", "none", "best link", "named act near", "named act far", "team act near",
    "act elsewhere", "no act at all", "rare act", "names", "named in links", "goal or card",
)  # fmt: skip


def held_to(reading: Reading) -> set[str]:
    """The acts that a comment can be held to."""
    return reading.acts & RARE


def name_features(
    match: Match, index: ActIndex, reading: Reading, player: Player
) -> tuple[list[float], Player | None, list[Event]]:
    """Of a named player, the teammate who fits best in their place, and that one's events."""
    answer = reading.hidden[player.id]
    by_player = shares(match, answer)
    own = min(by_player[player.id], 1.0)
    mates = list(teammates(match, player, reading.players))
    acts, period, time = held_to(reading), reading.period, reading.time or 0.0
    own_near = bool(index.near(acts, period, time, NEAR, player.id))
    own_far = own_near or bool(index.near(acts, period, time, FAR, player.id))
    doing = {mate.id: index.near(acts, period, time, NEAR, mate.id) for mate in mates}
    best = max(mates, key=lambda m: by_player[m.id] + 0.25 * bool(doing[m.id]), default=None)
    other = min(by_player[best.id], 1.0) if best else 0.0
    odds = math.log((other + _EPSILON) / (own + _EPSILON))
    linked = {
        who for link in reading.answer.events for who in people_of(match.event_by_id[link.id])
    }
    rare = bool(acts)
    values = [
        1.0,
        max(-MAX_ODDS, min(odds, MAX_ODDS)) / MAX_ODDS,
        own,
        other,
        answer.none,
        float(rare and own_near),
        float(rare and own_far and not own_near),
        float(rare and best is not None and bool(doing[best.id])),
        float(rare and not index.anywhere(acts, player.id)),
        float(player.id not in linked),
        float(rare),
        float(bool(acts & {"goal", "card", "substitution", "own goal"})),
        float(next(iter(reading.players)) == player.id),
        float(len(reading.players) == 1),
    ]
    return values, best, _events_of(match, reading, best, doing)


def _events_of(
    match: Match, reading: Reading, mate: Player | None, doing: dict[str, list[Event]]
) -> list[Event]:
    """What the teammate did that the comment may mean."""
    if mate is None:
        return []
    answer = reading.hidden[next(iter(reading.hidden))]
    likely = [match.event_by_id[link.id] for link in (answer.candidates or ())[:8]]
    own = [event for event in likely if mate.id in people_of(event)]
    return doing[mate.id][:1] or own[:1]


def event_features(match: Match, index: ActIndex, reading: Reading) -> list[float]:
    """Of a comment: whether the log has, near its time, what it describes."""
    acts, period, time = held_to(reading), reading.period, reading.time or 0.0
    near = _anybody(index, acts, period, time, NEAR, reading.players)
    far = near or _anybody(index, acts, period, time, FAR, reading.players)
    team = any(_of_team(e, reading) for e in index.near(acts, period, time, NEAR))
    elsewhere = any(index.anywhere(acts, who) for who in reading.players)
    linked = {
        who for link in reading.answer.events for who in people_of(match.event_by_id[link.id])
    }
    rare = bool(acts)
    best = max((link.score for link in reading.answer.events), default=0.0)
    return [
        1.0,
        reading.answer.none,
        best,
        float(rare and near),
        float(rare and far and not near),
        float(rare and team),
        float(rare and not far and elsewhere),
        float(rare and not elsewhere),
        float(rare),
        float(bool(reading.players)),
        float(bool(linked & set(reading.players))),
        float(bool(acts & {"goal", "card", "substitution", "own goal"})),
    ]


def _anybody(
    index: ActIndex,
    acts: Iterable[str],
    period: int | None,
    time: float,
    seconds: float,
    who: Iterable[str],
) -> bool:
    acts = list(acts)
    return any(index.near(acts, period, time, seconds, one) for one in who)


def _of_team(event: Event, reading: Reading) -> bool:
    if not reading.teams:
        return True
    return event.team is not None and event.team.id in reading.teams
