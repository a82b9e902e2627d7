"""A match in the formats of other feeds, as far as each of them can carry it.

`carried` is the match with what the format has no place for taken away; `write` writes that, and
the reader of the format must find it again. So what a feed loses stands here as code: for Opta's
family in `_opta`, for Wyscout in `_wyscout`. It is for tests and benchmarks, and for whoever wants
a file of a format to look at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

import msgspec

from touchline.clocks import STARTS
from touchline.feeds import opta_types as opta
from touchline.feeds import wyscout_types as wyscout
from touchline.feeds.opta_log import OTHER_SIDE
from touchline.feeds.pitch import zoned
from touchline.feeds.wyscout import MOVES_BALL
from touchline.match import Event, Match, Player, Role, Team

FEEDS = ("opta", "statsperform", "statsperform-xml", "whoscored", "wyscout")
Arguments = Mapping[str, str]


class Row(NamedTuple):
    """An event, and what the format writes for it: a type and its flags, or a name and tags."""

    event: Event
    code: Any
    flags: dict[int, str | None]


class Files(NamedTuple):
    """The files of a match: the events, and what goes with `--lineups`."""

    events: Path
    lineups: list[Path]


def carried(match: Match, feed: str) -> Match:
    """The match without what the feed cannot carry."""
    events = sorted((row.event for row in _rows(match, feed)), key=lambda e: (e.period, e.time))
    players = match.players if feed != "whoscored" else tuple(map(_one_name, match.players))
    return msgspec.structs.replace(match, events=tuple(events), players=players)


def _one_name(player: Player) -> Player:
    """WhoScored knows the name that a player goes by, and no other."""
    return msgspec.structs.replace(player, name=player.label, nickname=None, short=None)


def write(match: Match, feed: str, folder: Path) -> Files:
    """Write a match into a folder."""
    return _WRITERS[feed](match, list(_rows(match, feed)), folder)


def _rows(match: Match, feed: str) -> Iterator[Row]:
    return _wyscout(match) if feed == "wyscout" else _opta(match, whole_seconds=feed == "whoscored")


# ---- Opta's family

_Code = tuple[int, bool, int | None]  # type, outcome, the qualifier that makes it another kind


def _codes() -> Iterator[tuple[opta.Kind, _Code]]:
    for number, (flag, kind) in opta.TURNS.items():
        yield kind, (number, True, flag)
    for number, (won, lost) in opta.TYPES.items():
        yield won, (number, True, None)
        yield lost, (number, False, None)


_KINDS = {(kind.type, kind.kind, kind.outcome): code for kind, code in reversed(list(_codes()))}
_FLAGS = {named: number for number, named in reversed(opta.ARGUMENTS.items())}
_PARTICULAR = {
    (kind, *argument): number
    for kind, named in opta.PARTICULAR.items()
    for number, argument in named.items()
}
# A shot's set pieces have numbers of their own.
_SHOTS = {("set_piece", "Free Kick"): 26}
_PLACES = ("zone", "end_zone")


def _opta(match: Match, whole_seconds: bool) -> Iterator[Row]:
    """Records of a type that Opta has; WhoScored's have no more than whole seconds.

    Lost are receipts, carries and pressure, the keeper's part in a goal or a miss, the receivers
    of bad passes, more than one player of the other side, and arguments without a qualifier.
    """
    for event in match.events:
        found = _kind(event)
        if found is None:
            continue
        (number, success, turn), named = found
        flags: dict[int, str | None] = {turn: None} if turn is not None else {}
        kept = {name: event.arguments[name] for name in _PLACES if name in event.arguments}
        kept |= {name: event.arguments[name] for name in ("kind", "outcome") if name in named}
        for argument in event.arguments.items():
            flag = _flag_of(event.type, argument)
            if argument[0] not in named and flag is not None:
                flags[flag] = None
            if flag is not None or argument in _IMPLIED:
                kept[argument[0]] = argument[1]
        time = float(int(event.time)) if whole_seconds else event.time
        changed = msgspec.structs.replace(
            event, time=time, arguments=kept, others=tuple(_sides(event, match))
        )
        yield Row(changed, (number, success), flags)


_IMPLIED = {("set_piece", "Open Play")}


def _kind(event: Event) -> tuple[_Code, tuple[str, ...]] | None:
    """The number of the event's kind, and which of its arguments the number says."""
    if event.arguments.get("kind") in ("Goal Conceded", "Shot Faced"):
        return None
    if event.type == "Pass" and event.arguments.get("outcome") == "Out":
        return (opta.PASS, False, None), ("outcome",)
    for names in (("kind", "outcome"), ("kind",), ("outcome",), ()):
        told = [event.arguments.get(n) if n in names else None for n in ("kind", "outcome")]
        found = _KINDS.get((event.type, told[0], told[1]))
        if found is not None:
            return found, tuple(name for name in names if name in event.arguments)
    return None


