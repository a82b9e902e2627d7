"""Which half a text is about whose clock counts it from 1', found by who is named when.

A page of the second half alone may start again at 1', and nothing on it says so. Read as the first
half, its comments name players who did nothing in those minutes, or had not come on yet. So both
halves are scored by how well they explain the names, as the offsets of a recording are. The second
half must win clearly; where it wins by less, the text stays in the first and is doubted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

import msgspec

from touchline.core.clocks import STARTS
from touchline.core.records import Comment, HalfByNames, Match, Player
from touchline.io.commentary.entries import Entry, Heading, Item, clock_of
from touchline.io.commentary.kickoffs import ABOUT_NOW, gains
from touchline.io.commentary.ordering import order_of_play
from touchline.text.names import MENTIONED, NameFinder

# A live text is written about so long after the event, give or take; its minute is known at best.
LAG, BLUR = 20.0, 45.0
# How much better the second half must explain the names, as a log likelihood ratio and in standard
# deviations of it; and from which ratio on the first half is doubted.
MIN_RATIO, MIN_DEVIATIONS = 5.0, 3.0
DOUBT = 2.0
# From a fall of the clock by so many seconds on, a text may be about the second half.
FALL = 180.0

Half = tuple[list[Item], HalfByNames]


def find_second_half(
    match: Match, items: Sequence[Item], files: Sequence[int], comments: Sequence[Comment]
) -> Half | None:
    """The items with those of the second half given it, and what the names say of that.

    None where the names favour the first half; the items as they are where they are unsure.
    """
    entries = {i: item for i, item in enumerate(items) if isinstance(item, Entry)}
    ratios = _ratios(match, list(entries.values()), comments)
    ratio = dict(zip(entries, ratios, strict=True))
    order = order_of_play(items, files)
    tails = [order[first:] for first in _beginnings(items, order, files)]
    best = max(tails, key=lambda tail: sum(ratio.get(i, 0.0) for i in tail))
    own = [ratio[i] for i in best if i in ratio]
    if sum(own) < DOUBT:
        return None
    deviations = sum(own) / math.sqrt(sum(one * one for one in own))
    sure = sum(own) >= MIN_RATIO and deviations >= MIN_DEVIATIONS
    found = HalfByNames(ratio=round(sum(own), 3), applied=sure)
    if not sure:
        return list(items), found
    second = set(best)
    return [_in_second_half(item) if i in second else item for i, item in enumerate(items)], found


def _beginnings(items: Sequence[Item], order: Sequence[int], files: Sequence[int]) -> Iterator[int]:
    """Where in the order of play the second half may begin: at once, at a file, or at a fall."""
    yield 0
    file_starts = {0, *accumulate(files)}
    clocks = [(place, clock_of(items[i])) for place, i in enumerate(order)]
    known = [(place, clock.running()) for place, clock in clocks if clock is not None]
    for (_, before), (place, after) in pairwise(known):
        if before - after > FALL or (before > after and order[place] in file_starts):
            yield place


class _Half:
    """How well a period explains the names of its minutes."""

    def __init__(self, match: Match, period: int) -> None:
        self.gains = gains(match, period, LAG, BLUR)
        self.end = match.ends[period] + BLUR

    def gain(self, player: str, time: float) -> float:
        own = self.gains.get(player)
        if own is None or time > self.end:
            return math.log(1 - ABOUT_NOW)
        return float(own[min(max(int(time), 0), len(own) - 1)])


def _ratios(match: Match, entries: Sequence[Entry], comments: Sequence[Comment]) -> list[float]:
    """For each comment, how much better its names fit the second half than where it was placed."""
    finder = NameFinder(match.with_comments(comments))
    halves = {period: _Half(match, period) for period in (1, 2)}
    ratios = []
    for entry, comment in zip(entries, comments, strict=True):
        ratio = 0.0
        time = _second_of_half(entry, comment)
        if comment.period is not None and comment.time is not None and time is not None:
            placed = halves[comment.period]
            for mention in finder.mentions(comment.text):
                if isinstance(mention.who, Player) and mention.weight >= MENTIONED:
                    who = mention.who.id
                    gain = halves[2].gain(who, time) - placed.gain(who, comment.time)
                    ratio += mention.weight * gain
        ratios.append(ratio)
    return ratios


def _second_of_half(entry: Entry, comment: Comment) -> float | None:
    """When an entry was made if its clock counts the half from 1'."""
    clock = clock_of(entry)
    return sum(clock.interval(1)) / 2 if clock is not None else comment.time


def _in_second_half(item: Item) -> Item:
    """The entry with its period, and with a clock counted on from the first half."""
    if isinstance(item, Heading):
        return item
    clock = clock_of(item)
    if clock is None or item.time is not None:  # an exact time is since the kick-off
        return msgspec.structs.replace(item, period=2)
    first_half = 60.0 * STARTS[2]
    return msgspec.structs.replace(
        item,
        period=2,
        clock=str(clock.later(STARTS[2])),
        shown=item.shown or item.clock,
        end=None if item.end is None else item.end + first_half,
        spoken=tuple((at, second + first_half) for at, second in item.spoken),
    )
