"""What a line says beside shots: distances, places and sides of the pitch, cards, restarts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchmarks.verify.records import Log, Record
from benchmarks.verify.shots import shots_of

# A free kick or corner is taken at most so many seconds after it was given, a penalty longer.
_TAKEN, _PENALTY_TAKEN = 120.0, 420.0
# Between the thirds and in the width, in yards; places are rounded.
_THIRDS, _WIDE = (40.0, 80.0), 28.0
# A team may have the ball "back", which says nothing of places; a pass back does.
_PLACES = re.compile(r"\b(?:left|right|box|midfield|middle|area|wing|forward|upfield|edge"
                     r"|(?:pass(?:es)?|kicks|ball|it) back to)\b")  # fmt: skip


def yards(text: str, events: Sequence[Record], slack: float) -> Iterator[str]:
    """`25 yards` is the distance of the shot or foul, `a 40-yard ball` the length of a pass."""
    shots = shots_of(events)
    known = [e.distance for e in (shots[-1:] or events) if e.distance is not None]
    yield from _near(re.finditer(r"\b(\d+) yards?\b", text), known, slack)
    lengths = [event.length for event in events if event.length is not None]
    yield from _near(re.finditer(r"\b(\d+)-yard\b", text), lengths, 2 * slack)


def _near(hits: Iterator[re.Match[str]], known: Sequence[float], slack: float) -> Iterator[str]:
    for hit in hits:
        if known and not any(abs(int(hit[1]) - one) <= slack for one in known):
            yield f"says {hit[0]}, the file has {', '.join(f'{one:.1f}' for one in known)}"


def pitch(text: str, events: Sequence[Record], log: Log) -> Iterator[str]:
    """The part of the pitch: of a foul as the team sees it that gets the free kick."""
    if shots_of(events):
        return
    places = [event.attacking for event in events if event.attacking is not None]
    if not places:
        if not any(record.place for record in log.records):  # a file without a single place
            yield from (f"says {hit[0]}, the file has no places" for hit in _PLACES.finditer(text))
        return
    doubt = max(log.slack, 0.51)
    xs = [x for x, _ in places]
    held = {
        r"\bin midfield\b": any(_THIRDS[0] - doubt <= x <= _THIRDS[1] + doubt for x in xs),
        r"\bin the final third\b": any(x >= _THIRDS[1] - doubt for x in xs),
        r"\b(?:far|well away|a long way) from goal\b": any(x <= _THIRDS[0] + doubt for x in xs),
        r"\bdeep (?:in defence|on the)\b": any(x <= _THIRDS[0] + doubt for x in xs),
    }
    for words, holds in held.items():
        hit = re.search(words, text)
        if hit and not holds:
            yield f"says {hit[0]}, the file has {[round(x) for x in xs]}"
    yield from _half(text, events, log, doubt)
    hit = re.search(r"\b(?:on|from|down) the (left|right)\b(?! (?:foot|post|corner))", text)
    ys = [y for _, y in places]
    if hit and not any(y < _WIDE + doubt if hit[1] == "left" else y > 80 - _WIDE - doubt
                       for y in ys):  # fmt: skip
        yield f"says {hit[0]}, the file has {[round(y) for y in ys]} of 80"


def _half(text: str, events: Sequence[Record], log: Log, doubt: float) -> Iterator[str]:
    """Deep in the half of a team: a foul in the third that the other side attacks."""
    hit = re.search(r"\bdeep in (?:the ([^.,]+?)|their own) half\b", text)
    fouls = [(log.teams.get(event.team), event.attacking[0]) for event in events
             if event.is_foul and event.attacking is not None]  # fmt: skip
    if hit and not any(
        x >= _THIRDS[1] - doubt if hit[1] in (None, team) else x <= _THIRDS[0] + doubt
        for team, x in fouls
    ):
        yield f"says {hit[0]}, the file has {[(team, round(x)) for team, x in fouls]}"


def cards(text: str, events: Sequence[Record]) -> Iterator[str]:
    shown = {event.card for event in events if event.card}
    second = re.search(r"(?i)second yellow", text)
    red = second or re.search(r"(?i)\bred card|\bsent off", text)
    yellow = re.search(
        r"(?i)\byellow card|\bbooked\b|\bbooking\b|into the (?:referee's )?book|\bcaution", text
    )
    if second and "second yellow" not in shown:
        yield f"says {second[0]}, the file has {shown or 'no card'}"
    elif red and not shown & {"red", "second yellow"}:
        yield f"says {red[0]}, the file has {shown or 'no card'}"
    if yellow and not red and "yellow" not in shown:
        yield f"says {yellow[0]}, the file has {shown or 'no card'}"
    if shown and not (red or yellow):
        yield f"leaves out the {', '.join(sorted(shown))} card"
    if re.search(r"^No card", text) and shown:
        yield "says no card"


def penalties(text: str, events: Sequence[Record], log: Log) -> Iterator[str]:
    if all(event.period == 5 for event in events):
        return  # every kick of a shoot-out is one, and so is how it is announced
    words = r"\bpenalty\b(?! area| box)|\bspot kick\b|\b(?:from|to) the spot\b"
    said = re.search(words, text, re.IGNORECASE)
    given = [event for event in events
             if event.set_piece == "Penalty" or _gives_penalty(event, log)]  # fmt: skip
    if said and not given:
        yield f"says {said[0]}, the file has no penalty"
    if given and not said:
        yield "leaves out the penalty"


def _gives_penalty(event: Record, log: Log) -> bool:
    """By the file's own mark; where it marks none, by the penalty that the other side takes."""
    if not event.is_foul or event.penalty is not None:
        return bool(event.penalty)
    taken = _next_set_piece(log, event, _PENALTY_TAKEN)
    return taken is not None and taken.set_piece == "Penalty" and taken.team != event.team


