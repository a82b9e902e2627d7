"""Sessions that people have ended: their cookies are signed by us, but good for nothing.

A cookie carries its own end, so only those that were given up before it have to be remembered.
"""

from __future__ import annotations

import threading
import time

from touchline.web.store.database import Store


class SignedOut:
    """The ended sessions, in memory and in the database."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.Lock()
        with store.read() as db:
            self._ended = {row["session"] for row in db.execute("SELECT session FROM signed_out")}

    def __contains__(self, session: str) -> bool:
        with self._lock:
            return session in self._ended

    def add(self, session: str, expires: int) -> None:
        with self._lock:
            self._ended.add(session)  # first: it holds even where the disk is full
        with self.store.write() as db:
            db.execute("DELETE FROM signed_out WHERE expires < ?", [int(time.time())])
            db.execute("INSERT OR IGNORE INTO signed_out VALUES (?, ?)", [session, expires])
