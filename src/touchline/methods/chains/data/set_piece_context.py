"""How play goes on after an event: with a corner, a throw-in, a free kick.

"... but it is blocked. Chelsea have a corner": the corner is no more than what the block led to,
and the corner kick itself, half a minute later, is for another comment. So the last events before a
pause know the set piece that ends it, and may bring its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from touchline.core.records import Event

# Seconds without an event after which the ball was out of play.
PAUSE = 4.0
# How many events before it led to that: an action is often two records, of both players in it.
LED = 2


def restarts(events: Sequence[Event]) -> list[str | None]:
    """For each event of a log the set piece that play goes on with, where it led to one."""
    found: list[str | None] = [None] * len(events)
    for place, (before, event) in enumerate(pairwise(events), 1):
        restart = event.arguments.get("set_piece")
        pause = before.period == event.period and event.time - before.time >= PAUSE
        if restart is None or not pause:
            continue
        for led in range(max(place - LED, 0), place):
            if events[led].period == event.period and found[led] is None:
                found[led] = str(restart)
    return found
