"""How two systems grow with the number of arguments of an event: python -m benchmarks.arguments.

The paper (Section 4.1.1) says that its own method grows linearly with the number of arguments and
that of Liang et al. exponentially, so that it ran out of 8 GB with six of them. Each system learns
from and answers one half of a match, as in the paper's comparison, with 1 to 12 arguments, the most
frequent first, each time in a fresh process. The half is that of a bundled match, and of one match
of `epl-2015` where TOUCHLINE_DATA points to it. No label is read.
"""

from __future__ import annotations

import math
import os
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import Table, by_turns, in_fresh_process, peak_memory, show
from benchmarks.pairrank import REAL, SAMPLE
from benchmarks.submodularity import halves
from touchline import Match, make_aligner, read_corpus
from touchline.sample import corpus_path

NUMBERS = (1, 2, 3, 4, 6, 8, 10, 12)
# The growth is that from here on: below it the fixed costs of a system are most of the time.
FIRST_OF_EXPONENT = 3
REPEATS = 5


class Cost(NamedTuple):
    seconds: float
    megabytes: float


def costs(method: str, folder: str, arguments: str) -> Cost:
    """Seconds of processor time and the peak of a process that learns from a half and answers it.

    The seconds are the median of some runs, after one in which kernels are compiled.
    """
    match = first_half(Path(folder))
    settings = {"arguments": arguments}

    def work() -> None:
        aligner = make_aligner(method, settings)
        aligner.fit([match])
        aligner.align(match)

    (median,) = by_turns(REPEATS, work)
    return Cost(median, peak_memory())


def first_half(folder: Path) -> Match:
    labelled = next(iter(read_corpus(folder, clock="minute")))
    return next(halves(labelled.match))


def most_frequent(match: Match) -> list[str]:
    """Names of arguments, that of most events first."""
    found = Counter(name for event in match.linkable for name in event.arguments)
    return sorted(found, key=lambda name: (-found[name], name))


def tables() -> Iterator[Table]:
    for name, folder in corpora():
        known = most_frequent(first_half(folder))
        measure(folder, known, 1)  # compiles, which takes memory, and keeps what was compiled
        measured = {n: measure(folder, known, n) for n in NUMBERS if n <= len(known)}
        rows = [
            (n, f"{paper.seconds:.2f}", f"{paper.megabytes:.0f}",
             f"{liang.seconds:.2f}", f"{liang.megabytes:.0f}")
            for n, (paper, liang) in measured.items()
        ]  # fmt: skip
        growth = [exponent({n: both[i].seconds for n, both in measured.items()}) for i in (0, 1)]
        rows.append(("exponent of time", f"{growth[0]:.2f}", "", f"{growth[1]:.2f}", ""))
        head = ["arguments", "`pairrank`: s", "peak MB", "`liang2009`: s", "peak MB"]
        yield Table(f"One half of a match of {name}", head, rows)


def measure(folder: Path, known: list[str], number: int) -> tuple[Cost, Cost]:
    """Of the paper's method and of Liang et al.'s, which also has the player as a field."""
    names = ",".join(known[:number])
    paper: Cost = in_fresh_process(costs, "pairrank", str(folder), names)
    liang: Cost = in_fresh_process(costs, "liang2009", str(folder), f"player,{names}")
    return paper, liang


def exponent(taken: dict[int, float]) -> float:
    """Of the power of the number of arguments by which time grows; 1 is linear.

    The slope of a line through all measurements, both on logarithmic axes.
    """
    used = [(math.log(n), math.log(s)) for n, s in taken.items() if n >= FIRST_OF_EXPONENT]
    return statistics.linear_regression(*zip(*used, strict=True)).slope


def corpora() -> Iterator[tuple[str, Path]]:
    yield SAMPLE, corpus_path()
    data = os.environ.get("TOUCHLINE_DATA")
    if data and (Path(data) / REAL).is_dir():
        yield f"`{REAL}`" if REAL[0] != "`" else REAL, Path(data) / REAL


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
