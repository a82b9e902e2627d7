"""The secret that cookies are signed with, and the sessions that were ended early."""

from __future__ import annotations

import secrets
import sqlite3
import time


def signing_key(db: sqlite3.Connection) -> str:
    """The secret that cookies are signed with; generated once, the same after a restart."""
    db.execute("INSERT OR IGNORE INTO settings VALUES ('key', ?)", [secrets.token_hex(32)])
    row = db.execute("SELECT value FROM settings WHERE name = 'key'").fetchone()
    return str(row["value"])


def signed_out(db: sqlite3.Connection) -> set[str]:
    return {row["session"] for row in db.execute("SELECT session FROM signed_out")}


def add_signed_out(db: sqlite3.Connection, session: str, expires: int) -> None:
    """Remember an ended session; those that have expired by themselves are deleted."""
    db.execute("DELETE FROM signed_out WHERE expires < ?", [int(time.time())])
    db.execute("INSERT OR IGNORE INTO signed_out VALUES (?, ?)", [session, expires])
