"""Who may ask: host, origin, CSRF, token, cookie, rate limit; and what answers never show."""

from __future__ import annotations

import time

import httpx
import pytest

from touchline.web.api.security import MAX_FAILURES, PER_SECONDS, SIGNED_IN, Failures, is_loopback
from touchline.web.errors import ApiError

HOME = "harrowmere-castlebrook"
TOKEN = "a token to test with"
API = "/api/v1"
LABELS = f"{API}/matches/{HOME}/labels/Ada"
ACTION = {"comment": 0, "revision": 0, "action": "none"}


def code(response):
    return response.status_code, response.json()["error"]["code"]


@pytest.fixture
def guarded(start):
    return start(token=TOKEN)


@pytest.fixture
def bearer():
    return {"Authorization": f"Bearer {TOKEN}"}


def sign_in(client):
    got = client.post(f"{API}/session", json={"token": TOKEN})
    assert got.status_code == 200
    client.headers["X-CSRF-Token"] = got.json()["csrf"]
    return got


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::1", "10.0.0.1"])
def test_on_loopback_other_names_are_not_answered(client, host):
    """DNS rebinding: a page's own name that points to 127.0.0.1."""
    for path in ("/", f"{API}/matches", "/page/index.html"):
        assert code(client.get(path, headers={"Host": host})) == (403, "host")


@pytest.mark.parametrize("host", ["localhost", "localhost:9000", "127.0.0.1", "[::1]:8765"])
def test_our_own_names_are(client, host):
    assert client.get(f"{API}/matches", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "problem"),
    [
        ({"X-CSRF-Token": ""}, "csrf"),
        ({"X-CSRF-Token": "é"}, "csrf"),
        ({"Origin": "http://evil.example"}, "origin"),
        ({"Origin": "null"}, "origin"),
        ({"Origin": "http://127.0.0.1:9999"}, "origin"),  # another server of this machine
        ({"Sec-Fetch-Site": "cross-site"}, "origin"),
        ({"Sec-Fetch-Site": "same-site"}, "origin"),
    ],
)
def test_writes_from_elsewhere_are_refused(client, headers, problem):
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    for refused in (
        client.post(LABELS, json=ACTION, headers=sent),
        client.delete(f"{API}/matches/{HOME}", headers=sent),
        client.post(f"{API}/matches", files={"events": b""}, headers=sent),
    ):
        assert code(refused) == (403, problem)
    assert client.get(LABELS).json()["labels"] == []


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("mode", ["no-cors", "navigate"])
def test_reads_from_pages_elsewhere_are_refused(client, site, mode):
    """They cannot see the answer, but could keep the server busy with it."""
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    for path in ("/search?q=a", "/choices", "/matches", "/events", f"/matches/{HOME}/links"):
        assert code(client.get(API + path, headers=headers)) == (403, "origin")
    for page in ("/", f"/match/{HOME}", "/page/home.js"):  # links to a page are followed
        assert client.get(page, headers=headers).status_code == 200


@pytest.mark.parametrize("site", ["same-origin", "none", None])
def test_reads_of_our_own_page_and_of_programs_are_answered(client, site):
    headers = {"Sec-Fetch-Site": site} if site else {}
    assert client.get(f"{API}/search?q=a", headers=headers).status_code == 200


def test_our_own_page_may_write(client):
    headers = {"Origin": "http://127.0.0.1:8765", "Sec-Fetch-Site": "same-origin"}
    assert client.post(LABELS, json=ACTION, headers=headers).status_code == 200


def test_the_csrf_value_outlives_a_restart(start, folder):
    first = start()
    value = first.headers["X-CSRF-Token"]
    first.__exit__(None, None, None)
    assert start().headers["X-CSRF-Token"] == value


def test_without_the_token_nothing_is_shown(guarded):
    session = guarded.get(f"{API}/session").json()
    assert (session["token"], session["signed_in"], session["csrf"]) == (True, False, None)
    for path in ("/matches", f"/matches/{HOME}/page", "/search", "/jobs", "/events", "/choices"):
        assert code(guarded.get(API + path)) == (401, "token")
    assert code(guarded.post(LABELS, json=ACTION)) == (401, "token")
    assert code(guarded.delete(f"{API}/matches/{HOME}")) == (401, "token")
    assert guarded.get("/").status_code == 200  # pages hold no data
    assert guarded.get(f"{API}/openapi.json").status_code == 200


def test_signing_in_gives_a_cookie_that_scripts_do_not_see(guarded):
    got = sign_in(guarded)
    cookie = got.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    assert TOKEN not in cookie
    assert got.json()["signed_in"]
    assert guarded.get(f"{API}/matches").status_code == 200
    assert guarded.post(LABELS, json=ACTION).status_code == 200
    assert code(guarded.post(LABELS, json=ACTION, headers={"X-CSRF-Token": ""})) == (403, "csrf")
    assert guarded.delete(f"{API}/session").status_code == 204
    assert code(guarded.get(f"{API}/matches")) == (401, "token")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda cookie: cookie[:-1] + ("0" if cookie[-1] != "0" else "1"),
        lambda cookie: "9" + cookie,  # signed in for longer
        lambda cookie: cookie.rpartition(".")[0],
        lambda cookie: "",
        lambda cookie: "é",
    ],
)
def test_a_cookie_that_we_did_not_sign_is_none(guarded, spoil):
    sign_in(guarded)
    forged = spoil(guarded.cookies["touchline_session"])
    guarded.cookies.clear()
    headers = [(b"Cookie", b"touchline_session=" + forged.encode())]
    assert code(guarded.get(f"{API}/matches", headers=headers)) == (401, "token")


