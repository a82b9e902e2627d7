"""What the order of the records shows where no field does: who received a pass, whose foul a card
was for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

# The next touch is the receiver's when it comes at most so many seconds later.
RECEIVED = 15.0
# A card comes at most so many seconds after its foul; the game often runs on before it.
CARD_AFTER = 180.0


class Step(NamedTuple):
    """A player's part in the play.

    `does` is what they do, where that matters: `pass` to a team-mate, `miss` the ball altogether,
    `foul`, be shown a `card`.
    """

    id: str
    period: int
    time: float
    team: str | None
    player: str | None
    does: str = ""


def receivers(steps: Iterable[Step]) -> Iterator[tuple[str, str]]:
    """The id of each pass and its receiver's, where the next touch shows it; in match order.

    An opponent who misses the ball in between changes nothing; one who touches it does.
    """
    waiting: Step | None = None
    for step in steps:
        if step.player is None or step.does == "card":
            continue
        ours = waiting is not None and step.team == waiting.team
        if waiting is not None and (ours or step.does not in ("miss", "foul")):
            soon = step.period == waiting.period and step.time - waiting.time <= RECEIVED
            if ours and soon and step.player != waiting.player:
                yield waiting.id, step.player
            waiting = None
        if step.does == "pass":
            waiting = step


def fouls_of_cards(steps: Iterable[Step]) -> Iterator[tuple[str, str]]:
    """The id of each card and of the last foul by the same player, where it is not long ago."""
    fouls: dict[tuple[str | None, str | None], Step] = {}
    for step in steps:
        who = (step.team, step.player)
        if step.does == "foul":
            fouls[who] = step
        elif step.does == "card" and who in fouls:
            foul = fouls.pop(who)
            if foul.period == step.period and step.time - foul.time <= CARD_AFTER:
                yield step.id, foul.id
