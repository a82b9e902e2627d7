"""Cost of excessive input: buckets, minutes, comments and squads larger than any match's.

    python -m benchmarks.limits

The bundled match is made worse in one way at a time, by half as much and in full, and aligned in a
fresh process that has aligned the match itself before. The exponent says how the time grows: 1 is
twice the time for twice the input. Sizes that readers refuse or cut are not measured: a comment
and a squad are as large as the limits allow. No bundled model fits the match, so each row includes
learning from the match alone.

The second table is of `touchline align` with logs as large as they may be, in each format, with a
commentary on all of it: the peak of its process while it writes a page.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import NamedTuple

import msgspec
import pyarrow.parquet

from benchmarks.measuring import (
    Table,
    cost_of_command,
    in_fresh_process,
    peak_memory,
    seconds,
    show,
)
from touchline import Comment, Event, Match, Player, align, read_corpus
from touchline.io.commentary.limits import MAX_CHARACTERS
from touchline.io.feeds import MAX_PLAYERS
from touchline.io.feeds.records import MAX_EVENTS
from touchline.io.sizes import MAX_FILE
from touchline.sample import corpus_path
from touchline.sample.exports import FEEDS, write


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


def everywhere(match: Match, count: int, length: int) -> Match:
    """So many comments of so many characters, over the whole match."""
    text = " ".join(comment.text for comment in match.comments)
    text *= 2 + length // len(text)
    half = -(-count // 2)

    def comment(number: int) -> Comment:
        time, start = number % half * 2800 / half, 997 * number % (len(text) - length)
        return Comment(id=number, text=text[start : start + length], period=1 + number // half,
                       start=time, end=time)  # fmt: skip

    return match.with_comments(map(comment, range(count)))


def long_everywhere(match: Match, count: int) -> Match:
    """So many comments of half a thousand characters, over the whole match."""
    return everywhere(match, count, 500)


def longest_everywhere(match: Match, count: int) -> Match:
    """So many comments as long as they may be, over the whole match."""
    return everywhere(match, count, MAX_CHARACTERS)


def nowhere(match: Match, count: int) -> Match:
    """So many comments without a clock: each may be about any event."""
    return match.with_comments(
        msgspec.structs.replace(comment, period=None, start=None, end=None)
        for comment in everywhere(match, count, 100).comments
    )


def large_log(match: Match, count: int) -> Match:
    """The events of the match again and again, until they are so many."""
    every = match.events

    def event(number: int) -> Event:
        again, own = number // len(every), every[number % len(every)]
        more = f"-{again}" if again else ""
        return msgspec.structs.replace(
            own, id=own.id + more, time=own.time + 0.01 * again,
            related=tuple(other + more for other in own.related),
        )  # fmt: skip

    return msgspec.structs.replace(match, events=tuple(map(event, range(count))))


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
    Trap("comments of 500 characters over the match", 1_000, long_everywhere),
    Trap("comments of 5,000 characters over the match", 100, longest_everywhere),
    Trap("comments without clocks", 150, nowhere),
    Trap("events in the log", MAX_EVENTS, large_log),
)


# Comments and characters of the commentary on a large log.
SAID = 600, 150


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
    yield Table(
        "Excessive matches",
        ["input", "half of it: s", "all: s", "exponent", "peak MB"],
        rows,
        notes,
    )
    sizes = [(feed, *align_log(feed, "jsonl", "html")) for feed in FEEDS]
    sizes.append(("opta, text and links in Parquet", *align_log("opta", "parquet", "parquet")))
    yield Table("Logs as large as they may be", ["feed", "log MB", "s", "peak MB"], sizes, "")


def align_log(feed: str, text: str, links: str) -> tuple[str, str, str]:
    """Size of the log, seconds and peak of aligning it with a commentary on all of it."""
    match = next(read_corpus(corpus_path())).match
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room)
        files = write(large_log(match, MAX_EVENTS), feed, folder)
        if feed == "statsbomb":
            fill(files.events, MAX_FILE - 100_000)
        said = folder / f"comments.{text}"
        write_text(everywhere(match, *SAID).comments, said)
        lineups = [word for path in files.lineups for word in ("--lineups", path)]
        words = ["align", files.events, said, *lineups, "-o", folder / f"links.{links}"]
        spent, peak = cost_of_command(*words)
        return f"{files.events.stat().st_size / 1e6:.1f}", f"{spent:.2f}", f"{peak:.0f}"


def write_text(comments: Iterable[Comment], path: Path) -> None:
    """A commentary as JSON Lines or Parquet, by the file's ending."""
    rows = [
        {"id": c.id, "text": c.text, "period": c.period, "clock": clock_of_match(c)}
        for c in comments
    ]
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def fill(path: Path, size: int) -> None:
    """Make a file of records larger by a field that nobody reads."""
    records = json.loads(path.read_bytes())
    more = (size - path.stat().st_size) // len(records) - len(', "note": ""')
    path.write_text(json.dumps([{**record, "note": "x" * more} for record in records]))


def clock_of_match(comment: Comment) -> str:
    seconds = int(comment.start or 0) + 2700 * (comment.period == 2)
    return f"{seconds // 60}:{seconds % 60:02d}"


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
