"""Load that the server handles locally: python -m benchmarks.server [--seconds S] [--matches N]

Four connections ask one thing after another for some seconds: the data of a match page (packed, as
browsers get it), a search (other words each time, with and without a filter), a label (one
transaction that waits for the disk). With nothing else to do, and while a worker aligns a match;
with 1 match and with many, copies of a bundled one in which every player has another name.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import http.client
import itertools
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from touchline.sample import corpus_path

API = "/api/v1"
CONNECTIONS = 4
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
        words = ["serve", str(folder), "--port", "0", "--method", QUICK, "--workers", "1"]
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


def searches(connection: Connection, names: list[str], worker: int) -> Iterator[None]:
    for number in itertools.count(worker):
        first, second = (WORDS[number // by % len(WORDS)] for by in (1, len(WORDS)))
        filtered = "&kind=Shot" if number % 2 else ""
        yield connection.ask("GET", f"/search?q={first}+{second[:3]}{filtered}&limit=20")


def labels(connection: Connection, names: list[str], worker: int) -> Iterator[None]:
    seen: dict[tuple[str, int], int] = {}
    for number in itertools.count():
        key = names[number % len(names)], number // len(names) % 100
        action = {"comment": key[1], "revision": seen.get(key, 0), "action": "note",
                  "text": f"note {number}"}  # fmt: skip
        path = f"/matches/{key[0]}/labels/Person%20{worker}"
        said = connection.ask("POST", path, action)
        seen[key] = said["label"]["revision"]
        yield None


ASKED: dict[str, Callable[[Connection, list[str], int], Iterator[None]]] = {
    "match page": pages,
    "search": searches,
    "label": labels,
}


# Measuring ---------------------------------------------------------------------------------------


def measure(port: int, names: list[str], what: str, seconds: float, first: int) -> list[float]:
    """How long each answer took, in milliseconds, over all connections."""
    took: list[float] = []
    end = time.perf_counter() + seconds

    def work(worker: int) -> None:
        asked = ASKED[what](Connection(port), names, worker)
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


def run(count: int, seconds: float) -> Iterator[list[str]]:
    with tempfile.TemporaryDirectory(prefix="touchline-bench-") as folder:
        names = copies(Path(folder), count)
        server = Server(Path(folder))
        try:
            connection = Connection(server.port)
            wait(connection, count)
            align(connection, names[0])
            for busy in (False, True):
                for number, what in enumerate(ASKED):
                    first = CONNECTIONS * (10 * busy + number)
                    if busy:
                        with Aligning(server.port, names[0]):
                            took = measure(server.port, names, what, seconds, first)
                    else:
                        took = measure(server.port, names, what, seconds, first)
                    yield _row(count, busy, what, took, seconds)
        finally:
            server.end()


def _row(count: int, busy: bool, what: str, took: list[float], seconds: float) -> list[str]:
    middle, late = took[len(took) // 2], took[int(0.99 * (len(took) - 1))]
    state = "while aligning" if busy else "idle"
    figures = f"{len(took) / seconds:.0f}", f"{middle:.1f}", f"{late:.1f}", f"{took[-1]:.1f}"
    return [str(count), state, what, *figures]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--matches", type=int, default=200)
    asked = parser.parse_args(arguments or [])
    head = ["matches", "server", "asked", "a second", "median, ms", "p99, ms", "worst, ms"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for count in (1, asked.matches):
        for row in run(count, asked.seconds):
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
