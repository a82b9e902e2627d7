"""Chains: the events that one line describes together, from the pass that opens to the save.

Each chain has a head, the event that the line is about. What surrounds the head is joined only
where the log itself ties it to the head: its assist, its save or block, the rebound, the player who
clears a corner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import msgspec

from touchline.generation.facts import geometry
from touchline.generation.facts.kinds import is_set
from touchline.generation.facts.match import MatchFacts
from touchline.generation.facts.records import EventFacts
from touchline.generation.facts.score import SHOOTOUT

# A chain is closed when so many seconds passed since its last event.
CLOSED = 6.0
# The other side's answer to a delivery, and a rebound, come within so many seconds.
ANSWER, REBOUND = 4.0, 6.0
# A dribble or a run that ends in a shot or a cross, seconds before it.
LEAD_UP = 5.0
# Goals this soon after the other side's are a reply to it, in seconds.
REPLY = 200.0
# Changes of one team within so many seconds are one stop.
SAME_STOP = 45.0

DELIVERIES = frozenset(["corner", "cross", "free kick"])
_ANSWERS = frozenset(["clearance", "keeper", "interception", "block", "aerial"])
# Kinds that a line can be about.
HEADS = frozenset(
    ["shot", "own goal", "foul", "booking", "offside", "substitution", "corner", "cross",
     "free kick", "dribble", "tackle", "interception", "clearance", "block", "dispossessed",
     "miscontrol", "keeper", "injury", "pass", "error", "player off", "added time",
     "recovery", "turnover", "steal", "defence", "kick", "play mode"]
)  # fmt: skip


class Chain(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Events that one line may describe, in the order of the log, and what they are together.

    `more` holds facts of the chain that no single event has; `None` values are left out of it.
    """

    head: EventFacts
    events: tuple[EventFacts, ...]
    more: dict[str, Any] = {}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its events."""
        return tuple(one.id for one in self.events)

    @property
    def start(self) -> tuple[int, float]:
        """Period and second of its first event."""
        return self.events[0].time

    @cached_property
    def known(self) -> dict[str, Any]:
        """Every fact about the chain by its name; those of the head, and those of the whole."""
        found = {
            name: value
            for name in self.head.__struct_fields__
            if (value := getattr(self.head, name)) is not None and name not in _RECORDS
        }
        return {**found, **self.head.roles, **self.more}


_RECORDS = frozenset(["event", "roles", "people"])


def build_chains(facts: MatchFacts) -> list[Chain]:
    """Every chain that a line could be about, in the order of the log."""
    return list(_Builder(facts).chains())


class _Builder:
    """Joins the events of a match to chains."""

    def __init__(self, facts: MatchFacts) -> None:
        self.facts = facts
        self.order = list(facts.all())
        self.place = {one.id: number for number, one in enumerate(self.order)}
        self._goals = [one for one in self.order if one.effect is not None]
        self._set_up = set(self._passes_before_shots())
        self._booked: dict[str, int] = {}
        self._subs: dict[str, int] = {}

    def chains(self) -> Iterator[Chain]:
        for one in self.order:
            if one.kind in HEADS and self._is_head(one):
                yield self._chain(one)

    def _passes_before_shots(self) -> Iterator[str]:
        """Passes that set up a shot at once: the line is about the shot, and names the pass."""
        for one in self.order:
            assist = self.facts.assist(one.event) if one.kind == "shot" else None
            if assist is not None and one.event.time - assist.time <= CLOSED:
                yield assist.id

    def _is_head(self, one: EventFacts) -> bool:
        if one.id in self._set_up:
            return False
        if one.kind == "pass":
            return one.outcome == "offside" or one.event.type == "badPass" or self._is_notable(one)
        if one.kind == "keeper":
            return one.outcome in ("held", "punched") and "shooter" not in one.roles
        if one.kind == "offside":
            return not any(b.outcome == "offside" for b in self._before(one, ANSWER))
        return True

    def _is_notable(self, one: EventFacts) -> bool:
        """A pass that is worth a line by itself: a through ball, or one into the box."""
        arguments = one.event.arguments
        named = {"through_ball", "switch", "smart", "cut_back"} & arguments.keys()
        robocup = self.facts.match.provider == "robocup"
        return bool(named) or one.end_area in ("box", "six-yard box") or robocup

    def _chain(self, head: EventFacts) -> Chain:
        joined, more = [head], dict[str, Any]()
        method = _JOINS.get(head.kind)
        if method is not None:
            found, more = getattr(self, method)(head)
            joined += found
        more = {name: value for name, value in more.items() if value is not None}
        ids = {one.id: one for one in joined}
        events = sorted(ids.values(), key=lambda one: self.place.get(one.id, -1))
        return Chain(head=head, events=tuple(events), more=more)

    # What belongs to each kind of head -----------------------------------------------------------

    def _shot(self, shot: EventFacts) -> tuple[list[EventFacts], dict[str, Any]]:
        joined: list[EventFacts] = []
        assist = self.facts.assist(shot.event)
        if assist is not None:
            joined.append(self.facts.of(assist))
        more: dict[str, Any] = {}
        more["shootout"] = shot.event.period == SHOOTOUT or None
        first = self._rebound_of(shot) if assist is None else None
        if first is not None:
            joined.append(first)
            again = first.event.player == shot.event.player and first.player is not None
            redirect = is_set(shot.event.arguments, "redirect")
            more |= {"redirect": True} if redirect else {"rebound": first.outcome}
            more["first"] = None if again else first.player
            more["again"] = again or None
        run = self._run_before(shot)
        if run is not None and assist is None:
            joined.append(run)
            more |= {"run": True, "beaten": run.roles.get("opponent")}
        stop = self._stopped_by(shot)
        if stop is not None:
            joined.append(stop)
            more["save"] = stop.outcome
        if shot.effect is not None:
            more |= self._goal(shot)
        return joined, more

    def _stopped_by(self, shot: EventFacts) -> EventFacts | None:
        kind = {"saved": "keeper", "blocked": "block"}.get(shot.outcome or "")
        return self._answered(shot, (kind,)) if kind else None

    def _goal(self, goal: EventFacts) -> dict[str, Any]:
        """What a goal is in the run of the match."""
        earlier = [one for one in self._goals if one.time < goal.time]
        last = earlier[-1] if earlier else None
        more: dict[str, Any] = {}
        conceded = last is not None and self._for(last) != self._for(goal)
        if last is not None and conceded and last.event.period == goal.event.period:
            apart = goal.event.time - last.event.time
            more["reply"] = max(round(apart / 60), 1) if apart <= REPLY else None
        if goal.after is not None:
            margin = abs(goal.after[0] - goal.after[1])
            more["margin"] = margin or None
        late = goal.event.period == 2 and goal.minute >= 85
        more["late"] = late or None
        more["hat_trick"] = True if goal.tally == 3 else None
        more["brace"] = True if goal.tally == 2 else None
        return more

    def _for(self, goal: EventFacts) -> int | None:
        return self.facts.scoring.scoring_side(goal.event)

    def _own_goal(self, goal: EventFacts) -> tuple[list[EventFacts], dict[str, Any]]:
        return [], self._goal(goal)

    def _foul(self, foul: EventFacts) -> tuple[list[EventFacts], dict[str, Any]]:
        won = next((one for one in self._related(foul) if one.kind == "foul won"), None)
        more = self._spot(foul)
        more |= self._carded(foul)
        more["advantage"] = is_set(foul.event.arguments, "advantage") or None
        more["dive"] = foul.event.arguments.get("kind", "").lower() == "dive" or None
        return ([won] if won is not None else []), more

    def _booking(self, booking: EventFacts) -> tuple[list[EventFacts], dict[str, Any]]:
        return [], self._carded(booking)

    def _carded(self, one: EventFacts) -> dict[str, Any]:
        if one.card is None or one.event.player is None:
            return {}
        key = one.event.player.id
        self._booked[key] = self._booked.get(key, 0) + 1
        men = one.card in ("red", "second yellow")
        return {"sent_off": men or None}

    def _spot(self, foul: EventFacts) -> dict[str, Any]:
        """Where the free kick is, seen by the team that gets it."""
        place = geometry.in_yards(self.facts.match.provider, foul.event.location)
        if place is None:
            return {}
        spot = geometry.mirrored(place)
        return {
            "spot_area": geometry.area(spot),
            "spot_side": geometry.side(spot),
            "spot_distance": round(geometry.distance(spot)),
        }

    def _delivery(self, kick: EventFacts) -> tuple[list[EventFacts], dict[str, Any]]:
        """A corner, cross or free kick and who deals with it."""
        more: dict[str, Any] = {}
        if kick.length is not None and kick.kind == "corner" and kick.length <= 18:
            more["short"] = True
        if kick.outcome == "complete":
            return [], more
        foul = self._answered(kick, ("foul",)) if kick.outcome is None else None
        if foul is not None and foul.team == kick.team and foul.card is None:
            return [foul], more | {"ended": "foul", "ender": foul.player}
        answer = self._answered(kick, tuple(_ANSWERS))
        if answer is None or answer.team == kick.team:
            return [], more
        how = {"clearance": "cleared", "interception": "cut out", "block": "blocked"}
        ended = how.get(answer.kind)
        if answer.kind == "keeper":
            ended = {"held": "claimed", "punched": "punched"}.get(answer.outcome or "")
        if answer.kind == "clearance" and answer.body == "head":
            ended = "headed clear"
        if ended is None:
            return [], more
        more |= {"ended": ended, "ender": answer.player, "cleared_out": answer.restart}
        return [answer], more

    def _duel(self, one: EventFacts) -> tuple[list[EventFacts], dict[str, Any]]:
        other = next(iter(self._related(one)), None)
        joined = [other] if other is not None and "opponent" in one.roles else []
        return joined, {}

    def _pass(self, one: EventFacts) -> tuple[list[EventFacts], dict[str, Any]]:
        more: dict[str, Any] = {}
        arguments = one.event.arguments
        if "through_ball" in arguments or arguments.get("technique") == "Through Ball":
            more["through"] = True
        if "switch" in arguments:
            more["switch"] = True
        if one.outcome != "offside":
            answer = self._answered(one, ("clearance", "interception", "keeper"))
            if answer is not None and answer.team != one.team and one.outcome == "incomplete":
                more["ender"] = answer.player
                more["ended"] = {"clearance": "cleared", "interception": "cut out"}.get(
                    answer.kind, "claimed" if answer.outcome == "held" else None
                )
                if more["ended"]:
                    return [answer], more
                more = {name: more[name] for name in more if name not in ("ender", "ended")}
            return [], more
        flag = self._answered(one, ("offside",))
        return ([flag] if flag is not None else []), more

    def _substitution(self, one: EventFacts) -> tuple[list[EventFacts], dict[str, Any]]:
        key = one.team or ""
        self._subs[key] = self._subs.get(key, 0) + 1
        more: dict[str, Any] = {"change": self._subs[key]}
        if one.event.period == 2 and one.event.time < 30:
            more["at_break"] = True
        return [], more

    def _play_mode(self, one: EventFacts) -> tuple[list[EventFacts], dict[str, Any]]:
        """RoboCup's modes, without the side: the log does not say which team plays from left."""
        value = one.event.arguments.get("value", "")
        return [], {"mode": value.removesuffix("_l").removesuffix("_r").replace("_", " ")}

    # Neighbours in the log -------------------------------------------------------------------

    def _before(self, one: EventFacts, within: float) -> Iterator[EventFacts]:
        place = self.place[one.id]
        for number in range(place - 1, -1, -1):
            other = self.order[number]
            if other.event.period != one.event.period:
                return
            if one.event.time - other.event.time > within:
                return
            yield other

    def _after(self, one: EventFacts, within: float) -> Iterator[EventFacts]:
        for other in self.order[self.place[one.id] + 1 :]:
            if other.event.period != one.event.period:
                return
            if other.event.time - one.event.time > within:
                return
            yield other

    def _related(self, one: EventFacts) -> Iterator[EventFacts]:
        for key in one.event.related:
            if key in self.place:
                yield self.order[self.place[key]]

    def _answered(self, one: EventFacts, kinds: Sequence[str]) -> EventFacts | None:
        """The record of how an event ended: one that the log relates to it, else the next one."""
        for other in self._related(one):
            if other.kind in kinds and other.time >= one.time:
                return other
        for other in self._after(one, ANSWER):
            if other.kind in kinds and (other.kind != "aerial"):
                return other
            if other.kind in _TOUCHES:
                return None
        return None

    def _rebound_of(self, shot: EventFacts) -> EventFacts | None:
        for other in self._before(shot, REBOUND):
            if other.kind == "shot":
                loose = other.outcome in ("saved", "blocked", "post")
                return other if loose and other.event.team == shot.event.team else None
        return None

    def _run_before(self, shot: EventFacts) -> EventFacts | None:
        """The dribble of the shooter just before, if nobody else touched the ball since."""
        for other in self._before(shot, LEAD_UP):
            if other.kind == "dribble" and other.event.player == shot.event.player:
                return other if other.outcome == "won" else None
            if other.kind in _TOUCHES and other.event.player != shot.event.player:
                return None
        return None


_TOUCHES = frozenset(
    ["pass", "cross", "shot", "corner", "free kick", "throw-in", "goal kick", "clearance",
     "interception", "dribble", "recovery", "miscontrol", "dispossessed", "kick-off"]
)  # fmt: skip
_JOINS = {
    "shot": "_shot", "own goal": "_own_goal", "foul": "_foul", "booking": "_booking",
    "corner": "_delivery", "cross": "_delivery", "free kick": "_delivery", "dribble": "_duel",
    "play mode": "_play_mode", "tackle": "_duel", "dispossessed": "_duel", "pass": "_pass",
    "substitution": "_substitution",
}  # fmt: skip


def is_closed(chain: Chain, now: tuple[int, float], restart_known: float = 4.0) -> bool:
    """Whether nothing that arrives later can still belong to a chain: its 6 s and the restart's 4.

    `now` is the period and second of the newest event in the log.
    """
    period, time = chain.events[-1].time
    return now[0] > period or now[1] >= time + CLOSED + restart_known
