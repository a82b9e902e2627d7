"""Datasette on the same comments, for `benchmarks.server`: the search that a generic tool gives.

Its table has the columns that touchline searches, with the same full-text index (tokenizer and
prefixes) and lists of kinds, teams and players to filter and count by. Datasette has no write API
in its stable releases, so a plug-in of a few lines inserts a label through its own write queue.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from touchline.web.store.database import FILE, HOME

SETTINGS = {
    "sql_time_limit_ms": 3000,
    "facet_time_limit_ms": 3000,
    "max_returned_rows": 2000,
    "suggest_facets": "off",
    "default_cache_ttl": 0,
}
PLUGIN = """
from datasette import Response, hookimpl

INSERT = "INSERT INTO labels (match, comment, annotator, note) VALUES (?, ?, ?, ?)"

async def label(request, datasette):
    asked = request.args
    values = [asked.get(name) for name in ("match", "comment", "annotator", "note")]
    await datasette.get_database("matches").execute_write(INSERT, values)
    return Response.json({"ok": True})

@hookimpl
def register_routes():
    return [("^/-/label$", label)]
"""
_TABLES = """
CREATE TABLE comments (row INTEGER PRIMARY KEY, match TEXT, title TEXT, comment TEXT, clock TEXT,
    minute INTEGER, text TEXT, described TEXT, kinds TEXT, teams TEXT, players TEXT);
CREATE INDEX comments_match ON comments (match);
CREATE TABLE labels (id INTEGER PRIMARY KEY, match TEXT, comment TEXT, annotator TEXT, note TEXT);
CREATE VIRTUAL TABLE comments_fts USING fts5 (text, described, content="comments",
    content_rowid='row', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');
"""
_COMMENTS = (
    "SELECT row, comments.match, title, comments.id, clock, minute, comments.text, "
    "comments.described FROM comments JOIN matches ON name = comments.match"
)


class Datasette:
    """Datasette on a copy of what a touchline server has indexed."""

    def __init__(self, served: Path, work: Path) -> None:
        database = work / "matches.db"
        copy(served / HOME / FILE, database)
        plugins = work / "plugins"
        plugins.mkdir()
        (plugins / "label.py").write_text(PLUGIN)
        with contextlib.closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        options = [word for name, value in SETTINGS.items()
                   for word in ("--setting", name, str(value))]  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, "-m", "datasette", "serve", str(database), "--port", str(self.port),
             "--plugins-dir", str(plugins), *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.1)
        raise RuntimeError("Datasette did not start")

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def copy(source: Path, target: Path) -> None:
    """The comments of a server's database, as one table with a full-text index."""
    with contextlib.closing(sqlite3.connect(source)) as db, sqlite3.connect(target) as out:
        out.execute("PRAGMA journal_mode = WAL")
        out.executescript(_TABLES)
        lists = {
            "kinds": _lists(db, "SELECT comment, kind FROM described"),
            "teams": _lists(db, "SELECT comment, team FROM described WHERE team IS NOT NULL"),
            "players": _lists(db, "SELECT comment, player FROM described JOIN people "
                                  "ON people.match = described.match "
                                  "AND people.event = described.event"),
        }  # fmt: skip
        rows = (
            (*row, *(json.dumps(lists[name].get(row[0], [])) for name in lists))
            for row in db.execute(_COMMENTS)
        )
        out.executemany(f"INSERT INTO comments VALUES ({', '.join('?' * 11)})", rows)
        out.execute("INSERT INTO comments_fts (comments_fts) VALUES ('rebuild')")
    out.close()


def _lists(db: sqlite3.Connection, sql: str) -> dict[int, list[str]]:
    """The values of each comment, each once."""
    found: dict[int, list[str]] = {}
    for comment, value in db.execute(sql):
        known = found.setdefault(comment, [])
        if value not in known:
            known.append(value)
    return found
