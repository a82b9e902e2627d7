"""What stands in a commentary before its place in the match is known: entries and headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import count

import msgspec

from touchline.core.clocks import Clock, parse_clock
from touchline.core.records import Comment, CommentId


class Repair(Enum):
    """What was wrong with the time of a line of speech recognition."""

    BACKWARDS = "end before they start; they are taken to end with their last word"
    UNTIMED = "have no time; they are placed after the line before them"
    OVERLONG = "last longer than their words can; their ends are cut"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A comment as it was written, before its place in the match is known.

    `time` is exact: since the period's kick-off when `period` is given, on the match clock
    otherwise; `end` is on the same clock. `clock` places the entry where there is no `time`;
    `shown` is what the page showed where that is not `clock`. `spoken` are words and their seconds
    as in `Comment`, on the clock of `time`; `anywhere`, `repeated` and `candidates` are as there;
    without any candidate it was made outside play. `where` is the entry's place in its file, for
    messages; `repair` what had to be put right about its time.
    """

    text: str
    id: CommentId | None = None
    period: int | None = None
    time: float | None = None
    end: float | None = None
    clock: str | None = None
    shown: str | None = None
    candidates: tuple[str, ...] | None = None
    spoken: tuple[tuple[int, float], ...] = ()
    anywhere: bool = False
    repeated: bool = False
    where: str | None = None
    repair: Repair | None = None


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


def on_recording(entry: Entry, id: CommentId) -> Comment:
    """The entry as a comment on the clock of its recording."""
    start = entry.time or 0.0
    end = start if entry.end is None else max(entry.end, start)
    return Comment(
        id=id, text=entry.text, period=entry.period, start=start, end=end,
        spoken=entry.spoken, anywhere=entry.anywhere, repeated=entry.repeated,
    )  # fmt: skip


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
