"""Verify generated commentary against the provider's file: python -m benchmarks.verify_generated.

    python -m benchmarks.verify_generated LOG GENERATED.jsonl [--lineups FILE]... [--lines]
    python -m benchmarks.verify_generated --all

It reads StatsBomb JSON, Opta F24 (with F7) and Wyscout JSON by itself and uses nothing of
touchline, so that a mistake in touchline's reading or facts shows here. A name is wrong if nobody
of that name had a part in the play that the line is about; a score, an outcome or a detail if the
file says otherwise. What the file does not say is not counted. `--lines` prints every line with its
problems. `--all` runs `touchline generate` on every such log of TOUCHLINE_DATA, and verifies that.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as Xml  # local files of the user's own
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measuring import Table, real_data

# Seconds before and after its events in which those who are named must have played a part.
BEFORE, AFTER = 12.0, 10.0
KINDS = ("name", "score", "detail")
CARD_AFTER = 150.0  # seconds at most from a foul to its card
YARD = 1.0936  # of a metre
SLACK = 2.0  # yards


@dataclass
class Record:
    """A record of the file, as this script understands it; places are seen by the acting team.

    `goal` is a goal for the record's team, `own_goal` for the other one.
    """

    id: str
    kind: str
    period: int
    time: float
    team: str
    players: list[str]
    outcome: str = ""
    body: str = ""
    card: str = ""
    set_piece: str = ""
    penalty: bool = False
    first_time: bool | None = None
    distance: float | None = None
    mirrored: float | None = None  # to the other goal, of a foul: the free kick is the opponents'
    in_box: bool | None = None
    side: str = ""  # of the pitch
    target: str = ""  # left, right, centre, high
    goal: bool = False
    own_goal: bool = False


@dataclass
class Log:
    """A match: its records in order, the names of its players and teams."""

    records: list[Record]
    players: dict[str, list[str]]
    teams: dict[str, str]
    squads: dict[str, str] = field(default_factory=dict)


# StatsBomb ----------------------------------------------------------------------------------------


def statsbomb(data: Any, lineups: Sequence[Path]) -> Log:
    players: dict[str, list[str]] = defaultdict(list)
    teams: dict[str, str] = {}
    squads: dict[str, str] = {}
    for path in lineups:
        for team in json.loads(path.read_text("utf-8")):
            for player in team["lineup"]:
                names = [player["player_name"], player.get("player_nickname") or ""]
                players[str(player["player_id"])] = [name for name in names if name]
                squads[str(player["player_id"])] = str(team["team_id"])
    events = data if isinstance(data, list) else data.get("events", list(data.values()))
    by_id = {event["id"]: event for event in events}
    records = []
    for event in sorted(events, key=lambda e: (e["period"], e["timestamp"], e.get("index", 0))):
        teams.setdefault(str(event["team"]["id"]), event["team"]["name"])
        if "player" in event:
            own = str(event["player"]["id"])
            players[own] = players[own] or [event["player"]["name"]]
            squads.setdefault(own, str(event["team"]["id"]))
        records.append(_statsbomb(event, by_id))
    return Log(records, dict(players), teams, squads)


def _statsbomb(event: dict[str, Any], by_id: dict[str, Any]) -> Record:
    kind = event["type"]["name"]
    shot, kick, foul = event.get("shot", {}), event.get("pass", {}), event.get("foul_committed", {})
    people = [event.get("player"), kick.get("recipient"),
              event.get("substitution", {}).get("replacement")]  # fmt: skip
    people += [by_id[i].get("player") for i in event.get("related_events", []) if i in by_id]
    people += [by_id[shot["key_pass_id"]].get("player")] if shot.get("key_pass_id") in by_id else []
    hour, minute, second = event["timestamp"].split(":")
    card = foul.get("card") or event.get("bad_behaviour", {}).get("card") or {}
    place = event.get("location")
    outcome = shot.get("outcome", {}).get("name", "")
    record = Record(
        id=event["id"],
        kind=kind,
        period=event["period"],
        time=3600 * int(hour) + 60 * int(minute) + float(second),
        team=str(event["team"]["id"]),
        players=[str(person["id"]) for person in people if person],
        outcome=_STATSBOMB.get(outcome, ""),
        body=(shot or kick or event.get("clearance", {})).get("body_part", {}).get("name", ""),
        card=card.get("name", "").lower().replace(" card", ""),
        set_piece=(shot or kick).get("type", {}).get("name", ""),
        penalty=bool(foul.get("penalty")),
        first_time=bool(shot.get("first_time")) if shot else None,
        goal=outcome == "Goal" and event["period"] < 5,
        own_goal=kind == "Own Goal Against",
    )
    if place:
        x, y = place[0], place[1]
        record.distance = math.hypot(120 - x, 40 - y)
        record.mirrored = math.hypot(x, 40 - y) if kind == "Foul Committed" else None
        record.in_box = x >= 102 and 18 <= y <= 62
        record.side = "left" if y < 40 else "right"
    end = shot.get("end_location", [])
    if len(end) == 3 and end[0] >= 119:
        wide = {True: "left", False: "right"}
        off = end[1] < 36 or end[1] > 44
        central = not off and 38.2 <= end[1] <= 41.8
        record.target = "centre" if central else wide[end[1] < 40]
    return record


_STATSBOMB = {
    "Goal": "goal", "Saved": "saved", "Saved to Post": "saved", "Saved Off Target": "saved",
    "Blocked": "blocked", "Off T": "off", "Wayward": "off", "Post": "post",
}  # fmt: skip


# Opta ---------------------------------------------------------------------------------------------


def opta(data: bytes, lineups: Sequence[Path]) -> Log:
    players: dict[str, list[str]] = {}
    squads: dict[str, str] = {}
    for path in lineups:
        for team in Xml.parse(path).getroot().iter("Team"):
            for player in team.iter("Player"):
                parts = {part.tag: part.text or "" for part in player.iter()}
                full = f"{parts.get('First', '')} {parts.get('Last', '')}".strip()
                own = player.get("uID", "").lstrip("p")
                players[own] = [name for name in (parts.get("Known", ""), full) if name]
                squads[own] = team.get("uID", "").lstrip("t")
    game = Xml.fromstring(data).find(".//Game")
    assert game is not None
    teams = {game.get(f"{side}_team_id", ""): game.get(f"{side}_team_name", "")
             for side in ("home", "away")}  # fmt: skip
    events = [e for e in game.iter("Event") if e.get("period_id") in ("1", "2", "3", "4", "5")]
    events.sort(
        key=lambda e: (int(e.get("period_id", 0)), int(e.get("min", 0)), int(e.get("sec", 0)))
    )
    return Log([_opta(event) for event in events], players, teams, squads)


_STARTS = {1: 0, 2: 45, 3: 90, 4: 105, 5: 120}
_OPTA_SHOTS = {13: "off", 14: "post", 15: "saved", 16: "goal"}


def _opta(event: Xml.Element) -> Record:
    has = {int(q.get("qualifier_id", 0)): q.get("value", "") for q in event.iter("Q")}
    type_, period = int(event.get("type_id", 0)), int(event.get("period_id", 0))
    time = 60 * (int(event.get("min", 0)) - _STARTS[period]) + int(event.get("sec", 0))
    outcome = _OPTA_SHOTS.get(type_, "")
    if outcome == "saved" and 82 in has:
        outcome = "blocked"
    x, y = float(event.get("x", 0)), float(event.get("y", 0))
    card = "yellow" if 31 in has else "second yellow" if 32 in has else "red" if 33 in has else ""
    body = "Head" if 15 in has else "Right Foot" if 20 in has else "Left Foot" if 72 in has else ""
    piece = {9: "Penalty", 26: "Free Kick", 6: "Corner", 5: "Free Kick", 107: "Throw-in"}
    record = Record(
        id=event.get("id", ""),
        kind={4: "Foul", 17: "Card", 18: "Substitution", 2: "Offside"}.get(type_, str(type_)),
        period=period,
        time=time,
        team=event.get("team_id", ""),
        players=[own for own in [event.get("player_id", "")] if own],
        outcome="goal"
        if type_ == 16 and 28 not in has
        else outcome
        if type_ in _OPTA_SHOTS
        else "",
        body=body,
        card=card,
        set_piece=next((name for number, name in piece.items() if number in has), ""),
        distance=math.hypot((100 - x) * 1.05, (50 - y) * 0.68) * YARD,
        mirrored=math.hypot(x * 1.05, (50 - y) * 0.68) * YARD if type_ == 4 else None,
        in_box=x >= 83 and 21.1 <= y <= 78.9,
        side="left" if y > 50 else "right",
        goal=type_ == 16 and 28 not in has and period < 5,
        own_goal=type_ == 16 and 28 in has,
    )
    if 102 in has and type_ in _OPTA_SHOTS:
        mouth = float(has[102])
        record.target = "centre" if 48.2 < mouth < 51.8 else "left" if mouth > 50 else "right"
    return record


# Wyscout ------------------------------------------------------------------------------------------

_WYSCOUT_SIDES = {
    1201: "centre", 1202: "right", 1203: "centre", 1204: "left", 1205: "left", 1206: "right",
    1207: "centre", 1208: "left", 1209: "right", 1210: "right", 1211: "left", 1212: "left",
    1213: "right", 1214: "centre", 1215: "left", 1216: "right", 1217: "right", 1218: "left",
    1219: "left", 1220: "right", 1221: "centre", 1222: "left", 1223: "right",
}  # fmt: skip
_PERIODS = {"1H": 1, "2H": 2, "E1": 3, "E2": 4, "P": 5}


def wyscout(data: Any, lineups: Sequence[Path]) -> Log:
    players: dict[str, list[str]] = {}
    squads: dict[str, str] = {}
    for team, squad in (data.get("players") or {}).items():
        for entry in squad:
            person = entry.get("player") or {}
            full = f"{person.get('firstName', '')} {person.get('lastName', '')}"
            own = str(person.get("wyId"))
            players[own] = [_escaped(person.get("shortName", "")), _escaped(full)]
            squads[own] = str(team)
    teams = {
        str(own): _escaped((team.get("team") or team).get("name", ""))
        for own, team in (data.get("teams") or {}).items()
    }
    known = [e for e in data["events"] if e.get("matchPeriod") in _PERIODS]
    events = sorted(known, key=lambda e: (_PERIODS[e["matchPeriod"]], e["eventSec"]))
    return Log([_wyscout(event) for event in events], players, teams, squads)


def _escaped(name: str) -> str:
    """The public release holds literal escapes in its names."""
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda hit: chr(int(hit[1], 16)), name)


def _wyscout(event: dict[str, Any]) -> Record:
    tags = {tag["id"] for tag in event.get("tags", [])}
    sub, name = event.get("subEventName", ""), event.get("eventName", "")
    is_shot = name == "Shot" or sub in ("Free kick shot", "Penalty")
    outcome = ""
    if is_shot:
        missed = tags & set(range(1210, 1217))
        post = tags & set(range(1217, 1224))
        outcome = ("goal" if 101 in tags else "blocked" if 2101 in tags else "post" if post
                   else "off" if missed else "saved" if 1801 in tags else "")  # fmt: skip
    place = (event.get("positions") or [{}])[0]
    x, y = place.get("x"), place.get("y")
    card = (
        "second yellow"
        if 1703 in tags
        else "red"
        if 1701 in tags
        else "yellow"
        if 1702 in tags
        else ""
    )
    body = (
        "Head"
        if 403 in tags
        else "Left Foot"
        if 401 in tags
        else "Right Foot"
        if 402 in tags
        else ""
    )
    pieces = {"Corner": "Corner", "Throw in": "Throw-in", "Penalty": "Penalty"}
    piece = pieces.get(
        sub, "Free Kick" if name == "Free Kick" and sub.startswith("Free kick") else ""
    )
    record = Record(
        id=str(event["id"]),
        kind="Shot" if is_shot else name,
        period=_PERIODS[event["matchPeriod"]],
        time=float(event["eventSec"]),
        team=str(event["teamId"]),
        players=[str(event["playerId"])] if event.get("playerId") else [],
        outcome=outcome,
        body=body,
        card=card,
        set_piece=piece,
        goal=is_shot and 101 in tags and event["matchPeriod"] != "P",
        own_goal=102 in tags,
    )
    if x is not None and y is not None:
        record.distance = math.hypot((100 - x) * 1.05, (50 - y) * 0.68) * YARD
        if name == "Foul":
            record.mirrored = math.hypot(x * 1.05, (50 - y) * 0.68) * YARD
        record.in_box = x >= 84 and 19 <= y <= 81
        record.side = "left" if y < 50 else "right"
    record.target = next((side for tag, side in _WYSCOUT_SIDES.items() if tag in tags), "")
    return record


def read(path: Path, lineups: Sequence[Path]) -> Log:
    """The log of any of the three feeds; a card that is a record of its own joins its foul."""
    log = _read(path, lineups)
    for number, record in enumerate(log.records):
        if record.kind == "Card" and record.card:
            fouls = [
                earlier
                for earlier in log.records[:number]
                if earlier.kind == "Foul" and earlier.players == record.players
                and earlier.period == record.period and record.time - earlier.time <= CARD_AFTER
            ]  # fmt: skip
            if fouls:
                fouls[-1].card = record.card
    return log


def _read(path: Path, lineups: Sequence[Path]) -> Log:
    data = path.read_bytes()
    if data.lstrip()[:1] == b"<":
        return opta(data, lineups)
    parsed = json.loads(data)
    if isinstance(parsed, dict) and any("eventSec" in e for e in parsed.get("events", [])[:5]):
        return wyscout(parsed, lineups)
    return statsbomb(parsed, lineups)


# What a line says ---------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_PLAIN = {
    "goal",
    "penalty",
    "red",
    "card",
    "sent",
    "off",
    "own",
    "var",
    "i",
    "full",
    "time",
    "half",
}
_SCORE = re.compile(r"\b(\d+)\s?[-–:]\s?(\d+)\b")
_YARDS = re.compile(r"\b(\d+) yards?\b")
_OUTCOMES: dict[str, str] = {
    "goal": r"^GOAL|\bgoal!|\bscores\b|\bmakes it\b|\bequalis|back of the net",
    "saved": r"\bsave[sd]?\b|\bdenied by\b|\bdenies\b|\bkeeps it out\b|\bstopped by the",
    "blocked": r"\bblock(?:s|ed)?\b",
    "off": r"\bwide\b|\bover the (?:cross)?bar\b|\boff target\b|\bmisses\b",
    "post": r"\b(?:hits|off|against|strikes) the (?:left |right )?"
    r"(?:post|bar|crossbar|woodwork|frame)",
}  # fmt: skip
_MAY = {"goal": {"goal", "post"}, "saved": {"saved"}, "blocked": {"blocked"},
        "off": {"off"}, "post": {"post", "off"}}  # fmt: skip


def _fold(text: str) -> str:
    text = text.translate(str.maketrans("øØłŁđĐı", "oOlLdDi"))
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if c.isalnum())


class Verifier:
    """Holds generated lines against a log."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.by_id = {record.id: record for record in log.records}
        self.owners: dict[str, set[str]] = defaultdict(set)
        for player, names in log.players.items():
            for name in names:
                for word in re.split(r"[\s.-]+", name):
                    if len(_fold(word)) > 1:
                        self.owners[_fold(word)].add(player)
        self.team_words = {_fold(w) for n in log.teams.values() for w in re.split(r"[\s-]+", n)}
        self.scores = self._scores()

    def _scores(self) -> list[tuple[int, float, tuple[int, int]]]:
        """The score after each goal, the teams in the order of the file."""
        order = list(self.log.teams)
        now, found = [0, 0], [(0, 0.0, (0, 0))]
        for record in self.log.records:
            if (record.goal or record.own_goal) and record.team in order:
                side = order.index(record.team)
                now[1 - side if record.own_goal else side] += 1
                found.append((record.period, record.time, (now[0], now[1])))
        return found

    def problems(self, line: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """What is wrong with a line: `name`, `score` or `detail`, and a sentence."""
        events = [self.by_id[str(i)] for i in line["events"] if str(i) in self.by_id]
        text = line["text"].replace("\u00ad", "")  # soft hyphens of Wyscout's names
        yield from self._names(text, events, line)
        yield from self._score(text, events, line)
        for check in (_outcome, _yards, _box, _body, _target, _card, _first_time, _penalty):
            yield from ((("detail", problem)) for problem in check(text, events))

    def _around(self, events: Sequence[Record], line: dict[str, Any]) -> list[Record]:
        period = int(line["period"])
        times = [event.time for event in events] or [float(line["time"])]
        first, last = min(times) - BEFORE, max(times) + AFTER
        return [r for r in self.log.records if r.period == period and first <= r.time <= last]

    def _names(
        self, text: str, events: Sequence[Record], line: dict[str, Any]
    ) -> Iterator[tuple[str, str]]:
        close = [*events, *self._around(events, line)]
        playing = {player for record in close for player in record.players}
        start = True
        for hit in _WORD.finditer(text):
            word = re.sub(r"['’]s$", "", hit[0])
            starts, start = start, bool(re.match(r"[)\"'’s]*[.!?:;]\s", text[hit.end() :]))
            parts = [_fold(part) for part in re.split(r"[-.]", word) if _fold(part)]
            if not word[0].isupper() or not parts or _fold(word) in _PLAIN:
                continue
            owners = [self.owners[part] for part in parts if part in self.owners]
            in_team = any(part in self.team_words for part in parts)
            if owners and not in_team and not any(own & playing for own in owners):
                yield "name", f"{word} has no part in the play"
            elif not owners and not in_team and not starts and not word.isupper():
                yield "name", f"{word} is nobody in the match"
        yield from self._owners_of_plain_facts(text, events)

    def _owners_of_plain_facts(
        self, text: str, events: Sequence[Record]
    ) -> Iterator[tuple[str, str]]:
        """Whoever scored or was booked must be named, where anybody is."""
        words = {_fold(part) for hit in _WORD.finditer(text)
                 for part in re.split(r"[-.]", re.sub(r"['’]s$", "", hit[0]))}  # fmt: skip
        anybody = any(word in self.owners and word not in self.team_words for word in words)
        for record in events:
            if not (record.goal or record.card) or not record.players or not anybody:
                continue
            names = self.log.players.get(record.players[0], [])
            own = {_fold(part) for name in names for part in re.split(r"[\s.-]+", name)}
            if own and not own & words:
                yield "name", f"{names[0]} is not named for the {'goal' if record.goal else 'card'}"

    def _score(
        self, text: str, events: Sequence[Record], line: dict[str, Any]
    ) -> Iterator[tuple[str, str]]:
        times = [event.time for event in events] or [float(line["time"])]
        moment = int(line["period"]), max(times) + 0.5
        earlier = int(line["period"]), min(times) - 0.5
        now = [score for period, time, score in self.scores if (period, time) <= moment][-1]
        before = [score for period, time, score in self.scores if (period, time) <= earlier]
        may = {now, *(before[-1:])}
        if any(e.goal or e.own_goal for e in events):
            may = {now}
        for hit in _SCORE.finditer(text):
            said = int(hit[1]), int(hit[2])
            if said not in may and said[::-1] not in may:
                yield "score", f"says {said}, the file has {sorted(may)}"
        stated = [int(hit[1]) for name in self.log.teams.values()
                  if (hit := re.search(rf"{re.escape(name)} (\d+)\b(?! yard)", text))]  # fmt: skip
        if len(stated) == 2 and tuple(stated) not in may:
            yield "score", f"says {stated}, the file has {sorted(may)}"


def _shots(events: Sequence[Record]) -> list[Record]:
    return [event for event in events if event.outcome]


def _outcome(text: str, events: Sequence[Record]) -> Iterator[str]:
    shots = _shots(events)
    said = {name for name, words in _OUTCOMES.items() if re.search(words, text)}
    if any(event.own_goal for event in events):
        said.discard("goal")
    if not shots:
        if "goal" in said:
            yield "a goal without a shot"
        return
    may = set().union(*(_MAY[shot.outcome] for shot in shots))
    for name in sorted(said - may):
        yield f"says {name}, the file has {', '.join(shot.outcome for shot in shots)}"


def _yards(text: str, events: Sequence[Record]) -> Iterator[str]:
    known = [yards for event in events for yards in (event.distance, event.mirrored) if yards]
    for hit in _YARDS.finditer(text):
        if known and not any(abs(int(hit[1]) - yards) <= SLACK for yards in known):
            seen = ", ".join(f"{yards:.1f}" for yards in known)
            yield f"says {hit[0]}, the file has {seen}"


def _box(text: str, events: Sequence[Record]) -> Iterator[str]:
    shots = [shot for shot in _shots(events) if shot.in_box is not None]
    if len(shots) != 1:
        return
    shot = shots[0]
    inside = re.search(
        r"from inside the box|from the middle of the box|from close range|six-yard", text
    )
    outside = re.search(r"from outside the box|from long range|edge of the box", text)
    if inside and not shot.in_box:
        yield f"says {inside[0]}, the shot was from outside ({shot.distance:.1f})"
    if outside and shot.in_box and (shot.distance or 0) < 17:
        yield f"says {outside[0]}, the shot was from inside ({shot.distance:.1f})"


def _body(text: str, events: Sequence[Record]) -> Iterator[str]:
    shots = [shot for shot in _shots(events) if shot.body]
    if len(shots) != 1:
        return
    body = shots[0].body
    text = re.sub(r"(?:after|hits|meets|from) [^,.;]*['’]s header", "", text)  # another's
    said = {"Head": r"\bheader\b(?! by| from| back| reaches| finds)"
            r"|\bheads (?:it |the ball )?(?:wide|over|in|home|towards|at)",
            "Left Foot": r"left[- ]foot", "Right Foot": r"right[- ]foot"}  # fmt: skip
    for name, words in said.items():
        if re.search(words, text) and body != name and "Foot" in body + name:
            yield f"says {name}, the file has {body}"


def _target(text: str, events: Sequence[Record]) -> Iterator[str]:
    shots = [
        shot for shot in _shots(events) if shot.target and shot.outcome in ("goal", "saved", "off")
    ]
    if len(shots) != 1:
        return
    hit = re.search(
        r"(?:bottom|top|into the|in the|on the|of the|to the) (left|right)"
        r"(?= (?:corner|post|side of the goal))"
        r"|wide to the (left|right)", text)  # fmt: skip
    said = (hit[1] or hit[2]) if hit else ""
    if said and shots[0].target in ("left", "right") and shots[0].target != said:
        yield f"says {said} of the goal, the file has {shots[0].target}"


def _card(text: str, events: Sequence[Record]) -> Iterator[str]:
    shown = {event.card for event in events if event.card}
    red = re.search(r"(?i)\bred card|\bsent off|second yellow", text)
    yellow = re.search(
        r"(?i)\byellow card|\bbooked\b|\bbooking\b|into the (?:referee's )?book|Caution", text
    )
    if red and not shown & {"red", "second yellow"}:
        yield f"says {red[0]}, the file has {shown or 'no card'}"
    if yellow and not red and "yellow" not in shown:
        yield f"says {yellow[0]}, the file has {shown or 'no card'}"
    if shown and not (red or yellow):
        yield f"leaves out the {', '.join(shown)} card"


def _first_time(text: str, events: Sequence[Record]) -> Iterator[str]:
    shots = [shot for shot in _shots(events) if shot.first_time is not None]
    if re.search(r"first[- ]time", text) and shots and not any(shot.first_time for shot in shots):
        yield "says first time, the file does not"


def _penalty(text: str, events: Sequence[Record]) -> Iterator[str]:
    said = re.search(r"\bPENALTY\b|\bpenalty\b(?! area| box)|\bspot kick\b|\bfrom the spot\b", text)
    known = any(event.penalty or event.set_piece == "Penalty" for event in events)
    if (
        said
        and not known
        and not any(event.kind.startswith(("Foul", "Penalty")) for event in events)
    ):
        yield f"says {said[0]}, the file has no penalty"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verify_generated")
    parser.add_argument("log", type=Path, nargs="?")
    parser.add_argument("generated", type=Path, nargs="?")
    parser.add_argument("--lineups", type=Path, action="append", default=[])
    parser.add_argument("--lines", action="store_true", help="print every line with its problems")
    parser.add_argument("--all", action="store_true", help="every log of TOUCHLINE_DATA")
    parser.add_argument("--keep", type=Path, help="with --all: keep generated lines in this folder")
    given = parser.parse_args(arguments)
    if given.all:
        with tempfile.TemporaryDirectory() as folder:
            verify_all(real_data(), given.keep or Path(folder))
    elif given.log is None or given.generated is None:
        parser.error("give LOG and GENERATED, or --all")
    else:
        print(verify(given.log, given.generated, given.lineups, print if given.lines else None))


def logs(data: Path) -> Iterator[tuple[str, Path, list[Path]]]:
    """A name, the log and the files with names, of each match; each log once."""
    seen = set()
    for corpus in ("epl-2015", "tv-2015", "radio-2018"):
        for log in sorted((data / corpus).glob("*/events.json")):
            if log.parent.name not in seen:
                seen.add(log.parent.name)
                yield log.parent.name, log, sorted(log.parent.glob("lineups.json"))
    for log in sorted((data / "feeds" / "opta-f24").glob("f24*.xml")):
        yield "Opta F24", log, sorted(log.parent.glob("f7*.xml"))
    for log in sorted((data / "feeds" / "wyscout").glob("*.json")):
        yield "Wyscout", log, []


def verify_all(data: Path, folder: Path) -> None:
    """Generate and verify every match, and print a table."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, total = [], Counter[str]()
    for name, log, lineups in logs(data):
        out = folder / f"{name}.jsonl"
        words = [str(log), "-o", str(out)]
        words += [word for path in lineups for word in ("--lineups", str(path))]
        subprocess.run([sys.executable, "-m", "touchline", "generate", *words], check=True)
        found = verify(log, out, lineups, lambda line: None)
        total.update(found)
        rows.append([name, *found.values()])
    rows.append(["all", *(total[kind] for kind in ("lines", *KINDS))])
    head = ["match", "lines", "wrong names", "wrong scores", "wrong details"]
    print(Table("Generated lines against the provider's file", head, rows).text())


def verify(
    log: Path,
    generated: Path,
    lineups: Sequence[Path] = (),
    show: Callable[[str], None] | None = None,
) -> dict[str, int]:
    """How many lines have a wrong name, score or detail."""
    verifier = Verifier(read(log, lineups))
    count: Counter[str] = Counter()
    for row in generated.read_text("utf-8").splitlines():
        line = json.loads(row)
        found = list(verifier.problems(line))
        count["lines"] += 1
        count.update({kind for kind, _ in found})
        if show is not None:
            show(f"{line['clock']:>6} {line['text']}")
            for kind, problem in found:
                show(f"       !! {kind}: {problem}")
    return {name: count[name] for name in ("lines", *KINDS)}


if __name__ == "__main__":
    main(sys.argv[1:])
