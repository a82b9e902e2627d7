"""Who received a pass, where the feed does not say: whoever of the team touches the ball next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

# The next touch is the receiver's when it comes at most so many seconds later.
RECEIVED = 15.0


class Touch(NamedTuple):
    """A player's part in the play; `passes` to a team-mate, or `misses` the ball altogether."""

    id: str
    period: int
    time: float
    team: str | None
    player: str | None
    passes: bool = False
    misses: bool = False


def receivers(touches: Iterable[Touch]) -> Iterator[tuple[str, str]]:
    """The id of each pass and its receiver's, where the next touch tells; in match order.

    An opponent who misses the ball in between changes nothing; one who touches it does.
    """
    waiting: Touch | None = None
    for touch in touches:
        if touch.player is None:
            continue
        ours = waiting is not None and touch.team == waiting.team
        if waiting is not None and (ours or not touch.misses):
            soon = touch.period == waiting.period and touch.time - waiting.time <= RECEIVED
            if ours and soon and touch.player != waiting.player:
                yield waiting.id, touch.player
            waiting = None
        if touch.passes:
            waiting = touch
