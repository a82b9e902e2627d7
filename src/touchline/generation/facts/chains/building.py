"""Every chain of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from touchline.generation.facts.chains import play, robocup, shots, stoppages
from touchline.generation.facts.chains.neighbours import ANSWER, Neighbours
from touchline.generation.facts.chains.records import CLOSED, Chain, Joined
from touchline.generation.facts.match import MatchFacts
from touchline.generation.facts.records import EventFacts

# Kinds that a line can be about.
HEADS = frozenset(
    ["shot", "own goal", "foul", "booking", "offside", "substitution", "corner", "cross",
     "free kick", "dribble", "tackle", "interception", "clearance", "block", "dispossessed",
     "miscontrol", "keeper", "injury", "pass", "error", "player off", "added time",
     "recovery", "turnover", "steal", "defence", "kick", "play mode"]
)  # fmt: skip
# What belongs to a head, by its kind.
_JOINS: dict[str, Callable[[Neighbours, EventFacts], Joined]] = {
    "shot": shots.shot,
    "own goal": shots.own_goal,
    "foul": stoppages.foul,
    "booking": stoppages.booking,
    "substitution": stoppages.substitution,
    "corner": play.delivery,
    "cross": play.delivery,
    "free kick": play.delivery,
    "pass": play.pass_,
    "dribble": play.duel,
    "tackle": play.duel,
    "dispossessed": play.duel,
    "keeper": play.keeper,
    "steal": robocup.steal,
    "block": robocup.steal,
    "play mode": robocup.play_mode,
}
# A dribble is worth a line if the player keeps the ball for so many seconds after it.
KEPT = 2.0
_LOSSES = frozenset(["dispossessed", "miscontrol"])
# Who deals with one of these is named in its line, which says more than one about the clearance.
_DELIVERIES = frozenset(["corner", "cross", "free kick"])
_DEALS = frozenset(["clearance", "interception", "block", "keeper"])
_NOTABLE = frozenset(["through_ball", "switch", "smart", "cut_back"])
_BOX = ("box", "six-yard box")


def build_chains(facts: MatchFacts) -> list[Chain]:
    """Every chain that a line could be about, in the order of the log."""
    near = Neighbours(facts)
    set_up = set(_passes_before_shots(near))
    heads = (one for one in near.order if one.kind in HEADS and one.id not in set_up)
    chains = [_chain(near, one) for one in heads if _is_head(near, one)]
    answers = {key for chain in chains if chain.head.kind in _DELIVERIES for key in chain.ids}
    return [chain for chain in chains if chain.head.kind not in _DEALS or
            chain.head.id not in answers]  # fmt: skip


def _passes_before_shots(near: Neighbours) -> Iterator[str]:
    """Passes that set up a shot at once: the line is about the shot, and names the pass."""
    for one in near.order:
        assist = near.facts.assist(one.event) if one.kind == "shot" else None
        if assist is not None and one.event.time - assist.time <= CLOSED:
            yield assist.id


def _is_head(near: Neighbours, one: EventFacts) -> bool:
    if one.kind == "pass":
        return one.outcome == "offside" or _is_notable(near, one)
    if one.kind == "dribble":
        return not _lost_at_once(near, one)
    if one.kind == "keeper":
        # A goalkeeper who picks up a loose ball, or a team-mate's pass, is not worth a line.
        taken = one.outcome == "punched" or play.keeper(near, one).events
        return one.outcome in ("held", "punched") and "shooter" not in one.roles and bool(taken)
    if one.kind == "offside":
        return not any(before.outcome == "offside" for before in near.before(one, ANSWER))
    if one.kind == "turnover":
        return not any(other.event.type in robocup.LOSSES for other in near.at_once(one))
    return True


def _lost_at_once(near: Neighbours, dribble: EventFacts) -> bool:
    """Whether a player who got past an opponent loses the ball right after it."""
    losses = (other for other in near.after(dribble, KEPT) if other.kind in _LOSSES)
    return dribble.outcome == "won" and any(
        loss.event.player == dribble.event.player for loss in losses
    )


def _is_notable(near: Neighbours, one: EventFacts) -> bool:
    """A pass that is worth a line by itself: a through ball, or one into the box."""
    simulated = near.facts.match.provider == "robocup"
    return simulated or one.end_area in _BOX or bool(_NOTABLE & one.event.arguments.keys())


def _chain(near: Neighbours, head: EventFacts) -> Chain:
    join = _JOINS.get(head.kind)
    joined = join(near, head) if join is not None else Joined()
    ids = {one.id: one for one in (head, *joined.events)}
    events = sorted(ids.values(), key=lambda one: near.place.get(one.id, -1))
    more = {name: value for name, value in joined.more.items() if value is not None}
    return Chain(head=head, events=tuple(events), more=more)
