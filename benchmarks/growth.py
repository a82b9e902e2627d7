"""How time and memory grow with the number of matches: python -m benchmarks.growth [OPTIONS].

    --method M     chains, pairrank or pairrank:sharded; several times for several (default: all)
    --sizes N,...  numbers of matches (default: those of the method)
    --corpus DIR   a season written by `python -m touchline.sample.season DIR`; made if missing

Runs `touchline fit` and `touchline align --corpus` on the first N matches of an invented season
with two processes, and measures them from outside: seconds by the clock, seconds of processor time
of all processes, and the most memory that they had together. Draws docs/images/growth.svg if
nothing is left out.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import Table, show
from touchline.sample.season import SEASON, write_season

SIZES = {
    "chains": (1, 5, 20, 80, SEASON),
    "pairrank": (1, 2, 5, 10),
    "pairrank:sharded": (1, 5, 20, 80),
}
# Below this the start of Python is most of the time; where no more is measured, the last two count.
FIRST_OF_EXPONENT = 5
ROOT = Path(__file__).parents[1]
FIGURE = ROOT / "docs" / "images" / "growth.svg"
JOBS = 2


class Measured(NamedTuple):
    """One method on so many matches."""

    method: str
    matches: int
    seconds: float
    processor: float
    megabytes: float
    load: float


Runs = dict[str, list[Measured]]


def measure(method: str, matches: int, season: Path) -> Measured:
    """Fit and align, each in processes of its own."""
    with tempfile.TemporaryDirectory() as somewhere:
        folder = Path(somewhere)
        corpus = folder / "corpus"
        corpus.mkdir()
        for match in sorted(season.iterdir())[:matches]:
            (corpus / match.name).symlink_to(match.resolve())
        model = folder / "model.npz"
        load = os.getloadavg()[0]
        fit = watched("fit", corpus, "-o", model, "--method", method)
        align = watched("align", "--corpus", corpus, "-o", folder / "links", "--model", model)
    seconds, processor = fit[0] + align[0], fit[1] + align[1]
    return Measured(method, matches, seconds, processor, max(fit[2], align[2]), load)


def watched(*words: object) -> tuple[float, float, float]:
    """Seconds, seconds of processor time, and the most MB that a command's processes had."""
    before, started = os.times(), time.perf_counter()
    command = [sys.executable, "-m", "touchline", *map(str, words), "--jobs", str(JOBS)]
    process = subprocess.Popen(command, start_new_session=True)
    most = 0.0
    while process.poll() is None:
        most = max(most, megabytes(process.pid))
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return time.perf_counter() - started, used, most


def megabytes(session: int) -> float:
    """What the processes of a session have in memory together; what they share counts each time."""
    pages = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                pages += int((folder / "statm").read_text().split()[1])
        except OSError:
            continue  # it has ended meanwhile
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def exponent(runs: list[Measured], what: str) -> float:
    """The slope on logarithmic axes, by least squares."""
    used = [run for run in runs if run.matches >= FIRST_OF_EXPONENT]
    used = used if len(used) > 1 else runs[-2:]
    if len(used) < 2:
        return math.nan
    x = [math.log(run.matches) for run in used]
    y = [math.log(getattr(run, what)) for run in used]
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return above / sum((a - middle_x) ** 2 for a in x)


def rows_of(runs: Runs) -> Iterator[Sequence[str]]:
    for method, some in runs.items():
        for run in some:
            yield (f"`{method}`", str(run.matches), f"{run.seconds:.0f}", f"{run.processor:.0f}",
                   f"{run.megabytes:.0f}", f"{run.load:.1f}")  # fmt: skip
        powers = [f"{exponent(some, what):.2f}" for what in ("processor", "megabytes")]
        yield f"`{method}`", "exponent", "", *powers, ""


def draw(runs: Runs, path: Path) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    style = {"font.size": 8, "svg.hashsalt": "touchline", "svg.fonttype": "none"}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(7.4, 3.4), layout="constrained")
        panels = figure.subplots(1, 2)
        titles = {"processor": "processor seconds, fit and align", "megabytes": "most memory, MB"}
        for axes, (what, title) in zip(panels, titles.items(), strict=True):
            for method, some in runs.items():
                label = f"{method} (n^{exponent(some, what):.2f})"
                y = [getattr(run, what) for run in some]
                axes.loglog([run.matches for run in some], y, marker="o", ms=3.5, label=label)
            axes.set(title=title, xlabel="matches")
            axes.grid(alpha=0.3, which="both", lw=0.4)
            axes.legend(frameon=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})


def tables(
    sizes: Mapping[str, Sequence[int]] = SIZES, given: Path | None = None
) -> Iterator[Table]:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    most = max(size for some in sizes.values() for size in some)
    with tempfile.TemporaryDirectory() as temporary:
        season = given or Path(temporary)
        if not season.is_dir() or len(list(season.iterdir())) < most:
            write_season(season, most)
        runs = {
            method: [measure(method, size, season) for size in some]
            for method, some in sizes.items()
        }
    if sizes is SIZES:
        draw(runs, FIGURE)
    head = ["method", "matches", "seconds", "processor seconds", "memory, MB", "load before"]
    yield Table("", head, list(rows_of(runs)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    parser.add_argument("--method", action="append", choices=SIZES)
    parser.add_argument("--sizes")
    parser.add_argument("--corpus", type=Path)
    given = parser.parse_args()
    if not given.method and not given.sizes:
        return show(tables(SIZES, given.corpus))
    chosen = tuple(map(int, given.sizes.split(","))) if given.sizes else None
    show(tables({m: chosen or SIZES[m] for m in given.method or SIZES}, given.corpus))


if __name__ == "__main__":
    main()
