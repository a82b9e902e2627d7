"""Load that the server handles locally, compared with Datasette on the same data.

python -m benchmarks.server [--seconds S] [--matches N] [--folder FOLDER]

Four connections ask one thing after another for some seconds: the data of a match page (packed, as
browsers get it), a search (other words each time, with and without a filter), a search with the
counts of its facets, a label (one transaction that waits for the disk). With nothing else to do,
and while a worker aligns a match; with 1 match and with many, copies of a bundled one in which
every player has another name. `--folder` keeps the matches for another run.

Each query finds the same number of comments in both. touchline sorts them by relevance, marks the
words that were found and lists the described events; Datasette's table lists its rows by their
numbers, without marks.

On a machine that does other work too, rates and times depend on it; the processor time of the
server's process for each request (from /proc, so on Linux) does not.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import http.client
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.datasette_server import Datasette
from benchmarks.measuring import Table, show
from touchline.sample import corpus_path

API = "/api/v1"
CONNECTIONS = 4
RUN = f"run-{os.getpid()}"  # a folder that is kept has the labels of earlier runs
QUICK, WHOLE = "named-nearest", "chains"  # methods: to have answers soon; what users wait for
WORDS = "save post corner free kick header cross wide bar goal foul left right shot chance".split()


class Connection:
    """A connection that is kept, as a browser keeps its own."""

    def __init__(self, port: int) -> None:
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {"X-CSRF-Token": self.ask("GET", "/session")["csrf"]}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        content = None if body is None else json.dumps(body).encode()
        packed = {"Accept-Encoding": "gzip"} if path.endswith("/page") else {}
        headers = {**getattr(self, "headers", {}), **packed}
        self.http.request(method, API + path, content, headers)
        answer = self.http.getresponse()
        data = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:200]!r}")
        return None if packed else json.loads(data)


class Server:
    """A real server on a folder, as a user starts it."""

    def __init__(self, folder: Path) -> None:
        words = ["serve", str(folder), "--port", "0", "--method", QUICK, "--workers", "2"]
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "touchline", *words], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


# What is asked -----------------------------------------------------------------------------------


def pages(connection: Connection, names: list[str], worker: int) -> Iterator[None]:
    for name in itertools.islice(itertools.cycle(names), worker, None):
        yield connection.ask("GET", f"/matches/{name}/page")


def searches(connection: Connection, names: list[str], worker: int) -> Iterator[Any]:
    for number in itertools.count(worker):
        yield connection.ask("GET", f"/search?{_asked(number)}&limit=20")


def _asked(number: int) -> str:
    first, second = _words(number)
    return f"q={first}+{second}{'&kind=Shot' if number % 2 else ''}"


def _words(number: int) -> tuple[str, str]:
    """Two words, the second one not complete, other ones each time.

    All pairs in a mixed order, so that a slow server is asked the same kinds as a fast one.
    """
    first, second = divmod(97 * number % len(WORDS) ** 2, len(WORDS))
    return WORDS[first], WORDS[second][:3]


def facets(connection: Connection, names: list[str], worker: int) -> Iterator[None]:
    """A search with its counts, as the page asks for them."""
    for number in itertools.count(worker):
        yield connection.ask("GET", f"/search?{_asked(number)}&limit=20&facets=true")


def labels(connection: Connection, names: list[str], worker: int) -> Iterator[None]:
    seen: dict[tuple[str, int], int] = {}
    for number in itertools.count():
        key = names[number % len(names)], number // len(names) % 100
        action = {"comment": key[1], "revision": seen.get(key, 0), "action": "note",
                  "text": f"note {number}"}  # fmt: skip
        path = f"/matches/{key[0]}/labels/{RUN}-{worker}"
        said = connection.ask("POST", path, action)
        seen[key] = said["label"]["revision"]
        yield None


# The same of Datasette.


class Plain:
    """A connection to Datasette that is kept."""

    def __init__(self, port: int) -> None:
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, path: str) -> Any:
        self.http.request("GET", path)
        answer = self.http.getresponse()
        data = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {answer.status} {data[:200]!r}")
        return json.loads(data)


TABLE = "/matches/comments.json?_shape=objects"
COUNTED = "".join(f"&_facet_array={name}" for name in ("kinds", "teams", "players"))


def table_pages(connection: Plain, names: list[str], worker: int) -> Iterator[None]:
    for name in itertools.islice(itertools.cycle(names), worker, None):
        yield connection.ask(f"{TABLE}&match={name}&_size=2000&_nocount=1")


def table_searches(
    connection: Plain, names: list[str], worker: int, counted: str = ""
) -> Iterator[Any]:
    for number in itertools.count(worker):
        first, second = _words(number)
        filtered = "&kinds__contains=Shot" if number % 2 else ""
        words = f"&_search={first}*+{second}*&_searchmode=raw"
        yield connection.ask(f"{TABLE}{words}{filtered}{counted}&_size=20")


def table_facets(connection: Plain, names: list[str], worker: int) -> Iterator[None]:
    return table_searches(connection, names, worker, COUNTED)


def table_labels(connection: Plain, names: list[str], worker: int) -> Iterator[None]:
    for number in itertools.count():
        name, comment = names[number % len(names)], number // len(names) % 100
        asked = f"match={name}&comment={comment}&annotator=Person+{worker}&note=note+{number}"
        yield connection.ask(f"/-/label?{asked}")


def check_same_hits(ours: Connection, theirs: Plain, names: list[str]) -> None:
    """Raise unless both find as many comments, for every query that is asked."""
    found = zip(searches(ours, names, 0), table_searches(theirs, names, 0), strict=True)
    for number, (own, other) in enumerate(itertools.islice(found, 2 * len(WORDS) ** 2)):
        shown = len(own["hits"]), len(other["rows"])
        if own["total"] != other["filtered_table_rows_count"] or shown[0] != shown[1]:
            raise RuntimeError(f"{_asked(number)}: {own['total']} and "
                               f"{other['filtered_table_rows_count']} comments")  # fmt: skip


Asking = Callable[[Any, list[str], int], Iterator[Any]]
ASKED: dict[str, tuple[Asking, Asking]] = {
    "match page": (pages, table_pages),
    "search": (searches, table_searches),
    "search with facets": (facets, table_facets),
    "label": (labels, table_labels),
}


# Measuring ---------------------------------------------------------------------------------------


def measure(connect: Callable[[], Any], ask: Asking, names: list[str], seconds: float, first: int
            ) -> list[float]:  # fmt: skip
    """How long each answer took, in milliseconds, over all connections."""
    took: list[float] = []
    end = time.perf_counter() + seconds

    def work(worker: int) -> None:
        asked = ask(connect(), names, worker)
        while (start := time.perf_counter()) < end:
            next(asked)
            took.append(1000 * (time.perf_counter() - start))

    threads = [threading.Thread(target=work, args=(first + w,)) for w in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(took)


class Aligning:
    """Keeps the server's worker busy with the default method while it is entered."""

    def __init__(self, port: int, name: str) -> None:
        self.connection, self.name, self.over = Connection(port), name, threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self.over.is_set():
            job = align(self.connection, self.name, self.over)
            if job["ended"] is None:
                self._end(job["id"])

    def _end(self, job: str) -> None:
        """Cancel it, or wait for it where it is about to end by itself."""
        with contextlib.suppress(RuntimeError):
            self.connection.ask("DELETE", f"/jobs/{job}")
        while self.connection.ask("GET", f"/jobs/{job}")["ended"] is None:
            time.sleep(0.02)

    def __enter__(self) -> None:
        self.thread.start()
        time.sleep(1.0)

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()


