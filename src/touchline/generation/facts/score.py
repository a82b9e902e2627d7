"""The score before and after each event, and what a goal makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from touchline.core.records import Event, Match
from touchline.generation.facts.kinds import kind_of
from touchline.generation.facts.records import Score

SHOOTOUT = 5


class Goal(NamedTuple):
    """A goal: the score around it, for which team, what it means and the scorer's goals so far."""

    before: Score
    after: Score
    effect: str
    comeback: int | None
    tally: int | None


class Scoring:
    """The goals of a match by the log; a log without shots or goals knows no score."""

    def __init__(self, match: Match) -> None:
        self._sides = {team.id: side for side, team in enumerate(match.teams)}
        self.goals: dict[str, Goal] = {}
        self.known = len(match.teams) == 2 and any(map(_shows_score, match.events))
        self._states: list[tuple[tuple[int, float], Score]] = [((0, 0.0), (0, 0))]
        if self.known:
            self._count(match)

    def at(self, event: Event) -> Score | None:
        """The score when an event happens, before it counts itself."""
        if not self.known:
            return None
        if event.id in self.goals:
            return self.goals[event.id].before
        moment = event.period, event.time
        return next(score for when, score in reversed(self._states) if when <= moment)

    def final(self) -> Score | None:
        """The score after the last event."""
        return self._states[-1][1] if self.known else None

    def _count(self, match: Match) -> None:
        score: Score = (0, 0)
        behind, scored = [0, 0], Counter[str]()
        for event in match.events:
            side = self.scoring_side(event)
            if side is None or event.period >= SHOOTOUT:
                continue
            before, score = score, (score[0] + (side == 0), score[1] + (side == 1))
            tally = None
            if event.player is not None and kind_of(event).kind == "shot":
                scored[event.player.id] += 1
                tally = scored[event.player.id]
            self.goals[event.id] = Goal(
                before, score, _effect(before, side), _comeback(score, side, behind), tally
            )
            for one in (0, 1):
                lead = score[one] - score[1 - one]
                # Who has led since did not come from behind this time.
                behind[one] = 0 if lead > 0 else max(behind[one], -lead)
            self._states.append(((event.period, event.time), score))

    def scoring_side(self, event: Event) -> int | None:
        """The side that an event is a goal for; None if it is no goal."""
        kind = kind_of(event)
        if event.team is None or event.team.id not in self._sides:
            return None
        side = self._sides[event.team.id]
        if kind.kind == "shot" and kind.outcome == "goal":
            return side
        return 1 - side if kind.kind == "own goal" else None


def _shows_score(event: Event) -> bool:
    kind = kind_of(event)
    return (kind.kind == "shot" and kind.outcome is not None) or kind.kind == "own goal"


def _effect(before: Score, side: int) -> str:
    ours, theirs = before[side], before[1 - side]
    if ours == theirs:
        return "opener" if ours == 0 else "lead"
    if ours > theirs:
        return "extends"
    return "equaliser" if theirs - ours == 1 else "reduces"


def _comeback(after: Score, side: int, behind: Mapping[int, int] | list[int]) -> int | None:
    """How far a team was behind that is level now, from two goals down, or leads now."""
    ours, theirs, worst = after[side], after[1 - side], behind[side]
    turned = ours == theirs + 1 and worst >= 1
    levelled = ours == theirs and worst >= 2
    return worst if turned or levelled else None
