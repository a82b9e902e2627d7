"""How fast a StatsBomb match is read, beside kloppy, and how much memory that takes.

    python -m benchmarks.readers [FOLDER]

FOLDER is a corpus folder (`<match>/events.json`, packed or not, and `lineups.json`). Without it
the bundled matches are read, and the real ones where TOUCHLINE_DATA points to them. Both
libraries read the same plain files in the same run, by turns, so that whatever else the machine
does hits both. Times are medians; memory is the peak that Python allocates during one read,
relative to the file's size.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import platform
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from touchline.feeds import read_events
from touchline.files import read_bytes
from touchline.sample import corpus_path

REPEATS = 9


class Files(NamedTuple):
    """A match's plain files."""

    name: str
    events: Path
    lineups: Path | None


class Result(NamedTuple):
    """What one match took: seconds of either library, bytes of ours."""

    name: str
    size: int
    ours: float
    kloppy: float | None
    peak: int


def read_ours(files: Files) -> Any:
    return read_events(files.events, lineups=[files.lineups] if files.lineups else [])


def read_kloppy(files: Files) -> Any:
    from kloppy import statsbomb

    return statsbomb.load(event_data=str(files.events), lineup_data=str(files.lineups))


def measure(files: Files, repeats: int = REPEATS) -> Result:
    """Read a match by turns with both; kloppy only where it is installed and has line-ups."""
    beside = importlib.util.find_spec("kloppy") is not None and files.lineups is not None
    readers = [read_ours, read_kloppy] if beside else [read_ours]
    times: dict[Any, list[float]] = {reader: [] for reader in readers}
    for reader in readers:
        reader(files)  # imports and caches are nobody's reading time
    for _ in range(repeats):
        for reader in readers:
            times[reader].append(_seconds(reader, files))
    median = {reader: statistics.median(seconds) for reader, seconds in times.items()}
    size = files.events.stat().st_size
    return Result(files.name, size, median[read_ours], median.get(read_kloppy), _peak(files))


def _seconds(reader: Callable[[Files], Any], files: Files) -> float:
    gc.collect()  # the garbage of the read before is not on this one's bill
    start = time.perf_counter()
    reader(files)
    return time.perf_counter() - start


def _peak(files: Files) -> int:
    tracemalloc.start()
    try:
        read_ours(files)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@contextmanager
def unpacked(corpus: Path) -> Iterator[list[Files]]:
    """The matches of a corpus as plain files, which is all that kloppy reads."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for events in sorted(corpus.glob("*/events.json*")):
            match = events.parent
            plain = Path(folder) / match.name / "events.json"
            plain.parent.mkdir()
            plain.write_bytes(read_bytes(events))
            lineups = match / "lineups.json"
            found.append(Files(match.name, plain, lineups if lineups.exists() else None))
        yield found


def corpora() -> list[Path]:
    """What is read when no folder is given: the bundled matches and, where there are, real ones."""
    data = os.environ.get("TOUCHLINE_DATA")
    real = [Path(data) / "epl-2015"] if data else []
    return [corpus_path(), *(folder for folder in real if folder.is_dir())]


def report(results: list[Result]) -> Iterator[str]:
    yield f"{'match':28} {'MB':>5} {'ours ms':>8} {'kloppy ms':>10} {'ratio':>6} {'peak/file':>10}"
    for r in results:
        ours = f"{r.name:28} {r.size / 1e6:5.2f} {1000 * r.ours:8.1f}"
        theirs = f"{1000 * r.kloppy:10.1f} {r.kloppy / r.ours:5.1f}x" if r.kloppy else f"{'-':>17}"
        yield f"{ours} {theirs} {r.peak / r.size:9.1f}x"
    ratios = [r.kloppy / r.ours for r in results if r.kloppy]
    if ratios:
        yield f"kloppy takes {statistics.median(ratios):.1f} times as long (median of matches)"
    else:
        yield "kloppy is not installed, or there are no line-ups: nothing to compare with"


def main() -> None:
    given = sys.argv[1:]
    results = []
    for corpus in [Path(given[0])] if given else corpora():
        with unpacked(corpus) as matches:
            results += [measure(files) for files in matches]
    if not results:
        sys.exit("no <match>/events.json in the folder")
    beside = f", kloppy {version('kloppy')}" if results[0].kloppy else ""
    print(f"Python {platform.python_version()}, touchline {version('touchline')}{beside}, "
          f"median of {REPEATS} reads each")  # fmt: skip
    print("\n".join(report(results)))


if __name__ == "__main__":
    main()
