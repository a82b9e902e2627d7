"""What happens, told to everyone who listens: the source of the server-sent events.

Work is done in threads, listeners are coroutines of the server's loop; `tell` may be called from
anywhere. A listener that does not keep up is sent away, and its browser connects again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

import msgspec

from touchline.web import records

MOST_UNREAD = 1000


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
_NAMES = {records.Job: "job", MatchNews: "match", LabelNews: "label"}


class News:
    """Hands every item to the listeners of one event loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: set[asyncio.Queue[Item | None]] = set()

    @contextlib.contextmanager
    def listening(self) -> Iterator[asyncio.Queue[Item | None]]:
        """A queue of what happens from now on; None in it means that no more will come."""
        self._loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Item | None] = asyncio.Queue(MOST_UNREAD)
        self._listeners.add(queue)
        try:
            yield queue
        finally:
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

    def _send_away(self, queue: asyncio.Queue[Item | None]) -> None:
        self._listeners.discard(queue)
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)


def message(item: Item) -> bytes:
    """An item as a server-sent event."""
    return b"event: %s\ndata: %s\n\n" % (_NAMES[type(item)].encode(), msgspec.json.encode(item))
