"""`align` of this commit and of another one, by turns: python -m benchmarks.compare_commit PATH

PATH is another checkout with touchline installed into its own `.venv` (`make test` does that). Each
run is a process of its own that reads a match and writes its links, as a user's is. Both commits
run by turns, so that whatever else the machine does hits both. Bytecode is kept, as pip makes it;
the first turn only makes it. Needs TOUCHLINE_DATA.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.measuring import Table, real_data

HERE = Path(__file__).resolve().parent.parent
MATCHES = ("man-city-chelsea", "west-brom-chelsea", "chelsea-southampton")
Times = tuple[float, float]


def run(checkout: Path, match: Path, folder: Path) -> Times:
    """Seconds by the clock and of the processor to align a match in a fresh process."""
    command = [checkout / ".venv/bin/python", "-m", "touchline", "align", match / "events.json",
               match / "comments.jsonl", "--lineups", match / "lineups.json",
               "-o", folder / "links.jsonl"]  # fmt: skip
    caches = {"PYTHONPYCACHEPREFIX": str(folder / f"bytecode{checkout}")}
    environment = {**os.environ, **caches}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.pop("PYTHONPATH", None)
    begun, before = time.perf_counter(), _children()
    subprocess.run(command, cwd=checkout, env=environment, check=True, capture_output=True)
    return time.perf_counter() - begun, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compare(other: Path, match: Path, folder: Path, turns: int) -> list[Times]:
    """Medians of the other checkout, then of this one."""
    runs = [[run(each, match, folder) for each in (other, HERE)] for _ in range(turns + 1)][1:]
    return [
        (statistics.median(clock), statistics.median(processor))
        for clock, processor in (zip(*own, strict=True) for own in zip(*runs, strict=True))
    ]


def row(name: str, other: Path, folder: Path, turns: int) -> tuple[str, ...]:
    """A match: processor seconds of both and their ratio, then the same by the clock."""
    theirs, ours = compare(other, real_data() / "epl-2015" / name, folder, turns)
    pairs = [(theirs[which], ours[which]) for which in (1, 0)]
    times = [(f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f}x") for one, two in pairs]
    return name, *times[0], *times[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("path", type=Path, help="another checkout of touchline")
    parser.add_argument("--turns", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [row(name, given.path.resolve(), Path(folder), given.turns) for name in MATCHES]
    head = ["match", "other: processor s", "this", "ratio", "other: clock s", "this", "ratio"]
    notes = f"Medians of {given.turns} turns, each a fresh process. Above 1, this commit is faster."
    print(Table("touchline align, one match", head, rows, notes).text())


if __name__ == "__main__":
    main()
