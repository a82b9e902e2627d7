"""The application that uvicorn runs: the routes of the API and the files of the page."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from touchline.web import page
from touchline.web.api.endpoints import TABLE
from touchline.web.api.routing import BASE, error_response
from touchline.web.api.security import SecurityMiddleware
from touchline.web.context import Server
from touchline.web.errors import ApiError

# The files of the page that have their own URLs.
_PAGES = {"/": "index.html", "/login": "login.html", "/match/{match}": "match.html"}


def make_app(server: Server) -> ASGIApp:
    """The application of a server; it starts and stops the server."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        server.start()
        yield
        server.close()

    routes = [*TABLE.routes(server), *(Route(at, _file(name)) for at, name in _PAGES.items())]
    app = Starlette(
        routes=[*routes, Route("/page/{file:path}", _asset)],
        exception_handlers={HTTPException: _no_route},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # a wrong URL is an error
    return SecurityMiddleware(app, server.guard, error_response)


def _not_found(request: Request) -> Response:
    """A page for people, JSON for programs."""
    for_people = "text/html" in request.headers.get("accept", "")
    if request.url.path.startswith(f"{BASE}/") or not for_people:
        return error_response(ApiError("not_found", "this URL does not exist"))
    response = _served(request, f"{page.ROOT}missing.html")
    response.status_code = 404
    return response


def _file(name: str) -> Callable[[Request], Response]:
    def serve(request: Request) -> Response:
        return _served(request, page.ROOT + name)

    return serve


def _asset(request: Request) -> Response:
    return _served(request, page.ROOT + request.path_params["file"])


def _served(request: Request, path: str) -> Response:
    """A file of the page, looked up in a table."""
    found = page.files().get(path)
    if found is None:
        return _not_found(request)
    return Response(found.body, media_type=found.kind, headers={"Cache-Control": "no-cache"})


def _no_route(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException) or error.status_code != 405:
        return _not_found(request)
    response = error_response(ApiError("not_allowed", "this method is not allowed here"))
    response.headers.update(error.headers or {})
    return response