def restarts(text: str, events: Sequence[Record], log: Log) -> Iterator[str]:
    """A corner or free kick that a line gives and does not describe is the next set piece."""
    if not events:
        return
    last = max(events, key=lambda e: (e.period, e.time))
    own = {event.set_piece for event in events} | {_delivery(event, log) for event in events}
    for words, name in (("corner", "Corner"), ("free kick", "Free Kick")):
        # "The left corner" is one of the goal.
        rest = re.sub(rf"(?:top|bottom|left|right) {words}", "", text)
        if not re.search(rf"\b{words}\b", rest, re.IGNORECASE) or name in own:
            continue
        taken = _next_set_piece(log, last, _TAKEN)
        if taken is None or taken.set_piece != name:
            yield f"says {words}, the file has {taken.set_piece if taken else 'no set piece'} next"


def _delivery(event: Record, log: Log) -> str:
    """The set piece of the same team in the seconds before, which a line may come from."""
    for other in log.records:
        ours = other.team == event.team and other.period == event.period
        if (
            ours
            and other.set_piece in ("Corner", "Free Kick")
            and 0 <= event.time - other.time <= 12
        ):
            return other.set_piece
    return ""


def _next_set_piece(log: Log, event: Record, within: float) -> Record | None:
    pieces = ("Corner", "Free Kick", "Penalty", "Throw-in", "Goal Kick", "Kick Off")
    later = (other for other in log.records if other.set_piece in pieces
             and other.period == event.period and event.time < other.time + 0.01
             and other.id != event.id)  # fmt: skip
    found = next(later, None)
    return found if found is not None and found.time - event.time <= within else None


def giving(text: str, events: Sequence[Record], log: Log) -> Iterator[str]:
    """RoboCup: the ball goes from the first player of a record to the second."""
    pair = events[0].players
    if len(pair) != 2 or events[0].kind not in ("pass", "badPass", "turnover"):
        return
    from_, to = (log.players[own][0] for own in pair)
    for words, name in (
        (r"\bfrom (\w+\d+)|pass by (\w+\d+)|(\w+\d+)['’]s pass", from_),
        (r"\bto (\w+\d+)", to),
    ):
        for hit in re.finditer(words, text):
            if (hit[1] or hit[hit.lastindex or 1]).lower() != name.lower():
                yield f"says {hit[0]}, the file has {from_} to {to}"


def deliveries(text: str, events: Sequence[Record]) -> Iterator[str]:
    """A cross, through ball or cut-back is one by the file."""
    kinds = {kind for event in events for kind in event.pass_kinds}
    for words, name in (("through ball", "through ball"), ("cut-back", "cut-back"),
                        ("cross(?:es)?", "cross")):  # fmt: skip
        hit = re.search(rf"\b{words}\b", text)
        if hit and name not in kinds:
            yield f"says {hit[0]}, the file has {sorted(kinds) or 'no such pass'}"
