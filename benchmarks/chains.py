"""Time and memory of the default method for a match, compared with the paper's.

    python -m benchmarks.chains

The matches are the bundled ones and, where TOUCHLINE_DATA points to them, real ones of live text
and of radio. Both methods answer a match that they have not learned from, on one core, by turns;
memory is the peak of a fresh process that reads and answers it with `chains`.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is there: everything here is for one core

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import Ratio, Table, by_turns, in_fresh_process, peak_memory, show
from touchline import align, read_corpus
from touchline.io.corpus.layout import CorpusMatch, corpus_matches
from touchline.sample import corpus_path

REPEATS = 3
REAL = ("epl-2015/man-city-chelsea", "epl-2015/west-brom-chelsea", "radio-2018/england-sweden")
SLOW = 400  # comments from which on the paper's method would take minutes


class Answered(NamedTuple):
    """A match, seconds of reading it and of either method, MB."""

    name: str
    comments: int
    events: int
    reading: float
    ours: float
    paper: float | None
    peak: float


def matches() -> list[CorpusMatch]:
    data = Path(os.environ.get("TOUCHLINE_DATA", "no such folder"))
    folders = [corpus_path(), *(data / name for name in REAL if (data / name).is_dir())]
    return [match for folder in folders for match in corpus_matches(folder)]


def measure(number: int) -> Answered:
    found = matches()[number]
    match = found.read(clock="minute").match
    works = [lambda: found.read(clock="minute"), lambda: align(match)]
    if len(match.comments) < SLOW:
        works.append(lambda: align(match, method="pairrank"))
    times = by_turns(REPEATS, *works)
    peak = in_fresh_process(_peak, number)
    return Answered(found.name, len(match.comments), len(match.linkable), times[0], times[1],
                    times[2] if len(times) > 2 else None, peak)  # fmt: skip


def _peak(number: int) -> float:
    align(next(read_corpus(corpus_path())).match)  # the compiled kernels belong to the process
    align(matches()[number].read(clock="minute").match)
    return peak_memory()


def tables() -> Iterator[Table]:
    found = [measure(number) for number in range(len(matches()))]
    rows = [
        (a.name, a.comments, f"{a.events:,}", f"{1000 * a.reading:.0f}", f"{1000 * a.ours:.0f}",
         f"{1000 * a.paper:,.0f}" if a.paper else "-",
         f"{a.paper / a.ours:.1f}x" if a.paper else "-", f"{a.peak:.0f}")
        for a in found
    ]  # fmt: skip
    head = ["match", "comments", "events", "reading: ms", "chains: ms", "pairrank: ms", "ratio",
            "peak MB"]  # fmt: skip
    ratios = [Ratio(f"chains, {a.name}", "pairrank", a.paper / a.ours, a.peak)
              for a in found if a.paper]  # fmt: skip
    yield Table("", head, rows, f"Medians of {REPEATS} turns.", ratios)


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
