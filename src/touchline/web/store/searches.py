"""Searches that people saved, for everybody who uses the server."""

from __future__ import annotations

import sqlite3

import msgspec

from touchline.web.errors import ApiError
from touchline.web.records import Filters, SavedSearch, now

MAX_SAVED = 200


def saved_searches(db: sqlite3.Connection) -> list[SavedSearch]:
    """All of them, by name."""
    rows = db.execute("SELECT * FROM searches").fetchall()
    found = [
        SavedSearch(
            name=row["name"],
            query=msgspec.json.decode(row["query"], type=Filters),
            saved=row["saved"],
        )
        for row in rows
    ]
    return sorted(found, key=lambda one: (one.name.casefold(), one.name))


def save_search(db: sqlite3.Connection, name: str, query: Filters) -> None:
    """Save a search in place of one of the same name."""
    count = db.execute("SELECT COUNT(*) FROM searches WHERE name <> ?", [name]).fetchone()[0]
    if count >= MAX_SAVED:
        raise ApiError("too_many", f"{MAX_SAVED} searches are saved already; delete one first")
    text = msgspec.json.encode(query).decode()
    db.execute("INSERT OR REPLACE INTO searches VALUES (?, ?, ?)", [name, text, now()])


def delete_search(db: sqlite3.Connection, name: str) -> None:
    if not db.execute("DELETE FROM searches WHERE name = ?", [name]).rowcount:
        raise ApiError("no_search", "there is no saved search of this name")
