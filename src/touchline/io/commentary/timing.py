"""When each comment of a commentary was made: periods from clocks, clocks from neighbours.

A live page gives a minute and no period, lists the newest entry first or last, writes `45'` for
what happens at the break, leaves some entries without a clock, and sometimes lets the clock run
on into the 46th minute before it falls back. Each entry alone is ambiguous; the sequence is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

import msgspec

from touchline.core.clocks import ENDS, MAX_HALF, STARTS, Clock, clock_at, parse_clock
from touchline.core.records import Comment
from touchline.io.commentary.entries import Entry, Heading, Item, clock_of, ids
from touchline.io.commentary.ordering import order_of_play

# A fall of the clock by this much is the restart of a clock that counts each half from zero;
# the halves of extra time are shorter.
RESTART = 20 * 60.0
RESTART_IN_EXTRA_TIME = 6 * 60.0
# A smaller fall of an exact clock is two comments in the wrong order, no new half.
DISORDER = 30.0
# A page may be this many minutes ahead of a kick-off, or run on this long after a half.
EARLY, LATE = 2, 20


def place(
    items: Sequence[Item],
    extra_time: bool | None = None,
    files: Sequence[int] = (),
    ends: Mapping[int, float] | None = None,
) -> tuple[Comment, ...]:
    """Comments with period and interval, in the order of the items; headings drop out.

    `extra_time` says whether the match has it; when None, the clocks themselves decide. `files`
    says how many of the items each file has, where they come from several. `ends` are the
    seconds at which the log's periods end, where there is a log; it knows of extra time as well.
    Entries without an id are numbered from 0 by their place in the commentary.
    """
    order = order_of_play(items, files)
    if ends is not None:
        extra_time = 3 in ends
    placed = _place_in_order([items[i] for i in order], extra_time, ends)
    by_item = sorted(zip(order, placed, strict=True), key=lambda pair: pair[0])
    entries = [item for item in items if isinstance(item, Entry)]
    comments = (comment for _, comment in by_item if comment is not None)
    return tuple(
        msgspec.structs.replace(comment, id=id)
        for comment, id in zip(comments, ids(entries), strict=True)
    )


def minute_only(comment: Comment) -> Comment:
    """The same comment with nothing known but the live page's clock."""
    shown = _in_its_minute(comment)
    return msgspec.structs.replace(shown, spoken=(), anywhere=shown.start != shown.end)


def _in_its_minute(comment: Comment) -> Comment:
    period, start, end = comment.period, comment.start, comment.end
    if period is None or start is None or end is None:
        return comment
    shown = parse_clock(comment.clock) if comment.clock else None
    if shown is not None and shown.second is None and end - start <= 60:
        # Where each half counts from zero, the clock alone does not say which half it means.
        readings = [c.interval(period) for c in (shown, shown.later(STARTS.get(period, 0)))]
        nearest = min((abs(first - start), first, last) for first, last in readings)
        return msgspec.structs.replace(comment, start=nearest[1], end=nearest[2])
    first, last = start // 60, end // 60
    if first != last and (comment.clock is None or end - start > 60):  # known to no minute
        return msgspec.structs.replace(comment, start=60.0 * first, end=60.0 * (last + 1))
    clock = clock_at(period, start)
    start, end = clock.interval(period)
    return msgspec.structs.replace(comment, start=start, end=end, clock=str(clock))


# Periods ----------------------------------------------------------------------------------------


