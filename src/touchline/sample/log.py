"""Write a match log in the JSON shape of StatsBomb's open data: codes, clocks, linked records."""

from __future__ import annotations

import math
import uuid
from typing import Any

from .squads import Club, Fixture, Player

Event = dict[str, Any]
Point = tuple[float, float]

CODES: dict[str, dict[str, int]] = {
    "type": {
        "Ball Recovery": 2, "Dispossessed": 3, "Duel": 4, "Block": 6, "Offside": 8,
        "Clearance": 9, "Interception": 10, "Dribble": 14, "Shot": 16, "Pressure": 17,
        "Half Start": 18, "Substitution": 19, "Foul Won": 21, "Foul Committed": 22,
        "Goal Keeper": 23, "Pass": 30, "Half End": 34, "Starting XI": 35, "Miscontrol": 38,
        "Dribbled Past": 39, "Injury Stoppage": 40, "Ball Receipt*": 42, "Carry": 43,
    },
    "position": {
        "Goalkeeper": 1, "Right Back": 2, "Right Center Back": 3, "Center Back": 4,
        "Left Center Back": 5, "Left Back": 6, "Right Wing Back": 7, "Left Wing Back": 8,
        "Right Defensive Midfield": 9, "Center Defensive Midfield": 10,
        "Left Defensive Midfield": 11, "Right Midfield": 12, "Right Center Midfield": 13,
        "Left Center Midfield": 15, "Left Midfield": 16, "Right Wing": 17,
        "Center Attacking Midfield": 19, "Left Wing": 21, "Right Center Forward": 22,
        "Center Forward": 23, "Left Center Forward": 24,
    },
    "play_pattern": {
        "Regular Play": 1, "From Corner": 2, "From Free Kick": 3, "From Throw In": 4, "Other": 5,
        "From Counter": 6, "From Goal Kick": 7, "From Keeper": 8, "From Kick Off": 9,
    },
    "body_part": {
        "Both Hands": 35, "Head": 37, "Left Foot": 38, "Right Foot": 40, "Drop Kick": 68,
        "Keeper Arm": 69,
    },
    "height": {"Ground Pass": 1, "Low Pass": 2, "High Pass": 3},
    "pass.type": {
        "Corner": 61, "Free Kick": 62, "Goal Kick": 63, "Kick Off": 65, "Throw-in": 67,
    },
    "pass.outcome": {"Incomplete": 9, "Out": 75, "Pass Offside": 76},
    "pass.technique": {"Inswinging": 104, "Outswinging": 105, "Through Ball": 108},
    "shot.type": {"Free Kick": 62, "Open Play": 87, "Penalty": 88},
    "shot.outcome": {
        "Blocked": 96, "Goal": 97, "Off T": 98, "Post": 99, "Saved": 100, "Wayward": 101,
    },
    "shot.technique": {"Half Volley": 91, "Normal": 93, "Volley": 95},
    "goalkeeper.type": {
        "Collected": 25, "Goal Conceded": 26, "Penalty Saved": 29, "Punch": 30, "Shot Faced": 32,
        "Shot Saved": 33,
    },
    "goalkeeper.outcome": {
        "Claim": 47, "In Play Danger": 52, "In Play Safe": 53, "No Touch": 55, "Touched Out": 59,
        "Punched out": 117,
    },
    "goalkeeper.technique": {"Diving": 45, "Standing": 46},
    "goalkeeper.position": {"Moving": 42, "Set": 44},
    "duel.type": {"Aerial Lost": 10, "Tackle": 11},
    "duel.outcome": {"Won": 4, "Lost In Play": 13, "Success In Play": 16},
    "dribble.outcome": {"Complete": 8, "Incomplete": 9},
    "interception.outcome": {"Won": 4, "Success In Play": 16},
    "foul_committed.card": {"Yellow Card": 7},
    "foul_committed.type": {"Handball": 24},
    "substitution.outcome": {"Tactical": 103},
}  # fmt: skip


def coded(group: str, name: str) -> Event:
    """The {"id", "name"} object of a coded value."""
    return {"id": CODES[group][name], "name": name}


def details(sub: str, values: dict[str, Any]) -> Event:
    """A sub-object ("pass", "shot"...), its strings turned into coded values."""
    out: Event = {}
    for key, value in values.items():
        group = key if key in CODES else f"{sub}.{key}"
        group = f"{sub}.{key}" if f"{sub}.{key}" in CODES else group
        out[key] = coded(group, value) if isinstance(value, str) and group in CODES else value
    return out


def person(player: Player) -> Event:
    """The {"id", "name"} object of a player."""
    return {"id": player.id, "name": player.name}


def mmss(minute: int, second: int) -> str:
    """A match clock as the lineup file writes it."""
    return f"{minute:02d}:{second:02d}"


