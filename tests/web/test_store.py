"""The database: versions, transactions, one server at a time, backups."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from tests.waiting import wait_for
from touchline.core.errors import InputError, TouchlineError
from touchline.web.labels import labels
from touchline.web.records import SearchQuery
from touchline.web.store import database as store
from touchline.web.store.database import MIGRATIONS, VERSION, Store
from touchline.web.store.labels import AnnotationScope
from touchline.web.store.search import search


def at_version(folder, version, *statements):
    home = folder / store.HOME
    home.mkdir()
    db = sqlite3.connect(home / store.FILE)
    for script in MIGRATIONS[:version]:
        db.executescript(script)
    for statement in statements:
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {version}")
    db.commit()
    db.close()


def test_a_file_of_version_1_keeps_its_labels_and_its_undo(tmp_path):
    at_version(
        tmp_path, 1,
        "INSERT INTO labels VALUES ('m', 'Ada', '7', '{\"none\":true,\"done\":true}', 1, 3, 'now')",
        "INSERT INTO actions VALUES (3, 3, 'm', 'Ada', '7', 'none', NULL, "
        "'{\"none\":true,\"done\":true}', 'now', 0)",
    )  # fmt: skip
    opened = Store(tmp_path)
    scope = AnnotationScope("m", "Ada")
    with opened.read() as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == VERSION
        kept = labels.labels(db, scope)
    assert [(label.comment, label.none, label.revision) for label in kept.labels] == [(7, True, 3)]
    with opened.write() as db:
        assert labels.undo(db, scope, 3).labels[0].revision == 0
    opened.close()


def test_threads_that_end_leave_no_connection_behind(tmp_path):
    opened = Store(tmp_path)

    def look():
        with opened.read() as db:
            db.execute("SELECT COUNT(*) FROM labels").fetchone()

    for _ in range(20):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert len(opened._opened) == 2  # one that writes, one that reads
    opened.close()


@pytest.mark.parametrize("version", range(VERSION + 1))
def test_every_version_comes_to_the_same_schema(tmp_path, version):
    at_version(tmp_path, version)
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    schemas = []
    for folder in (tmp_path, fresh):
        opened = Store(folder)
        with opened.read() as db:
            rows = db.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        schemas.append([tuple(row) for row in rows])
        opened.close()
    assert schemas[0] == schemas[1]


def test_described_events_survive_a_new_form_of_the_table(tmp_path):
    at_version(
        tmp_path, 2,
        "INSERT INTO comments (row, match, id, place, text, doubt) VALUES (5, 'm', '7', 0, '', 0)",
        "INSERT INTO events VALUES ('m', 'e', 0, 'Shot', 'Shot', 'Reds', 1, 2.0, '1', 1)",
        "INSERT INTO events VALUES ('other', 'e', 0, 'Pass', 'Pass', 'Blues', 1, 2.0, '1', 1)",
        "INSERT INTO told VALUES (5, 'e')",
    )  # fmt: skip
    opened = Store(tmp_path)
    with opened.read() as db:
        rows = [tuple(row) for row in db.execute("SELECT * FROM described")]
    opened.close()
    assert rows == [(5, "m", "e", "Shot", "Reds", None, None, b"")]


def test_a_file_with_the_names_of_version_4_keeps_labels_and_index(tmp_path):
    state = '{"events":["e"],"done":true,"note":"late"}'
    at_version(
        tmp_path, 4,
        f"INSERT INTO labels VALUES ('m', 'Ada', '7', '{state}', 1, 3, 'now')",
        f"INSERT INTO actions VALUES (3, 3, 'm', 'Ada', '7', 'add', NULL, '{state}', 'now', 0)",
        "INSERT INTO matches (name, title) VALUES ('m', 'Reds – Blues')",
        "INSERT INTO comments (row, match, id, place, text, doubt, teller) "
        "VALUES (5, 'm', '7', 0, 'He shoots', 0, 'Ada')",
        "INSERT INTO events VALUES ('m', 'e', 0, 'Shot', 'Shot by Özil', 'Reds', 1, 2.0, '1', 1)",
        "INSERT INTO told VALUES (5, 'm', 'e', 'Shot', 'Reds')",
        "INSERT INTO words (rowid, text, told) VALUES (5, 'He shoots', 'Shot by Özil')",
    )  # fmt: skip
    opened = Store(tmp_path)
    with opened.read() as db:
        (label,) = labels.labels(db, AnnotationScope("m", "Ada")).labels
        (hit,) = search(db, SearchQuery(q="ozi")).hits
        (row,) = search(db, SearchQuery(q="shoots")).hits
    assert (label.events, label.note, label.done, label.revision) == (("e",), "late", True, 3)
    assert (hit.comment, hit.by, [event.id for event in hit.events]) == (7, "Ada", ["e"])
    assert row.marks == [(3, 9)]
    with opened.write() as db:
        assert labels.undo(db, AnnotationScope("m", "Ada"), 3).labels[0].revision == 0
        assert db.execute("SELECT linked_by FROM comments").fetchone()[0] == "machine"
    opened.close()


def test_a_newer_file_is_refused_and_left_alone(tmp_path):
    at_version(tmp_path, 1)
    path = tmp_path / store.HOME / store.FILE
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    with pytest.raises(InputError, match="update it"):
        Store(tmp_path)
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone()[0] == VERSION + 1


def test_writes_are_whole_and_on_the_disk(tmp_path):
    opened = Store(tmp_path)
    with opened.write() as db:
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert db.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL
        db.execute("INSERT INTO settings VALUES ('a', '1')")
    twice = "INSERT INTO settings VALUES (?, '2')", [("b",), ("a",)]
    with pytest.raises(sqlite3.IntegrityError), opened.write() as db:
        db.executemany(*twice)
    with opened.read() as db:
        names = [row["name"] for row in db.execute("SELECT name FROM settings")]
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("DELETE FROM settings")
    assert names == ["a"]
    opened.close()


def test_a_folder_has_one_server_at_a_time(tmp_path):
    first = Store(tmp_path)
    with pytest.raises(InputError, match="another touchline serve"):
        Store(tmp_path)
    first.close()
    Store(tmp_path).close()


def test_a_backup_is_a_whole_file_while_a_server_writes(tmp_path):
    opened = Store(tmp_path)
    with opened.write() as db:
        db.execute("INSERT INTO settings VALUES ('a', '1')")
    copy = tmp_path / "copy.db"
    store.backup(tmp_path, copy)
    with opened.write() as db:
        db.execute("INSERT INTO settings VALUES ('b', '1')")
    opened.close()
    db = sqlite3.connect(copy)
    assert db.execute("SELECT name FROM settings").fetchall() == [("a",)]
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with pytest.raises(TouchlineError, match="already exists"):
        store.backup(tmp_path, copy)
    with pytest.raises(InputError, match="nothing to back up"):
        store.backup(tmp_path / "elsewhere", tmp_path / "other.db")
    assert not (tmp_path / "other.db").exists()


def facets(client):
    return client.get("/api/v1/search", params={"q": "the", "facets": True}).json()["facets"]


def test_a_folder_of_an_older_version_is_indexed_again_and_keeps_its_labels(start, folder):
    """Version 8 knew neither outcomes nor standings: they come from the stored alignments."""
    at = "/api/v1/matches/harrowmere-castlebrook/labels/Ada"
    client = start()
    client.post(at, json={"comment": 3, "revision": 0, "action": "none"})
    before = facets(client)
    labels_before = client.get(at).json()
    client.__exit__()
    db = sqlite3.connect(folder / store.HOME / store.FILE)
    db.executescript(
        "UPDATE matches SET indexed = 0; UPDATE described SET outcome = NULL, standing = NULL; "
        "UPDATE events SET outcome = NULL, standing = NULL;"
    )
    db.close()
    again = start()
    assert before["outcomes"]
    wait_for(lambda: facets(again) == before)
    assert again.get(at).json() == labels_before


def test_an_answer_that_cannot_be_read_does_not_stop_the_server(start, folder):
    db = sqlite3.connect(folder / store.HOME / store.FILE)
    db.execute("UPDATE matches SET indexed = 0")
    db.commit()
    db.close()
    for page in (folder / store.HOME / "answers").glob("*/page.json.gz"):
        page.write_bytes(b"not gzip")
    assert start().get("/api/v1/search", params={"q": "corner"}).json()["total"] > 0


@pytest.mark.parametrize("damage", ["not a database, but a text of some length", "middle"])
def test_a_damaged_database_is_said_to_be_one(folder, damage):
    path = folder / store.HOME / store.FILE
    data = path.read_bytes()
    path.write_bytes(
        data[:4096] + bytes(range(256)) * ((len(data) - 4096) // 256)
        if damage == "middle"
        else damage.encode() * 200
    )
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"is damaged .*; restore a backup"):
        Store(folder)
    assert path.read_bytes() == before  # nothing is written to what could still be rescued


def test_names_that_are_no_longer_accepted_are_changed(tmp_path):
    rows = [("Ada ", "1"), ("Ada", "2"), ("machine", "1"), ("Machine", "2"), ("Bo", "1")]
    at_version(
        tmp_path, 9,
        *(f"INSERT INTO labels VALUES ('m', '{name}', '{comment}', '{{}}', 1, 3, 'now')"
          for name, comment in rows),
        *(f"INSERT INTO actions VALUES ({place}, {place}, 'm', '{name}', '{comment}', 'none', "
          "NULL, '{}', 'now', 0)" for place, (name, comment) in enumerate(rows, 1)),
    )  # fmt: skip
    opened = Store(tmp_path)
    for table in ("labels", "actions"):
        with opened.read() as db:
            found = db.execute(
                f"SELECT annotator, comment FROM {table} ORDER BY annotator, comment"
            )
            assert [tuple(row) for row in found] == [
                ("Ada", "1"), ("Ada", "2"), ("Bo", "1"), ("person called Machine", "2"),
                ("person called machine", "1"),
            ]  # fmt: skip
    opened.close()
