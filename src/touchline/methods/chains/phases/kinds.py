"""What kind of spell a run of events is, by its own shape: where it starts, how far it gets.

The pitch is 120 long and seen by the acting team, so that every feed is measured alike. A run that
fits no definition, or whose places are not known, has no kind.
"""

from __future__ import annotations

from collections.abc import Sequence

from touchline.core.pitch import LENGTH
from touchline.core.records import Event
from touchline.methods.chains.phases.possession import Spell

HALFWAY, FINAL_THIRD, BOX = LENGTH / 2, LENGTH * 2 / 3, LENGTH - 18
# A counter reaches the box so soon after the ball was won; pressure lasts at least so long.
COUNTER, PRESSURE = 15.0, 20.0
KINDS = ("counter", "pressure", "attack", "build-up", "possession")


def kind_of(spell: Spell) -> str | None:
    """The kind of a spell: the first of `KINDS` whose definition it meets.

    - counter: the ball is won in the own half and is in the other team's box within 15 s;
    - pressure: for 20 s or more, and at least half of the events are in the final third;
    - attack: the ball gets into the box;
    - build-up: from the own half into the final third;
    - possession: any other run.
    """
    if not spell.events or any(event.location is None for event in spell.events):
        return None
    starts, reached = [_x(e) for e in spell.events], [_farthest(e) for e in spell.events]
    if _is_counter(spell, starts, reached):
        return "counter"
    forward = sum(x >= FINAL_THIRD for x in starts)
    if _lasts(spell.events) >= PRESSURE and 2 * forward >= len(starts):
        return "pressure"
    if max(reached) >= BOX:
        return "attack"
    if starts[0] < HALFWAY and max(reached) >= FINAL_THIRD:
        return "build-up"
    return "possession"


def _is_counter(spell: Spell, starts: Sequence[float], reached: Sequence[float]) -> bool:
    """Whether the ball, just won from the other team, is in the penalty area soon after."""
    first = spell.events[0]
    won = spell.before is not None and spell.before.team != first.team
    soon = [x for event, x in zip(spell.events, reached, strict=True)
            if event.time <= first.time + COUNTER]  # fmt: skip
    return won and starts[0] < HALFWAY and max(soon) >= BOX


def _lasts(events: Sequence[Event]) -> float:
    return events[-1].time - events[0].time


def _x(event: Event) -> float:
    return event.location[0] if event.location else 0.0


def _farthest(event: Event) -> float:
    return max(_x(event), event.end_location[0]) if event.end_location else _x(event)
