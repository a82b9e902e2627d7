"""How long a command takes in its first and second run: python -m benchmarks.startup

`first` is a run that finds nothing prepared: no bytecode of any package (pip makes it when it
installs, so that a real first run is a little quicker), no compiled kernels. `again` is the median
of the runs after it. Each is a process of its own, timed by the clock and by the processor: the
second figure is what a machine without other work would need. Then what one match takes after
start-up, in this process: the bundled model on real matches where TOUCHLINE_DATA has them.
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

from touchline import Match, align, read_corpus
from touchline.sample import corpus_path

REPEATS = 3
Times = tuple[float, float]


def commands() -> dict[str, list[str]]:
    folder = corpus_path() / "harrowmere-castlebrook"
    files = [str(folder / name) for name in ("events.json.gz", "live.txt")]
    one = ["align", *files, "--lineups", str(folder / "lineups.json")]
    return {
        "--version": ["--version"],
        "align --help": ["align", "--help"],
        "align, the sample": one,
        "align -o page.html": [*one, "-o", "page.html"],
        "demo": ["demo"],
        "align --method pairrank": [*one, "--method", "pairrank"],
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


def shown(times: Times) -> str:
    return "{:>9.2f} ({:5.2f})".format(*times)


def matches() -> Iterator[Match]:
    yield next(iter(read_corpus(corpus_path(), clock="minute"))).match
    if folder := os.environ.get("TOUCHLINE_DATA"):
        yield from (one.match for one in read_corpus(Path(folder) / "epl-2015", clock="minute"))


def main() -> None:
    print(f"{'command':28}{'first, s (processor)':>22}{'again, s (processor)':>22}")
    for name, words in commands().items():
        with tempfile.TemporaryDirectory() as folder:
            first = seconds(words, Path(folder))
            again = median([seconds(words, Path(folder)) for _ in range(REPEATS)])
        print(f"{name:28}{shown(first):>22}{shown(again):>22}")
    print(f"\n{'after start-up':28}{'comments':>10}{'events':>10}{'s (processor)':>18}")
    for match in matches():
        begun, before = time.perf_counter(), time.process_time()
        align(match)
        took = time.perf_counter() - begun, time.process_time() - before
        size = f"{len(match.comments):>10}{len(match.linkable):>10}"
        print(f"{match.name:28}{size}{shown(took):>18}")


if __name__ == "__main__":
    main()
