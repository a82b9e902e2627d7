"""A real cluster of two processes, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
import time

import pytest

from touchline.cli.shared import shown
from touchline.io.corpus.layout import corpus_matches
from touchline.io.links.origin import Origin
from touchline.methods.registry import load_aligner, make_aligner
from touchline.pipeline.runs.align import Job, align_corpus
from touchline.pipeline.runs.cluster import Cluster
from touchline.pipeline.runs.fit import fit_corpus
from touchline.pipeline.runs.links_folder import LinksFolder
from touchline.pipeline.runs.workers import Here


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
