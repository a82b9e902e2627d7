"""Run a server on a socket until it is stopped."""

from __future__ import annotations

import socket

import uvicorn

from touchline.web.api.connections import BACKLOG, HEADER_BYTES, LimitedProtocol
from touchline.web.app import make_app
from touchline.web.context import Server
from touchline.web.logs import start_log


def config(server: Server) -> uvicorn.Config:
    return uvicorn.Config(
        make_app(server),
        http=LimitedProtocol,
        ws="none",
        log_config=None,
        log_level="warning",
        backlog=BACKLOG,
        access_log=False,
        server_header=False,
        # Without a proxy the client is whoever connects, whatever the headers say.
        proxy_headers=server.settings.public is not None,
        forwarded_allow_ips=["127.0.0.1", "::1"],
        h11_max_incomplete_event_size=HEADER_BYTES,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=20,
    )


def run(server: Server, listener: socket.socket) -> None:
    start_log(server.store.home)

    class Running(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            server.notifications.close()  # event streams never end by themselves
            await super().shutdown(sockets)

    Running(config(server)).run(sockets=[listener])
