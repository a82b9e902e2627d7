"""Jobs in the database: those that wait or run, and the latest of those that ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec

from touchline.web.records import Job

MAX_ENDED = 50  # ended jobs that are kept


def get_job(db: sqlite3.Connection, job_id: str) -> Job | None:
    row = db.execute("SELECT * FROM jobs WHERE id = ?", [job_id]).fetchone()
    return None if row is None else _job(row)


def ended_jobs(db: sqlite3.Connection) -> list[Job]:
    """The ended jobs that are kept, newest first."""
    rows = db.execute(
        "SELECT * FROM jobs WHERE ended IS NOT NULL ORDER BY ended DESC, rowid DESC LIMIT ?",
        [MAX_ENDED],
    )
    return [_job(row) for row in rows]


def unfinished_jobs(db: sqlite3.Connection) -> list[Job]:
    """The jobs that had not ended when the server did, in the order they were added."""
    return [
        _job(row) for row in db.execute("SELECT * FROM jobs WHERE ended IS NULL ORDER BY rowid")
    ]


def put_job(db: sqlite3.Connection, job: Job) -> None:
    """Add or update a job; when one ends, the oldest ended ones are deleted."""
    db.execute(
        "INSERT INTO jobs (id, kind, match, title, method, state, problem, created, ended, files, "
        "upload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "
        "SET match = excluded.match, state = excluded.state, problem = excluded.problem, "
        "ended = excluded.ended",
        [job.id, job.kind, job.match, job.title, job.method, job.state, job.problem,
         job.created, job.ended, msgspec.json.encode(job.files).decode(), job.upload],
    )  # fmt: skip
    if job.ended is not None:
        db.execute(
            "DELETE FROM jobs WHERE ended IS NOT NULL AND id NOT IN (SELECT id FROM jobs "
            "WHERE ended IS NOT NULL ORDER BY ended DESC, rowid DESC LIMIT ?)",
            [MAX_ENDED],
        )


def delete_failed(db: sqlite3.Connection, jobs: Iterable[str]) -> None:
    """Forget failed jobs."""
    db.executemany("DELETE FROM jobs WHERE id = ? AND state = 'failed'", [[job] for job in jobs])


def _job(row: sqlite3.Row) -> Job:
    fields = {**dict(row), "files": msgspec.json.decode(row["files"])}
    if row["state"] == "done":
        return Job(**fields, stage="writing", done=1.0)
    return Job(**fields)