def _place_in_order(
    items: Sequence[Item], extra_time: bool | None, ends: Mapping[int, float] | None
) -> list[Comment | None]:
    """The comments of items in the order of play; None for a heading."""
    clocks = _continue_given_periods(items, [clock_of(item) for item in items])
    clocks, marks = _unfold_restarts(items, clocks)
    marks = marks or _run_on(items, clocks)
    marks |= _believed_headings(items, clocks, ends)
    if extra_time is None:
        extra_time = any(clock is not None and _needs_extra_time(clock) for clock in clocks)
        extra_time = extra_time or 3 in marks.values() or 4 in marks.values()
    if not extra_time:
        marks = {i: period for i, period in marks.items() if period not in (3, 4)}
    said = list(_said(len(items), marks))
    periods = _periods(items, clocks, said, extra_time)
    if ends is not None and 5 in ends:
        periods = _beyond_the_end(items, clocks, periods, ends)
    on_match_clock = _periods_on_match_clock(items)
    placed = [
        _placed(item, clock, period, period in on_match_clock) if isinstance(item, Entry) else None
        for item, clock, period in zip(items, clocks, periods, strict=True)
    ]
    filled = _fill_gaps(placed, [first for first, _ in said])
    return filled if ends is None else _spread_over_shootout(items, filled, ends.get(5))


def _needs_extra_time(clock: Clock) -> bool:
    return clock.minute > ENDS[3] or (clock.minute == ENDS[3] and clock.added is not None)


def _continue_given_periods(
    items: Sequence[Item], clocks: Sequence[Clock | None]
) -> list[Clock | None]:
    """Where the period is given and its clock starts from zero, count on from its nominal start.

    One clock alone may be a little early (44' in the second half), so the half's middle clock
    decides for all of them.
    """
    minutes: dict[int, list[float]] = {}
    for item, clock in zip(items, clocks, strict=True):
        if clock is not None and isinstance(item, Entry) and item.period and item.time is None:
            minutes.setdefault(item.period, []).append(clock.running() / 60)
    from_zero = {p for p, known in minutes.items() if _middle(known) < STARTS[p] - 5}
    return [
        clock.later(STARTS[item.period])
        if clock and isinstance(item, Entry) and item.period in from_zero and item.time is None
        else clock
        for item, clock in zip(items, clocks, strict=True)
    ]