def _flag_of(kind: str, argument: tuple[str, str]) -> int | None:
    if kind == "Shot" and argument in _SHOTS:
        return _SHOTS[argument]
    return _PARTICULAR.get((kind, *argument), _FLAGS.get(argument))


def _sides(event: Event, match: Match) -> Iterator[Role]:
    """A good pass's receiver, a replacement, and one player of the other side."""
    for other in event.others:
        complete = event.type == "Pass" and event.arguments.get("outcome") in (None, "Pass Offside")
        if other.role == "replacement" or (other.role == "recipient" and complete):
            yield other
    opposite = _opposite(event, match)
    role = OTHER_SIDE.get(event.type, {}).get(opposite.type) if opposite else None
    if opposite is not None and opposite.player is not None and role is not None:
        yield Role(role, opposite.player)


def _opposite(event: Event, match: Match) -> Event | None:
    """The first record of the other team about the same action that Opta has as well."""
    related = (match.event_by_id[i] for i in event.related if i in match.event_by_id)
    roles = OTHER_SIDE.get(event.type, {})
    fits = (e for e in related if e.team != event.team and e.type in roles and _kind(e))
    return next(fits, None)


class _Line(NamedTuple):
    """A record of Opta's, whatever file it is written to."""

    id: str
    own: int
    type: int
    success: bool
    event: Event
    player: str | None
    flags: dict[int, str | None]

    @property
    def clock(self) -> tuple[int, int]:
        minute, second = divmod(int(self.event.time), 60)
        return STARTS[self.event.period] + minute, second

    @property
    def place(self) -> tuple[float, float]:
        x, y = self.event.location or (0.0, 80.0)
        return round(x / 1.2, 2), round(100 - y / 0.8, 2)

    @property
    def stamp(self) -> str:
        """A second half that starts an hour after the first, and so on."""
        whole, thousandths = divmod(round(self.event.time * 1000), 1000)
        seconds = 3600 * (14 + self.event.period) + whole
        hour, minute, second = seconds // 3600, seconds // 60 % 60, seconds % 60
        return f"2026-05-02T{hour:02d}:{minute:02d}:{second:02d}.{thousandths:03d}"


def _lines(match: Match, rows: list[Row]) -> Iterator[_Line]:
    """The rows with Opta's habits: cards, outs and substitutes have records of their own."""
    number = {row.event.id: 3 * i + 1 for i, row in enumerate(rows)}
    for event, (type_, success), given in rows:
        own, player = number[event.id], event.player.id if event.player else None
        flags = {**given, **_places(event), **_references(event, match, number)}
        if type_ == opta.LINE_UP:
            flags |= _sheet(match, event.team)
        extra: list[_Line] = []
        card = _card(event.arguments)
        if card is not None:
            flags.pop(card, None)
            more: dict[int, str | None] = {card: None, 13: None}
            extra.append(_Line(f"{event.id}-card", own + 1, opta.CARD, True, event, player, more))
        if event.arguments.get("outcome") == "Out":
            extra.append(_Line(f"{event.id}-out", own + 1, opta.OUT, False, event, player, {}))
        for other in event.others:
            if other.role == "replacement":
                flags[opta.RELATED] = str(own + 1)
                more = {opta.RELATED: str(own)}
                name = f"{event.id}-on"
                on = _Line(name, own + 1, opta.PLAYER_ON, True, event, other.player.id, more)
                extra.append(on)
            if event.arguments.get("outcome") == "Pass Offside" and other.role == "recipient":
                flags[opta.CAUGHT_OFFSIDE] = other.player.id
        yield _Line(event.id, own, type_, success, event, player, flags)
        yield from extra


