"""Which records of the two teams are one action: duels, shots and saves, fouls and the fouled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from touchline.io.feeds.wyscout.records import Place, Record

# Two records are one duel, or one shot and its save, when they are at most so far apart (seconds).
SAME_ACTION = 5.0
# Which kinds of duel face each other.
FACES = {
    "Ground attacking duel": "Ground defending duel",
    "Ground defending duel": "Ground attacking duel",
    "Ground loose ball duel": "Ground loose ball duel",
    "Air duel": "Air duel",
}


def facing_records(records: Sequence[Record]) -> dict[str, Record]:
    """The other team's record of the same duel, and the save of a shot; by the ids of both."""
    found: dict[str, Record] = {}
    open_records: list[Record] = []
    for record in records:
        open_records = [r for r in open_records if _at_once(r, record)]
        copies = [r for r in open_records if _is_copy(r, record)]
        # Of several duels at one place, the one nearest to the mirrored place, then the latest.
        partner = min(reversed(copies), key=lambda r: _apart(r.place, record.place), default=None)
        if partner is not None:
            found[record.id], found[partner.id] = partner, record
            open_records.remove(partner)
        elif record.name == "Duel" or record.kind.type == "Shot":
            open_records.append(record)
    return found


def _at_once(first: Record, second: Record) -> bool:
    apart = second.time - first.time
    return first.period == second.period and apart <= SAME_ACTION


def _is_copy(first: Record, second: Record) -> bool:
    if first.team == second.team:
        return False
    if first.kind.type == "Shot":
        return second.name == "Save attempt"
    faces = FACES.get(first.sub) == second.sub
    return faces and _mirrored(first.place, second.place)


def _mirrored(first: Place | None, second: Place | None) -> bool:
    """Whether two places are the same one, each seen by its own team."""
    return _apart(first, second) <= 2


def _apart(first: Place | None, second: Place | None) -> float:
    """How far two places are from being the same one, each seen by its own team."""
    if first is None or second is None:
        return 0.0
    return max(abs(a + b - 100) for a, b in zip(first, second, strict=True))


def fouled_opponents(records: Sequence[Record], facing: Mapping[str, Record]) -> dict[str, Record]:
    """The opponent in the duel that each foul ended, as their record of it."""
    duels: dict[str | None, Record] = {}
    fouled: dict[str, Record] = {}
    for record in records:
        if record.name == "Duel":
            duels[record.player] = record
        elif record.kind.type == "Foul Committed" and record.player in duels:
            duel = duels[record.player]
            if _at_once(duel, record) and duel.id in facing:
                fouled[record.id] = facing[duel.id]
    return fouled
