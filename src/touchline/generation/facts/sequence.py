"""What the order of the log shows: who set up a shot, how play goes on, after which set piece."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from touchline.core.records import Event, Match
from touchline.generation.facts.kinds import is_set, kind_of, set_piece_of

# The pass before a shot is at most so many seconds earlier.
ASSIST_WITHIN = 20.0
# Play resumes at most so many seconds after what stopped it; injuries and reviews take long.
RESTART_WITHIN = {"penalty": 420.0, "kick-off": 300.0}
RESTART = 120.0
# So many seconds after a corner or free kick, what happens still comes from it.
FROM_SET_PIECE = {"corner": 8.0, "free kick": 8.0, "throw-in": 5.0, "penalty": 6.0}
# Kinds that are no touch of the ball: they neither end a set piece nor a wait for the restart.
_NO_TOUCH = frozenset(
    ["foul", "foul won", "booking", "card record", "substitution", "player off", "player on",
     "injury", "offside", "corner award", "added time", "period end", "kick-off", "error",
     "own goal for", "other", "dribbled past", "drop ball"]
)  # fmt: skip
RESTARTS = frozenset(["corner", "free kick", "penalty", "throw-in", "goal kick", "kick-off"])


class Step(NamedTuple):
    """A touch of the ball in the order of the log."""

    event: Event
    set_piece: str | None


class Touches:
    """The touches of a match in order."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self.steps = [Step(e, _set_piece(e)) for e in match.events if _is_touch(e)]
        self._order = [match.place_of[step.event.id] for step in self.steps]

    def after(self, event: Event) -> Iterator[Step]:
        """The touches after an event, in the same period."""
        place = bisect_left(self._order, self._match.place_of[event.id] + 1)
        for step in self.steps[place:]:
            if step.event.period != event.period:
                return
            yield step

    def before(self, event: Event) -> Iterator[Step]:
        """The touches before an event, the latest first, in the same period."""
        place = bisect_left(self._order, self._match.place_of[event.id])
        for number in range(place - 1, -1, -1):
            if self.steps[number].event.period != event.period:
                return
            yield self.steps[number]

    def restart(self, event: Event) -> Step | None:
        """The set piece that play goes on with, if this event or what goes with it stopped play."""
        for step in self.after(event):
            apart = step.event.time - event.time
            if step.set_piece in RESTARTS:
                soon = apart <= RESTART_WITHIN.get(step.set_piece, RESTART)
                return step if soon else None
            if not _goes_with(event, step.event):
                return None
        return None

    def origin(self, event: Event) -> str | None:
        """The set piece of the same team from which an event comes, while its ball is in play."""
        for step in self.before(event):
            apart = event.time - step.event.time
            if apart > max(FROM_SET_PIECE.values()):
                return None
            if step.set_piece in RESTARTS:
                ours = step.event.team == event.team
                limit = FROM_SET_PIECE.get(step.set_piece, 0.0)
                return step.set_piece if ours and apart <= limit else None
        return None

    def assist(self, shot: Event) -> Event | None:
        """The pass that set up a shot, as the feed says; a guess by order is not a fact."""
        key = _key_pass(shot)
        if key is not None:
            return self._match.event_by_id.get(key)
        if is_set(shot.arguments, "assisted"):
            given = (self._match.event_by_id.get(name) for name in shot.related)
            passes = [e for e in given if e is not None and e.type == "Pass"]
            return next((e for e in passes if e.team == shot.team), None)
        return self._marked_pass(shot)

    def _marked_pass(self, shot: Event) -> Event | None:
        """Wyscout marks the pass, and the shot is the next one of that team."""
        for step in self.before(shot):
            event = step.event
            if shot.time - event.time > ASSIST_WITHIN or kind_of(event).kind == "shot":
                return None
            if event.team == shot.team and is_set(event.arguments, "goal_assist", "shot_assist"):
                return event if event.player != shot.player else None
        return None


def _is_touch(event: Event) -> bool:
    return event.linkable and kind_of(event).kind not in _NO_TOUCH


def _set_piece(event: Event) -> str | None:
    return set_piece_of(event.arguments) if event.type in ("Pass", "Shot") else None


def _goes_with(event: Event, later: Event) -> bool:
    """Whether a touch is another record of the same action: the save or block of a shot.

    After a foul nothing is: play has stopped. Opta writes a duel down once for each side.
    """
    kinds = kind_of(event).kind, kind_of(later).kind
    if later.id in event.related or event.id in later.related:
        return True
    close = later.time - event.time <= 3.0
    return close and kinds[0] in ("shot", "own goal") and kinds[1] in ("keeper", "block")


def _key_pass(shot: Event) -> str | None:
    """StatsBomb's own link from a shot to the pass before it."""
    detail = shot.raw.get("shot") if shot.type == "Shot" else None
    key = detail.get("key_pass_id") if isinstance(detail, dict) else None
    return None if key is None else str(key)


def is_official(assist: Event, shot: Event) -> bool:
    """Whether the pass was meant for the shooter, by the feeds that say so."""
    if is_set(shot.arguments, "assisted"):
        return is_set(shot.arguments, "intentional_assist")
    return assist.player != shot.player