def _card(arguments: Arguments) -> int | None:
    return _FLAGS.get(("card", arguments.get("card", "")))


def _places(event: Event) -> dict[int, str | None]:
    if event.end_location is None:
        return {}
    x, y = event.end_location[0] / 1.2, 100 - event.end_location[1] / 0.8
    if event.type == "Shot":
        return {opta.BLOCKED_X: f"{x:.2f}", opta.BLOCKED_Y: f"{y:.2f}"}
    return {opta.END_X: f"{x:.2f}", opta.END_Y: f"{y:.2f}"}


def _references(event: Event, match: Match, number: Mapping[str, int]) -> dict[int, str | None]:
    opposite = _opposite(match.event_by_id[event.id], match)
    return {opta.OPPOSITE: str(number[opposite.id])} if opposite else {}


def _sheet(match: Match, team: Team | None) -> dict[int, str | None]:
    squad = [player for player in match.players if player.team == team]
    ids, shirts = (player.id for player in squad), (str(player.shirt) for player in squad)
    return {opta.INVOLVED: ", ".join(ids), opta.SHIRTS: ", ".join(shirts)}


def _attributes(fields: Mapping[str, Any]) -> str:
    return "".join(f" {k}={quoteattr(str(v))}" for k, v in fields.items() if v is not None)


def _write_f24(match: Match, rows: list[Row], folder: Path) -> Files:
    home, away = match.teams
    game = {"id": 1, "home_team_id": home.id, "home_team_name": home.name,
            "away_team_id": away.id, "away_team_name": away.name}  # fmt: skip
    parts = [f'<?xml version="1.0" encoding="UTF-8"?>\n<Games>\n<Game{_attributes(game)}>\n']
    for line in _lines(match, rows):
        minute, second = line.clock
        fields = {
            "id": line.id, "event_id": line.own, "type_id": line.type,
            "period_id": line.event.period, "min": minute, "sec": second,
            "player_id": line.player, "team_id": line.event.team and line.event.team.id,
            "outcome": int(line.success), "x": line.place[0], "y": line.place[1],
            "timestamp": line.stamp,
        }  # fmt: skip
        parts.append(f"<Event{_attributes(fields)}>")
        for flag, value in line.flags.items():
            parts.append(f"<Q{_attributes({'qualifier_id': flag, 'value': value})}/>")
        parts.append("</Event>\n")
    events = _written(folder / "f24.xml", "".join([*parts, "</Game>\n</Games>\n"]))
    return Files(events, [_written(folder / "f7.xml", _f7(match))])


def _f7(match: Match) -> str:
    parts = ['<SoccerFeed><SoccerDocument Type="Result" uID="f1"><MatchData>']
    for team in match.teams:
        parts.append(f"<TeamData{_attributes({'TeamRef': f't{team.id}'})}><PlayerLineUp>")
        for player in match.players:
            if player.team == team:
                shirt = {"PlayerRef": f"p{player.id}", "ShirtNumber": player.shirt}
                parts.append(f"<MatchPlayer{_attributes(shirt)}/>")
        parts.append("</PlayerLineUp></TeamData>")
    parts.append("</MatchData>")
    for team in match.teams:
        parts.append(f"<Team{_attributes({'uID': f't{team.id}'})}><Name>{team.name}</Name>")
        for player in match.players:
            if player.team == team:
                first, _, last = player.name.partition(" ")
                known = f"<Known>{player.nickname}</Known>" if player.nickname else ""
                name = f"<First>{first}</First>{known}<Last>{last}</Last>"
                uid = _attributes({"uID": f"p{player.id}"})
                parts.append(f"<Player{uid}><PersonName>{name}</PersonName></Player>")
        parts.append("</Team>")
    return "".join([*parts, "</SoccerDocument></SoccerFeed>"])


def _ma3_events(match: Match, rows: list[Row]) -> Iterator[dict[str, Any]]:
    names = {player.id: player.name for player in match.players}
    for line in _lines(match, rows):
        minute, second = line.clock
        yield {
            "id": line.id, "eventId": line.own, "typeId": line.type,
            "periodId": line.event.period, "timeMin": minute, "timeSec": second,
            "contestantId": line.event.team and line.event.team.id, "playerId": line.player,
            "playerName": names.get(line.player or ""), "outcome": int(line.success),
            "x": line.place[0], "y": line.place[1], "timeStamp": f"{line.stamp}Z",
            "qualifier": [{"qualifierId": q, "value": v} for q, v in line.flags.items()],
        }  # fmt: skip


