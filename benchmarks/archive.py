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
from pathlib import Path

import duckdb

from benchmarks.growth import watched
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


def measure_store(season: Path, store: Store, work: Path) -> None:
    """Fit and align locally and in the store."""
    corpus = first_matches(season, MATCHES, work / "corpus")
    url = store.upload(corpus, "season")
    print("| where | step | seconds | processor seconds | requests a match | MB in / out |")
    print("|---|---|---|---|---|---|")
    total = {}
    for where, source, out in (("local", corpus, work / "out"), ("S3", url, "s3://archive/out")):
        for step, words in (
            ("fit", ("fit", source, "-o", f"{out}/model.npz")),
            ("align", ("align", "--corpus", source, "-o", f"{out}/links",
                       "--model", f"{out}/model.npz")),
        ):  # fmt: skip
            with Proxy(store.address).running() as proxy:
                os.environ["AWS_ENDPOINT_URL"] = proxy.address
                seconds, processor, _ = watched(*words)
            total[where, step] = processor
            asked = ", ".join(f"{kind} {number / MATCHES:.1f}"
                              for kind, number in sorted(proxy.requests.items()))  # fmt: skip
            sizes = f"{proxy.received / MATCHES / 1e6:.2f} / {proxy.sent / MATCHES / 1e6:.2f}"
            cells = (where, f"`{step}`", f"{seconds:.0f}", f"{processor:.0f}", asked, sizes)
            print("| " + " | ".join(cells) + " |", flush=True)
    sums = {where: total[where, "fit"] + total[where, "align"] for where in ("local", "S3")}
    print(f"\nProcessor time in the store: {sums['S3'] / sums['local']:.2f} times the local one.")
    same = store.files("out")["model.npz"] == (work / "out" / "model.npz").read_bytes()
    print(f"Model the same to the byte: {same}.", flush=True)


def measure_cluster(season: Path, store: Store, work: Path) -> None:
    """Four workers, two of them killed, then the command itself; resumed."""
    corpus = first_matches(season, MATCHES, work / "clustered")
    url = store.upload(corpus, "clustered")
    os.environ["AWS_ENDPOINT_URL"] = store.address
    words = [sys.executable, "-m", "touchline", "align", "--corpus", url, "-o",
             "s3://archive/clustered-links", "--cluster", "local:4"]  # fmt: skip
    process = subprocess.Popen(words)
    _wait_for_links(store, MATCHES // 5)
    workers = _workers_of(process.pid)
    for victim in workers[:2]:
        os.kill(victim, signal.SIGKILL)
    print(f"{len(workers)} workers, two killed after {MATCHES // 5} matches", flush=True)
    _wait_for_links(store, MATCHES // 2)
    process.kill()
    process.wait()
    print(f"command killed after {MATCHES // 2} matches", flush=True)
    started = time.perf_counter()
    subprocess.run(words, check=True)
    print(f"resumed and finished in {time.perf_counter() - started:.0f} s", flush=True)
    watched("align", "--corpus", corpus, "-o", work / "alone")
    local = {path.name: path.read_bytes() for path in (work / "alone").glob("*.jsonl")}
    remote = store.files("clustered-links")
    same = sum(remote.get(name) == data for name, data in local.items())
    print(f"{same} of {len(local)} files of links the same to the byte as on one machine")


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


def measure_table(season: Path, work: Path) -> None:
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
    size = sum(path.stat().st_size for path in out.rglob("*.parquet")) / 1e6
    rows = {table: sum(match.rows[table] for match in Dataset(out).matches) for table in TABLES}
    print(f"{SEASON} matches: {seconds:.0f} s, {processor:.0f} processor s; nothing new: "
          f"{again:.0f} s; {len(list(out.rglob('*.parquet')))} files, {size:.0f} MB")  # fmt: skip
    print("rows: " + ", ".join(f"{table} {number:,}" for table, number in rows.items()))
    measure_query(work)


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


def measure_query(folder: Path) -> None:
    """The first query of docs/archive.md, run in the folder of the data set `archive`."""
    query = re.search(r"```sql\n(.*?)```", (ROOT / "docs/archive.md").read_text(), re.DOTALL)
    assert query is not None
    os.chdir(folder)
    times, processor = [], []
    for _ in range(5):
        started, used = time.perf_counter(), time.process_time()
        found = duckdb.connect().execute(query[1]).fetchall()
        times.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
    print(f"query: {min(times):.2f} to {max(times):.2f} s in 5 runs, {min(processor):.2f} to "
          f"{max(processor):.2f} processor s; {len(found)} rows")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.archive")
    parser.add_argument("steps", nargs="*", choices=[*STEPS, []])
    parser.add_argument("--corpus", type=Path)
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    work = Path(tempfile.mkdtemp())
    season = given.corpus or work / "season"
    steps = given.steps or STEPS
    needed = SEASON if "table" in steps else MATCHES
    if not season.is_dir() or len(list(season.iterdir())) < needed:
        write_season(season, needed)
    try:
        with running_store() as store:
            os.environ.update(store.env)
            os.environ["TOUCHLINE_CACHE"] = str(work / "cache")
            if "store" in steps:
                measure_store(season, store, work)
            if "cluster" in steps:
                measure_cluster(season, store, work)
        if "table" in steps:
            measure_table(season, work)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
