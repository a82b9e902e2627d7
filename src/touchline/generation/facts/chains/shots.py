"""What belongs to a shot: the pass before it, the first shot of a rebound, the save or block."""

from __future__ import annotations

from typing import Any

from touchline.generation.facts.chains.neighbours import TOUCHES, Neighbours
from touchline.generation.facts.chains.records import Joined
from touchline.generation.facts.kinds import is_set
from touchline.generation.facts.records import EventFacts
from touchline.generation.facts.score import SHOOTOUT

# A rebound comes within so many seconds, a dribble that ends in a shot just before it.
REBOUND, LEAD_UP = 6.0, 5.0
# Goals this soon after the other side's are a reply to it, in seconds.
REPLY = 200.0
# From this minute on a goal is late.
LATE = 85


def shot(near: Neighbours, one: EventFacts) -> Joined:
    """The shot with its assist, or with the shot or the dribble before it, and its stop."""
    assist = near.facts.assist(one.event)
    parts = [Joined((near.facts.of(assist),))] if assist is not None else [
        _rebound(near, one), _run(near, one)]  # fmt: skip
    parts.append(_stop(near, one))
    both_head = one.body == "head" and one.assist_kind == "header"
    more: dict[str, Any] = {
        "shootout": one.event.period == SHOOTOUT or None,
        "headed_on": both_head or None,
    }
    for part in parts:
        more |= part.more
    if one.effect is not None:
        more |= _goal(near, one)
    return Joined(tuple(event for part in parts for event in part.events), more)


def own_goal(near: Neighbours, one: EventFacts) -> Joined:
    """An own goal, and what it makes of the match."""
    return Joined((), _goal(near, one))


def _rebound(near: Neighbours, one: EventFacts) -> Joined:
    first = _first_shot(near, one)
    if first is None:
        return Joined()
    again = first.event.player == one.event.player and first.player is not None
    redirect = is_set(one.event.arguments, "redirect")
    more: dict[str, Any] = {"redirect": True} if redirect else {"rebound": first.outcome}
    more |= {"first": None if again else first.player, "again": again or None}
    return Joined((first,), more)


def _first_shot(near: Neighbours, one: EventFacts) -> EventFacts | None:
    for other in near.before(one, REBOUND):
        if other.kind == "shot":
            loose = other.outcome in ("saved", "blocked", "post")
            return other if loose and other.event.team == one.event.team else None
    return None


def _run(near: Neighbours, one: EventFacts) -> Joined:
    """The dribble of the shooter just before, if nobody else touched the ball since."""
    for other in near.before(one, LEAD_UP):
        own = other.event.player == one.event.player
        if other.kind == "dribble" and own:
            won = other.outcome == "won"
            return Joined((other,), {"run": True, "beaten": other.roles.get("opponent")}) if (
                won) else Joined()  # fmt: skip
        if other.kind in TOUCHES and not own:
            break
    return Joined()


def _stop(near: Neighbours, one: EventFacts) -> Joined:
    kind = {"saved": "keeper", "blocked": "block"}.get(one.outcome or "")
    stop = near.answer(one, (kind,)) if kind else None
    return Joined() if stop is None else Joined((stop,), {"save": _save(stop)})


def _save(stop: EventFacts) -> str | None:
    """What the goalkeeper does with the ball; only hands parry it."""
    by_foot = stop.body in ("left foot", "right foot")
    return "foot" if stop.outcome == "parried" and by_foot else stop.outcome


def _goal(near: Neighbours, goal: EventFacts) -> dict[str, Any]:
    """What a goal is in the run of the match."""
    margin = abs(goal.after[0] - goal.after[1]) if goal.after is not None else 0
    return {
        "reply": _reply(near, goal),
        "margin": margin or None,
        "late": (goal.event.period == 2 and goal.minute >= LATE) or None,
        "hat_trick": goal.tally == 3 or None,
        "brace": goal.tally == 2 or None,
    }


def _reply(near: Neighbours, goal: EventFacts) -> int | None:
    """How many minutes after the other side's goal it comes, if that was not long ago."""
    last = near.goal_before(goal)
    if last is None or last.event.period != goal.event.period:
        return None
    scoring = near.facts.scoring
    if scoring.scoring_side(last.event) == scoring.scoring_side(goal.event):
        return None
    apart = goal.event.time - last.event.time
    return max(round(apart / 60), 1) if apart <= REPLY else None
