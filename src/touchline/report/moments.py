"""What everybody wants to know of a match first: the score, who scored, who was sent off."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from touchline.generation.facts import EventFacts, MatchFacts, Score

SHOOTOUT = 5
_CARDS = {"yellow": "yellow card", "second yellow": "second yellow card", "red": "red card"}


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A key moment: `goal`, `own goal`, `missed penalty` or a card.

    `event` is its place in the page's list of events, `side` the team that it counts for: of an own
    goal the other one. `note` is what a scoreboard adds to a name, such as `pen.`; `score` is the
    score after a goal.
    """

    kind: str
    event: int
    side: int
    name: str
    clock: str
    note: str = ""
    score: Score | None = None


class Scoreboard(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result: goals of each team at the end, at the end of each period, and in a shoot-out."""

    score: Score
    periods: tuple[tuple[int, Score], ...] = ()
    shootout: Score | None = None


def scoreboard(facts: MatchFacts) -> Scoreboard | None:
    """The result by the log; None if the log cannot know it, as without shots."""
    final = facts.scoring.final()
    if final is None:
        return None
    goals = [facts.of(event) for event in facts.scoring.goals]
    periods = sorted({event.period for event in facts.match.events} - {SHOOTOUT})
    ends = [(period, _score_after(goals, period)) for period in periods]
    return Scoreboard(final, tuple(ends), _shootout(facts))


def _score_after(goals: list[EventFacts], period: int) -> Score:
    scores = [goal.after for goal in goals if goal.event.period <= period and goal.after]
    return scores[-1] if scores else (0, 0)


def _shootout(facts: MatchFacts) -> Score | None:
    """The goals of a shoot-out, which do not count for the score; None if there was none."""
    kicks = [event for event in facts.match.events if event.period == SHOOTOUT]
    if not any(facts.of(event).kind == "shot" for event in kicks):
        return None
    sides = [facts.scoring.scoring_side(event) for event in kicks]
    return sides.count(0), sides.count(1)


def moments(facts: MatchFacts, place: dict[str, int]) -> Iterator[Moment]:
    """The goals, cards and missed penalties that are among the page's events, in order."""
    sides = {team.id: side for side, team in enumerate(facts.match.teams)}
    for event in facts.match.events:
        side = sides.get(event.team.id) if event.team else None
        if event.id in place and side is not None and event.period != SHOOTOUT:
            yield from _moments(facts.of(event), place[event.id], side)


def _moments(one: EventFacts, place: int, side: int) -> Iterator[Moment]:
    name = one.player or one.team or ""
    penalty = one.set_piece == "penalty"
    if one.kind == "own goal" and one.effect is not None:
        yield Moment("own goal", place, 1 - side, name, one.clock, "own goal", one.after)
    elif one.effect is not None:
        yield Moment("goal", place, side, name, one.clock, "pen." if penalty else "", one.after)
    elif one.kind == "shot" and penalty:
        yield Moment("missed penalty", place, side, name, one.clock, "missed penalty")
    if one.card in _CARDS and one.kind != "foul won":
        yield Moment(_CARDS[one.card], place, side, name, one.clock)
