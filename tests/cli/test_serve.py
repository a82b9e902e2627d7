"""`touchline serve` as a command: what it refuses, tokens, backups, the end."""

from __future__ import annotations

import signal
import socket
import sqlite3
import subprocess
import sys

import click
import httpx
import pytest

from tests.dataset import write_dataset
from touchline.cli.serve import command
from touchline.core.errors import InputError, TouchlineError, UsageError
from touchline.sample import corpus_path

COMMAND = [sys.executable, "-m", "touchline", "serve"]


def run(*words, **more):
    return subprocess.run(
        [*COMMAND, *map(str, words)], capture_output=True, text=True, timeout=60, **more
    )


@pytest.fixture
def start(tmp_path, request):
    def start(*words):
        server = subprocess.Popen(
            [*COMMAND, str(tmp_path), "--port", "0", *words], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        request.addfinalizer(lambda: (server.kill(), server.communicate()))
        return server

    return start


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (["nowhere"], InputError, "no such folder"),
        ([corpus_path() / "harrowmere-castlebrook"], InputError, "is a match folder"),
        (["{empty}", "--method", "magic"], UsageError, "unknown method 'magic'"),
        (["{empty}", "--token", "short"], UsageError, "too short"),
        (["{empty}", "--host", "no.such.host.invalid"], TouchlineError, "cannot listen"),
        (["{empty}", "--port", "99999"], click.UsageError, "range"),
        (["{empty}", "--backup", "copy.db"], InputError, "nothing to back up"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_sentence(tmp_path, words, error, message):
    words = [str(word).replace("{empty}", str(tmp_path)) for word in words]
    with pytest.raises(error, match=message):
        command.main([*words], standalone_mode=False)


def test_without_the_packages_it_says_what_to_install(tmp_path):
    code = "import sys; sys.modules['uvicorn'] = None; from touchline.cli import main; main()"
    words = [sys.executable, "-c", code, "serve", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 1
    assert "pip install 'touchline[web]'" in done.stderr


def test_an_address_that_others_reach_demands_a_token(start):
    server = start("--host", "0.0.0.0")
    token = server.stdout.readline().split()[-1]
    url = server.stdout.readline().split()[-1].replace("0.0.0.0", "127.0.0.1")
    assert len(token) >= 32
    asked = f"{url}/api/v1/matches"
    assert httpx.get(asked, timeout=60).status_code == 401
    header = {"Authorization": f"Bearer {token}"}
    assert httpx.get(asked, headers=header, timeout=60).status_code == 200


@pytest.mark.posix
def test_it_serves_one_folder_once_backs_it_up_and_ends_on_request(start, tmp_path):
    server = start()
    url = server.stdout.readline().split()[-1]
    assert httpx.get(f"{url}/api/v1/matches", timeout=60).json()["matches"] == []
    again = run(tmp_path, "--port", "0")
    assert again.returncode == 1
    assert "another touchline serve" in again.stderr
    copy = tmp_path / "copy.db"
    assert run(tmp_path, "--backup", copy).returncode == 0
    with sqlite3.connect(copy) as db:
        assert db.execute("SELECT COUNT(*) FROM settings").fetchone() == (1,)
    server.send_signal(signal.SIGINT)
    server.wait(20)
    assert "Traceback" not in server.stderr.read()


def test_a_port_that_is_taken_is_said(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = [str(tmp_path), "--port", str(taken.getsockname()[1])]
        with pytest.raises(TouchlineError, match="cannot listen"):
            command.main(words, standalone_mode=False)


def test_a_folder_that_is_neither_matches_nor_a_data_set_is_refused(tmp_path):
    (tmp_path / "manifest.json").write_text('{"format": 1, "matches": [{"name": "a"}]}')
    with pytest.raises(InputError, match="not the manifest of a data set; give a folder of match"):
        command.main([str(tmp_path)], standalone_mode=False)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="not the manifest of a data set; give a folder of match"):
        command.main([str(tmp_path)], standalone_mode=False)


def test_a_data_set_is_served_read_only(sample, tmp_path, start, monkeypatch):
    monkeypatch.setenv("TOUCHLINE_CACHE", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    write_dataset(tmp_path, sample)
    server = start()
    url = server.stdout.readline().split()[-1]
    assert httpx.get(f"{url}/api/v1/session", timeout=60).json()["read_only"] is True
    assert not (tmp_path / ".touchline").exists()
