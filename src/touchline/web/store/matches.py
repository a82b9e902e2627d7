"""The matches in the database: which answer counts for each, and whether it was uploaded."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec


class StoredMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table; `answer` is None for a match that has no alignment."""

    name: str
    title: str
    uploaded: bool = False
    answer: str | None = None
    method: str | None = None
    aligned: str | None = None
    problem: str | None = None
    comments: int | None = None
    linked: int | None = None
    events: int | None = None
    score: str | None = None
    date: str | None = None
    indexed: int = 0


def get_match(db: sqlite3.Connection, name: str) -> StoredMatch | None:
    row = db.execute("SELECT * FROM matches WHERE name = ?", [name]).fetchone()
    return None if row is None else _match(row)


def get_matches(db: sqlite3.Connection) -> dict[str, StoredMatch]:
    return {row["name"]: _match(row) for row in db.execute("SELECT * FROM matches")}


def put_match(db: sqlite3.Connection, match: StoredMatch) -> None:
    """Write a match after an alignment, in place of what was known about it."""
    db.execute(
        "INSERT OR REPLACE INTO matches (name, title, uploaded, answer, method, aligned, problem, "
        "comments, linked, events, score, date, indexed) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        msgspec.structs.astuple(match),
    )


def set_problem(db: sqlite3.Connection, name: str, problem: str) -> None:
    """Record why the last alignment failed; an earlier answer still counts."""
    db.execute(
        "INSERT INTO matches (name, title, problem) VALUES (?, ?, ?) "
        "ON CONFLICT (name) DO UPDATE SET problem = excluded.problem",
        [name, name, problem],
    )


def remove_answers(db: sqlite3.Connection, answers: Iterable[str]) -> None:
    """Mark the matches of answers whose files are missing as not aligned."""
    db.executemany(
        "UPDATE matches SET answer = NULL, problem = NULL, comments = NULL, "
        "linked = NULL, events = NULL, score = NULL WHERE answer = ?",
        [[answer] for answer in answers],
    )


def delete_match(db: sqlite3.Connection, name: str) -> None:
    db.execute("DELETE FROM matches WHERE name = ?", [name])


def _match(row: sqlite3.Row) -> StoredMatch:
    return StoredMatch(**{**dict(row), "uploaded": bool(row["uploaded"])})
