"""What belongs to the events of simulated matches."""

from __future__ import annotations

from touchline.core.records import Team
from touchline.generation.facts.chains.neighbours import Neighbours
from touchline.generation.facts.chains.records import Joined
from touchline.generation.facts.records import EventFacts

# The simulator counts steps of a tenth of a second: so many from the last kick to a goal, and from
# a kick-off to the kick.
SCORED, KICKED_OFF = 30.0, 100.0
# A turnover has a record of its own beside one of these.
LOSSES = frozenset(["steal", "badPass"])
_SIDES = ("l", "r")


def steal(near: Neighbours, one: EventFacts) -> Joined:
    """Whom the ball is taken from, or whose kick is blocked, is in a record beside it."""
    lost = next((other for other in near.at_once(one) if other.event.type == "turnover"), None)
    if lost is None or lost.roles.get("winner") != one.player:
        return Joined()
    return Joined((lost,), {"opponent": lost.player})


def play_mode(near: Neighbours, one: EventFacts) -> Joined:
    """A goal, kick-in or kick-off, for a team where the log shows which one is meant."""
    mode, side = _mode(one)
    team = _team_of(near, side) if side else None
    more = {"mode": mode, "team": near.facts.names.team(team)}
    last = next((other for other in near.before(one, SCORED) if other.kind == "kick"), None)
    ours = last is not None and team is not None and last.event.team == team
    if mode in ("goal", "offside") and last is not None and ours:
        return Joined((last,), more | {"player": last.player})
    return Joined((), more)


def _mode(one: EventFacts) -> tuple[str, str]:
    """`goal_l` is the mode "goal" of the side l."""
    value = one.event.arguments.get("value", "")
    mode, _, side = value.rpartition("_")
    return (mode.replace("_", " "), side) if side in _SIDES else (value.replace("_", " "), "")


def _team_of(near: Neighbours, side: str) -> Team | None:
    """The team of a side: the log does not say which it is, but who kicks off for it."""
    found = set()
    for one in near.order:
        if one.kind == "play mode" and _mode(one) == ("kick off", side):
            kicks = (other for other in near.after(one, KICKED_OFF) if other.kind == "kick")
            found |= {kick.event.team for kick in (next(kicks, None),) if kick is not None}
    return found.pop() if len(found) == 1 else None
