"""What speech recognition gets wrong about lines and their times, put right or counted.

Recognisers run into loops where nobody speaks ("Thank you." forty times), write a line twice where
their windows overlap, let a line end before it starts or last for half an hour. No line is dropped:
each gets an answer. Lines that only repeat others are marked, so that they are no evidence twice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from touchline.io.commentary.entries import Entry, Item, Repair

# A loop is the same line, or the same two or three in turn, at least so often.
MIN_LOOP, MAX_CYCLE = 4, 3
# A line is written twice if one of so many before it has its words and most of its time.
WINDOW = 8
# No line lasts longer than this many seconds, unless each of its words may take so many.
MAX_SECONDS, MAX_WORD = 120.0, 2.0
# Lines may be out of order, as each has its time; so many seconds back, a clock starts anew.
BACK = 60.0
# What is said in a line of more seconds is placed only roughly.
LONG = 30.0

_WORDS = re.compile(r"[^\W_]+")


def repaired(item: Item) -> Item:
    """The entry with an end that is possible, and without words that are said at another time."""
    if not isinstance(item, Entry) or item.time is None or item.end is None:
        return item
    time, end, repair = item.time, item.end, item.repair
    said = [second for _, second in item.spoken]
    longest = max(MAX_SECONDS, MAX_WORD * len(item.text.split()))
    if end < time:
        end, repair = max([time, *said]), repair or Repair.BACKWARDS
    if end - time > longest:
        last = min(said[-1] + MAX_WORD if said else end, time + longest)
        end, repair = max(time, last), repair or Repair.OVERLONG
    words = tuple(word for word in item.spoken if time - MAX_WORD <= word[1] <= end + MAX_WORD)
    return msgspec.structs.replace(item, end=end, spoken=words, repair=repair)


def marked(items: Sequence[Item]) -> list[Item]:
    """The items of a file, those lines of speech marked that only repeat others."""
    speech = {i: item for i, item in enumerate(items) if isinstance(item, Entry)}
    timed = {i: line for i, line in speech.items() if None not in (line.time, line.end)}
    places, lines = list(timed), list(timed.values())
    folded = [" ".join(_WORDS.findall(line.text.lower())) for line in lines]
    again = {places[i] for i in (*_looped(folded), *_twice(lines, folded))}
    return [
        msgspec.structs.replace(item, repeated=True)
        if isinstance(item, Entry) and i in again
        else item
        for i, item in enumerate(items)
    ]


def _looped(texts: Sequence[str]) -> Iterator[int]:
    """The lines of loops, but for those of the first round."""
    for cycle in range(1, MAX_CYCLE + 1):
        run: list[int] = []
        for i in range(cycle, len(texts) + 1):
            if i < len(texts) and texts[i] == texts[i - cycle]:
                run.append(i)
                continue
            if len(run) >= (MIN_LOOP - 1) * cycle:
                yield from run
            run = []


def _twice(lines: Sequence[Entry], texts: Sequence[str]) -> Iterator[int]:
    """The lines that are said while the same was said."""
    for i, line in enumerate(lines):
        near = range(max(i - WINDOW, 0), i)
        if any(texts[k] == texts[i] and _overlap(lines[k], line) for k in near):
            yield i


def _overlap(one: Entry, other: Entry) -> bool:
    first, last = (one.time or 0.0, one.end or 0.0), (other.time or 0.0, other.end or 0.0)
    shared = min(first[1], last[1]) - max(first[0], last[0])
    shorter = min(first[1] - first[0], last[1] - last[0])
    return shared >= 0 and (shared > shorter / 2 or first[0] == last[0])


def slips(entries: Sequence[Entry], sentences: bool) -> Iterator[str]:
    """What was wrong with the lines of a recording, one sentence each."""
    of = f"of {len(entries)} lines"
    again = sum(entry.repeated for entry in entries)
    if again:
        yield f"{again} {of} repeat earlier ones, as speech recognition does; trust them less"
    repairs = Counter(entry.repair for entry in entries)
    for repair in Repair:
        if repairs[repair]:
            yield f"{repairs[repair]} {of} {repair.value}"
    back = sum(_goes_back(before, after) for before, after in pairwise(entries))
    if back:
        advice = "if recordings were joined, add the length of those before"
        yield f"{back} {of} start a minute or more before the last one; {advice}"
    long = sum(_is_long(entry) for entry in entries)
    if long and not sentences:
        advice = "what they describe is placed roughly; --sentences splits them"
        yield f"{long} {of} are longer than {LONG:.0f} s; {advice}"


def _goes_back(before: Entry, after: Entry) -> bool:
    same = before.period == after.period
    return same and (after.time or 0.0) < (before.time or 0.0) - BACK


def _is_long(entry: Entry) -> bool:
    length = (entry.end or 0.0) - (entry.time or 0.0)
    return length > LONG and not entry.spoken
