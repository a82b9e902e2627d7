"""An object store on this machine: moto's server, and a proxy that counts and disturbs requests.

moto is a mock of S3. It says nothing about a cloud's speed, limits or rare failures.
"""

from __future__ import annotations

import html
import http.client
import os
import random
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

SECRET = "not-a-real-secret"
BUCKET = "archive"
_SLOW_DOWN = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>SlowDown</Code>'
    b"<Message>Please reduce your request rate.</Message></Error>"
)
_INTERNAL = _SLOW_DOWN.replace(b"SlowDown", b"InternalError")


class Store:
    """A bucket of a running server; `env` is what lets a library find it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.env = {
            "AWS_ENDPOINT_URL": address,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def request(self, method: str, key: str, data: bytes | None = None) -> bytes:
        """Ask without a client: moto checks no signatures."""
        headers = {
            "Content-Type": "application/octet-stream",  # or else moto takes it for a form
            "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request",
        }
        asked = urllib.request.Request(f"{self.address}/{key}", data, headers, method=method)
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return bytes(answer.read())

    def create(self, bucket: str = BUCKET) -> None:
        self.request("PUT", bucket)

    def upload(self, folder: Path, prefix: str) -> str:
        """Copy a folder; the URL that it then has."""
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                self.request("PUT", f"{BUCKET}/{prefix}/{name}", path.read_bytes())
        return f"s3://{BUCKET}/{prefix}"

    def names(self, prefix: str) -> list[str]:
        """The names of all objects below a prefix."""
        names: list[str] = []
        more = ""
        while True:
            asked = f"{BUCKET}?list-type=2&prefix={quote(prefix)}/{more}"
            listing = self.request("GET", asked).decode()
            keys = [part.split("</Key>")[0] for part in listing.split("<Key>")[1:]]
            names += [html.unescape(key)[len(prefix) + 1 :] for key in keys]
            if "<NextContinuationToken>" not in listing:
                return names
            token = listing.split("<NextContinuationToken>")[1].split("<")[0]
            more = f"&continuation-token={quote(token, safe='')}"

    def files(self, prefix: str) -> dict[str, bytes]:
        """Every object below a prefix, by the rest of its name."""
        return {
            name: self.request("GET", f"{BUCKET}/{quote(f'{prefix}/{name}')}")
            for name in self.names(prefix)
        }


@contextmanager
def running_store() -> Iterator[Store]:
    """Start a server in a process of its own and create the bucket."""
    script = (
        "import logging, sys; from werkzeug.serving import make_server;"
        "from moto.server import DomainDispatcherApplication, create_backend_app;"
        "logging.getLogger('werkzeug').setLevel(logging.ERROR);"
        "app = DomainDispatcherApplication(create_backend_app);"
        "server = make_server('127.0.0.1', 0, app, threaded=True);"
        "print(server.server_port, flush=True); server.serve_forever()"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True,
                               stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        assert process.stdout is not None
        store = Store(f"http://127.0.0.1:{int(process.stdout.readline())}")
        store.create()
        yield store
    finally:
        process.kill()
        process.wait()


class Proxy:
    """What stands between a client and the store."""

    def __init__(self, address: str, failing: float = 0.0, seed: int = 0) -> None:
        self.requests: Counter[str] = Counter()
        self.sent = self.received = 0  # bytes, by the client's view
        self.failures = 0
        self.log: list[str] = []  # what was asked for
        self.failing, self._chance = failing, random.Random(seed)
        self._target = address.removeprefix("http://")
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def running(self) -> Iterator[Proxy]:
        thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def count(self, method: str, sent: int, received: int) -> None:
        with self._lock:
            self.requests[method] += 1
            self.sent += sent
            self.received += received

    def fault(self) -> tuple[int, bytes] | None:
        """By chance, an answer that a busy store gives."""
        with self._lock:
            if self._chance.random() >= self.failing:
                return None
            self.failures += 1
            return self._chance.choice([(503, _SLOW_DOWN), (500, _INTERNAL)])

    def forward(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection(self._target, timeout=60)
        connection.request(method, path, body, dict(headers))
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, answer.getheaders(), data

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                status, headers, data = proxy._answer(
                    self.command, self.path, body, dict(self.headers)
                )
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                        self.send_header(name, value)
                length_of = next((v for n, v in headers if n.lower() == "content-length"), None)
                whole = length_of if self.command == "HEAD" and length_of else str(len(data))
                self.send_header("Content-Length", whole)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_any  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler

    def _answer(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        if (fault := self.fault()) is not None:
            status, said = fault
            answer = status, [("Content-Type", "application/xml")], said
        else:
            answer = self.forward(method, path, body, headers)
        kind = "LIST" if method == "GET" and "list-type" in path else method
        self.count(kind, len(body), len(answer[2]))
        self.log.append(f"{kind} {path} {answer[0]}")
        return answer


def environment(*more: Mapping[str, str]) -> dict[str, str]:
    """The environment of a command that reaches a store."""
    found = dict(os.environ)
    for one in more:
        found |= one
    return found


def forget_clients() -> None:
    """Let the next request make a client: one keeps the address that it was made for."""
    import s3fs

    from touchline.io.storage import filesystem

    filesystem._filesystem.cache_clear()
    s3fs.S3FileSystem.clear_instance_cache()
