"""Time and memory of the paper's method as the number of matches grows.

    python -m benchmarks.matches [--sizes N,...]

The matches are the first of the invented season (`python -m touchline.sample.season`). For each
number of them a fresh process on one core reads all, trains all models, ranks all pairs and grows
all macro-events, with kernels compiled before. Exponents are slopes on logarithmic axes from one
size to the next.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is there: everything here is for one core

import argparse
import hashlib
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import Table, in_fresh_process, peak_memory, show
from benchmarks.models import DEFAULTS, singles
from benchmarks.pairrank import OPTIONS, warm_up
from touchline import Match, read_corpus
from touchline.methods.pairrank.ranking.macro_events import Step
from touchline.methods.pairrank.ranking.system import make_model, rank
from touchline.methods.pairs.pairing import pair_up
from touchline.sample.season import write_season

SIZES = (2, 4, 10)
WARM = 2  # matches whose graph is one large component, as those of all larger sizes


class Run(NamedTuple):
    """What so many matches took, the peak of the process, and a checksum of the macro-events."""

    matches: int
    pairs: int
    seconds: float
    peak: float
    checksum: str


def measure(season: str, size: int) -> Run:
    """Made for a fresh process."""
    warm_up()
    _grown(_read(season, WARM))
    start = time.process_time()
    pairs, grown = _grown(_read(season, size))
    took = time.process_time() - start
    return Run(size, pairs, took, peak_memory(), checksum(grown))


def _read(season: str, size: int) -> list[Match]:
    return [labelled.match for labelled in islice(read_corpus(Path(season)), size)]


def _grown(matches: Sequence[Match]) -> tuple[int, dict[int, list[Step]]]:
    """How many pairs, and how the macro-events of all sentences grew."""
    pairs = pair_up(matches, DEFAULTS.reading())
    model = make_model(pairs, OPTIONS)
    ranked = rank(pairs, model, model.train(singles(pairs)), OPTIONS)
    return len(pairs), ranked.grown(range(pairs.words.shape[0]))


def checksum(grown: dict[int, list[Step]]) -> str:
    """Of all macro-events, to be the same on any commit."""
    found = sorted((sentence, steps[-1].group) for sentence, steps in grown.items())
    return hashlib.sha256(repr(found).encode()).hexdigest()[:12]


def exponents(runs: Sequence[Run]) -> list[tuple[float, float]]:
    """Of seconds and of memory, from each run to the next."""
    return [
        (math.log(b.seconds / a.seconds) / ratio, math.log(b.peak / a.peak) / ratio)
        for a, b in pairwise(runs)
        for ratio in [math.log(b.matches / a.matches)]
    ]


def tables(sizes: Sequence[int] = SIZES) -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as season:
        write_season(Path(season), max(*sizes, WARM))
        runs = [in_fresh_process(measure, season, size) for size in sizes]
    grown = [("", ""), *((f"{s:.1f}", f"{m:.1f}") for s, m in exponents(runs))]
    rows = [
        (r.matches, f"{r.pairs:,}", f"{r.seconds:.1f}", s, f"{r.peak:.0f}", m, r.checksum)
        for r, (s, m) in zip(runs, grown, strict=True)
    ]
    head = ["matches", "pairs", "seconds", "exponent", "MB", "exponent", "macro-events"]
    yield Table("", head, rows, "The last column is a checksum of the macro-events.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    show(tables([int(size) for size in parser.parse_args().sizes.split(",")]))


if __name__ == "__main__":
    main()
