"""When each comment of a commentary was made: periods from clocks, clocks from neighbours.

A live page gives a minute and no period, lists the newest entry first or last, writes `45'` for
what happens at the break, leaves some entries without a clock, and sometimes lets the clock run
on into the 46th minute before it falls back. Each entry alone is ambiguous; the sequence is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from touchline.clocks import ENDS, STARTS, Clock, live_clock, parse_clock
from touchline.match import Comment, CommentId

# A fall of the clock by this much is the restart of a clock that counts each half from zero.
RESTART = 20 * 60.0
# No half lasts this long: times beyond it are on the match clock, not on the half's.
LONGEST_HALF = 65 * 60.0


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A comment as it was written, before its place in the match is known.

    `time` is exact: since the period's kick-off when `period` is given, on the match clock
    otherwise.
    """

    text: str
    id: CommentId | None = None
    period: int | None = None
    time: float | None = None
    end: float | None = None
    clock: str | None = None
    candidates: tuple[str, ...] | None = None


class Heading(msgspec.Struct, frozen=True):
    """A line of the page that says where a period starts (HT and "Second half" start 2)."""

    starts: int


def place(items: Sequence[Entry | Heading], extra_time: bool | None = None) -> tuple[Comment, ...]:
    """Comments with period and interval, in the order of the items; headings drop out.

    `extra_time` says whether the match log has it; when None, the clocks themselves decide.
    """
    clocks = [_clock(item) for item in items]
    newest_first = _newest_first(clocks)
    step = -1 if newest_first else 1
    placed = _place_in_order(items[::step], clocks[::step], extra_time)[::step]
    numbered = enumerate(comment for comment in placed if comment is not None)
    return tuple(
        msgspec.structs.replace(comment, id=number) if comment.id == _NO_ID else comment
        for number, comment in numbered
    )


_NO_ID = "\0"  # stands for an id until the comments can be counted


def _place_in_order(
    items: Sequence[Entry | Heading], clocks: Sequence[Clock | None], extra_time: bool | None
) -> list[Comment | None]:
    """The comments of items in the order of play; None for a heading."""
    clocks, restart = _unfold_restart(clocks)
    if extra_time is None:
        extra_time = any(clock is not None and clock.minute > 105 for clock in clocks)
    on_match_clock = _periods_on_match_clock(items)
    heading = added = None
    placed: list[Comment | None] = []
    for i, (item, clock) in enumerate(zip(items, clocks, strict=True)):
        if isinstance(item, Heading):
            heading = item.starts
            placed.append(None)
            continue
        period = item.period
        if period is None and clock is not None:
            said = heading or (1 if _heading_ahead(items, i) else None)
            said = said if restart is None else 1 + (i >= restart)
            period = _period(clock, said, added, extra_time)
            added = period if clock.added is not None else added
        elif period is None:
            period = heading
        placed.append(_placed(item, clock, period, period in on_match_clock))
    return _fill_gaps(placed)


def _heading_ahead(items: Sequence[Entry | Heading], i: int) -> bool:
    """Whether the second half's heading is still to come."""
    return any(isinstance(item, Heading) and item.starts == 2 for item in items[i:])


def _period(clock: Clock, said: int | None, added: int | None, extra_time: bool) -> int:
    """The period of a clock: what the page said if the minute agrees, else by the minute."""
    if clock.added is not None:
        return clock.period()
    if said is not None and STARTS[said] - 2 <= clock.minute <= ENDS.get(said, 120) + 20:
        return said
    period = clock.period()
    if period > 2 and not extra_time:
        return 2  # a page that writes 93' for 90+3'
    if period == added and clock.second is None and clock.minute == ENDS[period]:
        return period + 1 if period != 2 or extra_time else period  # `45'` after `45+2'`: the break
    return period


def minute_only(comment: Comment) -> Comment:
    """The same comment with nothing known but the live page's clock."""
    if comment.period is None or comment.start is None:
        return comment
    text = comment.clock or live_clock(comment.period, comment.start)
    clock = parse_clock(text)
    if clock is None or clock.second is not None:
        text = live_clock(comment.period, comment.start)
        clock = parse_clock(text)
        assert clock is not None
    start, end = clock.interval(comment.period)
    return msgspec.structs.replace(comment, start=start, end=end, clock=text)


