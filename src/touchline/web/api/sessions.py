"""Sessions that were signed out: their cookies have a valid signature but are refused.

A cookie carries its own expiry, so only sessions that were ended before it have to be stored.
"""

from __future__ import annotations

import threading

from touchline.web.store import sessions
from touchline.web.store.database import Store


class SignedOut:
    """The ended sessions, in memory and in the database."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.Lock()
        with store.read() as db:
            self._ended = sessions.signed_out(db)

    def __contains__(self, session: str) -> bool:
        with self._lock:
            return session in self._ended

    def add(self, session: str, expires: int) -> None:
        with self._lock:
            self._ended.add(session)  # first, so that it holds even if the disk is full
        with self.store.write() as db:
            sessions.add_signed_out(db, session, expires)
