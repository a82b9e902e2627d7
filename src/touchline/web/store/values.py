"""What comments describe, in memory: filters on events, and the counts of facets.

A value of a facet, such as a player, has a number (`index.py`). Here are the numbers of each
comment, as they are in the database, which `Store.write` keeps up to date. numpy filters and counts
them in a fraction of the time that SQLite takes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from touchline.web.records import Facets, FacetValue, Filters

# The number of a value modulo `FACET_STEP` is the place of its facet.
FACETS = ("player", "team", "kind", "outcome", "standing", "phase")
FACET_STEP, NUMBERS = 8, "<u4"
MAX_VALUES = 40  # of a facet

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Described(NamedTuple):
    """The numbers of a comment: all of them, each once, and those of each event or phase."""

    whole: bytes = b""
    parts: tuple[bytes, ...] = ()


class Wanted(NamedTuple):
    """The numbers that one event of a comment must have, and that of its phase."""

    event: tuple[int, ...]
    phase: tuple[int, ...]


class Parts(NamedTuple):
    """The events and phases of some comments, one after the other.

    `comment` is the place of each one's comment; `numbers` are theirs, and `part` says whose.
    """

    comment: Ints
    numbers: NDArray[np.uint32]
    part: Ints

    def with_all(self, numbers: Iterable[int]) -> Bools:
        """Which of them have all these numbers."""
        fitting = np.ones(len(self.comment), np.bool_)
        for number in numbers:
            having = np.zeros(len(self.comment), np.bool_)
            having[self.part[self.numbers == number]] = True
            fitting &= having
        return fitting


class Values:
    """The numbers of all comments, by their rows in the database."""

    def __init__(self) -> None:
        self._of: dict[int, Described] = {}
        self._names: dict[int, str] = {}  # by number; one is never given to another value

    def load(self, db: sqlite3.Connection) -> None:
        """Read all comments."""
        self._put(db, "")

    def update(self, db: sqlite3.Connection, comments: Collection[int]) -> None:
        """Read some comments again, which have changed or are gone."""
        if not comments:
            return
        for comment in comments:
            if not db.execute("SELECT 1 FROM facets WHERE comment = ?", [comment]).fetchone():
                self._of.pop(comment, None)
        listed = msgspec.json.encode(list(comments)).decode()
        self._put(db, "WHERE comment IN (SELECT value FROM json_each(?1))", listed)

    def _put(self, db: sqlite3.Connection, where: str, *listed: str) -> None:
        last = next(reversed(self._names), 0)
        names = "SELECT id, value FROM facet_values WHERE id > ? ORDER BY id"
        self._names.update(map(tuple, db.execute(names, [last])))
        rows = db.execute(
            f"SELECT comment, numbers FROM described {where} "
            f"UNION ALL SELECT comment, numbers FROM phases {where} ORDER BY comment",
            listed,
        )
        parts = {
            comment: tuple(numbers for _, numbers in own)
            for comment, own in groupby(rows, key=itemgetter(0))
        }
        for comment, whole in db.execute(f"SELECT comment, numbers FROM facets {where}", listed):
            self._of[comment] = Described(whole, parts.get(comment, ()))

    # Asking --------------------------------------------------------------------------------------

    def fitting(self, comments: list[int], wanted: Wanted) -> list[int]:
        """The comments that describe such an event and are about such a phase, in their order."""
        if not any(wanted) or not comments:
            return comments
        parts = self._parts(comments)
        fitting = np.ones(len(comments), np.bool_)
        for numbers in filter(None, wanted):
            having = np.zeros(len(comments), np.bool_)
            having[parts.comment[parts.with_all(numbers)]] = True
            fitting &= having
        found: list[int] = np.array(comments)[fitting].tolist()
        return found

    def facets(self, comments: Sequence[int], wanted: Wanted) -> Facets:
        """How many of the comments that fit have each value, the most frequent values first.

        A count is how many comments would be found with that value as a further filter. So if a
        filter on events is set, only events that fit it count; else the values of whole comments.
        """
        counts = self._of_events(comments, wanted) if wanted.event else self._of_whole(comments)
        numbers = np.flatnonzero(counts)
        facets = {
            f"{facet}s": self._most_frequent(numbers[numbers % FACET_STEP == place], counts)
            for place, facet in enumerate(FACETS)
        }
        return Facets(**facets)

    def _parts(self, comments: Sequence[int]) -> Parts:
        nothing = Described()
        of_each = [self._of.get(comment, nothing).parts for comment in comments]
        parts = list(chain.from_iterable(of_each))
        numbers = np.frombuffer(b"".join(parts), NUMBERS)
        sizes = np.fromiter(map(len, parts), np.int64, len(parts)) // numbers.itemsize
        lengths = np.fromiter(map(len, of_each), np.int64, len(of_each))
        return Parts(
            comment=np.repeat(np.arange(len(of_each)), lengths),
            numbers=numbers,
            part=np.repeat(np.arange(len(parts)), sizes),
        )

    def _of_whole(self, comments: Sequence[int]) -> Ints:
        """How many of the comments have each number."""
        nothing = Described()
        whole = b"".join([self._of.get(comment, nothing).whole for comment in comments])
        return np.bincount(np.frombuffer(whole, NUMBERS))

    def _of_events(self, comments: Sequence[int], wanted: Wanted) -> Ints:
        """How many of the comments have each number in an event that fits, or in their phase."""
        parts = self._parts(comments)
        phase = parts.numbers % FACET_STEP == FACETS.index("phase")
        counted = parts.with_all(wanted.event)[parts.part] | phase
        own = parts.comment[parts.part[counted]] << 32 | parts.numbers[counted].astype(np.int64)
        return np.bincount(np.unique(own) & 0xFFFFFFFF)

    def _most_frequent(self, numbers: Ints, counts: Ints) -> list[FacetValue]:
        """The first values of a facet; equally frequent ones by the alphabet."""
        own = counts[numbers]
        if len(numbers) > MAX_VALUES:  # those that are as frequent as the last one shown
            enough = own >= np.partition(own, -MAX_VALUES)[-MAX_VALUES]
            numbers, own = numbers[enough], own[enough]
        names = [self._names[number] for number in numbers.tolist()]
        first = sorted(zip((-own).tolist(), names, strict=True))[:MAX_VALUES]
        return [FacetValue(value=name, count=-count) for count, name in first]


def wanted(db: sqlite3.Connection, asked: Filters) -> Wanted | None:
    """The numbers of the values that are asked for; None if one of them occurs nowhere."""
    event, phase = list[int](), list[int]()
    for facet in FACETS:
        value = getattr(asked, facet)
        if value is None:
            continue
        known = "SELECT id FROM facet_values WHERE facet = ? AND value = ?"
        found = db.execute(known, [facet, value]).fetchone()
        if found is None:
            return None
        (phase if facet == "phase" else event).append(found[0])
    return Wanted(tuple(event), tuple(phase))