def _clock(item: Entry | Heading) -> Clock | None:
    """The written clock, or the match clock behind an exact time without a period."""
    if isinstance(item, Heading):
        return None
    if item.time is not None:
        return Clock(int(item.time // 60), None, int(item.time % 60))
    return parse_clock(item.clock) if item.clock else None


def _newest_first(clocks: Sequence[Clock | None]) -> bool:
    known = [_running(clock) for clock in clocks if clock is not None]
    steps = [later - earlier for earlier, later in pairwise(known)]
    return sum(step < 0 for step in steps) > sum(step > 0 for step in steps)


def _running(clock: Clock) -> float:
    """Seconds of the running clock, for comparing entries of one half."""
    return 60.0 * (clock.minute + (clock.added or 0)) + (clock.second or 0)


def _unfold_restart(
    clocks: Sequence[Clock | None],
) -> tuple[list[Clock | None], int | None]:
    """Find the one fall of the clock at which a second half starts, if there is one.

    Either each half counts from zero (a long fall: the clock is then continued from 45), or the
    first half ran on past 45 without the `45+` notation and the second starts at 45 or 46 again.
    """
    known = [(i, clock) for i, clock in enumerate(clocks) if clock is not None]
    long_falls, short_falls = [], []
    for (_, before), (i, after) in pairwise(known):
        if _running(before) - _running(after) > RESTART:
            long_falls.append(i)
        elif after.minute in (45, 46) and before.minute > after.minute:
            short_falls.append(i)
    if len(long_falls) == 1:
        at = long_falls[0]
        later = [c and msgspec.structs.replace(c, minute=c.minute + 45) for c in clocks[at:]]
        return [*clocks[:at], *later], at
    written_out = any(clock.added is not None for _, clock in known)
    return list(clocks), short_falls[0] if len(short_falls) == 1 and not written_out else None


def _periods_on_match_clock(items: Sequence[Entry | Heading]) -> set[int]:
    """Later periods whose exact times run too far to be counted from their own kick-off."""
    return {
        item.period
        for item in items
        if isinstance(item, Entry)
        and (item.period or 0) > 1
        and item.period is not None
        and (item.time or 0) > LONGEST_HALF
    }


def _placed(entry: Entry, clock: Clock | None, period: int | None, match_clock: bool) -> Comment:
    start = end = None
    if entry.time is not None and entry.period is not None:
        start = end = entry.time - (60.0 * STARTS.get(entry.period, 0) if match_clock else 0)
    elif clock is not None and period is not None:
        start, end = clock.interval(period)
        if start < -RESTART:  # the period was given and its clock starts from zero
            start, end = (t + 60.0 * STARTS[period] for t in (start, end))
        if entry.time is not None:
            start = end = start + entry.time % 1
    if start is not None and end is not None and entry.end is not None:
        length = entry.end - entry.time if entry.time is not None else 0
        end = start + max(length, 0)
    shown = entry.clock
    if shown is None and start is not None and period is not None:
        shown = live_clock(period, start)
    return Comment(
        id=_NO_ID if entry.id is None else entry.id,
        text=entry.text,
        period=period,
        start=start,
        end=end,
        clock=shown,
        candidates=entry.candidates,
    )


def _fill_gaps(comments: Sequence[Comment | None]) -> list[Comment | None]:
    """Comments without a clock lie between their neighbours with one."""
    before = _carry(comments)
    after = _carry(comments[::-1])[::-1]
    return [
        comment if comment is None or comment.start is not None else _between(comment, *around)
        for comment, *around in zip(comments, before, after, strict=True)
    ]


def _carry(comments: Iterable[Comment | None]) -> list[Comment | None]:
    """For each comment the last one up to it that has a time."""
    last = None
    carried = []
    for comment in comments:
        last = comment if comment is not None and comment.start is not None else last
        carried.append(last)
    return carried


def _between(comment: Comment, earlier: Comment | None, later: Comment | None) -> Comment:
    neighbours = [n for n in (earlier, later) if n is not None]
    if comment.period is not None:
        neighbours = [n for n in neighbours if n.period == comment.period]
    if not neighbours:
        return comment
    period = neighbours[0].period
    same = [n for n in neighbours if n.period == period]
    start = min(n.start for n in same if n.start is not None)
    end = max(n.end for n in same if n.end is not None)
    return msgspec.structs.replace(comment, period=period, start=start, end=end)