def align(connection: Connection, name: str, over: threading.Event | None = None) -> Any:
    """Align a match with the default method; the job when it has ended, or when it is over."""
    job = connection.ask("POST", f"/matches/{name}/align", {"method": WHOLE})
    while job["ended"] is None and not (over and over.is_set()):
        time.sleep(0.1)
        job = connection.ask("GET", f"/jobs/{job['id']}")
    return job


# The matches -------------------------------------------------------------------------------------


def copies(folder: Path, count: int) -> list[str]:
    """Copies of a bundled match; every word of a player's name ends otherwise in each."""
    source = sorted(path for path in corpus_path().iterdir() if path.is_dir())[0]
    texts = {
        "lineups.json": (source / "lineups.json").read_text(),
        "events.json": gzip.decompress((source / "events.json.gz").read_bytes()).decode(),
        "comments.jsonl": (source / "comments.jsonl").read_text(),
    }
    named = re.findall(r'"player_(?:nick)?name": "([^"]+)"', texts["lineups.json"])
    words = {word for name in named for word in re.findall(r"\w{4,}", name)}
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(words, key=len, reverse=True))})\b")
    parts = {file: pattern.sub(r"\g<0>\0", text).split("\0") for file, text in texts.items()}
    names = [f"match-{number:03}" for number in range(count)]
    for number, name in enumerate(names):
        if (folder / name).exists():
            continue
        ending = "".join("aeiouklmnr"[int(digit)] for digit in f"{number:03}")
        (folder / name).mkdir(parents=True)
        for file, pieces in parts.items():
            (folder / name / file).write_text(ending.join(pieces))
    return names


