"""The application that uvicorn runs: the API's routes, the page's files, one shell around them."""

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
from touchline.web.api.errors import ApiError
from touchline.web.api.routing import refused
from touchline.web.api.security import Shell
from touchline.web.context import Server

# Which of the page's files stand at addresses of their own.
_PLACES = {"/": "index.html", "/login": "login.html", "/match/{match}": "match.html"}


def make_app(server: Server) -> ASGIApp:
    """The application of a server; the server starts and ends with it."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        server.start()
        yield
        server.close()

    routes = [*TABLE.routes(server), *(Route(at, _file(name)) for at, name in _PLACES.items())]
    app = Starlette(
        routes=[*routes, Route("/page/{file:path}", _asset)],
        exception_handlers={HTTPException: _no_route},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # an address is right or it is not
    return Shell(app, server.guard, refused)


def _file(name: str) -> Callable[[Request], Response]:
    def serve(request: Request) -> Response:
        return _served(page.ROOT + name)

    return serve


def _asset(request: Request) -> Response:
    return _served(page.ROOT + request.path_params["file"])


def _served(path: str) -> Response:
    """A file of the page, looked up among those that there are."""
    found = page.files().get(path)
    if found is None:
        return refused(ApiError("not_found", "there is nothing here"))
    return Response(found.body, media_type=found.kind, headers={"Cache-Control": "no-cache"})


def _no_route(request: Request, error: Exception) -> Response:
    wrong_method = isinstance(error, HTTPException) and error.status_code == 405
    response = refused(
        ApiError("not_allowed", "this cannot be done here")
        if wrong_method
        else ApiError("not_found", "there is nothing here")
    )
    if wrong_method and isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response
