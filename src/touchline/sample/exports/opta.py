"""A match in the formats of Opta's family: F24, Stats Perform MA3, WhoScored.

What they lose of it stands in `opta_rows`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

import msgspec

from touchline.core.clocks import STARTS
from touchline.core.records import Event, Match, Player, Role, Team
from touchline.io.feeds.opta import types as opta
from touchline.io.feeds.opta.log import OTHER_SIDE
from touchline.sample.exports.files import Arguments, Files, Row, written

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


def opta_rows(match: Match, whole_seconds: bool) -> Iterator[Row]:
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
        values = [event.arguments.get(n) if n in names else None for n in ("kind", "outcome")]
        found = _KINDS.get((event.type, values[0], values[1]))
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


def _game(match: Match) -> dict[str, Any]:
    home, away = match.teams
    return {"id": 1, "home_team_id": home.id, "home_team_name": home.name,
            "away_team_id": away.id, "away_team_name": away.name}  # fmt: skip


def _f24_event(line: _Line) -> dict[str, Any]:
    minute, second = line.clock
    return {
        "id": line.id, "event_id": line.own, "type_id": line.type,
        "period_id": line.event.period, "min": minute, "sec": second,
        "player_id": line.player, "team_id": line.event.team and line.event.team.id,
        "outcome": int(line.success), "x": line.place[0], "y": line.place[1],
        "timestamp": line.stamp,
    }  # fmt: skip


def write_f24(match: Match, rows: list[Row], folder: Path) -> Files:
    head = _attributes(_game(match))
    parts = [f'<?xml version="1.0" encoding="UTF-8"?>\n<Games>\n<Game{head}>\n']
    for line in _lines(match, rows):
        parts.append(f"<Event{_attributes(_f24_event(line))}>")
        for flag, value in line.flags.items():
            parts.append(f"<Q{_attributes({'qualifier_id': flag, 'value': value})}/>")
        parts.append("</Event>\n")
    events = written(folder / "f24.xml", "".join([*parts, "</Game>\n</Games>\n"]))
    return Files(events, [written(folder / "f7.xml", _f7(match))])


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


def write_packed(match: Match, rows: list[Row], folder: Path) -> Files:
    """F24 and F9 packed as JSON, each in a file of its own."""
    events = [
        {**_packed(**_f24_event(line)),
         "Q": [_packed(qualifier_id=q, value=v) for q, v in line.flags.items()]}
        for line in _lines(match, rows)
    ]  # fmt: skip
    f24 = {"Games": {"Game": {**_packed(**_game(match)), "Event": events}}}
    log = written(folder / "f24.json", json.dumps(f24))
    return Files(log, [written(folder / "f9.json", json.dumps(_f9(match)))])


def _packed(**attributes: Any) -> dict[str, Any]:
    """An element without children; what it lacks is left out."""
    return {"@attributes": {k: v for k, v in attributes.items() if v is not None}}


def _f9(match: Match) -> dict[str, Any]:
    sheets, teams = [], []
    for team in match.teams:
        squad = [player for player in match.players if player.team == team]
        shirts = [_packed(PlayerRef=f"p{p.id}", ShirtNumber=p.shirt) for p in squad]
        sheets.append({**_packed(TeamRef=f"t{team.id}"), "PlayerLineUp": {"MatchPlayer": shirts}})
        people = [{**_packed(uID=f"p{p.id}"), "PersonName": _person_name(p)} for p in squad]
        teams.append({**_packed(uID=f"t{team.id}"), "Name": team.name, "Player": people})
    document = {**_packed(Type="Result", uID="g1"), "MatchData": {"TeamData": sheets}}
    return {"OptaFeed": {"OptaDocument": {**document, "Team": teams}}}


def _person_name(player: Player) -> dict[str, str]:
    first, _, last = player.name.partition(" ")
    known = {"Known": player.nickname} if player.nickname else {}
    return {"First": first, **known, "Last": last}


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


def write_ma3_json(match: Match, rows: list[Row], folder: Path) -> Files:
    info = {"contestant": [{"id": team.id, "name": team.name} for team in match.teams]}
    log = {"matchInfo": info, "liveData": {"event": list(_ma3_events(match, rows))}}
    sheets = {"matchInfo": info, "liveData": {"lineUp": list(_ma1_sheets(match))}}
    events = written(folder / "ma3.json", json.dumps(log, indent=1))
    return Files(events, [written(folder / "ma1.json", json.dumps(sheets))])


def write_ma3_xml(match: Match, rows: list[Row], folder: Path) -> Files:
    heads = (_attributes({"id": team.id, "name": team.name}) for team in match.teams)
    teams = "".join(f"<contestant{head}/>" for head in heads)
    info = f"<matchInfo><contestants>{teams}</contestants></matchInfo>"
    parts = [f"<matchEvents>{info}<liveData><events>\n"]
    for event in _ma3_events(match, rows):
        flags = "".join(f"<qualifier{_attributes(q)}/>" for q in event.pop("qualifier"))
        parts.append(f"<event{_attributes(event)}>{flags}</event>\n")
    events = written(folder / "ma3.xml", "".join([*parts, "</events></liveData></matchEvents>"]))
    sheets = [f"<match>{info}<liveData>"]
    for sheet in _ma1_sheets(match):
        players = "".join(f"<player{_attributes(p)}/>" for p in sheet["player"])
        head = _attributes({"contestantId": sheet["contestantId"]})
        sheets.append(f"<lineUp{head}>{players}</lineUp>")
    lineups = written(folder / "ma1.xml", "".join([*sheets, "</liveData></match>"]))
    return Files(events, [lineups])


def write_whoscored(match: Match, rows: list[Row], folder: Path) -> Files:
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
    return Files(written(folder / "whoscored.json", json.dumps(page)), [])


def write_whoscored_page(match: Match, rows: list[Row], folder: Path) -> Files:
    """The page as a browser saves it, with the match in one of its scripts."""
    data = write_whoscored(match, rows, folder).events
    script = f"require.config.params['args'] = {{matchId: 1, matchCentreData: {data.read_text()},"
    page = f"<!DOCTYPE html><html><body><script>{script} other: null}};</script></body></html>"
    data.unlink()
    return Files(written(folder / "whoscored.html", page), [])
