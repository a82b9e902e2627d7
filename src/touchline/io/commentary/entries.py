"""What stands in a commentary before its place in the match is known: entries and headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import msgspec

from touchline.core.clocks import Clock, parse_clock
from touchline.core.records import CommentId


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A comment as it was written, before its place in the match is known.

    `time` is exact: since the period's kick-off when `period` is given, on the match clock
    otherwise; `end` is on the same clock. `clock` places the entry where there is no `time`;
    `shown` is what the page showed where that is not `clock`. `where` is the entry's place in
    its file, for messages.
    """

    text: str
    id: CommentId | None = None
    period: int | None = None
    time: float | None = None
    end: float | None = None
    clock: str | None = None
    shown: str | None = None
    candidates: tuple[str, ...] | None = None
    where: str | None = None


class Heading(msgspec.Struct, frozen=True):
    """A line of the page that says where a period starts (HT and "Second half" start 2).

    A title stands above its entries even where the newest of them comes first; HT stands
    between the halves in either order.
    """

    starts: int
    title: bool = False


Item = Entry | Heading
# Stands beside an entry that says that the shoot-out begins.
SHOOTOUT = Heading(5)


def ids(entries: Sequence[Entry]) -> Iterator[CommentId]:
    """The given ids; a place number, or the next free one, where there is none."""
    taken = {entry.id for entry in entries}
    free = 0
    for number, entry in enumerate(entries):
        if entry.id is not None:
            yield entry.id
            continue
        free = next(n for n in count(max(free, number)) if n not in taken)
        yield free
        free += 1


def has_clock(item: Item) -> bool:
    return isinstance(item, Entry) and (item.time is not None or item.clock is not None)


def clock_of(item: Item) -> Clock | None:
    """The written clock, or the running clock behind an exact time."""
    if isinstance(item, Heading):
        return None
    if item.time is not None:
        minute = int(item.time // 60)
        return Clock(minute, None, round(item.time % 60, 6))
    return parse_clock(item.clock) if item.clock else None
