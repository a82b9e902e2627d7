"""What the benchmarks share: times by turns, memory of a fresh process, tables.

Two ways of doing a thing are timed by turns in one run, so that whatever else the machine does hits
both, and reported as a ratio of medians. Memory is that of a fresh process, where nothing has been
allocated before. A benchmark that gives `tables()` stands in `docs/benchmarks.md` with its tables,
and with its ratios in the table at the top; one that only prints, with what it prints.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple


class Strict(NamedTuple):
    """A reference that a careful reader would use instead, and how many times as long it takes."""

    against: str
    times: float


class Ratio(NamedTuple):
    """Ours beside another way: how many times as long that takes, and our own peak in MB.

    `strict` is a second reference, where the first one is slow for reasons that are not the
    method's: a wrapper's overhead, or a dense matrix in place of a sparse one.
    """

    what: str
    against: str
    times: float
    memory: float | None = None
    strict: Strict | None = None


class Table(NamedTuple):
    """Rows under a head; `ratios` are those for the table at the top of the document."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    notes: str = ""
    ratios: Sequence[Ratio] = ()

    def markdown(self) -> str:
        lines = [f"### {self.title}", ""] if self.title else []
        rows = [[str(cell) for cell in row] for row in (self.head, *self.rows)]
        lines += [f"| {' | '.join(row)} |" for row in rows]
        lines.insert(len(lines) - len(self.rows), "|" + "---|" * len(self.head))
        return "\n".join([*lines, *(["", self.notes] if self.notes else [])])

    def text(self) -> str:
        cells = [[str(cell) for cell in row] for row in (self.head, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in cells]
        return "\n".join([self.title, *lines, *([self.notes] if self.notes else []), ""])


def real_data() -> Path:
    """The folder of real matches; without it there is nothing to measure."""
    folder = os.environ.get("TOUCHLINE_DATA")
    if not folder:
        sys.exit("TOUCHLINE_DATA does not point to the real matches; docs/data.md says how")
    return Path(folder)


def show(tables: Iterator[Table]) -> None:
    """Print tables as they are done."""
    for table in tables:
        print(table.text(), flush=True)


# Time ---------------------------------------------------------------------------------------------


def seconds(work: Callable[..., Any], *given: Any) -> float:
    """Seconds of a core, which hardly depend on what else the machine does.

    Everything here runs on one thread; otherwise the threads' seconds add up.
    """
    start = time.process_time()
    work(*given)
    return time.process_time() - start


def by_turns(repeats: int, *works: Callable[[], Any]) -> list[float]:
    """Median seconds of each piece of work, done by turns; the first turn only warms up."""
    times = [[seconds(work) for work in works] for _ in range(repeats + 1)]
    return [statistics.median(some) for some in zip(*times[1:], strict=True)]


# Memory -------------------------------------------------------------------------------------------


KB = 1024 / 1e6  # what Linux calls a kB, in MB
UNIT = 1e-6 if platform.system() == "Darwin" else KB  # of the largest size that a process had


def peak_memory() -> float:
    """The most memory that this process has held so far, in MB."""
    try:
        with open("/proc/self/status") as status:  # of this program alone, not of its parent
            return next(float(line.split()[1]) for line in status if "VmHWM" in line) * KB
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak * UNIT


# Runs a command and prints the processor seconds and the most memory of it. A process of its own,
# because the peak of a child is at least what its parent had when it was started.
_LAUNCHER = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(done.stderr if done.returncode else 0)
"""


def cost_of_command(*words: object) -> tuple[float, float]:
    """Processor seconds of a touchline command, and the most memory that it held, in MB."""
    launcher = [sys.executable, "-S", "-c", _LAUNCHER, sys.executable, "-m", "touchline"]
    done = subprocess.run([*launcher, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    spent, peak = map(float, done.stdout.split())
    return spent, peak * UNIT


def in_fresh_process(work: Callable[..., Any], *given: Any) -> Any:
    """The result of the work, done where nothing has been allocated before."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, given)


def goal(met: bool) -> str:
    return "met" if met else "MISSED"


# The machine --------------------------------------------------------------------------------------

PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "kloppy")


def machine() -> list[tuple[str, str]]:
    """What the numbers depend on; nothing that says whose machine it is."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    packages = [f"{name} {found}" for name in PACKAGES if (found := _version(name))]
    return [
        ("processor", f"{_processor()}, {cores} cores"),
        ("memory", f"{memory:.0f} GB"),
        ("system", f"{platform.system()} {platform.machine()}"),
        ("Python", platform.python_version()),
        ("packages", ", ".join(packages)),
        ("load", f"{os.getloadavg()[0]:.1f} before the first measurement"),
        ("commit", commit()),
    ]


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.partition(":")[2].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def commit() -> str:
    """The commit of the source, and whether it was changed since."""
    git = ("git", "-C", os.path.dirname(__file__))
    try:
        name = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], capture_output=True,
                              text=True, check=True).stdout.strip()  # fmt: skip
        changed = subprocess.run([*git, "status", "--porcelain", "--", "../src"],
                                 capture_output=True, text=True, check=True).stdout  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name}, with changes" if changed else name
