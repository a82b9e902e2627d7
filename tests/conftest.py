"""Fixtures that many tests share, and what to do when a part of the machine is missing."""

from __future__ import annotations

import os
import signal

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # test workers share the cores already

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests import object_store, speaking
from tests.browsing import Visitor
from touchline import Comment, Event, Match, Player, Role, Team
from touchline.io.corpus.layout import LabelledMatch, read_corpus
from touchline.sample import corpus_path

# The same examples in every run: a test that fails must fail again.
settings.register_profile("touchline", deadline=None, derandomize=True)
settings.load_profile("touchline")


def pytest_configure() -> None:
    """Let commands be interrupted.

    What a shell starts in the background ignores interrupts, and so would every command that is
    started from here.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what only another system has."""
    if sys.platform == "win32" and item.get_closest_marker("posix"):
        pytest.skip("needs POSIX")
    if sys.platform != "linux" and item.get_closest_marker("linux"):
        pytest.skip("needs Linux")


def missing(part: str, reason: str) -> None:
    """Skip with a reason, or fail where TOUCHLINE_REQUIRE says that the part must be there."""
    if part in os.environ.get("TOUCHLINE_REQUIRE", "").split(","):
        pytest.fail(f"{reason}, and TOUCHLINE_REQUIRE asks for {part}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real matches."""
    folder = os.environ.get("TOUCHLINE_DATA")
    if not folder or not Path(folder).is_dir():
        missing("data", "TOUCHLINE_DATA does not point to the real matches")
    return Path(str(folder))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few megabytes, which a test can fill."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        missing("mount", "this user cannot mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="session")
def speak() -> Callable[..., Path]:
    """Speaks lines into a recording."""
    if shutil.which("espeak-ng") is None:
        missing("speech", "no espeak-ng on this machine")
    return speaking.speak


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium for tests of pages."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        missing("browser", "no Chromium on this machine")
    return str(path)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    """A running Chromium; its driver's event loop must not meet those of other tests."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        running = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield running
        running.close()


@pytest.fixture
def visiting(browser: Any) -> Iterator[Callable[..., Visitor]]:
    """Opens pages, and sees to it in the end that nothing went wrong or outside."""
    opened: list[Visitor] = []

    def visit(url: str, *size: int, **more: Any) -> Visitor:
        opened.append(Visitor(browser, url, *size, **more))
        return opened[-1]

    yield visit
    for visitor in opened:
        visitor.context.close()
    assert [visitor.errors + visitor.outside for visitor in opened] == [[] for _ in opened]


@pytest.fixture(scope="session")
def sample() -> list[LabelledMatch]:
    """The two bundled matches with exact clocks."""
    return list(read_corpus(corpus_path()))


@pytest.fixture(scope="session")
def sample_folder() -> Path:
    """The folder of the first bundled match."""
    return sorted(p for p in corpus_path().iterdir() if p.is_dir())[0]


def _stamp(seconds: float) -> str:
    minutes, rest = divmod(round(seconds * 1000), 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d},{rest % 1000:03d}"


@pytest.fixture(scope="session")
def record() -> Callable[[Path, Iterable[Comment], Mapping[int, float]], Path]:
    """Writes comments as the subtitles of a recording that kicks off at the given seconds."""

    def record(path: Path, comments: Iterable[Comment], kickoffs: Mapping[int, float]) -> Path:
        said = [(max(kickoffs[c.period or 1] + (c.time or 0), 0), c.text) for c in comments]
        cues = [f"{_stamp(at)} --> {_stamp(at + 4)}\n{text}\n" for at, text in said]
        path.write_text("\n".join(cues), encoding="utf-8")
        return path

    return record


REDS = Team(id="r", name="Redfield City")
BLUES = Team(id="b", name="Blueport United")
ANNA = Player(id="1", name="Ann Archer", team=REDS, shirt=9)
BO = Player(id="2", name="Boaventura da Silva Reis", nickname="Bo Reis", team=REDS)
CYRIL = Player(id="3", name="Cyril van der Meer", team=BLUES)


def event(number: int, kind: str, time: float, player: Player, **more: object) -> Event:
    return Event(
        id=f"e{number}", type=kind, period=1, time=time, player=player, team=player.team, **more
    )


@pytest.fixture
def small_match() -> Match:
    """A match small enough to reason about: six events, four comments."""
    events = (
        event(0, "Pass", 10.0, ANNA, others=(Role("recipient", BO),)),
        event(1, "Shot", 14.0, BO, arguments={"outcome": "Saved"}, location=(108.0, 40.0)),
        event(2, "Goal Keeper", 15.0, CYRIL),
        event(3, "Pass", 100.0, CYRIL),
        event(4, "Foul Committed", 130.0, ANNA),
        event(5, "Carry", 131.0, ANNA, linkable=False),
    )
    comments = (
        Comment(id=0, text="Archer finds Reis, who shoots.", period=1, start=15, end=15),
        Comment(id=1, text="It is raining.", period=1, start=60, end=120, clock="2'"),
        Comment(id="x", text="Foul by Archer!", period=1, start=133, end=133),
        Comment(id=3, text="", period=1, start=900, end=900),
    )
    return Match(
        name="small",
        provider="test",
        events=events,
        teams=(REDS, BLUES),
        players=(ANNA, BO, CYRIL),
        comments=comments,
    )


@pytest.fixture(scope="session")
def store() -> Iterator[object_store.Store]:
    """An S3 server on this machine, with a bucket; libraries find it by the environment."""
    if any(find_spec(name) is None for name in ("moto", "flask", "flask_cors", "s3fs")):
        missing("s3", "moto's server or s3fs is not installed")
    with object_store.running_store() as running, pytest.MonkeyPatch.context() as patch:
        for name, value in running.env.items():
            patch.setenv(name, value)
        yield running
