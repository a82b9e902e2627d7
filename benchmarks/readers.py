"""Time and memory to read a match in each feed, compared with kloppy.

    python -m benchmarks.readers [FOLDER]
    python -m benchmarks.readers --season [MB]

FOLDER is a corpus folder (`<match>/events.json`, packed or not, and `lineups.json`). Without it
the bundled matches are read, one of them also in the format of every other feed, and the real
files where TOUCHLINE_DATA points to them. Both libraries read the same plain files in the same
run, by turns, so that whatever else the machine does hits both; kloppy where it is installed and
reads the feed from these files. Times are medians; memory is the peak that Python allocates during
one read, the raw records included, relative to the size of the events file.

With --season a Wyscout file of so many megabytes (200) is made of the bundled matches and one
match of it is read; memory is then what the whole process holds at most.
"""

from __future__ import annotations

import atexit
import gc
import importlib.util
import json
import os
import resource
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import Ratio, Table, seconds, show
from touchline.core.records import Match
from touchline.io.corpus.layout import read_corpus
from touchline.io.feeds import read_events
from touchline.io.files import read_bytes
from touchline.sample import corpus_path
from touchline.sample.exports import FEEDS, write

REPEATS = 15


class Files(NamedTuple):
    """A match's plain files."""

    name: str
    events: Path
    lineups: list[Path]


class Result(NamedTuple):
    """What is in a match, and what it took: seconds of either library, bytes of ours.

    The match itself is let go: what lies in memory slows whoever reads next.
    """

    name: str
    provider: str
    events: int
    linkable: int
    named: str
    size: int
    ours: float
    kloppy: float | None
    peak: int


def read_ours(files: Files) -> Match:
    return read_events(files.events, lineups=files.lineups)


def _kloppy_statsbomb(files: Files) -> Any:
    from kloppy import statsbomb

    return statsbomb.load(event_data=str(files.events), lineup_data=str(files.lineups[0]))


def _kloppy_opta(files: Files) -> Any:
    from kloppy import opta

    return opta.load(f24_data=str(files.events), f7_data=str(files.lineups[0]))


def _kloppy_wyscout(files: Files) -> Any:
    from kloppy import wyscout

    return wyscout.load(event_data=str(files.events), data_version="V2")


KLOPPY = {"statsbomb": _kloppy_statsbomb, "opta": _kloppy_opta, "wyscout": _kloppy_wyscout}


def kloppy_reader(files: Files, match: Match) -> Callable[[Files], Any] | None:
    """kloppy's reader, if it is installed and can do with these files."""
    reader = KLOPPY.get(match.provider)
    if reader is None or importlib.util.find_spec("kloppy") is None:
        return None
    if match.provider != "wyscout" and not files.lineups:
        return None
    try:
        reader(files)
    except Exception:  # whatever it lacks in a file, there is nothing to compare with
        return None
    return reader


def measure(files: Files, repeats: int = REPEATS) -> Result:
    """Read a match by turns with both."""
    match = read_ours(files)  # imports and caches are nobody's reading time
    theirs = kloppy_reader(files, match)
    readers = [read_ours, theirs] if theirs else [read_ours]
    times: dict[Any, list[float]] = {reader: [] for reader in readers}
    for _ in range(repeats):
        for reader in readers:
            times[reader].append(_seconds(reader, files))
    median = {reader: statistics.median(taken) for reader, taken in times.items()}
    size = files.events.stat().st_size
    named = f"{sum(bool(player.names) for player in match.players)}/{len(match.players)}"
    return Result(files.name, match.provider, len(match.events), len(match.linkable), named, size,
                  median[read_ours], median.get(theirs), _peak(files))  # fmt: skip


def _seconds(reader: Callable[[Files], Any], files: Files) -> float:
    gc.collect()  # the garbage of the read before is not on this one's bill
    return seconds(reader, files)


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
            found.append(Files(match.name, plain, [lineups] if lineups.exists() else []))
        yield found