def _ma1_sheets(match: Match) -> Iterator[dict[str, Any]]:
    for team in match.teams:
        players = [
            {"playerId": p.id, "firstName": p.name.partition(" ")[0],
             "lastName": p.name.partition(" ")[2], "knownName": p.nickname,
             "shirtNumber": p.shirt}
            for p in match.players if p.team == team
        ]  # fmt: skip
        yield {"contestantId": team.id, "player": players}


def _write_ma3_json(match: Match, rows: list[Row], folder: Path) -> Files:
    info = {"contestant": [{"id": team.id, "name": team.name} for team in match.teams]}
    log = {"matchInfo": info, "liveData": {"event": list(_ma3_events(match, rows))}}
    sheets = {"matchInfo": info, "liveData": {"lineUp": list(_ma1_sheets(match))}}
    events = _written(folder / "ma3.json", json.dumps(log, indent=1))
    return Files(events, [_written(folder / "ma1.json", json.dumps(sheets))])


def _write_ma3_xml(match: Match, rows: list[Row], folder: Path) -> Files:
    heads = (_attributes({"id": team.id, "name": team.name}) for team in match.teams)
    teams = "".join(f"<contestant{head}/>" for head in heads)
    info = f"<matchInfo><contestants>{teams}</contestants></matchInfo>"
    parts = [f"<matchEvents>{info}<liveData><events>\n"]
    for event in _ma3_events(match, rows):
        flags = "".join(f"<qualifier{_attributes(q)}/>" for q in event.pop("qualifier"))
        parts.append(f"<event{_attributes(event)}>{flags}</event>\n")
    events = _written(folder / "ma3.xml", "".join([*parts, "</events></liveData></matchEvents>"]))
    sheets = [f"<match>{info}<liveData>"]
    for sheet in _ma1_sheets(match):
        players = "".join(f"<player{_attributes(p)}/>" for p in sheet["player"])
        head = _attributes({"contestantId": sheet["contestantId"]})
        sheets.append(f"<lineUp{head}>{players}</lineUp>")
    lineups = _written(folder / "ma1.xml", "".join([*sheets, "</liveData></match>"]))
    return Files(events, [lineups])


def _write_whoscored(match: Match, rows: list[Row], folder: Path) -> Files:
    def number(text: str | None) -> int | None:
        return int(text) if text is not None else None

    events = []
    for line in _lines(match, rows):
        minute, second = line.clock
        flags = [{"type": {"value": q, "displayName": str(q)}, "value": v}
                 for q, v in line.flags.items()]  # fmt: skip
        event = {
            "id": line.id, "eventId": line.own, "minute": minute, "second": second,
            "teamId": number(line.event.team.id) if line.event.team else None,
            "playerId": number(line.player), "x": line.place[0], "y": line.place[1],
            "period": {"value": line.event.period, "displayName": str(line.event.period)},
            "type": {"value": line.type, "displayName": line.event.type},
            "outcomeType": {"value": int(line.success), "displayName": ""}, "qualifiers": flags,
            "satisfiedEventsTypes": [],
        }  # fmt: skip
        events.append({key: value for key, value in event.items() if value is not None})
    sides = [
        {"teamId": int(team.id), "name": team.name,
         "players": [{"playerId": int(p.id), "name": p.label, "shirtNo": p.shirt}
                     for p in match.players if p.team == team]}
        for team in match.teams
    ]  # fmt: skip
    names = {player.id: player.label for player in match.players}
    page = {"playerIdNameDictionary": names, "home": sides[0], "away": sides[1], "events": events}
    return Files(_written(folder / "whoscored.json", json.dumps(page)), [])


# ---- Wyscout

_SETS = {"Corner": "Corner", "Free Kick": "Free Kick", "Goal Kick": "Goal kick",
         "Throw-in": "Throw in"}  # fmt: skip
