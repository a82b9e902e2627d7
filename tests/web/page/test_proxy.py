"""`--public-url`: the server behind a real nginx with TLS, with programs and in a browser."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess

import httpx
import pytest

from tests.conftest import missing
from tests.waiting import wait_for
from tests.web.page.conftest import TOKEN
from touchline.core.errors import UsageError
from touchline.web.api.security import MAX_FAILURES, PublicUrl

NAME = "touchline.localhost"  # browsers resolve it to this machine
MATCHES = "/api/v1/matches"
SESSION = "/api/v1/session"
CONFIG = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl;
    server_name {name};
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    location / {{
      proxy_pass {upstream};
      {host}
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }}
  }}
}}
"""
# As in docs/server.md, and without the line that many leave out.
KEEP_HOST = "proxy_set_header Host $http_host;"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A folder with a key and a certificate that it signed itself."""
    for program in ("nginx", "openssl"):
        if shutil.which(program) is None:
            missing("proxy", f"no {program} on this machine")
    folder = tmp_path_factory.mktemp("nginx")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder


@pytest.fixture
def behind_proxy(certificate, folder, open_site):
    """Starts a server and an nginx in front of it; gives the public URL."""
    with contextlib.ExitStack() as stack:

        def start(host=KEEP_HOST):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            url = f"https://{NAME}:{port}"
            site = open_site(folder, token=TOKEN, public=PublicUrl.parse(url))
            text = CONFIG.format(
                folder=certificate, port=port, name=NAME, upstream=site.url, host=host
            )
            (certificate / "nginx.conf").write_text(text)
            nginx = subprocess.Popen(["nginx", "-c", certificate / "nginx.conf"])
            stack.callback(nginx.wait)
            stack.callback(nginx.terminate)
            wait_for(lambda: _is_open(port))
            return url

        yield start


def _is_open(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def client_of(url, address="127.0.0.1"):
    """A client on another address of this machine, which knows where the name leads."""
    port = url.rpartition(":")[2]
    transport = httpx.HTTPTransport(verify=False, local_address=address)
    headers = {"Host": f"{NAME}:{port}", "Origin": url, "Sec-Fetch-Site": "same-origin"}
    return httpx.Client(base_url=f"https://127.0.0.1:{port}", transport=transport, headers=headers)


@pytest.mark.parametrize("host", [KEEP_HOST, ""])
def test_a_program_signs_in_and_writes_through_a_proxy(behind_proxy, host):
    url = behind_proxy(host)
    with client_of(url) as client:
        assert client.get(MATCHES).status_code == 401
        got = client.post(SESSION, json={"token": TOKEN})
        assert got.status_code == 200, got.text
        cookie = got.headers["set-cookie"].lower()
        assert {"secure", "httponly", "samesite=strict"} <= set(cookie.split("; "))
        headers = {
            "X-CSRF-Token": got.json()["csrf"],
            "Cookie": got.headers["set-cookie"].partition(";")[0],
        }
        assert len(client.get(MATCHES, headers=headers).json()["matches"]) == 2
        path = f"{MATCHES}/harrowmere-castlebrook/labels/Ada"
        action = {"comment": 0, "revision": 0, "action": "none"}
        assert client.post(path, json=action, headers=headers).status_code == 200
        for origin in ("https://evil.example", url.replace("https", "http") + "0", "null"):
            refused = client.post(path, json=action, headers=headers | {"Origin": origin})
            assert refused.json()["error"]["code"] == "origin", origin


def test_wrong_tokens_of_one_client_do_not_lock_out_the_others(behind_proxy):
    url = behind_proxy()
    with client_of(url, "127.0.0.2") as guessing, client_of(url, "127.0.0.3") as other:
        for number in range(MAX_FAILURES):
            # What a client claims about itself does not make it another one.
            claim = {"X-Forwarded-For": f"10.0.0.{number}"}
            assert guessing.post(SESSION, json={"token": "x"}, headers=claim).status_code == 401
        assert guessing.post(SESSION, json={"token": TOKEN}).status_code == 429
        assert other.post(SESSION, json={"token": TOKEN}).status_code == 200


def test_other_names_are_not_answered(behind_proxy):
    url = behind_proxy()
    with client_of(url) as client:
        refused = client.get(MATCHES, headers={"Host": "evil.example"})
        assert refused.json()["error"] == {
            "code": "host",
            "message": f"this server can only be reached as {url}",
        }


@pytest.mark.browser
def test_a_person_signs_in_through_a_proxy(behind_proxy, visiting):
    visitor = visiting(behind_proxy(), ignore_https_errors=True)
    visitor.page.wait_for_url("**/login?next=*")
    visitor.page.fill("#token", TOKEN)
    visitor.press("Enter")
    visitor.sees("#matches", "Harrowmere City")
    (cookie,) = visitor.context.cookies()
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Strict")
    # Notifications come through: nginx does not hold them back.
    visitor.page.evaluate(
        "() => { window.events = new EventSource('/api/v1/events'); window.said = false;"
        " events.addEventListener('hello', () => { window.said = true; }); }"
    )
    visitor.until("window.said")
    visitor.page.evaluate("() => events.close()")


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Commentary.Example.org", "https://commentary.example.org"),
        ("https://a.example:443/", "https://a.example"),
        ("http://a.example:8080", "http://a.example:8080"),
        ("https://[::1]:8443", "https://[::1]:8443"),
    ],
)
def test_the_address_is_written_as_browsers_write_it(url, origin):
    assert PublicUrl.parse(url).origin == origin


@pytest.mark.parametrize(
    "url",
    ["example.org", "ftp://example.org", "https://", "https://u:p@example.org", "https://a:x",
     "https://example.org/touchline", "https://example.org?x=1", ""],
)  # fmt: skip
def test_what_is_no_address_is_refused(url):
    with pytest.raises(UsageError, match="--public-url"):
        PublicUrl.parse(url)


def test_behind_a_proxy_a_token_is_required(serve, folder):
    running = serve(folder, "--public-url", "https://touchline.example.org")
    assert any("sign in with the token" in line for line in running.said)
    assert running.said[-1].rstrip().endswith(" as https://touchline.example.org")
    assert httpx.get(running.url + MATCHES).status_code == 401