class Log:
    """The growing list of events of one match, and the clock they are stamped with."""

    def __init__(self, fixture: Fixture) -> None:
        self.fixture = fixture
        self.clubs: tuple[Club, Club] = (fixture.home, fixture.away)
        self.events: list[Event] = []
        self.period, self.clock = 1, 0.0
        self.possession, self.owner, self.pattern = 1, 0, "Regular Play"

    def add(
        self,
        kind: str,
        side: int,
        player: Player | None = None,
        at: Point | None = None,
        duration: float = 0.0,
        **detail: Any,
    ) -> Event:
        """Append one event at the current clock; `detail` becomes its sub-object."""
        index = len(self.events) + 1
        # Ids come from the place in the log, so that a rebuilt log keeps the same ids.
        name = f"{self.fixture.folder}/{index}"
        ms = round(self.clock * 1000)
        minute, second = divmod(ms // 1000, 60)
        event: Event = {
            "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"touchline/sample/{name}")),
            "index": index,
            "period": self.period,
            "timestamp": f"{minute // 60:02d}:{minute % 60:02d}:{second:02d}.{ms % 1000:03d}",
            "minute": minute + 45 * (self.period - 1),
            "second": second,
            "type": coded("type", kind),
            "possession": self.possession,
            "possession_team": self.team(self.owner),
            "play_pattern": coded("play_pattern", self.pattern),
            "team": self.team(side),
        }
        if player:
            event["player"] = person(player)
            event["position"] = coded("position", player.position)
        if at:
            event["location"] = [round(at[0], 1), round(at[1], 1)]
        event["duration"] = round(duration, 3)
        if detail:
            sub = {"Goal Keeper": "goalkeeper", "Starting XI": "tactics"}.get(kind)
            sub = sub or kind.lower().replace(" ", "_")
            event[sub] = details(sub, detail)
        self.events.append(event)
        return event

    def team(self, side: int) -> Event:
        """The {"id", "name"} object of a side's club."""
        return {"id": self.clubs[side].id, "name": self.clubs[side].name}

    def both(self, kind: str) -> None:
        """Add the two teams' copies of a Half Start or Half End."""
        link(self.add(kind, 0), self.add(kind, 1))

    def line_up(self, side: int) -> None:
        """Add a side's Starting XI."""
        club = self.clubs[side]
        lineup = [
            {
                "player": person(p),
                "position": coded("position", p.position),
                "jersey_number": p.shirt,
            }
            for p in club.players[:11]
        ]
        self.add("Starting XI", side, formation=club.formation, lineup=lineup)


def link(*events: Event) -> None:
    """Make the first event and each of the others name each other as related."""
    first, *rest = events
    for other in rest:
        first.setdefault("related_events", []).append(other["id"])
        other.setdefault("related_events", []).append(first["id"])


def travel(start: Point, end: Point) -> Event:
    """The length, angle and end of a pass."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return {
        "length": round(math.sqrt(dx * dx + dy * dy), 2),
        "angle": round(math.atan2(dy, dx), 3),
        "end_location": [round(end[0], 1), round(end[1], 1)],
    }


def lineups(log: Log) -> list[Event]:
    """The lineup file of a finished match: squads, cards, and who played from when to when."""
    return [_sheet(log, side) for side in (0, 1)]


def _sheet(log: Log, side: int) -> Event:
    club = log.clubs[side]
    cards: dict[int, list[Event]] = {p.id: [] for p in club.players}
    spells: dict[int, Event] = {p.id: _spell(p, None) for p in club.players[:11]}
    by_id = {p.id: p for p in club.players}
    for event in log.events:
        if event["team"]["id"] != club.id:
            continue
        now = mmss(event["minute"], event["second"])
        if "card" in event.get("foul_committed", {}):
            card = event["foul_committed"]["card"]["name"]
            row = {"time": now, "card_type": card, "reason": "Foul Committed"}
            cards[event["player"]["id"]].append({**row, "period": event["period"]})
        if "substitution" in event:
            off = {"to": now, "to_period": event["period"]}
            off["end_reason"] = "Substitution - Off (Tactical)"
            spells[event["player"]["id"]].update(off)
            new = by_id[event["substitution"]["replacement"]["id"]]
            spells[new.id] = _spell(new, event)
    countries = sorted({p.country for c in log.clubs for p in c.players})
    rows = [
        {
            "player_id": p.id,
            "player_name": p.name,
            "player_nickname": p.nickname,
            "jersey_number": p.shirt,
            "country": {"id": countries.index(p.country) + 1, "name": p.country},
            "cards": cards[p.id],
            "positions": [spells[p.id]] if p.id in spells else [],
        }
        for p in club.players
    ]
    return {"team_id": club.id, "team_name": club.name, "lineup": rows}


def _spell(player: Player, change: Event | None) -> Event:
    """A stay on the pitch, up to the final whistle until something ends it earlier."""
    return {
        "position_id": CODES["position"][player.position],
        "position": player.position,
        "from": mmss(change["minute"], change["second"]) if change else "00:00",
        "to": None,
        "from_period": change["period"] if change else 1,
        "to_period": None,
        "start_reason": "Substitution - On (Tactical)" if change else "Starting XI",
        "end_reason": "Final Whistle",
    }
