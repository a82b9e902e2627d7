"""Many inputs over a few processes: each has a number, and the number alone says what it is.

A worker that dies, hangs or takes too much memory is a find like any other: what it was at is known
from outside, and another worker goes on behind it.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fuzzing.cases import Case, all_cases, damaged, put
from touchline.core.errors import TouchlineError

LONGEST = 5.0  # seconds of one core that a small file may take
HANGS = 60.0  # seconds without a sign of life
STARTS = 600.0  # the same for a worker that makes its cases
MEMORY = 2 << 30  # bytes that a worker may take beyond what it starts with
STARTING = -1  # the place of a worker that makes its cases
AT_ONCE = 100  # of what a worker has to say; the others would wait with a full pipe else


class Find(NamedTuple):
    """An input that did something else than be read or be refused."""

    number: int
    case: str
    what: str
    where: str


class Outcome(NamedTuple):
    """What has been counted: (case, "read" or "refused") and how often; the most seconds, bytes."""

    counts: Counter[tuple[str, str]]
    finds: list[Find]
    longest: float
    peak: int

    @property
    def inputs(self) -> int:
        return self.counts.total() + len(self.finds)


def chosen(cases: list[Case], seed: int, number: int) -> tuple[Case, Random]:
    """The case of an input, and the chance that makes the rest of it."""
    chance = Random(f"{seed}/{number}")
    return chance.choices(cases, [case.weight for case in cases])[0], chance


def try_one(case: Case, chance: Random, folder: Path) -> tuple[str, float]:
    """Damage, read, and say what came out and how long it took; other errors fly on."""
    files = damaged(chance, case)
    put(files, folder)
    start = time.process_time()
    try:
        case.read(chance, folder)
        outcome = "read"
    except TouchlineError as error:
        str(error).encode()  # what is said must be printable
        outcome = "refused"
    return outcome, time.process_time() - start


def run_here(numbers: Iterator[int] | range, seed: int, cases: list[Case]) -> Outcome:
    """Try some inputs in this process."""
    outcome = Outcome(Counter(), [], 0.0, 0)
    for number in numbers:
        outcome = added(outcome, _tried(cases, seed, number))
    return outcome


def added(one: Outcome, other: Outcome) -> Outcome:
    return Outcome(one.counts + other.counts, one.finds + other.finds,
                   max(one.longest, other.longest), max(one.peak, other.peak))  # fmt: skip


def _tried(cases: list[Case], seed: int, number: int) -> Outcome:
    case, chance = chosen(cases, seed, number)
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    try:
        said, seconds = try_one(case, chance, folder)
        if seconds > LONGEST:
            return Outcome(Counter(), [Find(number, case.name, "slow", f"{seconds:.1f} s")], 0, 0)
        return Outcome(Counter({(case.name, said): 1}), [], seconds, 0)
    except Exception as error:
        what = f"{type(error).__name__}: {str(error)[:100]!r}"
        return Outcome(Counter(), [Find(number, case.name, what, _where(error))], 0, 0)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _where(error: Exception) -> str:
    """The last line of our own that the error came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "touchline" in Path(frame.filename).parts]
    last = (ours or frames)[-1]
    return f"{Path(last.filename).parent.name}/{Path(last.filename).name}:{last.lineno}"


# ---- over processes


def run(
    numbers: range, seed: int, workers: int, make: Callable[[], list[Case]] = all_cases
) -> Iterator[Outcome]:
    """Try the inputs in several processes; gives what is new, bit by bit."""
    running = [_Worker(numbers[part::workers], seed, make) for part in range(workers)]
    while running:
        wait([worker.home for worker in running], timeout=1.0)
        for worker in list(running):
            yield from worker.news()
            if worker.ended:
                running.remove(worker)


class _Worker:
    """A process with its share of the numbers; a new one takes over where one was lost."""

    def __init__(self, numbers: range, seed: int, make: Callable[[], list[Case]]) -> None:
        self.numbers, self.seed, self.make, self.ended = numbers, seed, make, False
        self._start(0)

    def _start(self, first: int) -> None:
        spawn: Any = multiprocessing.get_context("spawn")
        self.first = first
        self.at = spawn.Value("q", STARTING, lock=False)
        self.heard = time.monotonic()
        self.home, theirs = spawn.Pipe(duplex=False)
        given = self.numbers[first:], self.seed, self.make, theirs, self.at
        self.process = spawn.Process(target=_work, args=given, daemon=True)
        self.process.start()
        theirs.close()

    def news(self) -> Iterator[Outcome]:
        try:
            for _ in range(AT_ONCE):
                if not self.home.poll():
                    break
                outcome = self.home.recv()
                self.heard = time.monotonic()
                if outcome is None:
                    self.ended = True
                    self.process.join()
                    return
                yield outcome
        except EOFError:
            yield self._lost("the process died")
            return
        limit = STARTS if self.at.value == STARTING else HANGS
        if time.monotonic() - self.heard > limit:
            self.process.kill()
            yield self._lost(f"nothing for {limit:g} s")

    def _lost(self, what: str) -> Outcome:
        """Report the input that it was at, and go on behind it."""
        self.process.join()
        if self.at.value == STARTING:
            raise RuntimeError("a worker ended before its first input")
        place = self.first + self.at.value
        number, code = self.numbers[place], self.process.exitcode
        case, _ = chosen(self.make(), self.seed, number)
        self.ended = place + 1 == len(self.numbers)
        if not self.ended:
            self._start(place + 1)
        return Outcome(Counter(), [Find(number, case.name, what, f"exit {code}")], 0, 0)


def _work(
    numbers: range, seed: int, make: Callable[[], list[Case]], out: Connection, at: Any
) -> None:
    import resource  # which Windows does not have

    sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (warnings of damaged numbers, by thousands)
    cases = make()
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    out.send(Outcome(Counter(), [], 0.0, 0))  # ready
    for place, number in enumerate(numbers):
        at.value = place
        outcome = _tried(cases, seed, number)
        out.send(outcome._replace(peak=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))
    out.send(None)
