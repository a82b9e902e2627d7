"""Memory of long runs: python -m benchmarks.soak [--minutes M] [--log same] [--pace P]

A `touchline live` and a `touchline serve` run side by side for two hours, or for M minutes. The log
of the live match is written anew every ten seconds with one more event, its commentary grows by a
line every few seconds and starts again when the match is over. A longer log takes more memory: with
`--log same` it changes all the time but stays as long, so that any growth is a leak. With a pace of
P both files change P times as often. `--updates N` makes hours of updates in minutes: N, 2N and 4N
of them in one process, without waiting, while the log stays as long. The server is asked, once a
second and in turn, for a match page, a search and a label, and aligns its match again every two
minutes.
Memory is the resident set of the process and its children every five seconds, in MB; the slope is
that of a line through the second half of the run. It reads /proc, so it needs Linux.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import Table, in_fresh_process, show
from benchmarks.server import Connection, Server, labels, pages, searches
from touchline.methods.registry import make_aligner
from touchline.pipeline.live.session import Session
from touchline.pipeline.live.sources import Commentary, Feed
from touchline.sample import corpus_path

SAMPLE = corpus_path() / "harrowmere-castlebrook"
LOOK = 5.0
ANSWERS = 4  # after each update, at most


class Every(NamedTuple):
    """Something that is done again and again, and how many seconds apart."""

    seconds: float
    do: Callable[[], object]


class LiveFiles:
    """The files of a match that is going on."""

    def __init__(self, folder: Path, grows: bool) -> None:
        self.log, self.text = folder / "events.json", folder / "live.jsonl"
        self._records = json.loads(gzip.decompress((SAMPLE / "events.json.gz").read_bytes()))
        self._lines = (SAMPLE / "comments.jsonl").read_text().splitlines(keepends=True)
        self._logs = self._growing() if grows else self._as_long()
        self._place = itertools.cycle(range(1, len(self._lines) + 1))
        self.write_log()
        self.write_text()

    def write_log(self) -> None:
        _replace(self.log, json.dumps(next(self._logs)))

    def _growing(self) -> Iterator[list[object]]:
        for missing in itertools.cycle(range(600, 0, -1)):
            yield self._records[:-missing]

    def _as_long(self) -> Iterator[list[object]]:
        """Each without another one of the last events."""
        for missing in itertools.cycle(range(1, 60)):
            yield [*self._records[: -missing - 1], *self._records[len(self._records) - missing :]]

    def write_text(self) -> None:
        _replace(self.text, "".join(self._lines[: next(self._place)]))


class LiveMatch(LiveFiles):
    """`touchline live` on files that change under it."""

    def __init__(self, folder: Path, grows: bool) -> None:
        super().__init__(folder, grows)
        words = ["live", "--events", str(self.log), "--comments", str(self.text)]
        words += ["--lineups", str(SAMPLE / "lineups.json")]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "touchline", *words],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def _replace(path: Path, text: str) -> None:
    path.with_suffix(".new").write_text(text)
    os.replace(path.with_suffix(".new"), path)


def asked(server: Server, name: str) -> Callable[[], object]:
    """One request after the other, of every kind in turn."""
    connection = Connection(server.port)
    kinds = [kind(connection, [name], 0) for kind in (pages, searches, labels)]
    requests: Iterator[Iterator[None]] = itertools.cycle(kinds)
    return lambda: next(next(requests))


def aligned(server: Server, name: str) -> Callable[[], object]:
    """A new connection each time: the server closes one that is idle for so long."""
    path, body = f"/matches/{name}/align", {"method": "chains"}
    return lambda: Connection(server.port).ask("POST", path, body)


def memory(process: int) -> float:
    """The resident set of a process and all below it, in MB."""
    below = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    pages_used = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    own = pages_used * os.sysconf("SC_PAGE_SIZE") / 2**20
    return own + sum(memory(int(child)) for child in below)


def soak(minutes: float, grows: bool, pace: float) -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room) / "served"
        shutil.copytree(SAMPLE, folder / "match")
        (Path(room) / "live").mkdir()
        live, server = LiveMatch(Path(room) / "live", grows), Server(folder)
        try:
            time.sleep(20)  # both have read their match
            work = [
                Every(10 / pace, live.write_log), Every(7 / pace, live.write_text),
                Every(1, asked(server, "match")), Every(120, aligned(server, "match")),
            ]  # fmt: skip
            processes = {"live": live.process.pid, "serve": server.process.pid}
            found = _follow(work, processes, 60 * minutes)
        finally:
            live.process.terminate()
            live.process.wait()
            server.end()
    rows = [(f"`{name}`", *_figures(seen)) for name, seen in found.items()]
    head = ["process", "samples", "after 10 %", "half-way", "end", "largest", "MB an hour"]
    log = "a growing log" if grows else "a log as long all the time"
    yield Table(f"{minutes:g} minutes at a pace of {pace:g}, {log}", head, rows, "")


def updates(count: int) -> Iterator[Table]:
    """Memory of a session after so many updates, twice and four times as many."""
    seen = in_fresh_process(_updated, [count, 2 * count, 4 * count])
    rows = [(number, f"{size:.1f}") for number, size in seen]
    yield Table("A session whose log stays as long", ["updates", "MB"], rows, "")


def _updated(counts: list[int]) -> list[tuple[int, float]]:
    found = []
    with tempfile.TemporaryDirectory() as room:
        files = LiveFiles(Path(room), grows=False)
        feed = Feed(files.log, None, [SAMPLE / "lineups.json"], None, lambda _: None)
        said = Commentary(files.text, None, lambda _: None)
        session = Session(make_aligner("chains"), "match")
        for number in range(1, max(counts) + 1):
            files.write_log()
            files.write_text()
            if (match := feed.look()) is not None:
                session.follow_log(match)
            said.begin_anew()
            said.add(files.text.read_text())
            session.follow_comments(said.comments(session.match.ends))
            for _ in range(ANSWERS):
                if session.waiting:
                    list(session.answer_some())
            if number in counts:
                found.append((number, memory(os.getpid())))
    return found


def _follow(
    work: list[Every], processes: dict[str, int], seconds: float
) -> dict[str, list[tuple[float, float]]]:
    """Do the work and look at the memory; samples by process: second, MB."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in processes}

    def look() -> None:
        for name, process in processes.items():
            found[name].append((time.monotonic() - start, memory(process)))

    start = time.monotonic()
    due = dict.fromkeys(range(len(work) + 1), start)
    every = [*work, Every(LOOK, look)]
    while time.monotonic() - start < seconds:
        for number, (apart, do) in enumerate(every):
            if time.monotonic() >= due[number]:
                do()
                due[number] = time.monotonic() + apart
        time.sleep(0.1)
    return found


def _figures(seen: list[tuple[float, float]]) -> list[str]:
    late = seen[len(seen) // 2 :]
    slope = statistics.linear_regression(*zip(*late, strict=True)).slope * 3600
    sizes = [size for _, size in seen]
    return [
        str(len(seen)), f"{sizes[len(sizes) // 10]:.0f}", f"{sizes[len(sizes) // 2]:.0f}",
        f"{sizes[-1]:.0f}", f"{max(sizes):.0f}", f"{slope:+.1f}",
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--log", choices=["growing", "same"], default="growing")
    parser.add_argument("--pace", type=float, default=1.0)
    parser.add_argument("--updates", type=int)
    given = parser.parse_args()
    if given.updates:
        return show(updates(given.updates))
    show(soak(given.minutes, given.log == "growing", given.pace))


if __name__ == "__main__":
    main()
