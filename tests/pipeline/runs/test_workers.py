"""Workers: results in order, and what becomes of the items of those that die."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from touchline.core.errors import InputError, MissingExtraError, TouchlineError, UsageError
from touchline.pipeline.runs import cluster
from touchline.pipeline.runs.choice import workers
from touchline.pipeline.runs.cluster import Cluster
from touchline.pipeline.runs.workers import Here, LostError, Processes


def later_for_small(factor: int, number: int) -> int:
    time.sleep(0.02 * (5 - number % 5))
    return factor * number


def die_once(marks: Path, number: int) -> int:
    """The first process that gets number 2 dies of it."""
    mark = marks / str(number)
    if number == 2 and not mark.exists():
        mark.touch()
        os._exit(9)
    return number


def always_die(_: None, number: int) -> int:
    if number == 1:
        os._exit(9)
    return number


def refuse(_: None, number: int) -> int:
    raise InputError("log.json", "not a log", f"line {number}")


def stumble(_: None, number: int) -> float:
    return 1 / number


def own_process(_: None, number: int) -> int:
    time.sleep(0.05)
    return os.getpid()


@pytest.mark.parametrize("team", [Here(), Processes(3)], ids=["here", "processes"])
def test_results_come_in_the_order_of_the_items(team):
    with team:
        assert list(team.map(later_for_small, 3, range(20))) == [3 * n for n in range(20)]
        assert list(team.map(later_for_small, 5, range(4))) == [0, 5, 10, 15]
        assert list(team.map(later_for_small, 5, ())) == []


def test_a_worker_that_dies_costs_only_its_item(tmp_path):
    with Processes(2) as team:
        assert list(team.map(die_once, tmp_path, range(6))) == list(range(6))


def test_an_item_that_kills_every_worker_is_given_up(tmp_path):
    with Processes(2) as team:
        found = list(team.map(always_die, None, range(4)))
    assert isinstance(found[1], LostError)
    assert [n for n in found if not isinstance(n, LostError)] == [0, 2, 3]


def test_errors_come_home_whole():
    with Processes(2) as team, pytest.raises(InputError, match=r"log.json, line \d: not a log"):
        list(team.map(refuse, None, range(2)))  # whichever of the two is heard of first
    with Processes(1) as team, pytest.raises(RuntimeError, match="ZeroDivisionError"):
        list(team.map(stumble, None, range(2)))


def test_only_so_many_items_are_taken_ahead():
    taken = []

    def items():
        for number in range(1000):
            taken.append(number)
            yield number

    with Processes(2) as team:
        results = team.map(later_for_small, 1, items())
        next(results)
        assert len(taken) < 50
        results.close()  # whoever has seen enough leaves no results for the next
        assert list(team.map(later_for_small, 7, range(3))) == [0, 7, 14]


def test_no_more_workers_than_matches():
    with workers(8, None, 2) as team:
        assert len(set(team.map(own_process, None, range(12)))) == 2
    assert isinstance(workers(1, None, 10), Here)
    assert isinstance(workers(None, None, 1), Here)


@pytest.mark.parametrize("address", ["local", "local:", "local:0", "local:many"])
def test_an_address_that_is_none(address):
    with pytest.raises(UsageError, match="local:N"):
        Cluster(address)


def test_nobody_answers():
    with pytest.raises(TouchlineError, match="the scheduler does not respond"):
        Cluster("nonsense")


def test_without_dask_the_extra_is_named(monkeypatch):
    def missing(name: str):
        raise ImportError(name)

    monkeypatch.setattr(cluster.importlib, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"touchline\[cluster\]"):
        Cluster("local:2")
