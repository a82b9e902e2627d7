"""Notifications of changes to all subscribers: the source of the server-sent events.

Work is done in threads, subscribers are coroutines of the server's event loop; `publish` may be
called from any thread. A subscriber that does not keep up is dropped, and its browser reconnects.
"""

from __future__ import annotations

import asyncio
import contextlib

import msgspec

from touchline.web import records
from touchline.web.errors import ApiError

MAX_PENDING = 1000
MAX_SUBSCRIBERS = 200


class MatchNotification(records.Record, frozen=True):
    name: str
    change: str


class LabelNotification(records.Record, frozen=True):
    match: str
    annotator: str
    labels: list[records.Label]
    latest: int
    undo: records.Step | None
    redo: records.Step | None


Notification = records.Job | MatchNotification | LabelNotification
Subscription = asyncio.Queue[Notification | None]
_NAMES = {records.Job: "job", MatchNotification: "match", LabelNotification: "label"}


class Notifications:
    """Hands every notification to the subscribers of one event loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._subscriptions: set[Subscription] = set()
        self._open = 0  # those, and dropped ones that have not unsubscribed yet

    def subscribe(self) -> Subscription:
        """A queue of the notifications from now on; None in it is the end."""
        if self._open >= MAX_SUBSCRIBERS:
            full = "too many event streams are open; poll instead, or try again later"
            raise ApiError("overloaded", full, wait=30)
        self._open += 1
        self._loop = asyncio.get_running_loop()
        queue: Subscription = asyncio.Queue(MAX_PENDING)
        self._subscriptions.add(queue)
        return queue

    def unsubscribe(self, queue: Subscription) -> None:
        """To be called once for each queue, also for one that was dropped."""
        self._open -= 1
        self._subscriptions.discard(queue)

    def publish(self, item: Notification) -> None:
        loop = self._loop
        if loop is not None and self._subscriptions:
            with contextlib.suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(self._distribute, item)

    def close(self) -> None:
        """Drop all subscribers; to be called in their event loop."""
        for queue in list(self._subscriptions):
            self._drop(queue)

    def _distribute(self, item: Notification) -> None:
        for queue in list(self._subscriptions):
            try:
                queue.put_nowait(item)
            except asyncio.QueueFull:
                self._drop(queue)

    def _drop(self, queue: Subscription) -> None:
        self._subscriptions.discard(queue)
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)


def message(item: Notification) -> bytes:
    """A notification as a server-sent event."""
    return b"event: %s\ndata: %s\n\n" % (_NAMES[type(item)].encode(), msgspec.json.encode(item))