_TAGS = {named: tag for tag, named in wyscout.TAGS.items()}
_ALWAYS = ("through_ball", "card", "body_part")
# What StatsBomb tells apart and Wyscout does not.
_COARSER: dict[str, tuple[str, dict[str, str]]] = {
    "Ball Recovery": ("Ball Touch", {}),
    "Dispossessed": ("Dribble", {"outcome": "Incomplete"}),
}
_SHOT_TAGS = {
    "Goal": {wyscout.GOAL, wyscout.ACCURATE},
    "Saved": {wyscout.ACCURATE},
    "Blocked": {wyscout.BLOCKED, wyscout.INACCURATE},
    "Post": {1217, wyscout.INACCURATE},
    "Off T": {1210, wyscout.INACCURATE},
}
_SIMPLE: dict[str, tuple[str, str, set[int]]] = {
    "Ball Touch": ("Others on the ball", "Touch", set()),
    "Interception": ("Others on the ball", "Touch", {wyscout.INTERCEPTION}),
    "Miscontrol": ("Others on the ball", "Touch", {wyscout.MISSED_BALL}),
    "Clearance": ("Others on the ball", "Clearance", set()),
    "Dribbled Past": ("Duel", "Ground defending duel", {wyscout.LOST}),
    "Foul Committed": ("Foul", "Foul", set()),
    "Offside": ("Offside", "", set()),
}


def _wyscout(match: Match) -> Iterator[Row]:
    """Records of a kind that Wyscout has.

    Lost are the fouled player's record, blocks, starts and ends of halves, stoppages, keepers but
    for shots on goal; a pass that goes out or is offside is just inaccurate; a ball won or lost is
    a touch or a duel; substitutions know only their minute.
    """
    swaps = 0
    for event in sorted(match.events, key=_by_side(match)):
        if event.type == "Substitution":
            swaps += 1
            yield Row(_swap(event, swaps), None, {})
    for event in match.events:
        kind, more = _COARSER.get(event.type, (event.type, {}))
        arguments = {**event.arguments, **more}
        code = _wyscout_code(kind, arguments)
        if code is None:
            continue
        name, sub, tags = code
        tags |= {_TAGS[a] for a in arguments.items() if a[0] in _ALWAYS and a in _TAGS}
        found = wyscout.kind_of(name, sub, tags)
        kept = wyscout.arguments_of(found, tags)
        end = event.end_location if kind in MOVES_BALL else None
        zoned(kept, event.location, end)
        others = tuple(_faced(event, match))
        changed = msgspec.structs.replace(event, type=kind, arguments=kept, others=others)
        yield Row(changed, (name, sub), dict.fromkeys(sorted(tags)))


# Records that Wyscout has of both sides of an action.
_BOTH_SIDES = {
    ("Shot", "Goal Keeper"), ("Goal Keeper", "Shot"), ("Dribble", "Duel"), ("Duel", "Dribble"),
    ("Dribble", "Dribbled Past"), ("Dribbled Past", "Dribble"),
}  # fmt: skip


def _faced(event: Event, match: Match) -> Iterator[Role]:
    """An accurate pass's receiver, and the other side where it has a record of its own."""
    if event.type == "Pass" and "outcome" not in event.arguments:
        yield from event.others
    for other in (match.event_by_id[i] for i in event.related if i in match.event_by_id):
        types = tuple(_COARSER.get(e.type, (e.type, {}))[0] for e in (event, other))
        known = _wyscout_code(types[1], other.arguments) is not None
        if types in _BOTH_SIDES and known and other.player is not None:
            role = {"Shot": "shooter", "Goal Keeper": "keeper"}.get(other.type, "opponent")
            yield Role(role, other.player)


def _by_side(match: Match) -> Callable[[Event], tuple[int, int, float]]:
    teams = [team.id for team in match.teams]
    return lambda e: (teams.index(e.team.id) if e.team else 0, e.period, e.time)


