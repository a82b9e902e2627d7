"""In which order the entries of a commentary happened: pages list the newest first or last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from touchline.core.clocks import Clock
from touchline.io.commentary.entries import Entry, Heading, Item, clock_of


def order_of_play(items: Sequence[Item], files: Sequence[int]) -> list[int]:
    """Where the items stand in their files, in the order in which they happened."""
    ends = list(accumulate(files)) or [len(items)]
    places = [range(start, end) for start, end in pairwise([0, *ends])]
    pages = [[own[i] for i in _order_of_page(items[own.start : own.stop])] for own in places]
    if _newest_page_first([[items[i] for i in page] for page in pages]):
        pages.reverse()
    return [i for page in pages for i in page]


def _newest_page_first(pages: Sequence[Sequence[Item]]) -> bool:
    """Whether each file is wholly earlier than the one before; one of each half need not be."""
    times = [
        [
            (entry.period or clock.period(), clock.running())
            for entry, clock in _entries_with_clock(page)
        ]
        for page in pages
    ]
    known = [(min(own), max(own)) for own in times if own]
    return len(known) > 1 and all(first[0] > second[1] for first, second in pairwise(known))


def _order_of_page(items: Sequence[Item]) -> list[int]:
    if not _newest_first(items):
        return list(range(len(items)))
    if not _titles_stand_above(items):
        return list(range(len(items)))[::-1]
    sections: list[list[int]] = [[]]
    for i, item in enumerate(items):
        if isinstance(item, Heading) or _ends_shootout(items, sections[-1], item):
            sections.append([])
        sections[-1].append(i)
    # Within a section the title stays first.
    return [i for section in sections[::-1] for i in _title_first(items, section)]


def _ends_shootout(items: Sequence[Item], section: list[int], item: Item) -> bool:
    """Whether kicks without a clock stand above an entry with one, which is before them."""
    title = items[section[0]] if section else None
    if not isinstance(title, Heading) or title.starts != 5 or clock_of(item) is None:
        return False
    return len(section) > 1 and all(clock_of(items[i]) is None for i in section)


def _title_first(items: Sequence[Item], section: list[int]) -> list[int]:
    titles = section[:1] if section and isinstance(items[section[0]], Heading) else []
    return titles + section[len(titles) :][::-1]


def _newest_first(items: Sequence[Item]) -> bool:
    """Whether the clock falls more often than it rises."""
    timed = [
        (item.period or clock.period(), clock.running())
        for item, clock in _entries_with_clock(items)
    ]
    rises = falls = 0
    for (period, time), (next_period, next_time) in pairwise(timed):
        # Each period may have a clock of its own, and 45+2' is before 46'.
        step = next_period - period if period != next_period else next_time - time
        rises += step > 0
        falls += step < 0
    return falls > rises


def _entries_with_clock(items: Sequence[Item]) -> Iterator[tuple[Entry, Clock]]:
    for item in items:
        clock = clock_of(item)
        if isinstance(item, Entry) and clock is not None:
            yield item, clock


def _titles_stand_above(items: Sequence[Item]) -> bool:
    """Whether "Second half" comes before any clock, as the title of what follows it."""
    for i, item in enumerate(items):
        if isinstance(item, Heading) and item.title:
            return item.starts != 5 or _untimed_from(items[i + 1 :]) >= i
        if clock_of(item) is not None:
            return False
    return False


def _untimed_from(items: Sequence[Item]) -> int:
    """How many entries without a clock stand before anything else."""
    others = (i for i, item in enumerate(items) if not isinstance(item, Entry) or clock_of(item))
    return next(others, len(items))