def _middle(values: Sequence[float]) -> float:
    """The median, the lower one of two; `statistics` takes 5 ms to load."""
    return sorted(values)[(len(values) - 1) // 2]


def _clocks_without_period(
    items: Sequence[Item], clocks: Sequence[Clock | None]
) -> list[tuple[int, Clock]]:
    return [
        (i, clock)
        for i, (item, clock) in enumerate(zip(items, clocks, strict=True))
        if clock is not None and isinstance(item, Entry) and item.period is None
    ]


def _unfold_restarts(
    items: Sequence[Item], clocks: Sequence[Clock | None]
) -> tuple[list[Clock | None], dict[int, int]]:
    """Continue a clock that starts from zero in each half; also where the later periods start."""
    known = _clocks_without_period(items, clocks)
    said = list(
        accumulate((item.starts if isinstance(item, Heading) else 0 for item in items), max)
    )
    halves: list[list[tuple[int, Clock]]] = [known[:1]]
    for (last, before), (i, after) in pairwise(known):
        enough = RESTART if len(halves) < 3 else RESTART_IN_EXTRA_TIME
        if said[last] < said[i] == len(halves) + 1:
            enough = 0  # a heading between the two says the same
        if before.running() - after.running() > enough and after.minute < ENDS[1] - EARLY:
            halves.append([])
        halves[-1].append((i, after))
    unfolded = list(clocks)
    # A single 90' pinned above the first minute falls as well, but is no half.
    longest = max((clock.running() for _, clock in known), default=0)
    if not 2 <= len(halves) <= 4 or longest > MAX_HALF:
        return unfolded, {}
    for period, half in enumerate(halves, 1):
        for i, clock in half:
            unfolded[i] = clock.later(STARTS[period])
    return unfolded, {half[0][0]: period for period, half in enumerate(halves, 1) if period > 1}


def _run_on(items: Sequence[Item], clocks: Sequence[Clock | None]) -> dict[int, int]:
    """Where a clock that ran on past 45 without the `45+` notation falls back to 45 or 46."""
    known = _clocks_without_period(items, clocks)
    if any(clock.added is not None for _, clock in known):
        return {}
    falls: dict[int, list[int]] = {2: [], 3: [], 4: []}
    for (_, before), (i, after) in pairwise(known):
        for period, places in falls.items():
            back_at_start = after.minute in (STARTS[period], STARTS[period] + 1)
            if back_at_start and before.running() - after.running() > DISORDER:
                places.append(i)
    return {places[0]: period for period, places in falls.items() if len(places) == 1}


def _believed_headings(
    items: Sequence[Item], clocks: Sequence[Clock | None], ends: Mapping[int, float] | None
) -> dict[int, int]:
    """Where the headings say that a period starts, but for those that the clocks belie.

    A page has menus, summaries and words like PEN that start no period.
    """
    # Cup ties may go from the second half to penalties; only the log says so.
    starts = {**STARTS, 5: STARTS[5] if ends is None else ENDS[_last_played(ends)]}
    after: dict[int, Clock | None] = {}
    upcoming = None
    for i in range(len(items) - 1, -1, -1):
        after[i] = upcoming = clocks[i] or upcoming
    marks = {}
    before = None
    for i, (item, clock) in enumerate(zip(items, clocks, strict=True)):
        before = clock or before
        if not isinstance(item, Heading):
            continue
        coming = after[i]
        too_late = coming is not None and coming.minute < starts[item.starts] - EARLY
        too_early = item.starts > 2 and (
            before is None or before.minute < STARTS[min(item.starts, 4) - 1]
        )
        unknown = item.starts == 5 and ends is not None and 5 not in ends
        if not (too_late or too_early or unknown):
            marks[i] = item.starts
    return marks


def _said(length: int, marks: dict[int, int]) -> Iterator[tuple[int, int]]:
    """First and last period that each item can lie in, by the marks before and after it."""
    ahead = [len(STARTS)] * length
    coming = len(STARTS)
    for i in range(length - 1, -1, -1):
        ahead[i] = coming
        coming = marks[i] - 1 if i in marks else coming
    first = 1
    for i in range(length):
        first = marks.get(i, first)
        yield first, max(first, ahead[i])


def _periods(
    items: Sequence[Item],
    clocks: Sequence[Clock | None],
    said: Sequence[tuple[int, int]],
    extra_time: bool,
) -> list[int | None]:
    """The period of each item: given, by its clock and the marks around it, or not known."""
    known = _clocks_without_period(items, clocks)
    last_added = {clock.period(): i for i, clock in known if clock.added is not None}
    periods: list[int | None] = [item.period if isinstance(item, Entry) else None for item in items]
    for i, clock in known:
        at_break = (
            clock.added is None
            and clock.second is None
            and clock.minute == ENDS[clock.period()]
            and i > last_added.get(clock.period(), i)
        )
        periods[i] = _period(clock, said[i], extra_time, at_break)
    return periods


def _period(clock: Clock, said: tuple[int, int], extra_time: bool, at_break: bool) -> int:
    """The period by the minute, moved to what the marks say where the minute allows that."""
    first, last = said
    if clock.added is not None:
        return 5 if first == 5 and clock.minute >= ENDS[2] else clock.period()
    period = clock.period() + at_break  # `45'` after `45+2'` is the break
    period = min(period, 4 if extra_time else 2)  # without extra time, 93' is 90+3'
    if first == 5 and clock.minute >= ENDS[2]:
        return 5
    if period < first and clock.minute >= STARTS[first] - EARLY:
        return first
    if period > last and clock.minute <= ENDS[last] + LATE:
        return last
    return period


def _last_played(ends: Mapping[int, float]) -> int:
    """The log's last period before a shoot-out."""
    return max((period for period in ends if period < 5), default=4)


def _beyond_the_end(
    items: Sequence[Item],
    clocks: Sequence[Clock | None],
    periods: Sequence[int | None],
    ends: Mapping[int, float],
) -> list[int | None]:
    """The periods, where what lies after the end of play by the log is the shoot-out.

    Pages write `120+8'` for a kick, as for the eighth added minute of extra time.
    """
    last = _last_played(ends)
    end = ends.get(last, 0.0)
    found = list(periods)
    for i, clock in _clocks_without_period(items, clocks):
        if periods[i] == last and clock.interval(last)[0] > end:
            found[i] = 5
    return found


def _periods_on_match_clock(items: Sequence[Item]) -> set[int]:
    """Later periods whose exact times run too far to be counted from their own kick-off."""
    return {
        item.period
        for item in items
        if isinstance(item, Entry)
        and item.period is not None
        and item.period > 1
        and item.time is not None
        and item.time > MAX_HALF
    }


# Intervals --------------------------------------------------------------------------------------


def _placed(entry: Entry, clock: Clock | None, period: int | None, match_clock: bool) -> Comment:
    start = end = None
    shown = entry.shown or entry.clock
    if entry.time is not None and entry.period is not None:
        start = end = entry.time - (60.0 * STARTS[entry.period] if match_clock else 0)
    elif clock is not None and period is not None:
        start, end = clock.interval(period)
    anywhere = entry.anywhere or start != end
    spoken: tuple[tuple[int, float], ...] = ()
    if start is not None and start == end:
        shift = round(start - _written_second(entry), 6)
        spoken = tuple((at, second + shift) for at, second in entry.spoken)
        if entry.end is not None:
            end = max(entry.end + shift, start)
    if shown is None and start is not None and period is not None:
        shown = str(clock_at(period, start))
    return Comment(
        id=0, text=entry.text, period=period, start=start, end=end, clock=shown,
        candidates=entry.candidates, spoken=spoken, anywhere=anywhere, repeated=entry.repeated,
    )  # fmt: skip


def _written_second(entry: Entry) -> float:
    clock = clock_of(entry)
    return clock.running() if clock else 0.0


def _fill_gaps(comments: Sequence[Comment | None], first: Sequence[int]) -> list[Comment | None]:
    """Comments without a clock lie between their neighbours with one.

    `first` is the earliest period that the headings leave each of them.
    """
    before = _carry(comments)
    after = _carry(comments[::-1])[::-1]
    filled = list(comments)
    for i, comment in enumerate(comments):
        if comment is None or comment.start is not None or comment.candidates == ():
            continue  # also one made outside play, which has no time in it
        neighbours = [n for n in (before[i], after[i]) if n is not None and n.period is not None]
        if comment.period is not None:
            neighbours = [n for n in neighbours if n.period == comment.period]
        elif first[i] > 1:  # after a heading, the last entry before it is no neighbour
            neighbours = [n for n in neighbours if (n.period or 0) >= first[i]]
            comment = msgspec.structs.replace(comment, period=first[i])
        filled[i] = _between(comment, neighbours)
    return filled


def _spread_over_shootout(
    items: Sequence[Item], comments: Sequence[Comment | None], end: float | None
) -> list[Comment | None]:
    """Comments on a shoot-out that do not give its period lie anywhere in it.

    A page's clock stops or runs on before the first kick, while the log's starts anew.
    """
    return [
        msgspec.structs.replace(comment, start=0.0, end=end, anywhere=True, spoken=())
        if comment is not None
        and isinstance(item, Entry)
        and end is not None
        and comment.period == 5
        and (item.period is None or comment.start is None)
        else comment
        for item, comment in zip(items, comments, strict=True)
    ]


def _carry(comments: Iterable[Comment | None]) -> list[Comment | None]:
    """For each comment the last one up to it that has a time."""
    last = None
    carried = []
    for comment in comments:
        last = comment if comment is not None and comment.start is not None else last
        carried.append(last)
    return carried


def _between(comment: Comment, neighbours: Sequence[Comment]) -> Comment:
    """The comment on the interval from its earlier to its later neighbour of one period."""
    if not neighbours:
        return comment
    period = neighbours[0].period
    same = [n for n in neighbours if n.period == period]
    start = min(n.start for n in same if n.start is not None)
    end = max(n.end for n in same if n.end is not None)
    return msgspec.structs.replace(comment, period=period, start=start, end=end, anywhere=True)
