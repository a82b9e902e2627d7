"""Figures of the docs beside those of `reproduce`: python -m benchmarks.measured [NAME ...].

Runs each benchmark of accuracy that stands in a page of the docs, and keeps what it found in
docs/results/measured/NAME.json, with the command, the commit and the time it took. What is kept is
not measured again while code and data stay the same, so an interrupted run goes on where it
stopped. `python docs/results.py` then writes the tables into the pages. Needs TOUCHLINE_DATA.

With --jobs N, so many run at once, each in a process of its own, those that took longest first.
Their tables of time are of processor time.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import multiprocessing
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import msgspec

from benchmarks.measuring import Table, commit, real_data
from touchline.reproduce.sources import imported_by, module_of, path_of, reached

KEPT = Path(__file__).resolve().parents[1] / "docs" / "results" / "measured"
HERE = Path(__file__).resolve().parent
BUNDLED = "bundled"  # folders of parameters that touchline has fitted
CORPORA = ("epl-2015", "radio-2018", "robocup", "tv-2015")


class Measurement(NamedTuple):
    """The words of a benchmark's command line, and the methods that it makes by name.

    Those that report are run with the sealed matches.
    """

    words: tuple[str, ...] = ()
    methods: tuple[str, ...] = ("chains",)


MEASURED = {
    "headline": Measurement(methods=("random", "pairrank", "chains")),
    "submodularity": Measurement(methods=()),
    "arguments": Measurement(methods=("pairrank", "liang2009")),
    "readings": Measurement(methods=("pairrank",)),
    "leave_one_out": Measurement(),
    "ablations": Measurement(),
    "clock": Measurement(("--sealed",)),
    "matchtime": Measurement(("--sealed",)),
    "calibration": Measurement(("--sealed",)),
    "labels": Measurement(("--sealed",)),
    "speech": Measurement(),
    "words": Measurement(("--sealed",), ("chains", "liang2009", "koncel2014")),
    "phases": Measurement(("--sealed",)),
    "generation": Measurement(),
    "check": Measurement(),
}


class Kept(msgspec.Struct, frozen=True):
    """What a benchmark found, and what it depends on."""

    command: str
    commit: str
    seconds: float
    depends: str
    tables: list[dict[str, Any]]


def measure(name: str, words: Sequence[str], depends: str) -> Kept:
    """Run a benchmark; what it prints goes to standard error."""
    module = importlib.import_module(f"benchmarks.{name}")
    started, of = time.perf_counter(), commit()
    with mock.patch.object(sys, "argv", [name, *words]), contextlib.redirect_stdout(sys.stderr):
        found = list(module.tables())
    shown = [word for word in words if not word.startswith("--models=")]
    command = " ".join(["python -m", f"benchmarks.{name}", *shown])
    took = round(time.perf_counter() - started, 1)
    return Kept(command, of, took, depends, [_plain(table) for table in found])


def _plain(table: Table) -> dict[str, Any]:
    rows = [[str(cell) for cell in row] for row in table.rows]
    return {"title": table.title, "head": list(table.head), "rows": rows, "notes": table.notes}


def depends_on(name: str, data: Path) -> str:
    """A digest of code and data; of the data names and sizes, for they are not edited.

    The code is what the benchmark and its methods import, directly or not, and all of evaluation.
    """
    measured = MEASURED[name]
    digest = hashlib.sha256(repr((name, measured.words)).encode())
    for path in sources(name, measured.methods):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    for corpus in CORPORA:
        for path in sorted((data / corpus).rglob("*")):
            if path.is_file():
                digest.update(f"{path.relative_to(data)} {path.stat().st_size}".encode())
    return digest.hexdigest()[:16]


def sources(name: str, methods: Sequence[str]) -> Iterator[Path]:
    """The files that a benchmark depends on: code, and the bundled parameters beside it."""
    own = _with_imports(HERE / f"{name}.py")
    roots = {module for path in own for module in imported_by(path)}
    roots.update(module_of(method) for method in methods)
    roots.add("touchline.evaluation.protocol")
    code = [path_of(module) for module in sorted(reached(*roots))]
    bundled = {path.parent / BUNDLED for path in code}
    yield from sorted(own)
    yield from code
    yield from (path for folder in sorted(bundled) for path in sorted(folder.glob("*.[nj]*")))


def _with_imports(path: Path) -> set[Path]:
    """A benchmark with those that it imports; what they share for timing and tables is left out."""
    found, left = set[Path](), [path]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            text = one.read_text(encoding="utf-8")
            names = re.findall(r"^from benchmarks\.([\w.]+) import", text, re.MULTILINE)
            left += [_file(name) for name in names if name != "measuring"]
    return found


def _file(name: str) -> Path:
    module = HERE / name.replace(".", "/")
    return module / "__init__.py" if module.is_dir() else module.with_suffix(".py")


def read_kept(name: str) -> Kept | None:
    """What was found before, if it can be read."""
    path = KEPT / f"{name}.json"
    if not path.is_file():
        return None
    return msgspec.json.decode(path.read_bytes(), type=Kept)


def keep(name: str, found: Kept) -> None:
    encoded = msgspec.json.format(msgspec.json.encode(found), indent=1)
    (KEPT / f"{name}.json").write_bytes(encoded)


def remeasure(name: str, depends: str, models: str) -> float:
    """Measure and keep it; how many seconds it took. Made for a process of its own."""
    found = measure(name, (*MEASURED[name].words, f"--models={models}"), depends)
    keep(name, found)
    return found.seconds


def outdated(names: Sequence[str], data: Path) -> dict[str, str]:
    """What has to be measured and what it depends on; those that took longest first."""
    kept = {name: read_kept(name) for name in names}
    depends = {name: depends_on(name, data) for name in names}
    left = [name for name, found in kept.items() if not found or found.depends != depends[name]]
    left.sort(key=lambda name: -(found.seconds if (found := kept[name]) else 0.0))
    return {name: depends[name] for name in left}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.measured", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASURED))
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many at once")
    given, data = parser.parse_args(), real_data()
    KEPT.mkdir(parents=True, exist_ok=True)
    names = given.names or list(MEASURED)
    left = outdated(names, data)
    for name in names:
        if name not in left:
            print(f"{name}: as kept", flush=True)
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as models,  # several benchmarks learn the same ones
        # A process for each, so that none has what another has cached.
        ProcessPoolExecutor(given.jobs, spawn, max_tasks_per_child=1) as pool,
    ):
        made = {
            pool.submit(remeasure, name, depends, models): name for name, depends in left.items()
        }
        for future in as_completed(made):
            print(f"{made[future]}: {future.result():.0f} s", flush=True)


if __name__ == "__main__":
    main()
