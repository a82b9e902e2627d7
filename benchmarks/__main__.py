"""python -m benchmarks [-o FILE] [NAME ...]: run the benchmarks and write docs/benchmarks.md.

Each also runs alone: `python -m benchmarks.readers`. A new one joins by its name in MODULES: it has
`tables()` (see `benchmarks.measuring`), or just a `main()` that prints. Those in SEASONS run with
`--seasons`, which writes docs/benchmarks-seasons.md. Other pages have tables of these pages;
`python docs/results.py` writes them there.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from benchmarks.measuring import Ratio, Strict, Table, machine

MODULES = (
    "readers",
    "models",
    "pairrank",
    "literal",
    "matches",
    "submodularity",
    "chains",
    "limits",
    "page",
    "names",
    "kickoffs",
    "startup",
    "live",
    "labelling",
    "server",
)
# Those that take long.
SEASONS = ("growth", "archive")
DOCS = Path(__file__).resolve().parent.parent / "docs"
INTRODUCTION = """\
# Benchmarks

`make bench` runs all benchmarks and writes this page. Seconds are processor time on one core.
Ratios compare two implementations on the same data, timed alternately or one after the other.
"""
OF_SEASONS = """\
# Benchmarks of seasons and archives

`make bench-seasons` runs these benchmarks and writes this page. All matches are invented
(`python -m touchline.sample.season`).
"""


class Result(NamedTuple):
    """What a benchmark found, or printed, or why it did not run; and how long it took."""

    name: str
    about: str
    tables: list[Table]
    printed: str
    seconds: float


def run(name: str) -> Result:
    module = importlib.import_module(f"benchmarks.{name}")
    about = _title(module)
    start, tables, printed = time.perf_counter(), [], io.StringIO()
    try:
        tables = _measured(module, printed)
    except SystemExit as stop:  # one that lacks its data does not stop the others
        printed.write(f"not measured: {stop}\n")
    except Exception as error:  # nor does one that is broken
        traceback.print_exc()
        printed.write(f"failed: {type(error).__name__}\n")
    return Result(name, about, tables, printed.getvalue(), time.perf_counter() - start)


def _title(module: ModuleType) -> str:
    """The first line of its docstring, without command and full stop."""
    line = (module.__doc__ or "").strip().splitlines()[0]
    return line.partition(": python -m")[0].removesuffix(".")


def _measured(module: ModuleType, printed: io.StringIO) -> list[Table]:
    if hasattr(module, "tables"):
        return list(module.tables())
    with contextlib.redirect_stdout(printed):
        module.main()
    return []


def document(
    about: list[tuple[str, str]], results: list[Result], introduction: str = INTRODUCTION
) -> str:
    """The whole page."""
    took = sum(result.seconds for result in results)
    head = Table("", ["", ""], [*about, ("whole run", f"{took / 60:.1f} minutes")])
    ratios = [ratio for r in results for table in r.tables for ratio in table.ratios]
    short = ["## Summary", summary(ratios).markdown()] if ratios else []
    parts = [introduction.rstrip(), head.markdown(), *short, *map(section, results)]
    return "\n\n".join(parts) + "\n"


def summary(ratios: list[Ratio]) -> Table:
    rows = [
        (r.what, r.against, times(r.times), *(strict(r.strict) if r.strict else ("", "")),
         "" if r.memory is None else f"{r.memory:,.0f}")
        for r in ratios
    ]  # fmt: skip
    notes = (
        "x: how many times as long the other implementation takes; below 1 it is faster than ours. "
        "Where there are two references, the first is the usual way or the one that the paper "
        "prints, and the second the best that standard software does for the same result: judge by "
        "the second."
    )
    head = ["what", "compared with", "ratio", "strict reference", "ratio", "our peak MB"]
    return Table("", head, rows, notes)


def strict(reference: Strict) -> tuple[str, str]:
    return reference.against, times(reference.times)


def times(ratio: float) -> str:
    return f"{ratio:,.1f}x" if ratio >= 1 else f"{ratio:.2f}x"


def section(result: Result) -> str:
    lines = [f"## {result.about}", f"`python -m benchmarks.{result.name}`"]
    lines += [table.markdown() for table in result.tables]
    lines += [f"```text\n{result.printed.rstrip()}\n```"] if result.printed else []
    return "\n\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MODULES))
    parser.add_argument("--seasons", action="store_true", help=", ".join(SEASONS))
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    if given.seasons:
        names, page, introduction = SEASONS, DOCS / "benchmarks-seasons.md", OF_SEASONS
    else:
        names, page, introduction = MODULES, DOCS / "benchmarks.md", INTRODUCTION
    output = given.output or page
    about, results = machine(), []
    for name in given.names or names:
        results.append(run(name))
        print(f"{name}: {results[-1].seconds:.0f} s", flush=True)
        # As far as it is.
        output.write_text(document(about, results, introduction), encoding="utf-8")
    print(f"written: {output}")


if __name__ == "__main__":
    main()
