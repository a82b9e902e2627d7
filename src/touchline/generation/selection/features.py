"""What an event is like, for the question whether it gets described.

Only kinds, outcomes, places, the score and the clock; no names and no text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from touchline.generation.facts.records import EventFacts

# Neighbours that matter lie within so many seconds.
NEAR = 6.0
# How long an event lasts, in steps of the simulator, as one of these classes.
_STEPS = (0, 2, 4, 7, 11, 16, 24, 40, 80)
# Records that do not interrupt a team's passing.
_SILENT = frozenset(["kick", "stopped", "other"])
_FLAGS = ("cross", "through_ball", "switch", "cut_back", "shot_assist", "goal_assist", "long_ball",
          "aerial_won", "counterpress", "under_pressure", "recovery_failure", "offensive", "out",
          "big_chance", "one_on_one", "deflected", "flick_on", "lay_off", "nutmeg")  # fmt: skip


def features(order: Sequence[EventFacts], sides: dict[str, int]) -> list[list[str]]:
    """The features of each event of a match, in the order of the log.

    Parameters
    ----------
    order
        The facts of the linkable events.
    sides
        The place of each team in the score, by its id.
    """
    return [list(dict.fromkeys(_features(order, place, sides))) for place in range(len(order))]


def _features(order: Sequence[EventFacts], place: int, sides: dict[str, int]) -> Iterator[str]:
    one = order[place]
    what = f"{one.kind}/{one.outcome}"
    yield f"kind {one.kind}"
    yield f"what {what}"
    for name in (
        "area",
        "body",
        "set_piece",
        "card",
        "technique",
        "follows",
        "restart",
        "end_area",
    ):
        value = getattr(one, name)
        if value is not None:
            yield f"{name} {value}"
            yield f"{one.kind} {name} {value}"
    for flag in _FLAGS:
        if flag in one.event.arguments:
            yield f"{one.kind} flag {flag}"
    yield from (f"{one.kind} with {role}" for role in one.roles)
    kind = one.event.arguments.get("kind")
    if kind:
        yield f"{one.kind} named {kind}"
    mode = one.event.arguments.get("value")
    if mode:
        yield f"{one.kind} mode {mode[:-2]}"
    yield from _lengths(one)
    yield from _records_at_once(order, place, what)
    yield f"{what} passes before {_passes_before(order, place)}"
    yield from _neighbours(order, place, what)
    yield from _moment(one, sides)


def _lengths(one: EventFacts) -> Iterator[str]:
    start, end = one.event.raw.get("start"), one.event.raw.get("end")
    if isinstance(start, float) and isinstance(end, float):  # RoboCup: in steps
        yield f"{one.kind}/{one.outcome} lasts {bisect_left(_STEPS, end - start)}"
    if one.length is not None:
        yield f"{one.kind} length {min(one.length // 10, 5)}"
    if one.distance is not None and one.kind == "shot":
        yield f"shot distance {min(one.distance // 8, 4)}"


def _records_at_once(order: Sequence[EventFacts], place: int, what: str) -> Iterator[str]:
    """Other records of the same second: of two for one action, people describe one."""
    one = order[place]
    for step in (-2, -1, 1, 2):
        other = order[place + step] if 0 <= place + step < len(order) else None
        if other is not None and other.time == one.time:
            yield f"{what} at once {other.event.type}"


def _passes_before(order: Sequence[EventFacts], place: int) -> int:
    """How many passes of the team came in a row just before, 4 at most."""
    count = 0
    for number in range(place - 1, max(place - 1 - 20, -1), -1):
        other = order[number]
        if other.kind in _SILENT:
            continue
        if other.kind != "pass" or other.event.team != order[place].event.team or count == 4:
            break
        count += 1
    return count


def _neighbours(order: Sequence[EventFacts], place: int, what: str) -> Iterator[str]:
    one = order[place]
    for step in (-2, -1, 1, 2):
        if not 0 <= place + step < len(order):
            continue
        other = order[place + step]
        if other.event.period != one.event.period:
            continue
        same = "own" if other.event.team == one.event.team else "their"
        who = "self" if other.event.player == one.event.player else same
        gap = abs(other.event.time - one.event.time)
        near = "" if gap <= NEAR else " far"
        if abs(step) == 1:
            yield f"{one.kind} {step} {other.kind} {who}{near}"
            yield f"{step} {other.kind}/{other.outcome} {same}{near}"
            yield f"{one.kind} gap {step} {min(int(gap // 3), 5)}"
        else:
            yield f"{step} {other.kind} {same}{near}"
    yield from _shots_near(order, place)


def _shots_near(order: Sequence[EventFacts], place: int) -> Iterator[str]:
    """Whether a shot follows or came before, and how it ended: what leads to one is described."""
    one = order[place]
    for step, word in ((1, "before"), (-1, "after")):
        number = place + step
        while 0 <= number < len(order):
            other = order[number]
            apart = abs(other.event.time - one.event.time)
            if other.event.period != one.event.period or apart > NEAR:
                break
            if other.kind == "shot":
                same = "own" if other.event.team == one.event.team else "their"
                steps = min(abs(number - place), 4)
                yield f"{one.kind} {word} shot {same} {steps}"
                yield f"{word} shot {other.outcome} {same}"
                break
            number += step


def _moment(one: EventFacts, sides: dict[str, int]) -> Iterator[str]:
    yield f"minute {min(one.minute // 15, 6)}"
    if one.added:
        yield "added"
    side = sides.get(one.event.team.id) if one.event.team else None
    if one.before is not None and side is not None:
        ahead = one.before[side] - one.before[1 - side]
        yield f"ahead {max(min(ahead, 2), -2)}"
