"""Connections to the server: how many there may be, and how long one may say nothing.

Without these limits, clients that open connections and send half a request, by mistake or not, use
up the files that the system lets a process open, and nobody else gets through.
"""

from __future__ import annotations

import asyncio
import time

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 500
BACKLOG = 128  # which asyncio may accept at once, before any of them is counted
HEADER_SECONDS = 10.0  # from a request's first byte, or a new connection, to the end of its headers
HEADER_BYTES = 16 << 10


class LimitedProtocol(H11Protocol):
    """HTTP/1.1 that closes connections which do not get to the point."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.heard = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None
        if len(self.connections) > MAX_CONNECTIONS:
            self._make_room()
        self._watch()

    def data_received(self, data: bytes) -> None:
        self.heard = time.monotonic()
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_timer()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered: none has come whole, or the last one is done."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def is_sending(self) -> bool:
        """Whether the body of a request has not come whole."""
        return not self.is_idle and self.cycle.more_body

    def drop(self) -> None:
        self._stop_timer()
        self.transport.abort()

    def _watch(self) -> None:
        """Run the timer while a request is on its way; between requests uvicorn has its own."""
        if not self.is_idle or self.conn.their_state is h11.ERROR:
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(HEADER_SECONDS, self._too_late)

    def _too_late(self) -> None:
        self._timer = None
        if self.is_idle:
            self.drop()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _make_room(self) -> None:
        """Close the idle connection that has said nothing for longest.

        If none is idle, it is one whose request is still being sent; an upload that makes progress
        is not the most silent. If all are at work, it is this one.
        """
        known = [one for one in self.connections if isinstance(one, LimitedProtocol)]
        waiting = [
            one
            for one in known
            if one is not self
            and (one.is_idle or one.is_sending)
            and not one.transport.is_closing()
        ]
        min(waiting, key=lambda one: (one.is_sending, one.heard), default=self).drop()
