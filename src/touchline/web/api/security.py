"""Access control, and the security headers of every response.

On loopback without a token, everybody on the machine has access. The check of `Host` keeps out web
pages whose own name resolves to 127.0.0.1 (DNS rebinding); the checks of `Origin` and of a secret
header keep out forms of other pages (CSRF). With a token, a request must carry it, or a cookie that
was signed when the user signed in with it. Behind a proxy, its address (`PublicUrl`) is accepted as
well.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from touchline.core.errors import UsageError
from touchline.web.api.sessions import SignedOut
from touchline.web.errors import ApiError

COOKIE = "touchline_session"
CSRF_HEADER = "x-csrf-token"
SIGNED_IN = 30 * 86400  # seconds
MAX_FAILURES, PER_SECONDS = 5, 60.0
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
DEFAULT_PORTS = {"http": 80, "https": 443}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
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
    """Whether an address to bind to is reachable from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class PublicUrl(NamedTuple):
    """The address under which a proxy shows the server to users."""

    scheme: str
    netloc: str
    host: str

    @classmethod
    def parse(cls, url: str) -> PublicUrl:
        expected = "expected the URL of a proxy, such as https://touchline.example.org"
        try:
            scheme, netloc, path, query, fragment = urlsplit(url.strip().lower())
            host, port = urlsplit(url).hostname, urlsplit(url).port
        except ValueError:
            raise UsageError(f"--public-url {url}: {expected}") from None
        if scheme not in DEFAULT_PORTS or not host or "@" in netloc or query or fragment:
            raise UsageError(f"--public-url {url}: {expected}")
        if path.strip("/"):
            raise UsageError(
                f"--public-url {url}: the server cannot be under a path; give it a host name "
                "or a port of its own"
            )
        if port == DEFAULT_PORTS[scheme]:  # browsers leave it out
            netloc = netloc.rpartition(":")[0]
        return cls(scheme, netloc, host.lower())

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.netloc}"


class Failures:
    """Counts wrong tokens by address; tests pass their own clock."""

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
            if len(self._times) > 10_000:  # somebody uses many addresses; drop the oldest
                del self._times[next(iter(self._times))]

    def _recent(self, address: str) -> list[float]:
        since = self._clock() - PER_SECONDS
        return [at for at in self._times.get(address, []) if at > since]


class Guard:
    """Accepts or rejects requests by their token, cookie and headers."""

    def __init__(
        self,
        token: str | None,
        key: str,
        signed_out: SignedOut,
        *,
        loopback: bool,
        public: PublicUrl | None = None,
    ) -> None:
        self.token, self.signed_out, self.public = token, signed_out, public
        self._names = LOOPBACK_NAMES | {public.host} if public else LOOPBACK_NAMES
        self._any_name = not loopback and public is None
        self.failures = Failures()
        # The key depends on the token, so a new token signs everybody out.
        self._key = hmac.new(key.encode(), (token or "").encode(), hashlib.sha256).digest()

    # Checks --------------------------------------------------------------------------------------

    def check(self, request: Request, *, public: bool) -> None:
        """Raise unless the request is allowed."""
        bearer = self._bearer(request)
        if not public and not bearer and not self.signed_in(request):
            raise ApiError("token", "sign in with the server's token first")
        if not (public and request.method in SAFE_METHODS):
            self._check_origin(request.headers)  # reads too: other pages could send many
        if request.method in SAFE_METHODS:
            return
        if not public and not bearer:
            given = request.headers.get(CSRF_HEADER, "")
            if not _same(given, self.csrf(request)):
                raise ApiError("csrf", f"the header {CSRF_HEADER} is missing or outdated")

    def check_host(self, headers: Headers) -> None:
        """On loopback or behind a proxy, accept only our own names.

        Any other may be a DNS rebinding attack.
        """
        if self._any_name or _host(headers) in self._names:
            return
        name = self.public.origin if self.public else "localhost"
        raise ApiError("host", f"this server can only be reached as {name}")

    def _check_origin(self, headers: Headers) -> None:
        origin = headers.get("origin")
        own = origin is None or urlsplit(origin).netloc == headers.get("host")
        if not own and not (self.public and origin == self.public.origin):
            raise ApiError("origin", "requests from pages of other sites are not allowed")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise ApiError("origin", "requests from pages of other sites are not allowed")

    # Signing in ----------------------------------------------------------------------------------

    def sign_in(self, request: Request, token: str) -> str | None:
        """The value of a new cookie, if the token is right; None if no token is needed."""
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
        """End the session of a request; copies of its cookie are invalid from now on."""
        text = request.cookies.get(COOKIE, "").rpartition(".")[0]
        if self.token is not None and self.signed_in(request):
            self.signed_out.add(text, int(text.partition(".")[0]))

    def is_secure(self, request: Request) -> bool:
        """Whether the cookie may travel over TLS only; a proxy's headers may not say."""
        scheme = self.public.scheme if self.public else request.url.scheme
        return scheme == "https"

    def still_allowed(self, request: Request) -> bool:
        """Whether a request that was accepted earlier is still allowed."""
        return self._bearer(request) or self.signed_in(request)

    def csrf(self, request: Request) -> str:
        """The CSRF token that the page sends with every write."""
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
            raise ApiError("token", "wrong token")

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._key, f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()


class SecurityMiddleware:
    """Checks `Host` and adds the security headers to every response."""

    def __init__(
        self, app: ASGIApp, guard: Guard, error_response: Callable[[ApiError], ASGIApp]
    ) -> None:
        self.app, self.guard, self.error_response = app, guard, error_response

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
        except ApiError as error:
            app = self.error_response(error)
        await app(scope, receive, with_headers)


def _host(headers: Headers) -> str | None:
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname
    except ValueError:
        return None


def _same(given: str, right: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())
