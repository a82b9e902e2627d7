"""Puts mutants into copies of the project and runs their tests there."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Literal, NamedTuple

# Caches are copied: they hold the compiled kernels, which take long to make again.
LEFT_OUT = shutil.ignore_patterns(".*", "build", "dist", "site", "node_modules", "touchline-*")
# Seconds for the tests of one mutant; a mutant that never ends is noticed by that.
MAX_SECONDS = 300.0
# What pytest says: all passed, some failed, the tests could not even be loaded.
PASSED, FAILED, BROKEN = 0, 1, 2

Verdict = Literal["killed", "survived", "does not apply", "tests not found", "tests fail anyway"]


class Mutant(NamedTuple):
    """A mistake: in a file, `new` instead of the only `old`; `tests` are those that should fail."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


class Result(NamedTuple):
    mutant: Mutant
    verdict: Verdict
    seconds: float = 0.0
    detail: str = ""


class DoesNotApplyError(Exception):
    """The code has changed, and the mutant has to be written anew."""


def mutated(source: str, mutant: Mutant) -> str:
    """The source with the mistake."""
    found = source.count(mutant.old)
    if found != 1:
        raise DoesNotApplyError(f"the snippet is there {found} times; expected once")
    changed = source.replace(mutant.old, mutant.new)
    if changed == source:
        raise DoesNotApplyError("the mutant changes nothing")
    if mutant.file.endswith(".py"):
        try:
            compile(changed, mutant.file, "exec")
        except SyntaxError as error:
            raise DoesNotApplyError(f"the mutant is no Python ({error})") from None
    return changed


class Tree:
    """A copy of the project in which one mutant after the other is tried."""

    def __init__(self, project: Path, folder: Path) -> None:
        self.root = folder
        shutil.copytree(project, folder, ignore=LEFT_OUT)
        self._stamps = 0

    def check(self, package: str) -> None:
        """Raise if Python would load another copy of the package than the one in here."""
        said = self._python("-c", f"import {package}; print({package}.__file__)").stdout.strip()
        if not Path(said).resolve().is_relative_to(self.root.resolve()):
            raise RuntimeError(f"{package} is loaded from {said or 'nowhere'}, not from the copy")

    def failures(self, tests: Iterable[str]) -> list[str]:
        """Which of the tests fail without a mutant; nothing can be learned from those."""
        return _failures(self._test(tests, timeout=None).stdout)

    def _test(
        self, tests: Iterable[str], *options: str, timeout: float | None = MAX_SECONDS
    ) -> subprocess.CompletedProcess[str]:
        pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
        return self._python(*pytest, *options, *tests, timeout=timeout)

    def run(self, mutant: Mutant) -> Result:
        """Whether the mutant's tests notice it."""
        path = self.root / mutant.file
        started = time.monotonic()
        try:
            before, stat = path.read_text(encoding="utf-8"), path.stat()
            changed = mutated(before, mutant)
        except (OSError, DoesNotApplyError) as error:
            return Result(mutant, "does not apply", detail=str(error))
        try:
            path.write_text(changed, encoding="utf-8")
            self._stamp(path, stat)
            done = self._test(mutant.tests, "-x")
        except subprocess.TimeoutExpired:
            return Result(mutant, "killed", MAX_SECONDS, "did not end")
        finally:
            path.write_text(before, encoding="utf-8")
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        seconds = time.monotonic() - started
        if done.returncode in (FAILED, BROKEN):
            return Result(mutant, "killed", seconds, " ".join(_failures(done.stdout)[:1]))
        if done.returncode == PASSED:
            return Result(mutant, "survived", seconds)
        return Result(mutant, "tests not found", seconds, done.stdout[-300:] + done.stderr[-300:])

    def _stamp(self, path: Path, stat: os.stat_result) -> None:
        """Give a changed file a time of its own.

        Python and numba know a file again by its time, in seconds, and its size. Two mutants of one
        size within a second would else be taken for one.
        """
        self._stamps += 1
        changed = stat.st_mtime_ns + self._stamps * 1_000_000_000
        os.utime(path, ns=(stat.st_atime_ns, changed))

    def _python(
        self, *arguments: str, timeout: float | None = MAX_SECONDS
    ) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy; what it started ends with it."""
        # The bundled matches must be enough: real ones are not on every machine.
        kept = {name: value for name, value in os.environ.items() if name != "TOUCHLINE_DATA"}
        path = os.pathsep.join([str(self.root / "src"), str(self.root)])
        with subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.root,
            env={**kept, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                out, err = process.communicate(timeout=timeout)
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def _failures(output: str) -> list[str]:
    """The tests that failed, as pytest names them in its summary."""
    lines = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return [line.split(" - ")[0].partition(" ")[2] for line in lines]


def unsound(mutant: Mutant, failing: Iterable[str]) -> Result | None:
    """The result for a mutant some of whose tests fail without it; None where none does."""
    own = [name for name in failing if name.startswith(mutant.tests)]
    return Result(mutant, "tests fail anyway", detail=own[0]) if own else None


def run_all(trees: Sequence[Tree], mutants: Sequence[Mutant]) -> Iterator[Result]:
    """The results as they come, with as many mutants at a time as there are trees."""
    free: queue.SimpleQueue[Tree] = queue.SimpleQueue()
    for tree in trees:
        free.put(tree)

    def run(mutant: Mutant) -> Result:
        tree = free.get()
        try:
            return tree.run(mutant)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        try:
            yield from (
                done.result() for done in as_completed(pool.submit(run, m) for m in mutants)
            )
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
