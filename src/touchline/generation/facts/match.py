"""The facts of every event of a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from touchline.core.clocks import clock_at
from touchline.core.pitch import Point
from touchline.core.records import Event, Match, Player, Team
from touchline.generation.facts import geometry, shots
from touchline.generation.facts.kinds import (
    Kind,
    body_of,
    card_of,
    is_set,
    kind_of,
    pass_word,
    set_piece_of,
    technique_of,
)
from touchline.generation.facts.names import Names
from touchline.generation.facts.records import EventFacts
from touchline.generation.facts.score import Scoring
from touchline.generation.facts.sequence import Touches, is_official

_PASSES = frozenset(["pass", "cross", "corner", "free kick", "throw-in", "goal kick", "kick-off"])
# Which kinds may end play, so that the next set piece belongs to them.
_STOPS = frozenset(
    ["shot", "own goal", "foul", "foul won", "offside", "clearance", "block", "keeper",
     "interception", "tackle", "booking", "miscontrol", *_PASSES]
)  # fmt: skip
_PATTERNS = {"from counter": "counter", "from corner": "corner", "from free kick": "free kick"}
_TAKE_ONS = frozenset(["take_on_left", "take_on_right", "free_space_left", "free_space_right"])
# Feeds that do not say who receives a pass: it is who touches the ball next, within seconds.
_NEXT_TOUCH = frozenset(["opta", "statsperform", "whoscored", "wyscout"])
_RECEIVED = 5.0
_FOULED = {"foul": "fouled", "foul won": "fouler"}


class MatchFacts:
    """What the log of a match knows, event by event.

    Parameters
    ----------
    match
        The match, of any feed.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.names = Names(match)
        self.scoring = Scoring(match)
        self._touches = Touches(match)
        self._known: dict[str, EventFacts] = {}

    def of(self, event: Event | str) -> EventFacts:
        """Return the facts of one event.

        Parameters
        ----------
        event
            The event, or its id.

        Returns
        -------
        EventFacts
            The facts; the same record each time.

        Raises
        ------
        KeyError
            The match has no such event.
        """
        key = event if isinstance(event, str) else event.id
        if key not in self._known:
            self._known[key] = self._facts(self.match.event_by_id[key])
        return self._known[key]

    def all(self) -> Iterator[EventFacts]:
        """The facts of every linkable event, in the order of the log."""
        return (self.of(event) for event in self.match.linkable)

    def team(self, name: str | None) -> Team | None:
        """The team that is shown under a name."""
        teams = (team for team in self.match.teams if self.names.team(team) == name)
        return next(teams, None) if name is not None else None

    def assist(self, shot: Event) -> Event | None:
        """The pass that set up a shot, where the feed says which one."""
        found = self._touches.assist(shot)
        return found if found is not None and is_official(found, shot) else None

    def restart(self, event: Event) -> Event | None:
        """The set piece with which play goes on after an event that ended play."""
        step = self._touches.restart(event)
        return step.event if step is not None else None

    # The facts, group by group -----------------------------------------------------------------

    def _facts(self, event: Event) -> EventFacts:
        kind = self._kind(event)
        clock = clock_at(event.period, event.time)
        return EventFacts(
            event=event,
            kind=kind.kind,
            outcome=kind.outcome,
            minute=clock.minute + (clock.added or 0),
            added=clock.added is not None,
            clock=str(clock),
            body=body_of(event),
            technique=technique_of(event),
            set_piece=set_piece_of(event.arguments),
            **self._who(event),
            **self._where(event, kind),
            **self._shot(event, kind),
            **self._foul(event, kind),
            **self._score(event),
            **self._around(event, kind),
        )

    def _kind(self, event: Event) -> Kind:
        """Wyscout calls every duel on the ground one; only some of them are dribbles.

        Opta calls a shot that the goalkeeper turns over or wide a miss; it has a save beside it.
        """
        kind = kind_of(event)
        if kind == Kind("shot", "off") and self._saver(event) is not None:
            return Kind("shot", "saved")
        if kind.kind == "dribble" and self.match.provider == "wyscout":
            return kind if _TAKE_ONS & event.arguments.keys() else Kind("ground duel", kind.outcome)
        return kind

    def _saver(self, shot: Event) -> Player | None:
        """The goalkeeper of a save that the log relates to a shot."""
        related = (self.match.event_by_id.get(key) for key in shot.related)
        saves = (e for e in related if e is not None and e.arguments.get("kind") == "Shot Saved")
        return next((save.player for save in saves if save.team != shot.team), None)

    def _who(self, event: Event) -> dict[str, Any]:
        people = dict(self._people(event))
        names = {role: self.names.player(player) for role, player in people.items()}
        return {
            "team": self.names.team(event.team),
            "opponents": self.names.team(self.names.opponents(event.team)),
            "player": self.names.player(event.player),
            "number": event.player.shirt if event.player else None,
            "roles": {role: name for role, name in names.items() if name},
            "people": people,
        }

    def _people(self, event: Event) -> Iterator[tuple[str, Player]]:
        for other in event.others:
            if other.role == "blocker" and other.player.team == event.team:
                yield "team_mate", other.player  # who is in the way of the shot
            elif other.role != "recipient" or self._receives(event, other.player):
                yield other.role, other.player
        if kind_of(event).kind == "shot":
            assist = self.assist(event)
            if assist is not None and assist.player is not None:
                yield "assist", assist.player
            saver = self._saver(event) if kind_of(event).outcome == "off" else None
            if saver is not None:
                yield "keeper", saver

    def _receives(self, event: Event, player: Player) -> bool:
        """Whether who has the next touch has it soon enough; some feeds know no more than that."""
        derived = self.match.provider in _NEXT_TOUCH and kind_of(event).outcome == "complete"
        if not derived:
            return True
        touches = (step.event for step in self._touches.after(event))
        after = next((one for one in touches if one.player == player), None)
        return after is not None and after.time - event.time <= _RECEIVED

    def _where(self, event: Event, kind: Kind) -> dict[str, Any]:
        place = geometry.in_yards(self.match.provider, event.location)
        if place is None:
            return {}
        end = geometry.in_yards(self.match.provider, event.end_location)
        ends = kind.kind in _PASSES and end is not None
        return {
            "distance": round(geometry.distance(place)),
            "side": geometry.side(place),
            "area": geometry.area(place),
            "tight": geometry.is_tight(place) if kind.kind == "shot" else None,
            "central": geometry.is_central(place) if kind.kind == "shot" else None,
            **(_ends(place, end) if ends and end is not None else {}),
        }

    def _shot(self, event: Event, kind: Kind) -> dict[str, Any]:
        if kind.kind != "shot":
            return {}
        assist = self.assist(event)
        return {
            "assist_kind": pass_word(assist) if assist is not None else None,
            "first_time": is_set(event.arguments, "first_time", "first_touch") or None,
            "target": shots.target_of(event, kind.outcome),
            "narrow": shots.is_narrow(event, kind.outcome),
        }

    def _foul(self, event: Event, kind: Kind) -> dict[str, Any]:
        if kind.kind not in ("foul", "foul won", "booking", "substitution", "player off"):
            return {}
        arguments = event.arguments
        given = arguments.get("kind", "").lower()
        injured = arguments.get("outcome", "").lower() == "injury"
        return {
            "card": card_of(event),
            "penalty": self._gives_penalty(event) if kind.kind in _FOULED else None,
            "handball": given == "handball" or None,
            "reason": arguments.get("reason"),
            "injury": injured or None,
        }

    def _gives_penalty(self, foul: Event) -> bool:
        """By the feed's own flag, or by the penalty that follows."""
        if is_set(foul.arguments, "penalty"):
            return True
        restart = self._touches.restart(foul)
        ours = kind_of(foul).kind == "foul won"
        return (
            restart is not None
            and restart.set_piece == "penalty"
            and (restart.event.team == foul.team) == ours
        )

    def _score(self, event: Event) -> dict[str, Any]:
        goal = self.scoring.goals.get(event.id)
        if goal is None:
            score = self.scoring.at(event)
            return {"before": score, "after": score}
        return {
            "before": goal.before,
            "after": goal.after,
            "effect": goal.effect,
            "comeback": goal.comeback,
            "tally": goal.tally,
        }

    def _around(self, event: Event, kind: Kind) -> dict[str, Any]:
        """The set piece before and the one after."""
        facts: dict[str, Any] = {"follows": self._follows(event)}
        if kind.kind in _STOPS:
            restart = self._touches.restart(event)
            if restart is not None:
                facts["restart"] = restart.set_piece
                facts["restart_team"] = self.names.team(restart.event.team)
        return facts

    def _follows(self, event: Event) -> str | None:
        if set_piece_of(event.arguments) not in (None, "open play"):
            return None
        named = _PATTERNS.get(event.arguments.get("pattern", "").lower())
        if named == "counter" or is_set(event.arguments, "counter_attack"):
            return "counter"
        origin = self._touches.origin(event)
        return origin or named


def _ends(place: Point, end: Point) -> dict[str, Any]:
    return {
        "end_side": geometry.side(end),
        "end_area": geometry.area(end),
        "length": round(geometry.apart(place, end)),
    }
