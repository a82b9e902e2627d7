"""The acts of the lexicon that an event of the log stands for, and where they are in a match."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from touchline.core.records import Event, Match

# By the type of an event; what its arguments add is in `acts_of`.
_TYPES = {
    "Shot": ("shot",),
    "Own Goal Against": ("goal", "own goal"),
    "Own Goal For": ("goal", "own goal"),
    "Foul Committed": ("foul",),
    "Foul Won": ("foul",),
    "Substitution": ("substitution",),
    "Player On": ("injury",),
    "Player Off": ("injury",),
    "Injury Stoppage": ("injury",),
    "Offside": ("offside",),
    "Pass": ("pass",),
    "Corner Awarded": ("corner",),
    "Clearance": ("clearance",),
    "Block": ("block",),
    "Interception": ("interception",),
    "Ball Recovery": ("interception",),
    "Dribble": ("dribble",),
    "Dribbled Past": ("dribble",),
    "Duel": ("tackle",),
    "Dispossessed": ("tackle",),
    "50/50": ("tackle",),
    "Goal Keeper": ("claim",),
    "Half Start": ("half",),
    "Half End": ("half",),
}
_SET_PIECES = {
    "Corner": "corner",
    "Free Kick": "free kick",
    "Throw-in": "throw-in",
    "Penalty": "penalty",
}
# What only few events are: a text that claims one of them can be held to it.
RARE = frozenset(
    ["goal", "own goal", "foul", "card", "substitution", "offside", "corner", "free kick",
     "penalty", "shot", "save", "cross"]
)  # fmt: skip


def acts_of(event: Event) -> frozenset[str]:
    """What a text may call an event."""
    arguments = event.arguments
    given = ("outcome", "kind", "set_piece", "cross", "card", "penalty")
    return _acts(event.type, tuple(arguments.get(name) for name in given))


@lru_cache(maxsize=2**12)
def _acts(type_: str, given: tuple[str | None, ...]) -> frozenset[str]:
    outcome, kind, set_piece, cross, card, penalty = given
    acts = set(_TYPES.get(type_, ()))
    if type_ == "Shot" and outcome == "Goal":
        acts.add("goal")
    if type_ == "Shot" and outcome and outcome.startswith("Saved"):
        acts.add("save")
    if type_ == "Goal Keeper" and kind and ("Save" in kind or "Saved" in kind):
        acts.add("save")
    if type_ in ("Pass", "Shot") and set_piece in _SET_PIECES:
        acts.add(_SET_PIECES[set_piece])
    if cross or set_piece == "Corner":
        acts.add("cross")
    if type_ == "Pass" and outcome == "Pass Offside":
        acts.add("offside")
    if card:
        acts.add("card")
    if penalty:
        acts.add("penalty")
    if type_ == "Pass":
        acts.discard("shot")
    return frozenset(acts)


def people_of(event: Event) -> Iterator[str]:
    """The ids of all players of an event."""
    if event.player is not None:
        yield event.player.id
    yield from (other.player.id for other in event.others)


class ActIndex:
    """Finds the events of an act, and of a player, by time."""

    def __init__(self, match: Match) -> None:
        self._by: dict[tuple[str, str, int], list[Event]] = defaultdict(list)
        for event in match.events:
            for act in acts_of(event):
                self._by["", act, event.period].append(event)
                for person in dict.fromkeys(people_of(event)):
                    self._by[person, act, event.period].append(event)
        for events in self._by.values():
            events.sort(key=lambda event: event.time)
        self._periods = match.periods

    def near(
        self, acts: Iterable[str], period: int | None, time: float, seconds: float, who: str = ""
    ) -> list[Event]:
        """Events of one of these acts within so many seconds, nearest first; `who` takes part."""
        found: dict[str, Event] = {}
        for act in acts:
            events = self._by.get((who, act, period or 0), [])
            first = bisect_left(events, time - seconds, key=lambda event: event.time)
            for event in events[first:]:
                if event.time > time + seconds:
                    break
                found[event.id] = event
        return sorted(found.values(), key=lambda event: abs(event.time - time))

    def anywhere(self, acts: Iterable[str], who: str = "") -> list[Event]:
        """Events of one of these acts in the whole match."""
        every = (
            event
            for act in acts
            for period in self._periods
            for event in self._by.get((who, act, period), [])
        )
        return list({event.id: event for event in every}.values())
