"""Cost of excessive input: buckets, minutes, comments and squads larger than any match's.

    python -m benchmarks.limits

The bundled match is made worse in one way at a time, by half as much and in full, and aligned in a
fresh process that has aligned the match itself before. The exponent says how the time grows: 1 is
twice the time for twice the input. Sizes that readers refuse or cut are not measured: comments
and squads are as large as the limits allow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random
from string import ascii_lowercase
from typing import NamedTuple

import msgspec

from benchmarks.measuring import Table, in_fresh_process, peak_memory, seconds, show
from touchline import Match, Player, align, read_corpus
from touchline.io.commentary.limits import MAX_CHARACTERS
from touchline.io.feeds import MAX_PLAYERS
from touchline.sample import corpus_path


def one_bucket(match: Match, count: int) -> Match:
    """So many events in one minute, and twenty comments on it."""
    every = match.linkable
    events = (
        msgspec.structs.replace(
            every[i % len(every)], id=f"e{i}", period=1, time=600 + 60 * i / count
        )
        for i in range(count)
    )
    comments = [msgspec.structs.replace(c, period=1, start=630.0, end=630.0)
                for c in match.comments[:20]]  # fmt: skip
    return msgspec.structs.replace(match, events=tuple(events), comments=tuple(comments))


def one_minute(match: Match, count: int) -> Match:
    """So many comments in one minute."""
    said = match.comments
    return match.with_comments(
        msgspec.structs.replace(said[i % len(said)], id=i, period=1, start=600.0, end=660.0)
        for i in range(count)
    )


def long_comment(match: Match, length: int) -> Match:
    """A comment of so many characters, which names everybody many times."""
    text = " ".join(comment.text for comment in match.comments)
    first = msgspec.structs.replace(
        match.comments[0], text=(text * (1 + length // len(text)))[:length]
    )
    return match.with_comments([first, *match.comments[1:]])


def long_comments(match: Match, length: int) -> Match:
    """Forty comments of so many characters, each of which names everybody many times."""
    (first, *_) = long_comment(match, length).comments
    return match.with_comments(
        msgspec.structs.replace(comment, text=first.text if number < 40 else comment.text)
        for number, comment in enumerate(match.comments)
    )


def large_squad(match: Match, count: int) -> Match:
    """So many more players, under names of their own."""
    chance = Random(1)

    def name() -> str:
        return "".join(chance.choices(ascii_lowercase, k=chance.randint(4, 9))).title()

    more = (Player(id=f"p{i}", name=f"{name()} {name()}", team=match.teams[i % 2])
            for i in range(count))  # fmt: skip
    return msgspec.structs.replace(match, players=(*match.players, *more))


class Trap(NamedTuple):
    what: str
    size: int
    make: Callable[[Match, int], Match]


TRAPS = (
    Trap("events in one bucket", 5_000, one_bucket),
    Trap("comments in one minute", 2_000, one_minute),
    Trap("characters in one comment", MAX_CHARACTERS, long_comment),
    Trap("characters in each of 40 comments", MAX_CHARACTERS, long_comments),
    Trap("players in a line-up", MAX_PLAYERS, large_squad),
)


class Cost(NamedTuple):
    """Seconds for half of it and for all, and the peak of the process in MB."""

    half: float
    whole: float
    peak: float

    @property
    def exponent(self) -> float:
        return math.log2(self.whole / self.half)


def measure(number: int) -> Cost:
    """Made for a fresh process."""
    trap = TRAPS[number]
    match = next(read_corpus(corpus_path())).match
    align(match)
    half, whole = (seconds(align, trap.make(match, size)) for size in (trap.size // 2, trap.size))
    return Cost(half, whole, peak_memory())


def tables() -> Iterator[Table]:
    rows = []
    for number, trap in enumerate(TRAPS):
        cost = in_fresh_process(measure, number)
        figures = [f"{figure:.2f}" for figure in (cost.half, cost.whole, cost.exponent)]
        rows.append((f"{trap.size:,} {trap.what}", *figures, f"{cost.peak:.0f}"))
    notes = "With `chains`."
    yield Table("", ["input", "half of it: s", "all: s", "exponent", "peak MB"], rows, notes)


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
