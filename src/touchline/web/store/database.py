"""The SQLite file that the server writes to: schema, migrations, transactions.

Every action of a user is one transaction, on the disk before it is acknowledged (write-ahead log,
synchronous FULL). One connection writes, behind a lock; every thread reads on a connection of its
own and never waits for the writer.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from touchline.core.errors import InputError, TouchlineError
from touchline.web.store.values import Values
from touchline.web.store.words import Words

HOME, FILE = ".touchline", "touchline.db"

# Each script brings a file from the previous version to the next; the first leads to version 1.
# Files of every version exist, so a script is never edited: a later one changes its names.
MIGRATIONS = (
    """
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE labels (
        match TEXT NOT NULL, annotator TEXT NOT NULL, comment TEXT NOT NULL,
        state TEXT NOT NULL, done INTEGER NOT NULL, revision INTEGER NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (match, annotator, comment)
    ) WITHOUT ROWID;
    CREATE TABLE actions (
        id INTEGER PRIMARY KEY AUTOINCREMENT, step INTEGER NOT NULL,
        match TEXT NOT NULL, annotator TEXT NOT NULL, comment TEXT NOT NULL,
        action TEXT NOT NULL, before TEXT, after TEXT, at TEXT NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX actions_of ON actions (match, annotator, undone, step);
    """,
    """
    CREATE INDEX labels_on ON labels (match, comment, done, revision);
    CREATE TABLE matches (
        name TEXT PRIMARY KEY, title TEXT NOT NULL, uploaded INTEGER NOT NULL DEFAULT 0,
        answer TEXT, method TEXT, aligned TEXT, problem TEXT,
        comments INTEGER, linked INTEGER, events INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE jobs (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, match TEXT, title TEXT NOT NULL,
        method TEXT NOT NULL, state TEXT NOT NULL, problem TEXT,
        created TEXT NOT NULL, ended TEXT
    );
    CREATE TABLE events (
        match TEXT NOT NULL, id TEXT NOT NULL, place INTEGER NOT NULL, kind TEXT NOT NULL,
        what TEXT NOT NULL, team TEXT, period INTEGER NOT NULL, time REAL NOT NULL,
        clock TEXT NOT NULL, minute INTEGER NOT NULL,
        PRIMARY KEY (match, id)
    ) WITHOUT ROWID;
    CREATE INDEX events_at ON events (match, period, time);
    CREATE TABLE people (
        match TEXT NOT NULL, event TEXT NOT NULL, player TEXT NOT NULL,
        PRIMARY KEY (match, event, player)
    ) WITHOUT ROWID;
    CREATE TABLE comments (
        row INTEGER PRIMARY KEY, match TEXT NOT NULL, id TEXT NOT NULL, place INTEGER NOT NULL,
        text TEXT NOT NULL, clock TEXT, period INTEGER, time REAL, doubt REAL NOT NULL,
        minute INTEGER, teller TEXT NOT NULL DEFAULT 'machine', UNIQUE (match, id)
    );
    CREATE TABLE links (
        comment INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (comment, event)
    ) WITHOUT ROWID;
    CREATE TABLE told (
        comment INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (comment, event)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE words USING fts5 (
        text, told, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
    );
    """,
    # Search filters go from events to comments, without scanning every comment.
    """
    ALTER TABLE told RENAME TO told_before;
    CREATE TABLE told (
        comment INTEGER NOT NULL, match TEXT NOT NULL, event TEXT NOT NULL,
        kind TEXT NOT NULL, team TEXT, PRIMARY KEY (comment, event)
    ) WITHOUT ROWID;
    INSERT INTO told SELECT comment, comments.match, event, kind, team FROM told_before
        CROSS JOIN comments ON row = comment
        CROSS JOIN events ON events.match = comments.match AND events.id = event;
    DROP TABLE told_before;
    CREATE INDEX told_of ON told (match, event);
    CREATE INDEX told_kind ON told (kind, team);
    CREATE INDEX told_team ON told (team);
    CREATE INDEX people_named ON people (player, match, event);
    """,
    # Signing out holds after a restart.
    """
    CREATE TABLE signed_out (session TEXT PRIMARY KEY, expires INTEGER NOT NULL) WITHOUT ROWID;
    """,
    # Tables and columns got plainer names. FTS5 cannot rename a column, so its table is copied.
    """
    ALTER TABLE told RENAME TO described;
    DROP INDEX told_of;
    DROP INDEX told_kind;
    DROP INDEX told_team;
    CREATE INDEX described_event ON described (match, event);
    CREATE INDEX described_kind ON described (kind, team);
    CREATE INDEX described_team ON described (team);
    ALTER TABLE comments RENAME COLUMN teller TO linked_by;
    CREATE VIRTUAL TABLE new_words USING fts5 (
        text, described, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
    );
    INSERT INTO new_words (rowid, text, described) SELECT rowid, text, told FROM words;
    DROP TABLE words;
    ALTER TABLE new_words RENAME TO words;
    """,
    # What a label on a comment would teach depends on the kinds of its doubtful events.
    """
    ALTER TABLE comments ADD COLUMN doubts TEXT NOT NULL DEFAULT '{}';
    """,
    # The spells of a team that comments are about; `said` is what a search finds them by.
    """
    CREATE TABLE phases (
        comment INTEGER PRIMARY KEY, match TEXT NOT NULL, team TEXT NOT NULL, kind TEXT,
        period INTEGER NOT NULL, start REAL NOT NULL, "end" REAL NOT NULL, said TEXT NOT NULL
    );
    """,
    # Where a period kicks off in the recording that timed a comment, and where it is said there.
    """
    ALTER TABLE comments ADD COLUMN kickoff REAL;
    ALTER TABLE comments ADD COLUMN said REAL;
    """,
    # The result of a match by its log, such as 2-1.
    """
    ALTER TABLE matches ADD COLUMN score TEXT;
    """,
    # Facets of search: the outcome of an event and whether its team was leading. Matches that an
    # older version has indexed (`indexed` below `index.VERSION`) are indexed again at the start.
    # The day of a match; the searches that people saved; what the files of a job are called where
    # they come from, and the upload that has them.
    """
    ALTER TABLE events ADD COLUMN outcome TEXT;
    ALTER TABLE events ADD COLUMN standing TEXT;
    ALTER TABLE described ADD COLUMN outcome TEXT;
    ALTER TABLE described ADD COLUMN standing TEXT;
    CREATE INDEX phases_kind ON phases (kind);
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
    ALTER TABLE matches ADD COLUMN date TEXT;
    ALTER TABLE matches ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE searches (
        name TEXT PRIMARY KEY, query TEXT NOT NULL, saved TEXT NOT NULL
    ) WITHOUT ROWID;
    ALTER TABLE jobs ADD COLUMN files TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE jobs ADD COLUMN upload TEXT;
    """,
    # Names of annotators that are no longer accepted: with spaces around them, and `machine`.
    """
    UPDATE OR IGNORE labels SET annotator = trim(annotator) WHERE annotator <> trim(annotator);
    UPDATE actions SET annotator = trim(annotator) WHERE annotator <> trim(annotator)
        AND NOT EXISTS (SELECT 1 FROM labels WHERE labels.match = actions.match
        AND labels.annotator = actions.annotator);
    UPDATE labels SET annotator = 'person called ' || annotator WHERE lower(annotator) = 'machine';
    UPDATE actions SET annotator = 'person called ' || annotator WHERE lower(annotator) = 'machine';
    """,
    # What each comment describes, as numbers: counting them takes a fraction of the time.
    """
    CREATE TABLE facet_values (
        id INTEGER PRIMARY KEY, facet TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (facet, value)
    );
    CREATE TABLE facets (
        comment INTEGER NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (comment, value)
    ) WITHOUT ROWID;
    """,
    # The numbers of a comment, an event or a phase together, as 32-bit integers: one row to read
    # instead of ten. A number shows its facet (`index.py`), so all of them are given out anew.
    """
    DROP TABLE facets;
    DELETE FROM facet_values;
    CREATE TABLE facets (comment INTEGER PRIMARY KEY, numbers BLOB NOT NULL);
    ALTER TABLE described ADD COLUMN numbers BLOB NOT NULL DEFAULT x'';
    ALTER TABLE phases ADD COLUMN numbers BLOB NOT NULL DEFAULT x'';
    """,
    # Words are searched in memory (`words.py`); the file has what they are read from.
    """
    ALTER TABLE comments ADD COLUMN described TEXT NOT NULL DEFAULT '';
    UPDATE comments SET described = coalesce(
        (SELECT words.described FROM words WHERE words.rowid = comments.row), ''
    );
    DROP TABLE vocabulary;
    DROP TABLE words;
    CREATE INDEX comments_in_order ON comments (match, place);
    """,
)
VERSION = len(MIGRATIONS)


class Connection(sqlite3.Connection):
    """A connection of a store, with what is in memory of the comments of its file."""

    words: Words
    values: Values
    changed: set[int]  # the comments whose values were written in this transaction


class Store:
    """The database of a folder; only one server can open it at a time."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / HOME
        self.path = self.home / FILE
        try:
            self.home.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise InputError(folder, f"cannot be written to ({error.strerror})") from None
        self._held = _lock(self.home / "lock.db")
        self._lock = threading.Lock()
        self.words, self.values = Words(), Values()
        self._idle: list[Connection] = []  # connections for reading that are not in use
        self._opened: list[Connection] = []
        try:
            check(self.path)
            self._writer = self._open()
            with self._lock:
                migrate(self._writer, self.path)
                self.words.load(self._writer)
                self.values.load(self._writer)
        except BaseException:
            self.close()
            raise

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: when this ends, all of it is on the disk, or none of it."""
        with self._lock:
            self._writer.changed.clear()
            with _transaction(self._writer):
                yield self._writer
            self.words.update(self._writer, self._writer.changed)
            self.values.update(self._writer, self._writer.changed)

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view of the file, whatever is written meanwhile."""
        try:
            reader = self._idle.pop()
        except IndexError:
            reader = self._open()
            reader.execute("PRAGMA query_only = 1")
        try:
            with _transaction(reader, "BEGIN"):
                yield reader
        finally:
            self._idle.append(reader)  # else every thread would leave one open

    def _open(self) -> Connection:
        connection = connect(self.path)
        self._opened.append(connection)
        connection.words, connection.values = self.words, self.values
        connection.changed = set()
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def close(self) -> None:
        for connection in self._opened:
            connection.close()
        self._held.close()


def connect(path: Path) -> Connection:
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=30, factory=Connection
    )
    connection.row_factory = sqlite3.Row
    return connection


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    db.execute(begin)
    try:
        yield
        db.execute("COMMIT")  # fails on a full disk, and may leave the transaction open
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def check(path: Path) -> None:
    """Raise if the file is damaged, before anything is written to it."""
    try:
        with contextlib.closing(connect(path)) as db:
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        problem = f"is damaged ({found}); restore a backup of it, or move it away to start anew"
        raise InputError(path, problem)


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring a file of an older version, or an empty one, to the current version."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        newer = f"has version {version}; this touchline supports up to {VERSION}, update it"
        raise InputError(path, newer)
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        # The version goes up in the same transaction, so that a crash leaves one or the other.
        db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;")


def _lock(path: Path) -> sqlite3.Connection:
    """A lock that the system releases however the server stops: an open transaction."""
    lock = sqlite3.connect(path, isolation_level=None, timeout=0, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError:
        lock.close()
        problem = "is used by another touchline serve, or cannot be written to"
        raise InputError(path.parent.parent, problem) from None
    return lock


def backup(folder: Path, target: Path) -> None:
    """A consistent copy of the file, also while a server writes to it."""
    source = folder / HOME / FILE
    if not source.is_file():
        raise InputError(folder, f"nothing to back up: {HOME}/{FILE} does not exist")
    if target.exists():
        raise TouchlineError(f"{target}: already exists; give the backup another name")
    temporary = target.with_name(f".{target.name}.part")
    try:
        with (
            contextlib.closing(connect(source)) as db,
            contextlib.closing(connect(temporary)) as to,
        ):
            db.backup(to)
        os.replace(temporary, target)
    except (OSError, sqlite3.Error) as error:
        raise TouchlineError(f"{target}: cannot be written ({error})") from None
    finally:
        temporary.unlink(missing_ok=True)
