"""Servers to ask, in this process and in their own, on aligned copies of the bundled matches."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import wait_for
from touchline.sample import corpus_path
from touchline.sample.season import write_season

QUICK = "named-nearest"  # a method that needs no compiler
BASE_URL = "http://127.0.0.1:8765"


def make_server(folder: Path, **more: Any) -> Any:
    from touchline.web.context import Server, Settings

    return Server(Settings(folder=folder, **{"method": QUICK, "align_new": False, **more}))


def make_client(server: Any, base_url: str) -> Any:
    with warnings.catch_warnings():  # of httpx, which is about to be called otherwise
        warnings.simplefilter("ignore")
        from starlette.testclient import TestClient

    from touchline.web.app import make_app

    return TestClient(make_app(server), base_url=base_url, raise_server_exceptions=False)


@pytest.fixture(scope="session")
def ended() -> Callable[[Any, str], dict[str, Any]]:
    """Gives a job once it has ended."""

    def wait(client: Any, job: str) -> dict[str, Any]:
        asked = f"/api/v1/jobs/{job}"
        return wait_for(lambda: (got := client.get(asked).json())["ended"] and got)

    return wait


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[..., Any]]:
    """Starts servers on the folder, or another one, in this process; gives their clients."""
    with contextlib.ExitStack() as stack:

        def start(at: Path | None = None, *, base_url: str = BASE_URL, **more: Any) -> Any:
            client = make_client(make_server(at or folder, **more), base_url=base_url)
            client = stack.enter_context(client)
            client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"] or ""
            return client

        yield start


@pytest.fixture(scope="session")
def aligned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled matches with their answers; to copy, not to change."""
    folder = tmp_path_factory.mktemp("served") / "matches"
    shutil.copytree(corpus_path(), folder)
    server = make_server(folder, align_new=True)
    server.start()
    try:
        wait_for(lambda: all(match.state == "ready" for match in server.library.matches()))
        wait_for(lambda: not server.jobs.of_match())
    finally:
        server.close()
    return folder


@pytest.fixture
def folder(aligned: Path, tmp_path: Path) -> Path:
    """A copy of the aligned matches for one test."""
    return Path(shutil.copytree(aligned, tmp_path / "matches"))


@pytest.fixture(scope="session")
def aligned_league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three short invented matches with their answers, their labels apart; to copy."""
    folder = tmp_path_factory.mktemp("league") / "matches"
    write_season(folder, 3, minutes=15)
    server = make_server(folder, align_new=True)
    server.start()
    try:
        wait_for(lambda: all(match.state == "ready" for match in server.library.matches()))
        wait_for(lambda: not server.jobs.of_match())
    finally:
        server.close()
    return folder


@pytest.fixture(scope="session")
def golds(aligned_league: Path) -> dict[str, bytes]:
    """What each match of the league describes, as gold.jsonl."""
    paths = aligned_league.glob("*/gold.jsonl")
    return {path.parent.name: path.read_bytes() for path in paths}


@pytest.fixture
def league(aligned_league: Path, golds: dict[str, bytes], tmp_path: Path) -> Path:
    """A copy of the league for one test; nothing in it is labelled."""
    folder = Path(shutil.copytree(aligned_league, tmp_path / "league"))
    for match in golds:
        (folder / match / "gold.jsonl").unlink()
    return folder


@pytest.fixture
def client(start: Callable[..., Any]) -> Any:
    """A client of a server without a token, which sends the header that writes need."""
    return start()


class Running:
    """A real server in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        words = ["-m", "touchline", "serve", str(folder), "--port", "0", "--method", QUICK]
        self.process = subprocess.Popen(
            [sys.executable, *words, *options], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.said: list[str] = []
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.search(r"http://\S+", line):
                self.url = found[0]
                return
        raise RuntimeError(f"the server did not start: {self.said}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session")
def serve_here() -> Callable[..., contextlib.AbstractContextManager[Running]]:
    """Starts a real server for as long as a `with` lasts."""

    @contextlib.contextmanager
    def serve(folder: Path, *options: str) -> Iterator[Running]:
        running = Running(folder, *options)
        try:
            yield running
        finally:
            running.kill()

    return serve


@pytest.fixture
def serve(serve_here: Callable[..., Any]) -> Iterator[Callable[..., Running]]:
    """Starts real servers, which end with the test."""
    with contextlib.ExitStack() as stack:
        yield lambda folder, *options: stack.enter_context(serve_here(folder, *options))
