"""The words in memory: the same comments in the same order as SQLite's FTS5, also after writes."""

from __future__ import annotations

import random
import shutil
import sqlite3

import numpy as np
import pytest

from touchline.web.records import SearchQuery
from touchline.web.store import index, search
from touchline.web.store.database import Store
from touchline.web.store.values import Values
from touchline.web.store.words import Words, words_of

MATCH = "harrowmere-castlebrook"
TERMS = (
    ['"corner"*'],
    ['"the"*'],
    ['"shot"', '"sav"*'],
    ['"free kick"*'],
    ['"to the"', '"ba"*'],
    ['"the the"'],
    ['"s"*', '"p"*', '"l"*'],
    ['"gaye lam"*'],
    ['"nobody"*', '"the"*'],
)


@pytest.fixture
def store(aligned, tmp_path):
    found = Store(shutil.copytree(aligned, tmp_path / "m"))
    yield found
    found.close()


@pytest.fixture
def fts5():
    """FTS5 on some texts of comments and of what they describe."""
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE words USING fts5 (text, described, "
        'tokenize = "unicode61 remove_diacritics 2")'
    )

    def index_rows(rows):
        db.execute("DELETE FROM words")
        db.executemany("INSERT INTO words (rowid, text, described) VALUES (?, ?, ?)", rows)
        return db

    yield index_rows
    db.close()


def best(db, terms):
    """By the measure of FTS5, in which less is better."""
    asked = "SELECT rowid, bm25(words) FROM words WHERE words MATCH ? ORDER BY bm25(words), rowid"
    return [(row, round(rank, 9)) for row, rank in db.execute(asked, [" AND ".join(terms)])]


def comments(db):
    rows = db.execute("SELECT row, text, described FROM comments").fetchall()
    return [tuple(row) for row in rows]


@pytest.mark.parametrize("terms", TERMS, ids=" ".join)
def test_the_same_comments_in_the_same_order_as_fts5(store, fts5, terms):
    with store.read() as db:
        reference = best(fts5(comments(db)), terms)
        found = db.words.best(terms)
    assert set(found) == {row for row, _ in reference}
    ranks = dict(reference)
    in_order = [ranks[row] for row in found]  # rounded: equal ones may change places
    assert in_order == sorted(in_order)


def test_words_are_those_of_fts5(fts5):
    text = "Ángel Di María’s one-two: 3rd GOAL_line, naïve ÅKE! E\u0301lan 4-4-2 İlkay straße"
    db = fts5([(1, text, "")])
    db.execute("CREATE VIRTUAL TABLE v USING fts5vocab (words, instance)")
    terms = [term for (term,) in db.execute("SELECT term FROM v ORDER BY offset")]
    assert words_of(text) == terms


def test_what_is_written_is_found_as_if_it_had_just_been_read(store):
    """Many labels, in small transactions, and a match that is dropped: segments come and go."""
    chance = random.Random(7)
    with store.read() as db:
        ids = [row["id"] for row in db.execute("SELECT id FROM comments WHERE match = ?", [MATCH])]
        events = [row["id"] for row in db.execute("SELECT id FROM events WHERE match = ?", [MATCH])]
    for _ in range(60):
        with store.write() as db:
            for one in chance.sample(ids, chance.randint(1, 5)):
                label(db, one, chance.sample(events, chance.randint(0, 3)))
    assert len(store.words._segments) > 1
    check_fresh(store)
    with store.write() as db:
        index.drop(db, MATCH)
    check_fresh(store)


def label(db, comment, events):
    row = db.execute("SELECT row FROM comments WHERE id = ?", [comment]).fetchone()["row"]
    db.execute("DELETE FROM links WHERE comment = ?", [row])
    db.executemany("INSERT INTO links VALUES (?, ?)", [(row, event) for event in events])
    index.update_described_events(db, MATCH, index.comment_id(comment))


def check_fresh(store):
    """Memory has what the file has."""
    with store.read() as db:
        words, values = Words(), Values()
        words.load(db)
        values.load(db)
        for terms in TERMS:
            assert db.words.best(terms) == words.best(terms)
        assert db.words.frequencies() == words.frequencies()
        assert store.values._of == values._of
        rows = [row for row, *_ in comments(db)]
        assert sum(one.size for one in store.words._segments) == len(rows)


def test_what_is_rolled_back_is_not_found(store):
    with store.read() as db:
        before = search.search(db, SearchQuery(q="corner", facets=True))
    with pytest.raises(sqlite3.IntegrityError):
        fail(store)
    with store.read() as db:
        assert search.search(db, SearchQuery(q="corner", facets=True)) == before
    check_fresh(store)


def fail(store):
    with store.write() as db:
        index.drop(db, MATCH)
        db.execute("INSERT INTO links SELECT comment, event FROM links")


def test_an_empty_folder_has_no_words(tmp_path):
    store = Store(tmp_path)
    with store.read() as db:
        for asked in ({"q": "corner"}, {"q": '"a b" -c'}, {"q": "-corner"}, {}):
            found = search.search(db, SearchQuery(**asked, facets=True))
            assert (found.total, found.facets.players) == (0, [])
    store.close()


def test_segments_stay_few(store):
    with store.read() as db:
        rows = [row for row, *_ in comments(db)]
    for row in rows * 2:
        with store.write() as db:
            db.changed.add(row)
    sizes = [len(one.rows) for one in store.words._segments]
    assert len(sizes) <= 2 + np.log2(len(rows))
    check_fresh(store)