def wait(connection: Connection, count: int) -> None:
    while True:
        matches = connection.ask("GET", "/matches")["matches"]
        if len(matches) == count and all(match["state"] == "ready" for match in matches):
            return
        time.sleep(0.5)


def run(folder: Path, count: int, seconds: float) -> Iterator[list[str]]:
    """The rows of the table for so many matches."""
    names = copies(folder, count)
    server = Server(folder)
    try:
        connection = Connection(server.port)
        wait(connection, count)
        align(connection, names[0])
        with tempfile.TemporaryDirectory(prefix="touchline-bench-") as work:
            datasette = Datasette(folder, Path(work))
            try:
                check_same_hits(Connection(server.port), Plain(datasette.port), names)
                yield from _rows(server, datasette, names, seconds)
            finally:
                datasette.end()
    finally:
        server.end()


def processor_ms(process: int) -> float:
    """The processor time that a process has taken, without its children."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Measured(NamedTuple):
    """What a server did in some seconds."""

    rate: float
    times: tuple[str, str, str]
    processor: float  # ms a request

    @property
    def cells(self) -> list[str]:
        return [f"{self.rate:.0f}", *self.times, f"{self.processor:.1f}"]


def measured(process: int, connect: Callable[[], Any], ask: Asking, names: list[str],
             seconds: float, first: int) -> Measured:  # fmt: skip
    before = processor_ms(process)
    took = measure(connect, ask, names, seconds, first)
    spent = processor_ms(process) - before
    return Measured(len(took) / seconds, _times(took), spent / len(took))


def _rows(
    server: Server, datasette: Datasette, names: list[str], seconds: float
) -> Iterator[list[str]]:
    for busy in (False, True):
        for number, (what, (ours, theirs)) in enumerate(ASKED.items()):
            load = names, seconds, CONNECTIONS * (10 * busy + number)
            with Aligning(server.port, names[0]) if busy else contextlib.nullcontext():
                own = measured(server.process.pid, lambda: Connection(server.port), ours, *load)
                other = measured(datasette.process.pid, lambda: Plain(datasette.port), theirs,
                                 *load)  # fmt: skip
            faster = f"{own.rate / other.rate:.1f}", f"{other.processor / own.processor:.1f}"
            state = "while aligning" if busy else "idle"
            yield [state, what, *own.cells, *other.cells, *faster]


def _times(took: list[float]) -> tuple[str, str, str]:
    middle, late = took[len(took) // 2], took[int(0.99 * (len(took) - 1))]
    return f"{middle:.1f}", f"{late:.1f}", f"{took[-1]:.0f}"


HEAD = [
    "server", "request", "per second", "median, ms", "p99, ms", "worst, ms", "processor, ms",
    "Datasette: per second", "median, ms", "p99, ms", "worst, ms", "processor, ms",
    "times the rate", "times less processor",
]  # fmt: skip


def tables(seconds: float = 2.0, matches: int = 200, given: Path | None = None) -> Iterator[Table]:
    with tempfile.TemporaryDirectory(prefix="touchline-bench-") as temporary:
        folder = given or Path(temporary)
        for count in (1, matches):
            rows = list(run(folder / f"{count}-matches", count, seconds))
            yield Table(f"{count} match{'es' if count > 1 else ''}", HEAD, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    show(tables(asked.seconds, asked.matches, asked.folder))


if __name__ == "__main__":
    main()
