"""Damaged files: a fixed slice of what `make fuzz` tries, and whether that would find anything."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest

from fuzzing import mutations, running
from fuzzing.cases import Case, all_cases, damaged, put
from touchline.core.errors import TouchlineError


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return all_cases(["chains", "pairrank", "liang2009"])


def test_every_seed_is_a_good_file(cases, tmp_path_factory):
    for case in cases:
        folder = tmp_path_factory.mktemp("seed")
        put(case.files, folder)
        case.read(Random(3), folder)


def test_damaged_files_are_read_or_refused(cases):
    outcome = running.run_here(range(600), 0, cases)
    assert outcome.finds == []
    assert outcome.inputs == 600
    groups = {(case.partition("/")[0], said) for (case, said), _ in outcome.counts.items()}
    for group in ("feeds", "commentary", "corpus", "links"):
        assert {(group, "read"), (group, "refused")} <= groups
    assert ("models", "refused") in groups


def test_a_number_alone_says_what_an_input_is(cases):
    for number in range(40):
        first, second = (running.chosen(cases, 7, number) for _ in range(2))
        assert first[0] is second[0]
        assert damaged(first[1], first[0]) == damaged(second[1], second[0])
    kinds = {running.chosen(cases, 7, number)[0].name for number in range(200)}
    assert len(kinds) > 20


def _fails(how: BaseException, chance: Random, folder: Path) -> object:
    raise how


@pytest.mark.posix
@pytest.mark.parametrize(
    ("how", "found"),
    [
        (TouchlineError("no"), []),
        (IndexError("oh"), ["IndexError: 'oh'"]),
        (MemoryError(), ["Mem"]),
    ],
)
def test_only_errors_of_ours_are_no_find(how, found):
    case = Case("planted", {"a": b"[1]"}, partial(_fails, how), 1)
    outcome = running.run_here(range(1), 0, [case])
    assert [
        find.what[: len(what)] for find, what in zip(outcome.finds, found, strict=True)
    ] == found


def planted() -> list[Case]:
    """Readers that crash and hang on some inputs."""

    def read(chance: Random, folder: Path) -> object:
        what = chance.randrange(6)
        if what == 0:
            os.kill(os.getpid(), 9)
        if what == 1:
            time.sleep(60)
        return None

    return [Case("planted", {"a": b"[1]"}, read, 1)]


@pytest.mark.posix
def test_a_worker_that_dies_or_hangs_is_a_find_and_others_go_on(monkeypatch):
    monkeypatch.setattr(running, "HANGS", 1.5)
    news = list(running.run(range(12), 0, 2, planted))
    finds = sorted(find for outcome in news for find in outcome.finds)
    seen = sum(outcome.counts.total() for outcome in news)
    assert {find.what for find in finds} == {"the process died", "nothing for 1.5 s"}
    assert {find.where for find in finds} == {"exit -9"}
    assert seen + len(finds) == 12


def test_changes_of_one_file_leave_the_next_alone():
    """An input follows from its number, whatever was tried before it in the same process."""
    before = repr(mutations.VALUES)
    for number in range(300):
        mutations.as_json(Random(number), b'{"a": {"b": [1, {"c": null}]}}')
    assert repr(mutations.VALUES) == before
