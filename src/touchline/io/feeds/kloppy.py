"""Any event data that kloppy has loaded, for the feeds that have no reader here.

kloppy keeps less than the readers here do: nicknames, many qualifiers and the types that it calls
generic are gone or bare names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from touchline.core.clocks import STARTS
from touchline.core.errors import TouchlineError
from touchline.core.pitch import Point, zoned
from touchline.core.records import Event, Match, Player, Role
from touchline.io.feeds.opta.types import silent_types
from touchline.io.feeds.records import day
from touchline.io.feeds.sequence import Step, fouls_of_cards, receivers
from touchline.io.feeds.squad import Squad
from touchline.io.feeds.statsbomb import UNLINKABLE

# kloppy's types in StatsBomb's words.
TYPES = {
    "PASS": "Pass", "SHOT": "Shot", "TAKE_ON": "Dribble", "CARRY": "Carry", "DUEL": "Duel",
    "CLEARANCE": "Clearance", "INTERCEPTION": "Interception", "RECOVERY": "Ball Recovery",
    "MISCONTROL": "Miscontrol", "FOUL_COMMITTED": "Foul Committed", "CARD": "Bad Behaviour",
    "SUBSTITUTION": "Substitution", "PLAYER_ON": "Player On", "PLAYER_OFF": "Player Off",
    "BALL_OUT": "Out", "GOALKEEPER": "Goal Keeper", "PRESSURE": "Pressure",
    "FORMATION_CHANGE": "Tactical Shift",
}  # fmt: skip
# Types that kloppy leaves generic under the feed's name, where that means one of StatsBomb's.
_GENERIC = {"Clearances": "Clearance", "Offsides": "Offside", "TacklingGame": "Duel"}
# Types that are not linkable: those of the feeds' own readers.
SILENT = UNLINKABLE | silent_types()
_OUTCOMES: dict[tuple[str, str], str | None] = {
    ("Pass", "COMPLETE"): None,
    ("Pass", "OFFSIDE"): "Pass Offside",
    ("Shot", "OFF_TARGET"): "Off T",
    ("Duel", "LOST"): "Lost In Play",
    ("Interception", "SUCCESS"): "Won",
}
_SET_PIECES = {"CORNER_KICK": "Corner", "THROW_IN": "Throw-in"}
_KEEPER = {"SAVE": "Shot Saved", "PICK_UP": "Keeper Pick-up", "CLAIM": "Collected"}


def from_kloppy(dataset: Any, name: str = "match") -> Match:
    """Convert a kloppy `EventDataset`; the Match has no comments yet.

    Parameters
    ----------
    dataset
        The data set, of any provider that kloppy reads.
    name
        The match's name in links.

    Returns
    -------
    Match
        The events in match order, with teams and players.

    Raises
    ------
    TouchlineError
        `dataset` is not an `EventDataset`.
    """
    if not hasattr(dataset, "transform") or not hasattr(dataset, "events"):
        raise TouchlineError(f"from_kloppy needs a kloppy EventDataset, not {type(dataset)!r}")
    squad = _squad(dataset)
    # A side is needed to say where it attacks: what has none, a whistle, has no place either.
    nobodys = [event for event in dataset.events if event.team is None]
    sided = dataset.filter(lambda event: event.team is not None) if nobodys else dataset
    turned = sided.transform(
        to_orientation="ACTION_EXECUTING_TEAM", to_coordinate_system="statsbomb"
    )
    found = [(event, True) for event in turned.events] + [(event, False) for event in nobodys]
    played = [(event, placed) for event, placed in found if event.period.id in STARTS]
    own = sorted((_event(event, squad, placed) for event, placed in played), key=_when)
    events = _joined(list(_with_own_ids(own)), squad)
    return Match(
        name=name,
        provider="kloppy",
        events=tuple(events),
        teams=tuple(squad.teams.values()),
        players=tuple(squad.players.values()),
        date=day(getattr(dataset.metadata, "date", None)),
    )


def _with_own_ids(events: Sequence[Event]) -> Iterator[Event]:
    """kloppy makes several events of some records, all under the record's id: `7`, `7-2` ..."""
    seen: Counter[str] = Counter()
    for event in events:
        seen[event.id] += 1
        number = seen[event.id]
        yield event if number == 1 else msgspec.structs.replace(event, id=f"{event.id}-{number}")


def _when(event: Event) -> tuple[int, float]:
    return event.period, event.time


def _squad(dataset: Any) -> Squad:
    squad = Squad()
    for team in dataset.metadata.teams:
        known = squad.team(team.team_id, team.name or "")
        for player in team.players:
            squad.add(_player(player), known)
    return squad


def _player(player: Any) -> Player:
    full = f"{player.first_name or ''} {player.last_name or ''}".strip()
    return Player(
        id=str(player.player_id),
        name=full or player.name or "",
        short=player.name,
        shirt=player.jersey_no,
    )


