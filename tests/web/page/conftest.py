"""A server in a thread for browsers to visit, and people who label at it."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.browsing import Visitor
from tests.waiting import wait_for
from tests.web.conftest import make_server

MATCH = "harrowmere-castlebrook"
TOKEN = "let me in please, it is raining"


class Site:
    """A running server."""

    def __init__(self, folder: Path, **more: Any) -> None:
        import uvicorn

        from touchline.web.run import config

        self.uploads = folder / ".touchline" / "uploads"
        listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self.server = uvicorn.Server(config(make_server(folder, **more)))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]})
        self.thread.start()
        wait_for(lambda: self.server.started)

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join()

    @property
    def match(self) -> str:
        """The address of a match's page."""
        return f"{self.url}/match/{MATCH}"

    def get(self, path: str, **parameters: Any) -> Any:
        got = httpx.get(f"{self.url}/api/v1{path}", params=parameters, timeout=60)
        got.raise_for_status()
        return got.json()

    def post(self, path: str, body: Any) -> Any:
        csrf = self.get("/session")["csrf"]
        header = {"X-CSRF-Token": csrf}
        got = httpx.post(f"{self.url}/api/v1{path}", json=body, headers=header, timeout=60)
        got.raise_for_status()
        return got.json()

    def upload(self, events: Path, comments: Path, name: str = "") -> Any:
        """Upload a match by the API alone; gives its job."""
        files = {"events": events, "comments": comments}
        sent = {field: (path.name, path.read_bytes()) for field, path in files.items()}
        header = {"X-CSRF-Token": self.get("/session")["csrf"]}
        got = httpx.post(
            f"{self.url}/api/v1/matches", files=sent, data={"name": name}, headers=header,
            timeout=60,
        )  # fmt: skip
        got.raise_for_status()
        return got.json()

    def labels(self, annotator: str) -> dict[Any, dict[str, Any]]:
        """What the server has of an annotator, by comment."""
        found = self.get(f"/matches/{MATCH}/labels/{annotator}")["labels"]
        return {label["comment"]: label for label in found}

    def label(self, annotator: str, comment: Any, **action: Any) -> dict[str, Any]:
        """Act by the API alone, as another program would."""
        known = self.labels(annotator).get(comment, {"revision": 0})
        body = {"comment": comment, "revision": known["revision"], **action}
        label: dict[str, Any] = self.post(f"/matches/{MATCH}/labels/{annotator}", body)["label"]
        return label

    @property
    def linked(self) -> list[list[str]]:
        """The machine's links, by the comment's place."""
        (match,) = self.get(f"/matches/{MATCH}/page")["matches"]
        events = [event["id"] for event in match["events"]]
        return [[events[i] for i, _ in one.get("events", ())] for one in match["comments"]]


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    running = Site(folder)
    yield running
    running.close()


@pytest.fixture
def open_site() -> Iterator[Callable[..., Site]]:
    """Starts servers that are asked for by their settings."""
    with contextlib.ExitStack() as stack:

        def start(folder: Path, **more: Any) -> Site:
            running = Site(folder, **more)
            stack.callback(running.close)
            return running

        yield start


class Annotator(Visitor):
    """Somebody who has said their name before, at a match's page."""

    def saved(self) -> None:
        """Waits until everything that was done is on the server."""
        self.until("document.getElementById('save-state').textContent === 'All saved'")


@pytest.fixture
def labelling(site: Site, browser: Any) -> Iterator[Callable[..., Annotator]]:
    """Opens the match's page for an annotator."""
    opened: list[Annotator] = []

    def label(name: str, *size: int, url: str = site.match, **more: Any) -> Annotator:
        kept = [{"name": "touchline.annotator", "value": name}]
        state = {"cookies": [], "origins": [{"origin": site.url, "localStorage": kept}]}
        opened.append(Annotator(browser, url, *size, storage_state=state, **more))
        opened[-1].sees("#far", " of 126")
        return opened[-1]

    yield label
    for annotator in opened:
        annotator.context.close()
    assert [one.errors + one.outside for one in opened] == [[] for _ in opened]
