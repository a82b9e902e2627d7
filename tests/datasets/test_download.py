"""Downloads, from a server on this machine."""

from __future__ import annotations

import hashlib
import io
import json
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from touchline import cli
from touchline.core.errors import InputError, TouchlineError, UsageError
from touchline.datasets import download
from touchline.datasets.download import get_statsbomb, get_wyscout

EVENTS, LINEUPS = b'[{"id": "a"}]', b'[{"team_id": 1}]'


class Web(HTTPServer):
    """A server with the given files, that may fail at first, and remembers what it was asked."""

    files: dict[str, bytes]
    failures: int = 0
    asked: list[str]

    @property
    def source(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class Answer(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.server.failures > 0:
            self.server.failures -= 1
            self.send_error(503)
            return
        body = self.server.files.get(self.path.lstrip("/"))
        if body is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Web]:
    monkeypatch.setenv("TOUCHLINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = Web(("127.0.0.1", 0), Answer)
    server.files, server.asked = {}, []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def archive(name: str, content: object) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        out.writestr(name, json.dumps(content))
    return packed.getvalue()


@pytest.fixture
def wyscout(web: Web, monkeypatch: pytest.MonkeyPatch) -> Web:
    events = [{"matchId": 7, "id": 1}, {"matchId": 8, "id": 2}, {"matchId": 7, "id": 3}]
    web.files = {
        "14464685": archive("events_England.json", events),
        "14464622": archive("matches_England.json", [{"wyId": 7}]),
        "15073721": b"[]",
        "15073697": b"[]",
    }
    known = {
        name: (number, "md5:" + hashlib.md5(web.files[number]).hexdigest())
        for name, (number, _) in download.WYSCOUT_FILES.items()
    }
    monkeypatch.setattr(download, "WYSCOUT_FILES", known)
    return web


def test_statsbomb(web: Web, tmp_path: Path) -> None:
    web.files = {"c0ffee/data/events/12.json": EVENTS, "c0ffee/data/lineups/12.json": LINEUPS}
    source = web.source + "{commit}/data/"
    for _ in range(2):
        written = get_statsbomb(["12"], tmp_path / "out", commit="c0ffee", source=source)
        assert written == [tmp_path / "out" / "12"]
    assert (written[0] / "events.json").read_bytes() == EVENTS
    assert (written[0] / "lineups.json").read_bytes() == LINEUPS
    assert len(web.asked) == 2  # the second time everything is in the cache
    with pytest.raises(TouchlineError, match="no match 12 "):
        get_statsbomb(["12"], tmp_path / "out", commit="abad", source=source)


def test_a_match_that_is_not_there_is_not_asked_for_again(web: Web, tmp_path: Path) -> None:
    with pytest.raises(TouchlineError, match="StatsBomb's open data has no match 99"):
        get_statsbomb(["99"], tmp_path / "out", source=web.source)
    assert len(web.asked) == 1
    assert not (tmp_path / "out").exists()
    with pytest.raises(UsageError, match="ids are numbers"):
        get_statsbomb(["../99"], tmp_path / "out", source=web.source)


def test_a_server_that_fails_is_asked_again(web: Web, tmp_path: Path) -> None:
    web.files = {"events/12.json": EVENTS, "lineups/12.json": LINEUPS}
    web.failures = 2
    assert get_statsbomb(["12"], tmp_path / "out", source=web.source)
    web.failures = 99
    with pytest.raises(TouchlineError, match=r"events/13.json: the server returned 503"):
        get_statsbomb(["13"], tmp_path / "out", source=web.source)


def test_a_page_in_place_of_the_data_is_not_kept(web: Web, tmp_path: Path) -> None:
    web.files = {"events/12.json": b"<html>Log in</html>", "lineups/12.json": LINEUPS}
    with pytest.raises(InputError, match="not match data"):
        get_statsbomb(["12"], tmp_path / "out", source=web.source)
    web.files["events/12.json"] = EVENTS
    assert get_statsbomb(["12"], tmp_path / "out", source=web.source)


def test_offline_is_said_in_one_sentence(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    closed = "http://127.0.0.1:9/{commit}/"
    monkeypatch.setattr(download.get_statsbomb, "__kwdefaults__",
                        {"commit": "c0ffee", "source": closed})  # fmt: skip
    assert cli._run(["data", "get", "statsbomb", "12", "-o", str(tmp_path / "out")]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "events/12.json: no connection; are you offline?" in sentence


def test_wyscout_competition(wyscout: Web, tmp_path: Path) -> None:
    assert get_wyscout("England", [], tmp_path / "out", source=wyscout.source) == [tmp_path / "out"]
    names = ["events_England.json", "matches_England.json", "players.json", "teams.json"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    assert len(json.loads((tmp_path / "out" / names[0]).read_text())) == 3


def test_wyscout_matches(wyscout: Web, tmp_path: Path) -> None:
    (folder,) = get_wyscout("England", ["7"], tmp_path / "out", source=wyscout.source)
    events = json.loads((folder / "events.json").read_text())
    assert [event["id"] for event in events] == [1, 3]
    assert (folder / "lineups-players.json").exists()
    with pytest.raises(UsageError, match="no match 9 in"):
        get_wyscout("England", ["9"], tmp_path / "out", source=wyscout.source)
    with pytest.raises(UsageError, match="no competition 'Narnia'"):
        get_wyscout("Narnia", [], tmp_path / "out", source=wyscout.source)
    with pytest.raises(InputError, match=r"contains no events_Spain\.json"):
        get_wyscout("Spain", [], tmp_path / "out", source=wyscout.source)


def test_what_is_not_as_published_is_refused(wyscout: Web, tmp_path: Path) -> None:
    wyscout.files["15073721"] = b"[1]"
    with pytest.raises(TouchlineError, match="15073721: its checksum differs"):
        get_wyscout("England", [], tmp_path / "out", source=wyscout.source)
    assert not (tmp_path / "out").exists()


def test_without_the_package_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(TouchlineError, match=r"pip install 'touchline\[data\]'"):
        get_statsbomb(["12"], tmp_path)