@contextmanager
def exported() -> Iterator[list[Files]]:
    """The first bundled match in the format of every other feed."""
    match = next(read_corpus(corpus_path())).match
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for feed in FEEDS:
            room = Path(folder) / feed
            room.mkdir()
            files = write(match, feed, room)
            found.append(Files(f"ours as {feed}", files.events, files.lineups))
        yield found


def real(data: Path) -> list[Files]:
    """The real files of the other feeds, one match each."""
    found = []
    for folder in sorted(path for path in (data / "feeds").glob("*") if path.is_dir()):
        paths = sorted(path for path in folder.iterdir() if path.is_file())
        lineups = [path for path in paths if path.name.startswith("f7")]
        events = next(path for path in paths if path not in lineups)
        found.append(Files(f"real {folder.name}", events, lineups))
    return found


def tables(corpora: list[Path] | None = None) -> Iterator[Table]:
    """Of these corpus folders; else of the bundled matches, other formats and the real files."""
    results = [measure(files) for files in _files(corpora)]
    if not results:
        sys.exit("no <match>/events.json in the folder")
    rows = [
        (r.name, f"{r.size / 1e6:.2f}", f"{r.events:,}", f"{r.linkable:,}", r.named,
         f"{1000 * r.ours:.1f}", f"{1000 * r.kloppy:.1f}" if r.kloppy else "-",
         f"{r.kloppy / r.ours:.1f}x" if r.kloppy else "-", f"{r.peak / r.size:.1f}x")
        for r in results
    ]  # fmt: skip
    head = ["match", "MB", "events", "linkable", "named", "ours: ms", "kloppy: ms", "ratio",
            "peak / file"]  # fmt: skip
    both = [r for r in results if r.kloppy]
    notes = f"Medians of {REPEATS} reads each, taken alternately."
    if not both:
        notes += " kloppy is not installed, or there are no line-ups: nothing to compare with."
    yield Table("", head, rows, notes, list(_ratios(both)))


def _ratios(results: list[Result]) -> Iterator[Ratio]:
    """The median of each feed that kloppy reads."""
    for feed in dict.fromkeys(r.provider for r in results):
        own = [r for r in results if r.provider == feed]
        ratio = statistics.median((r.kloppy or 0) / r.ours for r in own)
        peak = max(r.peak for r in own) / 1e6
        yield Ratio(f"reading {feed}, {len(own)} files", "kloppy", ratio, peak)


def _files(corpora: list[Path] | None) -> list[Files]:
    """Where the files are temporary they stay until the program ends."""
    data = Path(os.environ.get("TOUCHLINE_DATA", "no such folder"))
    found = [f for c in corpora or (corpus_path(), data / "epl-2015") if c.is_dir()
             for f in _STACK.enter_context(unpacked(c))]  # fmt: skip
    if corpora is None:
        found += _STACK.enter_context(exported())
        found += real(data) if (data / "feeds").is_dir() else []
    return found


_STACK = ExitStack()
atexit.register(_STACK.close)


def season(megabytes: int) -> None:
    """Make a season's file and read one match of it."""
    match = next(read_corpus(corpus_path())).match
    with tempfile.TemporaryDirectory() as folder:
        events = json.loads(write(match, "wyscout", Path(folder)).events.read_bytes())
        path = Path(folder) / "season.json"
        size, number = 0, 0
        with path.open("w") as file:
            while size < megabytes * 1_000_000:
                number += 1
                of_match = [{**event, "matchId": number} for event in events]
                size += file.write("[" if number == 1 else ", ")
                size += file.write(json.dumps(of_match)[1:-1])
            file.write("]")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        read = read_events(path, match=str(number // 2))
        took = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"season of {number} matches, {size / 1e6:.0f} MB: one match ({len(read.events)} events) "
          f"in {took:.1f} s; the process held at most {after // 1024} MB, "
          f"{before // 1024} MB before")  # fmt: skip


def main() -> None:
    given = sys.argv[1:]
    if given[:1] == ["--season"]:
        season(int(given[1]) if len(given) > 1 else 200)
        return
    show(tables([Path(given[0])] if given else None))


if __name__ == "__main__":
    main()
