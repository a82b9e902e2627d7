"""A small league, and the commands on it in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from touchline.sample.season import write_season

Run = Callable[..., subprocess.Popen]


@pytest.fixture(scope="session")
def league(tmp_path_factory) -> Path:
    """A corpus of five short matches; nobody changes it."""
    folder = tmp_path_factory.mktemp("league")
    write_season(folder, 5, seed=1, minutes=8)
    return folder


@pytest.fixture
def command() -> Iterator[Run]:
    """Starts a command; it is not waited for, but it does not outlive the test."""
    started: list[subprocess.Popen] = []

    def start(*words: object, **more) -> subprocess.Popen:
        # Without bytecode: on a full disk, Python leaves half a file of it.
        given = [sys.executable, "-B", "-m", "touchline", *map(str, words)]
        started.append(subprocess.Popen(given, stderr=subprocess.PIPE, text=True, **more))
        return started[-1]

    yield start
    for process in started:
        process.kill()


@pytest.fixture
def run(command) -> Callable[..., tuple[int, str]]:
    """Runs a command to its end: exit code and what it said."""

    def finish(*words: object, **more) -> tuple[int, str]:
        process = command(*words, **more)
        _, said = process.communicate()
        return process.returncode, said

    return finish


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def files_of() -> Callable[[Path], dict[str, bytes]]:
    return contents
