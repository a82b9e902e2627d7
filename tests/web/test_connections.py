"""Clients that open connections and say little do not keep others out."""

from __future__ import annotations

import contextlib
import socket
import time
from urllib.parse import urlsplit

import httpx
import pytest

from tests.waiting import wait_for
from tests.web.page.conftest import Site
from touchline.web import notifications
from touchline.web.api import connections

MANY = 1100  # more than a process may have open on most systems
HALF = b"GET /api/v1/matches HTTP/1.1\r\nHost: localhost\r\n"
BODY = b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{"
STREAM = b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def resource():
    """Limits of processes; Windows has none."""
    return pytest.importorskip("resource")


@pytest.fixture
def crowd(resource):
    """Opens many connections to a server and sends the same over each."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * MANY:
        pytest.skip("this machine lets no process open so many files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * MANY), hard))
    with contextlib.ExitStack() as stack:

        def gather(url, sent):
            at = urlsplit(url)
            opened = []
            for _ in range(MANY):
                one = stack.enter_context(socket.create_connection((at.hostname, at.port), 30))
                with contextlib.suppress(ConnectionError):  # closed by the server already
                    one.sendall(sent)
                opened.append(one)
            return opened

        yield gather
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def site(folder):
    running = Site(folder)
    yield running
    running.close()


@pytest.fixture
def poor(serve, folder, resource):
    """A server that may open as few files as is usual."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1024), hard))
    try:
        return serve(folder, "--no-align")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def answers(url):
    return httpx.get(f"{url}/api/v1/matches", timeout=30).status_code == 200


@pytest.mark.posix
@pytest.mark.parametrize(
    "sent", [b"", HALF, STREAM, BODY], ids=["nothing", "half", "stream", "body"]
)
def test_a_crowd_does_not_keep_others_out(poor, crowd, folder, sent, capfd):
    crowd(poor.url, sent)
    assert all(answers(poor.url) for _ in range(5))
    log = folder / ".touchline" / "server.log"
    assert not log.exists() or log.stat().st_size < 100_000
    assert len(capfd.readouterr().err) < 100_000


@pytest.mark.posix
def test_streams_above_the_limit_are_refused_with_a_sentence(poor, crowd):
    opened = crowd(poor.url, STREAM)
    heads = [_head(one) for one in opened]
    assert 0 < sum(b" 200 " in head for head in heads) <= notifications.MAX_SUBSCRIBERS
    assert any(b" 503 " in head for head in heads)
    refused = httpx.get(f"{poor.url}/api/v1/events", timeout=30)
    assert refused.status_code == 503
    assert "too many event streams" in refused.json()["error"]["message"]
    assert int(refused.headers["retry-after"]) > 0
    for one in opened:
        one.close()
    wait_for(lambda: _opens(poor.url))


def _opens(url):
    with httpx.stream("GET", f"{url}/api/v1/events", timeout=30) as stream:
        return stream.status_code == 200


def _head(connection):
    connection.settimeout(30)
    try:
        return connection.recv(4096)
    except OSError:
        return b""


@pytest.mark.parametrize("sent", [b"", HALF, HALF + b"\r\n" + HALF])
def test_half_a_request_is_closed_after_a_while(site, monkeypatch, sent):
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.5)
    site.server.config.timeout_keep_alive = 1  # after an answer
    at = urlsplit(site.url)
    with socket.create_connection((at.hostname, at.port), 30) as client:
        client.sendall(sent)
        end = time.monotonic() + 30
        while client.recv(65536):
            assert time.monotonic() < end


def test_a_request_in_pieces_and_a_slow_answer_are_fine(site, monkeypatch):
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.5)
    at = urlsplit(site.url)
    with socket.create_connection((at.hostname, at.port), 30) as client:
        for piece in (STREAM[:20], STREAM[20:]):
            time.sleep(0.1)
            client.sendall(piece)
        heard = client.recv(65536)
        time.sleep(1)  # longer than headers may take
        site.label("Ada", 0, action="none")
        while b"event: label" not in heard:
            more = client.recv(65536)
            assert more
            heard += more


def test_headers_that_are_too_large_are_refused(site):
    huge = {"X-Huge": "x" * (1 << 20)}
    with contextlib.suppress(httpx.TransportError):  # cut off while it is still being sent
        assert httpx.get(f"{site.url}/api/v1/matches", headers=huge).status_code == 400
    assert answers(site.url)
