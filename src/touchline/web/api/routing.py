"""Turns a table of endpoints into routes, with the same checks and conversions for all.

The OpenAPI file is generated from the same table (`openapi.py`), so that the two agree.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from touchline.web.api.security import SAFE_METHODS
from touchline.web.api.uploads import body
from touchline.web.context import Server
from touchline.web.errors import ApiError
from touchline.web.records import Annotator
from touchline.web.store import disk

LOG = logging.getLogger("touchline.web")
BASE = "/api/v1"
PATIENCE = 10.0  # seconds that a slow request waits for its turn
MAX_JSON = 64 << 10  # bytes of a JSON body
READ_ONLY = (
    "this server shows a data set, which is read-only; serve a folder of matches to add, label, "
    "align or learn from them"
)
PATH_TYPES = {
    "match": str,
    "annotator": Annotator,
    "job": str,
    "search": str,
    "upload": str,
    "file": str,
}


_BAD_NAME = (
    "an annotator's name has 1 to 40 letters, digits, single spaces and . _ - ' "
    "and is not 'machine'"
)


class RequestContext(msgspec.Struct, frozen=True):
    """A request after its checks: path, query and body, converted to the declared types."""

    server: Server
    request: Request
    path: Mapping[str, str]
    query: Any
    body: Any


F = TypeVar("F", bound=Callable[..., Any])


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One operation of the API.

    `reply` is the record that it returns, or a media type if that is not JSON. `body` is the record
    that it takes, `bytes` for any other body (of at most `max_bytes`), or None. A `live` endpoint
    runs in the server's event loop, all others in threads. Only some `heavy` ones run at a time.
    """

    method: str
    path: str
    run: Callable[..., Any]
    reply: Any = None
    status: int = 200
    query: Any = None
    body: Any = None
    form: Mapping[str, Any] | None = None
    max_bytes: int = MAX_JSON
    errors: tuple[str, ...] = ()
    public: bool = False
    live: bool = False
    heavy: bool = False

    @property
    def changes(self) -> bool:
        """Whether it changes what is served; signing in and out does not."""
        return self.method not in SAFE_METHODS and self.path != "/session"

    @property
    def summary(self) -> str:
        return (self.run.__doc__ or "").strip().split("\n")[0]


class Table:
    """Endpoints, registered by decorators."""

    def __init__(self) -> None:
        self.endpoints: list[Endpoint] = []

    def add(self, method: str, path: str, **more: Any) -> Callable[[F], F]:
        def register(run: F) -> F:
            self.endpoints.append(Endpoint(method=method, path=path, run=run, **more))
            return run

        return register

    def routes(self, server: Server) -> list[Route]:
        return [
            Route(BASE + one.path, _handler(server, one), methods=[one.method])
            for one in self.endpoints
        ]


def _handler(server: Server, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        try:
            server.guard.check(request, public=endpoint.public)
            if server.read_only and endpoint.changes:
                raise ApiError("read_only", READ_ONLY)
            context = RequestContext(
                server,
                request,
                _path(request),
                _query(request, endpoint.query),
                await _body(request, endpoint),
            )
            reply = await _run(endpoint, context)
            return reply if isinstance(reply, Response) else answer(reply, endpoint.status)
        except ApiError as error:
            return error_response(error)
        except UnicodeEncodeError:  # a lone surrogate
            return error_response(ApiError("bad_request", "the request has invalid Unicode text"))
        except Exception as error:
            if disk.is_full(error):
                LOG.error("%s %s: %s", request.method, endpoint.path, disk.NOT_SAVED)
                return error_response(ApiError("disk_full", disk.NOT_SAVED))
            LOG.exception("%s %s failed", request.method, endpoint.path)
            return error_response(ApiError("internal", "internal error; see the server's log"))

    return handle


async def _run(endpoint: Endpoint, context: RequestContext) -> Any:
    if endpoint.live:
        return await endpoint.run(context)
    if not endpoint.heavy:
        return await run_in_threadpool(endpoint.run, context)
    # Wait here and not in a thread, so that threads stay free for other requests.
    turn = context.server.heavy
    try:
        async with asyncio.timeout(PATIENCE):
            await turn.acquire()
    except TimeoutError:
        busy = "the server is busy with other searches and downloads; try again"
        raise ApiError("overloaded", busy, wait=5) from None
    try:
        return await run_in_threadpool(endpoint.run, context)
    finally:
        turn.release()


def answer(reply: Any, status: int = 200) -> Response:
    if reply is None:
        return Response(status_code=204, headers={"Cache-Control": "no-store"})
    body = msgspec.json.encode(reply)
    headers = {"Cache-Control": "no-store"}
    return Response(body, status, headers, media_type="application/json")


def error_response(error: ApiError) -> Response:
    response = answer(error.body(), error.status)
    if "wait" in error.more:
        response.headers["Retry-After"] = str(error.more["wait"])
    if error.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _path(request: Request) -> dict[str, str]:
    found = {}
    for name, value in request.path_params.items():
        try:
            found[name] = msgspec.convert(value, PATH_TYPES[name])
        except msgspec.ValidationError:
            raise ApiError("name", _BAD_NAME) from None
    return found


def _query(request: Request, kind: Any) -> Any:
    if kind is None:
        return None
    given = {name: value for name, value in request.query_params.items() if value != ""}
    return _convert(given, kind, "query", strict=False)


async def _body(request: Request, endpoint: Endpoint) -> Any:
    if endpoint.body is None:
        return None
    sent = await body(request, endpoint.max_bytes)
    if endpoint.body is bytes:
        return sent
    try:
        return msgspec.json.decode(sent or b"{}", type=endpoint.body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        why = error if isinstance(error, msgspec.DecodeError) else "nested too deeply or not UTF-8"
        raise ApiError("bad_request", f"invalid request body: {why}") from None


def _convert(value: Any, kind: Any, code: str, *, strict: bool = True) -> Any:
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise ApiError(code, str(error)) from None
