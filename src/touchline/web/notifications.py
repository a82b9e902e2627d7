"""What happens, told to everyone who listens: the source of the server-sent events.

Work is done in threads, listeners are coroutines of the server's loop; `tell` may be called from
anywhere. A listener that does not keep up is sent away, and its browser connects again.
"""

from __future__ import annotations

import asyncio
import contextlib

import msgspec

from touchline.web import records
from touchline.web.api.errors import ApiError

MAX_UNREAD = 1000
MAX_LISTENERS = 200


class MatchNews(records.Record, frozen=True):
    name: str
    change: str


class LabelNews(records.Record, frozen=True):
    match: str
    annotator: str
    labels: list[records.Label]
    latest: int
    undo: records.Step | None
    redo: records.Step | None


Item = records.Job | MatchNews | LabelNews
Listener = asyncio.Queue[Item | None]
_NAMES = {records.Job: "job", MatchNews: "match", LabelNews: "label"}


class News:
    """Hands every item to the listeners of one event loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: set[Listener] = set()
        self._open = 0  # those, and others that have not left yet

    def join(self) -> Listener:
        """A queue of what happens from now on; None in it means that no more will come."""
        if self._open >= MAX_LISTENERS:
            full = "too many event streams are open; read again what you show, and try later"
            raise ApiError("overloaded", full, wait=30)
        self._open += 1
        self._loop = asyncio.get_running_loop()
        queue: Listener = asyncio.Queue(MAX_UNREAD)
        self._listeners.add(queue)
        return queue

    def leave(self, queue: Listener) -> None:
        """To be called once for each queue, also for one that was sent away."""
        self._open -= 1
        self._listeners.discard(queue)

    def tell(self, item: Item) -> None:
        loop = self._loop
        if loop is not None and self._listeners:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and so have they
                loop.call_soon_threadsafe(self._hand_out, item)

    def close(self) -> None:
        """Send every listener away; to be called in their loop."""
        for queue in list(self._listeners):
            self._send_away(queue)

    def _hand_out(self, item: Item) -> None:
        for queue in list(self._listeners):
            try:
                queue.put_nowait(item)
            except asyncio.QueueFull:
                self._send_away(queue)

    def _send_away(self, queue: Listener) -> None:
        self._listeners.discard(queue)
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)


def message(item: Item) -> bytes:
    """An item as a server-sent event."""
    return b"event: %s\ndata: %s\n\n" % (_NAMES[type(item)].encode(), msgspec.json.encode(item))
