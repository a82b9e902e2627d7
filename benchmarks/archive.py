"""A season in object storage, as a table and on a cluster: python -m benchmarks.archive [STEP...].

Steps: `store` (80 matches, local and in a mock of S3: processor time, requests, bytes), `cluster`
(four workers, two killed, then the command; resumed), `table` (380 matches, with a comment more on
every goal: time to write, size, and the query of docs/archive.md in DuckDB). All by default.
`--corpus DIR` is a season written by `python -m touchline.sample.season DIR`; made if missing.

The store is moto in another process, behind a proxy that counts requests. Their processor time is
not counted; that of touchline's processes is.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest import mock

import duckdb

from benchmarks.growth import watched
from benchmarks.measuring import Table, show
from tests.object_store import Proxy, Store, running_store
from touchline.io.dataset.manifest import Dataset
from touchline.io.dataset.schema import TABLES
from touchline.sample.season import SEASON, write_season

MATCHES = 80
FITTED = 20  # matches that the model of the data set is learned from
ROOT = Path(__file__).parents[1]
STEPS = ("store", "cluster", "table")


def first_matches(season: Path, number: int, folder: Path) -> Path:
    folder.mkdir(parents=True)
    for match in sorted(season.iterdir())[:number]:
        shutil.copytree(match, folder / match.name)
    return folder


def measure_store(season: Path, store: Store, work: Path) -> Iterator[Table]:
    """Fit and align locally and in the store."""
    corpus = first_matches(season, MATCHES, work / "corpus")
    url = store.upload(corpus, "season")
    rows, total = [], dict[str, float]()
    for where, source, out in (
        ("local", corpus, work / "out"), ("mock of S3", url, "s3://archive/out"),
    ):  # fmt: skip
        for step, words in (
            ("fit", ("fit", source, "-o", f"{out}/model.npz")),
            ("align", ("align", "--corpus", source, "-o", f"{out}/links",
                       "--model", f"{out}/model.npz")),
        ):  # fmt: skip
            with Proxy(store.address).running() as proxy:
                os.environ["AWS_ENDPOINT_URL"] = proxy.address
                seconds, processor, _ = watched(*words)
            total[where] = total.get(where, 0.0) + processor
            rows.append(
                (where, f"`{step}`", f"{seconds:.0f}", f"{processor:.0f}", *_traffic(proxy))
            )
    local, remote = total.values()
    same = store.files("out")["model.npz"] == (work / "out" / "model.npz").read_bytes()
    notes = (
        f"{MATCHES} matches. With the mock of S3, both steps together take {remote / local:.2f} "
        "times the processor time of the local run. The models are "
        f"{'the same' if same else 'NOT the same'} byte for byte."
    )
    head = ["where", "step", "seconds", "processor seconds", "requests per match",
            "MB per match, received / sent"]  # fmt: skip
    yield Table("Object storage", head, rows, notes)


def _traffic(proxy: Proxy) -> tuple[str, str]:
    """Requests and megabytes of a match; none of a local run."""
    asked = ", ".join(f"{kind} {n / MATCHES:.1f}" for kind, n in sorted(proxy.requests.items()))
    sizes = f"{proxy.received / MATCHES / 1e6:.2f} / {proxy.sent / MATCHES / 1e6:.2f}"
    return asked, sizes if asked else ""


def measure_cluster(season: Path, store: Store, work: Path) -> Iterator[Table]:
    """Four workers, two of them killed, then the command itself; resumed."""
    corpus = first_matches(season, MATCHES, work / "clustered")
    url = store.upload(corpus, "clustered")
    os.environ["AWS_ENDPOINT_URL"] = store.address
    words = [sys.executable, "-m", "touchline", "align", "--corpus", url, "-o",
             "s3://archive/clustered-links", "--cluster", "local:4"]  # fmt: skip
    process = subprocess.Popen(words)
    _wait_for_links(store, MATCHES // 5)
    for victim in _workers_of(process.pid)[:2]:
        os.kill(victim, signal.SIGKILL)
    _wait_for_links(store, MATCHES // 2)
    process.kill()
    process.wait()
    started = time.perf_counter()
    subprocess.run(words, check=True)
    resumed = time.perf_counter() - started
    watched("align", "--corpus", corpus, "-o", work / "alone")
    local = {path.name: path.read_bytes() for path in (work / "alone").glob("*.jsonl")}
    remote = store.files("clustered-links")
    same = sum(remote.get(name) == data for name, data in local.items())
    rows = [
        ("two of four workers killed after", f"{MATCHES // 5} matches"),
        ("the command killed after", f"{MATCHES // 2} matches"),
        ("the same command, for the rest", f"{resumed:.0f} s"),
        ("files of links equal to those of one machine", f"{same} of {len(local)}"),
    ]
    yield Table("A cluster with kills", ["what", "figure"], rows)


def _wait_for_links(store: Store, number: int) -> None:
    def finished() -> int:
        return sum(name.endswith(".jsonl") for name in store.names("clustered-links"))

    while finished() < number:
        time.sleep(0.5)


def _workers_of(process: int) -> list[int]:
    """Dask's workers, which are children of their nannies' process."""
    listing = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True)
    rows = [line.split(None, 2) for line in listing.stdout.splitlines()[1:]]
    return [int(pid) for pid, parent, _ in rows
            if int(parent) == process and "spawn_main" in _]  # fmt: skip


def measure_table(season: Path, work: Path) -> Iterator[Table]:
    """A season as a data set, and the documented query."""
    corpus = first_matches(season, SEASON, work / "described")
    for match in corpus.iterdir():
        describe_goals(match)
    learned = first_matches(corpus, FITTED, work / "learned")
    watched("fit", learned, "-o", work / "model.npz")
    out = work / "archive"
    words = ("align", "--corpus", corpus, "--model", work / "model.npz",
             "-o", out, "--format", "dataset")  # fmt: skip
    seconds, processor, _ = watched(*words)
    again, _, _ = watched(*words)
    files = [path.stat().st_size for path in out.rglob("*.parquet")]
    numbers = {table: sum(m.rows[table] for m in Dataset(out).matches) for table in TABLES}
    rows = [
        (f"{SEASON} matches aligned", f"{seconds:.0f} s, {processor:.0f} processor s"),
        ("run again, nothing new", f"{again:.0f} s"),
        ("files", f"{len(files):,}, {sum(files) / 1e6:.0f} MB"),
        ("rows", ", ".join(f"{number:,} {table}" for table, number in numbers.items())),
        *measure_query(work),
    ]
    yield Table("A data set", ["what", "figure"], rows)


def describe_goals(match: Path) -> None:
    """Add a comment on the attack before each goal: of such comments the season has none."""
    log = json.loads(gzip.decompress((match / "events.json.gz").read_bytes()))
    goals = [
        event for event in log if event.get("shot", {}).get("outcome", {}).get("name") == "Goal"
    ]
    path = match / "comments.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for number, goal in enumerate(goals):
        second = goal["minute"] * 60 + goal["second"] - 45 * 60 * (goal["period"] - 1) + 6
        team = goal["team"]["name"]
        text = f"{team} come forward quickly with a through ball, good play, and they score."
        rows.append(
            {"id": f"goal-{number}", "period": goal["period"], "time": second, "text": text}
        )
    rows.sort(key=lambda row: (row["period"], row["time"]))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def measure_query(folder: Path) -> Iterator[tuple[str, str]]:
    """The first query of docs/archive.md, on the data set `archive` of a folder."""
    query = re.search(r"```sql\n(.*?)```", (ROOT / "docs/archive.md").read_text(), re.DOTALL)
    assert query is not None
    times, processor = [], []
    with contextlib.chdir(folder):
        for _ in range(5):
            started, used = time.perf_counter(), time.process_time()
            found = duckdb.connect().execute(query[1]).fetchall()
            times.append(time.perf_counter() - started)
            processor.append(time.process_time() - used)
    yield "rows that the query found", str(len(found))
    yield "the query in DuckDB, 5 runs", f"{min(times):.2f} to {max(times):.2f} s"
    yield "processor time of it", f"{min(processor):.2f} to {max(processor):.2f} s"


def tables(steps: Sequence[str] = STEPS, given: Path | None = None) -> Iterator[Table]:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as temporary, mock.patch.dict(os.environ):
        work = Path(temporary)
        season = given or work / "season"
        needed = SEASON if "table" in steps else MATCHES
        if not season.is_dir() or len(list(season.iterdir())) < needed:
            write_season(season, needed)
        with running_store() as store:
            os.environ.update(store.env)
            os.environ["TOUCHLINE_CACHE"] = str(work / "cache")
            if "store" in steps:
                yield from measure_store(season, store, work)
            if "cluster" in steps:
                yield from measure_cluster(season, store, work)
        if "table" in steps:
            yield from measure_table(season, work)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.archive")
    parser.add_argument("steps", nargs="*", choices=[*STEPS, []])
    parser.add_argument("--corpus", type=Path)
    given = parser.parse_args()
    show(tables(given.steps or STEPS, given.corpus))


if __name__ == "__main__":
    main()
