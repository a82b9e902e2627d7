"""A real cluster of two processes, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
import time

import pytest

from tests.object_store import forget_clients
from touchline.cli.shared import shown
from touchline.io.corpus.layout import corpus_matches
from touchline.io.links.origin import Origin
from touchline.io.storage import as_path
from touchline.methods.registry import load_aligner, make_aligner
from touchline.pipeline.runs.align import Job, align_corpus
from touchline.pipeline.runs.cluster import Cluster
from touchline.pipeline.runs.fit import fit_corpus
from touchline.pipeline.runs.links_folder import LinksFolder
from touchline.pipeline.runs.workers import Here, LostError


@pytest.fixture(scope="module")
def dask():
    with Cluster("local:2") as team:
        yield team


def slow_square(path, number: int) -> int:
    with open(path / f"{number}", "a") as tried:
        tried.write(f"{os.getpid()}\n")
    time.sleep(0.3)
    return number * number


def square(factor: int, number: int) -> int:
    return factor * number * number


def same(links):
    return links


@pytest.mark.posix
def test_a_killed_worker_costs_only_its_tasks(dask, tmp_path):
    results = dask.map(slow_square, tmp_path, range(12))
    found = [next(results)]
    victim = int((tmp_path / "0").read_text().split()[0])
    os.kill(victim, signal.SIGKILL)
    found += results
    assert found == [n * n for n in range(12)]
    tries = [(tmp_path / str(n)).read_text().split() for n in range(12)]
    assert tries[0] == [str(victim)]
    assert len({pid for some in tries for pid in some}) > 1


def test_a_cluster_that_runs_already_is_found_by_its_address(dask):
    with Cluster(dask._client.scheduler.address) as again:
        assert list(again.map(square, 3, range(5))) == [0, 3, 12, 27, 48]


def test_a_cluster_gives_the_bytes_of_one_process(dask, league, tmp_path, files_of):
    matches = corpus_matches(league)
    for name, team in (("here", Here()), ("there", dask)):
        aligner = make_aligner("chains", {"rounds": 4})
        assert fit_corpus(aligner, matches, "second", tmp_path / name / "m.npz", team, shown) == []
        fitted = load_aligner(tmp_path / name / "m.npz")
        out = tmp_path / name / "links"
        job = Job.of(fitted, Origin(method="chains"), "second", same, LinksFolder(out))
        outcomes = list(align_corpus(matches, job, team, shown))
        assert [one.entry.state for one in outcomes] == ["done"] * 5
    here, there = files_of(tmp_path / "here"), files_of(tmp_path / "there")
    assert here == there
    assert len(here) == 1 + 2 * 5 + 1


def poison(path, number: int) -> int:
    """A number that ends its process, or takes more memory than is allowed."""
    with open(path / f"tried-{number}", "a") as tried:
        tried.write("x")
    if number == 3:
        os._exit(9)
    if number == 5:
        held = []
        while True:
            held.append(bytearray(16 << 20))
            time.sleep(0.01)
    return number


def test_an_item_that_kills_its_process_twice_is_set_aside_and_no_other(tmp_path):
    """On a cluster that grows while it works, with workers whose memory is limited."""
    distributed = pytest.importorskip("distributed")
    limited = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, memory_limit="700MB"
    )
    limited.adapt(minimum=1, maximum=2, interval="200ms", target_duration="500ms")
    with limited, Cluster(limited.scheduler_address) as team:
        found = list(team.map(poison, tmp_path, range(8)))
    lost = [number for number, one in enumerate(found) if isinstance(one, LostError)]
    assert lost == [3, 5]
    assert "out of memory?" in str(found[3])
    assert "more than the worker's 700 MB of memory" in str(found[5])
    assert [one for one in found if not isinstance(one, LostError)] == [0, 1, 2, 4, 6, 7]
    tries = [(tmp_path / f"tried-{number}").read_text() for number in range(8)]
    assert tries == ["x", "x", "x", "xx", "x", "xx", "x", "x"]


WORKERS = 4


@pytest.mark.system
@pytest.mark.posix
def test_workers_killed_over_an_object_store_change_no_byte(store, league, tmp_path, files_of):
    corpus = store.upload(league, "cluster")
    forget_clients()
    out = LinksFolder(as_path("s3://archive/cluster-links"))
    aligner = make_aligner("chains:unlabelled", {"rounds": 4})
    with Cluster(f"local:{WORKERS}") as team:
        job = Job.of(aligner, Origin(method="chains"), "second", same, out)
        outcomes = align_corpus(corpus_matches(corpus), job, team, shown)
        first = next(outcomes)
        pids = list(team._client.run(os.getpid, nanny=False).values())
        for victim in pids[: WORKERS // 2]:
            os.kill(victim, signal.SIGKILL)
        states = [first.entry.state, *(one.entry.state for one in outcomes)]
    assert states == ["done"] * 5
    alone = Job.of(aligner, Origin(method="chains"), "second", same, LinksFolder(tmp_path))
    again = align_corpus(corpus_matches(league), alone, Here(), shown)
    assert [one.entry.state for one in again] == states
    local, remote = files_of(tmp_path), store.files("cluster-links")
    links = [name for name in local if name.endswith(".jsonl")]
    assert len(links) == 5
    assert {name: remote[name] for name in [*links, "manifest.json"]} == {
        name: local[name] for name in [*links, "manifest.json"]
    }
    forget_clients()