def _event(event: Any, squad: Squad, placed: bool = True) -> Event:
    kind = _type(event)
    location = _point(event.coordinates) if placed else None
    end = _point(getattr(event, "receiver_coordinates", None)) if placed else None
    end = end or (_point(getattr(event, "result_coordinates", None)) if placed else None)
    roles = {"recipient": "receiver_player", "replacement": "replacement_player"}
    others = {role: getattr(event, field, None) for role, field in roles.items()}
    return Event(
        id=str(event.event_id),
        type=kind,
        period=event.period.id,
        time=event.timestamp.total_seconds(),
        team=squad.team(event.team.team_id) if event.team else None,
        player=squad.player(event.player.player_id) if event.player else None,
        others=tuple(_roles(others, squad)),
        arguments=zoned(_arguments(kind, event), location, end),
        location=location,
        end_location=end,
        related=tuple(map(str, event.related_event_ids or ())),
        linkable=kind not in SILENT,
        raw=event.raw_event if isinstance(event.raw_event, Mapping) else {},
    )


def _type(event: Any) -> str:
    """A type that kloppy calls generic keeps the feed's name."""
    if event.event_type.name in TYPES:
        return TYPES[event.event_type.name]
    name = str(event.event_name or event.event_type.name).removeprefix("generic:")
    name = name.title() if name.islower() else name
    return _GENERIC.get(name, name)


def _point(point: Any) -> Point | None:
    return (point.x, point.y) if point is not None else None


def _roles(others: Mapping[str, Any], squad: Squad) -> Iterator[Role]:
    for role, player in others.items():
        known = squad.player(player.player_id) if player is not None else None
        if known is not None:
            yield Role(role, known)


def _arguments(kind: str, event: Any) -> dict[str, str]:
    arguments = dict(_qualifiers(event))
    result = getattr(event, "result", None)
    if kind == "Shot":
        arguments.setdefault("set_piece", "Open Play")
    if getattr(event, "card_type", None) is not None:
        arguments["card"] = _card(event.card_type.name)
    if result is not None:
        outcome = _OUTCOMES.get((kind, result.name), _spell(result.name))
        if outcome is not None:
            arguments["outcome"] = outcome
    if arguments.get("kind") == "Aerial" and result is not None:
        arguments["kind"] = "Aerial Won" if result.name == "WON" else "Aerial Lost"
    return arguments


def _qualifiers(event: Any) -> Iterator[tuple[str, str]]:
    for qualifier in getattr(event, "qualifiers", None) or ():
        what, value = type(qualifier).__name__.removesuffix("Qualifier"), qualifier.value
        name: Any = getattr(value, "name", None)
        if what == "SetPiece":
            yield "set_piece", _SET_PIECES.get(name) or _spell(name)
        elif what == "BodyPart":
            yield "body_part", _spell(name)
        elif what == "Card":
            yield "card", _card(name)
        elif what == "Goalkeeper":
            yield "kind", _KEEPER.get(name) or _spell(name)
        elif what == "Duel" and name in ("AERIAL", "TACKLE", "SLIDING_TACKLE", "GROUND"):
            yield "kind", "Aerial" if name == "AERIAL" else "Tackle"
        elif name is not None:
            yield name.lower(), "yes"
        elif value is True:
            yield getattr(qualifier, "name", what).lower(), "yes"


def _card(name: str) -> str:
    return {"FIRST_YELLOW": "Yellow Card", "SECOND_YELLOW": "Second Yellow"}.get(name, "Red Card")


def _spell(name: Any) -> str:
    return str(name).replace("_", " ").title()


def _joined(events: list[Event], squad: Squad) -> Iterator[Event]:
    """The events with what their order shows: receivers, and the fouls that cards were for."""
    steps = [_step(event) for event in events if event.linkable]
    received, cards = dict(receivers(steps)), dict(fouls_of_cards(steps))
    shown = {event.id: event.arguments.get("card", "Card") for event in events}
    by_foul = {foul: card for card, foul in cards.items()}
    for event in events:
        more: dict[str, Any] = {}
        if event.id in received and not event.others:
            player = squad.player(received[event.id])
            more["others"] = (Role("recipient", player),) if player else ()
        if event.id in by_foul:
            more["arguments"] = {**event.arguments, "card": shown[by_foul[event.id]]}
        if event.id in cards:
            more |= {"type": "Card", "linkable": False, "related": (cards[event.id],)}
        yield msgspec.structs.replace(event, **more) if more else event


def _step(event: Event) -> Step:
    does = {"Foul Committed": "foul", "Bad Behaviour": "card"}.get(event.type, "")
    if event.type == "Pass" and "outcome" not in event.arguments:
        does = "pass"
    if event.arguments.get("kind") == "Aerial Lost":
        does = "miss"
    team = event.team.id if event.team else None
    player = event.player.id if event.player else None
    return Step(event.id, event.period, event.time, team, player, does)
