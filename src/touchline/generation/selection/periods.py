"""Lines about the frame of a match: kick-off, half-time, full time.

Feeds that have no records for them (Wyscout, most tables) still show them by where their periods
begin and end. A log that stops in the middle of a period, as one of a match in progress does,
has no end yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from touchline.core.records import Event
from touchline.generation.facts.chains import Chain
from touchline.generation.facts.kinds import set_piece_of
from touchline.generation.facts.match import MatchFacts
from touchline.generation.facts.score import SHOOTOUT

# A period without a record of its end is over if it lasted at least so many seconds: a log may be
# cut, and one of a match in progress has not come to the end yet.
_WHOLE = {1: 44 * 60.0, 2: 44 * 60.0, 3: 14 * 60.0, 4: 14 * 60.0}
_ENDS = {1: "break", 2: "normal time", 3: "extra break", 4: "extra time over", 5: "shootout over"}


def period_chains(facts: MatchFacts) -> Iterator[Chain]:
    """The chains of kick-offs and ends, in the order of the match; RoboCup has no periods."""
    match = facts.match
    if match.provider == "robocup":
        return
    for period in match.periods:
        events = [event for event in match.linkable if event.period == period]
        if not events:
            continue
        yield _start(facts, period, events)
        end = _end(facts, period, events)
        if end is not None:
            yield end


def _start(facts: MatchFacts, period: int, events: list[Event]) -> Chain:
    given = next((event for event in events if event.type == "Half Start"), None)
    kick = next((e for e in events if set_piece_of(e.arguments) == "kick-off"), None)
    first = events[0] if given is None else given
    team = kick.team if kick is not None and kick.time <= first.time + 60 else None
    names = facts.names
    more = {
        "kind": "start",
        "period": period,
        "team": names.team(team),
        "opponents": names.team(names.opponents(team)),
        "player": None,
    }
    return Chain(head=facts.of(first), events=(facts.of(first),), more=more)


def _end(facts: MatchFacts, period: int, events: list[Event]) -> Chain | None:
    last_period = facts.match.periods[-1]
    given = next((event for event in events if event.type == "Half End"), None)
    if given is None and facts.match.ends[period] < _WHOLE.get(period, float("inf")):
        return None
    last = events[-1] if given is None else given
    kind = _ENDS.get(period, "break")
    if period == last_period and period in (2, 4):
        kind = "end"
    more: dict[str, Any] = {"kind": kind, "period": period, "player": None, "team": None}
    score = facts.scoring.final() if period == last_period else facts.scoring.at(last)
    if score is not None and period < SHOOTOUT:
        level = score[0] == score[1]
        more |= {"score": True, "level": level or None, "margin": abs(score[0] - score[1]) or None}
        more["after"] = score
    return Chain(head=facts.of(last), events=(facts.of(last),), more=more)
