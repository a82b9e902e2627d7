"""A match that goes to penalties, made of a bundled one, and texts on its shoot-out."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from touchline import Event, Match, Player, Role

# Seconds of the periods of extra time; the second one ends in its third added minute.
EXTRA = {3: 940.0, 4: 1050.0}
SCORED = (True, True, True, False, True, True, False, True, True, True)
EVERY = 48.0  # seconds from one kick to the next


def with_extra_time(match: Match) -> Match:
    """The match with two more periods, made of the first minutes of its halves."""
    more = [
        msgspec.structs.replace(event, id=f"{period}-{event.id}", period=period, related=())
        for period, length in EXTRA.items()
        for event in match.events
        if event.period == period - 2 and event.time < length
    ]
    return msgspec.structs.replace(match, events=(*match.events, *more), comments=())


def with_shootout(match: Match) -> Match:
    """The match with extra time and a shoot-out of ten kicks, its record of each twice."""
    match = with_extra_time(match)
    kicks = [event for number in range(10) for event in _kick(match, number)]
    return msgspec.structs.replace(match, events=(*match.events, *kicks))


def takers(match: Match) -> list[Player]:
    """Who takes the ten kicks, the teams in turn."""
    sides = [[p for p in match.players if p.team == team][6:11] for team in match.teams]
    return [player for pair in zip(*sides, strict=True) for player in pair]


def lines(match: Match) -> list[str]:
    """The words on the ten kicks."""
    return [
        f"Goal! {player.label} converts the penalty, low into the bottom corner."
        if scored
        else f"Penalty saved! {player.label} fails to score, the effort is kept out."
        for player, scored in zip(takers(match), SCORED, strict=True)
    ]


def _kick(match: Match, number: int) -> Iterator[Event]:
    player, scored = takers(match)[number], SCORED[number]
    keeper = next(p for p in match.players if p.team != player.team)
    shot, save = f"kick-{number}", f"save-{number}"
    time = 40 + EVERY * number
    yield Event(
        id=shot,
        type="Shot",
        period=5,
        time=time,
        team=player.team,
        player=player,
        others=(Role("keeper", keeper),),
        arguments={"outcome": "Goal" if scored else "Saved", "set_piece": "Penalty",
                   "body_part": "Right Foot", "technique": "Normal"},
        location=(108.0, 40.0),
        end_location=(120.0, 38.0),
        related=(save,),
    )  # fmt: skip
    yield Event(
        id=save,
        type="Goal Keeper",
        period=5,
        time=time + 0.6,
        team=keeper.team,
        player=keeper,
        arguments={"kind": "Goal Conceded" if scored else "Penalty Saved"},
        location=(2.0, 40.0),
        related=(shot,),
    )
