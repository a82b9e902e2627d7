"""How long a command takes in its first and second run: python -m benchmarks.startup

The first run finds nothing prepared: no bytecode of any package (pip makes it when it installs, so
that a real first run is a little quicker), no compiled kernels. The second is the median of the
runs after it. Each is a process of its own, timed by the clock and by the processor: the latter is
what a machine without other work would need. `align` links a bundled match. Then what one match
takes after start-up, in this process: the bundled model on real matches where TOUCHLINE_DATA has
them.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Table, show
from touchline import Match, align, read_corpus
from touchline.sample import corpus_path

REPEATS = 3
Times = tuple[float, float]


def commands() -> dict[str, list[str]]:
    folder = corpus_path() / "harrowmere-castlebrook"
    files = [str(folder / name) for name in ("events.json.gz", "live.txt")]
    one = ["align", *files, "--lineups", str(folder / "lineups.json")]
    return {
        "touchline --version": ["--version"],
        "touchline align --help": ["align", "--help"],
        "touchline align": one,
        "touchline align -o page.html": [*one, "-o", "page.html"],
        "touchline demo": ["demo"],
        "touchline align --method pairrank": [*one, "--method", "pairrank"],
    }


def seconds(words: list[str], folder: Path) -> Times:
    """One run of a command in a process that keeps what it prepares in a folder."""
    caches = {"PYTHONPYCACHEPREFIX": folder / "bytecode", "NUMBA_CACHE_DIR": folder / "kernels"}
    environment = {**os.environ, **{name: str(path) for name, path in caches.items()}}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # then no run would be a second one
    begun, before = time.perf_counter(), children()
    subprocess.run([sys.executable, "-m", "touchline", *words], cwd=folder, env=environment,
                   check=True, capture_output=True)  # fmt: skip
    return time.perf_counter() - begun, children() - before


def children() -> float:
    """Processor seconds of all processes started so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def median(runs: list[Times]) -> Times:
    clock, processor = zip(*runs, strict=True)
    return statistics.median(clock), statistics.median(processor)


def shown(times: Times) -> list[str]:
    return [f"{seconds:.2f}" for seconds in times]


def matches() -> Iterator[Match]:
    yield next(iter(read_corpus(corpus_path(), clock="minute"))).match
    if folder := os.environ.get("TOUCHLINE_DATA"):
        yield from (one.match for one in read_corpus(Path(folder) / "epl-2015", clock="minute"))


def tables() -> Iterator[Table]:
    rows = []
    for name, words in commands().items():
        with tempfile.TemporaryDirectory() as folder:
            first = seconds(words, Path(folder))
            again = median([seconds(words, Path(folder)) for _ in range(REPEATS)])
        rows.append([f"`{name}`", *shown(first), *shown(again)])
    head = ["command", "first run: s", "processor s", "second run: s", "processor s"]
    yield Table("Commands", head, rows)
    head = ["match", "comments", "events", "s", "processor s"]
    yield Table("A match, after start-up", head, [_aligned(match) for match in matches()])


def _aligned(match: Match) -> list[object]:
    begun, before = time.perf_counter(), time.process_time()
    align(match)
    took = time.perf_counter() - begun, time.process_time() - before
    return [match.name, len(match.comments), f"{len(match.linkable):,}", *shown(took)]


if __name__ == "__main__":
    show(tables())