def _swap(event: Event, number: int) -> Event:
    minute = int(event.time // 60)
    return msgspec.structs.replace(
        event, id=f"substitution-{number}", time=60.0 * minute + 30, arguments={}
    )


def _wyscout_code(kind: str, arguments: Arguments) -> tuple[str, str, set[int]] | None:
    outcome = arguments.get("outcome")
    if kind == "Pass":
        accuracy = wyscout.ACCURATE if outcome is None else wyscout.INACCURATE
        return (*_pass_name(arguments), {accuracy})
    if kind == "Shot":
        names = {"Penalty": ("Free Kick", "Penalty"), "Free Kick": ("Free Kick", "Free kick shot")}
        name = names.get(arguments.get("set_piece", ""), ("Shot", "Shot"))
        return (*name, set(_SHOT_TAGS.get(outcome or "", _SHOT_TAGS["Off T"])))
    if kind == "Dribble":
        won = outcome == "Complete"
        return "Duel", "Ground attacking duel", {wyscout.WON if won else wyscout.LOST}
    if kind == "Duel":
        aerial = arguments.get("kind") == "Aerial Lost"
        sub = "Air duel" if aerial else "Ground defending duel"
        return "Duel", sub, {wyscout.LOST if aerial else wyscout.WON}
    if kind == "Goal Keeper" and arguments.get("kind") in ("Shot Saved", "Goal Conceded"):
        conceded = arguments.get("kind") == "Goal Conceded"
        return "Save attempt", "Reflexes", {wyscout.GOAL} if conceded else {wyscout.ACCURATE}
    if kind == "Foul Committed" and arguments.get("kind") == "Handball":
        return "Foul", "Hand foul", set()
    simple = _SIMPLE.get(kind)
    return (simple[0], simple[1], set(simple[2])) if simple else None


def _pass_name(arguments: Arguments) -> tuple[str, str]:
    set_piece, cross = arguments.get("set_piece"), "cross" in arguments
    if set_piece in _SETS:
        crossed = cross and set_piece == "Free Kick"
        return "Free Kick", "Free kick cross" if crossed else _SETS[set_piece]
    if cross:
        return "Pass", "Cross"
    if arguments.get("body_part") == "Head":
        return "Pass", "Head pass"
    return "Pass", "High pass" if arguments.get("height") == "High Pass" else "Simple pass"


def _write_wyscout(match: Match, rows: list[Row], folder: Path) -> Files:
    events = [_wyscout_event(row) for row in rows if row.code is not None]
    files = {
        "players.json": [_wyscout_player(player) for player in match.players],
        "teams.json": [{"wyId": int(t.id), "name": t.name, "officialName": t.name, "city": ""}
                       for t in match.teams],
        "matches.json": [{"wyId": 1, "label": match.name, "teamsData": _formations(match, rows)}],
    }  # fmt: skip
    log = _written(folder / "events.json", json.dumps(events))
    return Files(log, [_written(folder / name, json.dumps(c)) for name, c in files.items()])


def _wyscout_event(row: Row) -> dict[str, Any]:
    event, places = row.event, (row.event.location, row.event.end_location)
    return {
        "id": event.id, "matchId": 1, "eventName": row.code[0], "subEventName": row.code[1],
        "matchPeriod": f"{event.period}H", "eventSec": event.time,
        "teamId": int(event.team.id) if event.team else 0,
        "playerId": int(event.player.id) if event.player else 0,
        "tags": [{"id": tag} for tag in row.flags],
        "positions": [{"x": round(p[0] / 1.2, 2), "y": round(p[1] / 0.8, 2)} for p in places if p],
    }  # fmt: skip


def _wyscout_player(player: Player) -> dict[str, Any]:
    first, _, last = player.name.partition(" ")
    return {
        "wyId": int(player.id), "firstName": _spelled(first), "middleName": "",
        "lastName": _spelled(last), "shortName": _spelled(player.nickname or ""),
    }  # fmt: skip


def _spelled(text: str) -> str:
    """With every escape spelled out, as the public release has them."""
    return json.dumps(text)[1:-1]


def _formations(match: Match, rows: list[Row]) -> dict[str, Any]:
    swaps: dict[str, list[dict[str, int]]] = {team.id: [] for team in match.teams}
    for row in rows:
        event = row.event
        if event.type == "Substitution" and event.team and event.player:
            swap = {
                "playerIn": int(event.others[0].player.id),
                "playerOut": int(event.player.id),
                "minute": STARTS[event.period] + int(event.time // 60) + 1,
            }
            swaps[event.team.id].append(swap)
    return {key: {"formation": {"substitutions": s or "null"}} for key, s in swaps.items()}


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


_WRITERS: dict[str, Callable[[Match, list[Row], Path], Files]] = {
    "opta": _write_f24,
    "statsperform": _write_ma3_json,
    "statsperform-xml": _write_ma3_xml,
    "whoscored": _write_whoscored,
    "wyscout": _write_wyscout,
}
