"""Who may ask, and what every answer says to the browser.

On loopback without a token everybody on the machine may; the check of `Host` keeps web pages out
that let their own name point to 127.0.0.1, the checks of `Origin` and of a secret header those that
send forms. With a token, a request shows it, or a cookie that only its holder could have signed.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from touchline.web.api.errors import ApiError
from touchline.web.api.sessions import SignedOut

COOKIE = "touchline_session"
CSRF_HEADER = "x-csrf-token"
SIGNED_IN = 30 * 86400  # seconds
MAX_FAILURES, PER_SECONDS = 5, 60.0
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


def is_loopback(host: str) -> bool:
    """Whether an address to bind to can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Failures:
    """Counts wrong tokens by address; the clock is the caller's, for the tests."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._times: dict[str, list[float]] = {}

    def check(self, address: str) -> None:
        with self._lock:
            recent = self._recent(address)
            if len(recent) >= MAX_FAILURES:
                wait = max(int(recent[0] + PER_SECONDS - self._clock()) + 1, 1)
                raise ApiError("too_many", "too many wrong tokens; try again later", wait=wait)

    def count(self, address: str) -> None:
        with self._lock:
            self._times[address] = [*self._recent(address), self._clock()]
            if len(self._times) > 10_000:  # somebody with many addresses; the oldest go
                del self._times[next(iter(self._times))]

    def _recent(self, address: str) -> list[float]:
        since = self._clock() - PER_SECONDS
        return [at for at in self._times.get(address, []) if at > since]


class Guard:
    """Decides about requests by the token, the cookie and the headers that they carry."""

    def __init__(
        self, token: str | None, key: str, signed_out: SignedOut, *, loopback: bool
    ) -> None:
        self.token, self.signed_out, self.loopback = token, signed_out, loopback
        self.failures = Failures()
        # Cookies end with the token: whoever changes it signs everybody out.
        self._key = hmac.new(key.encode(), (token or "").encode(), hashlib.sha256).digest()

    # Checks --------------------------------------------------------------------------------------

    def check(self, request: Request, *, public: bool) -> None:
        """Raise unless the request may be answered."""
        bearer = self._bearer(request)
        if not public and not bearer and not self.signed_in(request):
            raise ApiError("token", "sign in with the token that the server was started with")
        if not (public and request.method in SAFE_METHODS):
            self._check_origin(request.headers)  # reads too: pages elsewhere could ask for many
        if request.method in SAFE_METHODS:
            return
        if not public and not bearer:
            given = request.headers.get(CSRF_HEADER, "")
            if not _same(given, self.csrf(request)):
                raise ApiError("csrf", f"the header {CSRF_HEADER} is missing or out of date")

    def check_host(self, headers: Headers) -> None:
        """On loopback, only our own names: another one was pointed here by somebody's page."""
        if self.loopback and _host(headers) not in LOOPBACK_NAMES:
            raise ApiError("host", "this server answers under the name localhost only")

    def _check_origin(self, headers: Headers) -> None:
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != headers.get("host"):
            raise ApiError("origin", "the request comes from a page of another server")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise ApiError("origin", "the request comes from a page of another server")

    # Signing in ----------------------------------------------------------------------------------

    def sign_in(self, request: Request, token: str) -> str | None:
        """The value of a new cookie for whoever has the token; None where none is needed."""
        if self.token is None:
            return None
        self._check_token(request, token)
        text = f"{int(time.time()) + SIGNED_IN}.{secrets.token_urlsafe(16)}"
        return f"{text}.{self._sign('cookie', text)}"

    def signed_in(self, request: Request) -> bool:
        if self.token is None:
            return True
        text, _, signature = request.cookies.get(COOKIE, "").rpartition(".")
        if not _same(signature, self._sign("cookie", text)):
            return False
        return int(text.partition(".")[0]) > time.time() and text not in self.signed_out

    def sign_out(self, request: Request) -> None:
        """End the session of a request; whoever has kept its cookie cannot use it any more."""
        text = request.cookies.get(COOKIE, "").rpartition(".")[0]
        if self.token is not None and self.signed_in(request):
            self.signed_out.add(text, int(text.partition(".")[0]))

    def still_allowed(self, request: Request) -> bool:
        """Whether a request that has been let in may go on being answered."""
        return self._bearer(request) or self.signed_in(request)

    def csrf(self, request: Request) -> str:
        """What a page of ours has to send along when it writes."""
        return self.csrf_of(request.cookies.get(COOKIE, "") if self.token else "")

    def csrf_of(self, cookie: str) -> str:
        return self._sign("csrf", cookie)

    def _bearer(self, request: Request) -> bool:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if self.token is None or scheme.lower() != "bearer":
            return False
        self._check_token(request, token.strip())
        return True

    def _check_token(self, request: Request, token: str) -> None:
        address = request.client.host if request.client else ""
        self.failures.check(address)
        if not _same(token, self.token or ""):
            self.failures.count(address)
            raise ApiError("token", "this is not the token that the server was started with")

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._key, f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()


class Shell:
    """The outermost layer: the check of `Host`, and the headers of every answer."""

    def __init__(self, app: ASGIApp, guard: Guard, refuse: Callable[[ApiError], ASGIApp]) -> None:
        self.app, self.guard, self.refuse = app, guard, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        app = self.app
        try:
            self.guard.check_host(Headers(scope=scope))
        except ApiError as refusal:
            app = self.refuse(refusal)
        await app(scope, receive, with_headers)


def _host(headers: Headers) -> str | None:
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname
    except ValueError:
        return None


def _same(given: str, right: str) -> bool:
    """Compared in a time that does not tell how much of it is right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())