def kept_cookie(client):
    """The session's cookie as somebody would send it who kept it; the client forgets it."""
    kept = {"Cookie": f"touchline_session={client.cookies['touchline_session']}"}
    client.cookies.clear()
    return kept


def test_a_cookie_ends(guarded, monkeypatch):
    sign_in(guarded)
    kept = kept_cookie(guarded)
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + SIGNED_IN - 60)
    assert guarded.get(f"{API}/matches", headers=kept).status_code == 200
    monkeypatch.setattr("time.time", lambda: now + SIGNED_IN + 60)
    assert code(guarded.get(f"{API}/matches", headers=kept)) == (401, "token")


def test_a_session_that_was_signed_out_is_over_also_after_a_restart(start):
    first = start(token=TOKEN)
    sign_in(first)
    other = kept_cookie(first)
    csrf = sign_in(first).json()["csrf"]
    kept = kept_cookie(first)
    headers = {**kept, "X-CSRF-Token": csrf}
    assert first.delete(f"{API}/session", headers=headers).status_code == 204
    assert code(first.get(f"{API}/matches", headers=kept)) == (401, "token")
    assert not first.get(f"{API}/session", headers=kept).json()["signed_in"]
    assert first.get(f"{API}/matches", headers=other).status_code == 200  # one's other browser
    first.__exit__(None, None, None)
    second = start(token=TOKEN)
    assert code(second.get(f"{API}/matches", headers=kept)) == (401, "token")
    assert second.get(f"{API}/matches", headers=other).status_code == 200


def test_the_events_end_with_the_session(serve, folder):
    url = serve(folder, "--no-align", "--token", TOKEN).url
    with httpx.Client(base_url=url, timeout=30) as client:
        sign_in(client)
        with client.stream("GET", f"{API}/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: hello"
            assert client.delete(f"{API}/session").status_code == 204
            bearer = {"Authorization": f"Bearer {TOKEN}"}
            with httpx.Client(base_url=url, headers=bearer) as other:
                assert other.post(LABELS, json=ACTION).status_code == 200
            for line in lines:
                assert line != "event: label"


def test_another_token_signs_everybody_out(start, folder):
    first = start(token=TOKEN)
    sign_in(first)
    cookie = dict(first.cookies)
    first.__exit__(None, None, None)
    second = start(token="another token")
    second.cookies.update(cookie)
    assert code(second.get(f"{API}/matches")) == (401, "token")


def test_a_bearer_needs_no_cookie_and_no_csrf(guarded, bearer):
    guarded.headers.pop("X-CSRF-Token")
    assert guarded.get(f"{API}/matches", headers=bearer).status_code == 200
    assert guarded.post(LABELS, json=ACTION, headers=bearer).status_code == 200
    wrong = {"Authorization": "Bearer wrong"}
    assert code(guarded.get(f"{API}/matches", headers=wrong)) == (401, "token")


def test_wrong_tokens_are_limited_whichever_way_they_come(guarded, bearer):
    for number in range(MAX_FAILURES):
        wrong = {"Authorization": f"Bearer {number}"}
        if number % 2:
            assert guarded.get(f"{API}/matches", headers=wrong).status_code == 401
        else:
            assert code(guarded.post(f"{API}/session", json={"token": "no"})) == (401, "token")
    refused = guarded.post(f"{API}/session", json={"token": TOKEN})
    assert code(refused) == (429, "too_many")
    assert 0 < int(refused.headers["retry-after"]) <= PER_SECONDS + 1
    assert code(guarded.get(f"{API}/matches", headers=bearer)) == (429, "too_many")


def test_the_limit_passes_and_is_for_each_address():
    now = [0.0]
    failures = Failures(lambda: now[0])
    for _ in range(MAX_FAILURES):
        failures.count("a")
    with pytest.raises(ApiError):
        failures.check("a")
    failures.check("b")
    now[0] = PER_SECONDS + 1
    failures.check("a")


def test_every_answer_has_the_headers(client):
    for path in ("/", "/nowhere", f"{API}/matches", f"{API}/nowhere", "/page/nowhere.js"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    assert client.get(f"{API}/matches").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "name",
    ["..", "%2e%2e", "..%2f..%2fetc%2fpasswd", ".touchline", "%00", "nowhere", "x" * 5000,
     f"{HOME}%2f", f".%2f{HOME}", f"{HOME}%00"],
)  # fmt: skip
def test_no_path_of_a_request_reaches_the_file_system(client, folder, name):
    of_match = f"{API}/matches/{name}"
    for path in (of_match, f"{of_match}/page", f"{of_match}/links", f"/page/{name}"):
        got = client.get(path)
        assert got.status_code in (404, 405, 200)
        assert got.status_code != 200 or path.endswith("..")  # which clients resolve themselves
    gone = client.delete(f"{API}/matches/{name}")
    assert gone.status_code in (404, 405)
    assert (folder / HOME / "events.json.gz").exists()
    assert (folder / ".touchline" / "touchline.db").exists()


def test_an_error_of_ours_shows_no_internals(client, monkeypatch, caplog):
    def broken(*_):
        raise RuntimeError("secret path /srv/data")

    monkeypatch.setattr("touchline.web.store.search.search", broken)
    got = client.get(f"{API}/search")
    assert code(got) == (500, "internal")
    assert "secret" not in got.text
    (record,) = caplog.records  # the log has it, with the traceback
    assert (record.name, record.getMessage()) == ("touchline.web", "GET /search failed")
    assert "secret path" in str(record.exc_info[1])


def test_which_addresses_are_loopback():
    assert all(map(is_loopback, ["127.0.0.1", "127.0.0.9", "::1", "localhost"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.0.2", "example.org", ""]))
