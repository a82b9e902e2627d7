"""What belongs to play with the ball: who deals with a corner, cross or pass, who is beaten."""

from __future__ import annotations

from typing import Any

from touchline.generation.facts.chains.neighbours import ANSWER, PASSES, TOUCHES, Neighbours
from touchline.generation.facts.chains.records import Joined
from touchline.generation.facts.kinds import is_set, pass_word
from touchline.generation.facts.records import EventFacts

# A corner that goes no farther than this, in yards, is a short one.
SHORT = 18
_ANSWERS = frozenset(["clearance", "keeper", "interception", "block", "aerial"])
_ENDED = {"clearance": "cleared", "interception": "cut out", "block": "blocked"}
_KEPT = {"held": "claimed", "punched": "punched"}


def delivery(near: Neighbours, kick: EventFacts) -> Joined:
    """A corner, cross or free kick and who deals with it."""
    short = kick.kind == "corner" and kick.length is not None and kick.length <= SHORT
    more: dict[str, Any] = {"short": short or None}
    offside = _offside(near, kick)
    if offside is not None or kick.outcome == "complete":
        return offside or Joined((), more | _challenge(near, kick))
    foul = near.answer(kick, ("foul",)) if kick.outcome is None else None
    if foul is not None and foul.team == kick.team and foul.card is None:
        fouled = foul.roles.get("fouled")
        return Joined((foul,), more | {"ended": "foul", "ender": foul.player, "fouled": fouled})
    answer = near.answer(kick, _ANSWERS)
    theirs = answer if answer is not None and answer.team != kick.team else None
    won = kick.restart == "corner" and kick.restart_team == kick.team
    won = won or (theirs is not None and theirs.restart == "corner")
    more["won"] = "corner" if won else None
    ended = _ended(theirs) if theirs is not None else None
    if theirs is None or ended is None:
        return Joined((), more)
    return Joined((theirs,), more | {"ended": ended, "ender": theirs.player})


def pass_(near: Neighbours, one: EventFacts) -> Joined:
    """A pass, and who cuts it out or is offside."""
    arguments = one.event.arguments
    through = "through_ball" in arguments or arguments.get("technique") == "Through Ball"
    more = {"through": through or None, "switch": "switch" in arguments or None}
    if one.outcome == "offside":
        flag = near.answer(one, ("offside",))
        return Joined((flag,) if flag is not None else (), more)
    answer = near.answer(one, ("clearance", "interception", "keeper", "block"))
    lost = one.outcome == "incomplete" and answer is not None and answer.team != one.team
    ended = _ended(answer) if answer is not None and lost else None
    if answer is not None and ended is not None and ended != "punched":
        plain = {"headed clear": "cleared"}.get(ended, ended)
        return Joined((answer,), more | {"ended": plain, "ender": answer.player})
    return _offside(near, one) or Joined((), more)


def duel(near: Neighbours, one: EventFacts) -> Joined:
    """A dribble, tackle or loss of the ball, and the opponent's record of it."""
    other = next(near.related(one), None)
    past = other is not None and other.kind == "dribbled past" and one.outcome == "lost"
    overrun = is_set(one.event.arguments, "overrun") or past
    joined = (other,) if other is not None and "opponent" in one.roles else ()
    return Joined(joined, {"overrun": overrun or None})


def keeper(near: Neighbours, one: EventFacts) -> Joined:
    """The ball that a goalkeeper takes, where the last touch was a pass that did not arrive."""
    last = next((other for other in near.before(one, ANSWER) if other.kind in TOUCHES), None)
    lost = last is not None and last.kind in PASSES and last.outcome in ("incomplete", "out")
    if last is None or not lost or last.team == one.team:
        return Joined()
    return Joined((last,), {"passer": last.player, "taken": pass_word(last.event)})


def _ended(answer: EventFacts) -> str | None:
    """What the other side does with a ball."""
    if answer.kind == "keeper":
        return _KEPT.get(answer.outcome or "") or _off_the_line(answer)
    headed = answer.kind == "clearance" and answer.body == "head"
    return "headed clear" if headed else _ENDED.get(answer.kind)


def _off_the_line(keeper: EventFacts) -> str | None:
    """A goalkeeper who leaves the line, where the log does not say what became of the ball."""
    sweeper = keeper.event.arguments.get("kind", "").lower() == "keeper sweeper"
    return "came out" if sweeper and "outcome" not in keeper.event.arguments else None


def _challenge(near: Neighbours, kick: EventFacts) -> dict[str, Any]:
    """The opponent who wins the duel in the air against the player whom a ball reaches."""
    duels = [other for other in near.after(kick, ANSWER) if other.kind == "aerial"][:2]
    reached = [one for one in duels if one.player == kick.roles.get("recipient")]
    won = [one for one in duels if one.team != kick.team and one.outcome == "won"]
    lost = reached and reached[0].outcome == "lost" and kick.restart is None
    return {"challenger": won[0].player} if lost and won else {}


def _offside(near: Neighbours, one: EventFacts) -> Joined | None:
    """A ball to somebody who is offside, where the feed has a record of its own for that."""
    flag = near.answer(one, ("offside",))
    if flag is None or flag.team != one.team or flag.player is None:
        return None
    return Joined((flag,), {"kind": "pass", "outcome": "offside", "recipient": flag.player})
