"""The words of all comments, in memory: who has them, and how relevant they are.

The words of a comment are those of its text and of the events that it describes. Relevance is
BM25, as SQLite's FTS5 computes it; numpy takes a fraction of its time, above all for words that
many comments have.

Comments are kept in segments that never change. One that is written again goes to a new segment,
and is dead in the old one; small segments are merged, so that there are few.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"(?:[^\W_][\u0300-\u036f]*)+")
BREAK = 0  # the number between the words of a text and those of events: no phrase goes across
BREAKS = 2  # of each comment
MERGED = 4  # a segment is merged with the one before unless that is so many times as large
K1, B, MIN_IDF = 1.2, 0.75, 1e-6

Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]


def words_of(text: str) -> list[str]:
    """The words of a text, without case and accents."""
    found = WORD.findall(text.lower())
    return found if text.isascii() else [_plain(word) for word in found]


def _plain(word: str) -> str:
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


class Segment(NamedTuple):
    """Some comments: their rows in rising order, and their words as numbers, one after the other.

    `order` has the places of the words in `stream` by their numbers, which are `sorted`.
    """

    rows: Ints
    lengths: Ints
    stream: Numbers
    comment: Numbers  # of each word
    order: Numbers
    sorted: Numbers
    dead: Ints

    @classmethod
    def make(cls, rows: Ints, lengths: Ints, stream: Numbers) -> Segment:
        order = np.argsort(stream, kind="stable").astype(np.int32)
        comment = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
        return cls(rows, lengths, stream, comment, order, stream[order], np.empty(0, np.int64))

    def without(self, rows: Ints) -> Segment:
        """The same, in which some comments are dead."""
        at = np.minimum(np.searchsorted(self.rows, rows), max(len(self.rows) - 1, 0))
        dead = at[self.rows[at] == rows] if len(self.rows) else at[:0]
        return self._replace(dead=np.union1d(self.dead, dead)) if len(dead) else self

    @property
    def size(self) -> int:
        return len(self.rows) - len(self.dead)

    @property
    def words(self) -> int:
        """How many words the comments have."""
        return len(self.stream) - int(self.lengths[self.dead].sum()) - BREAKS * self.size

    def counts(self, phrase: Sequence[Numbers]) -> Ints:
        """How often each comment has a phrase, each word of which is one of some numbers."""
        first, *others = phrase
        starts = np.searchsorted(self.sorted, first, "left").tolist()
        ends = np.searchsorted(self.sorted, first, "right").tolist()
        slices = [self.order[start:end] for start, end in zip(starts, ends, strict=True)]
        places = np.concatenate(slices) if slices else self.order[:0]
        for after, numbers in enumerate(others, 1):
            places = places[np.isin(self.stream[places + after], numbers)]
        counts = np.bincount(self.comment[places], minlength=len(self.rows))
        counts[self.dead] = 0
        return counts


def _merged(first: Segment, second: Segment) -> Segment:
    """Two segments as one, without dead comments."""
    live = [np.delete(np.arange(len(one.rows)), one.dead) for one in (first, second)]
    rows = np.concatenate([one.rows[own] for one, own in zip((first, second), live, strict=True)])
    both = np.concatenate([one.stream for one in (first, second)])
    lengths = np.concatenate([first.lengths, second.lengths])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    at = np.concatenate([live[0], live[1] + len(first.rows)])[np.argsort(rows)]
    taken = np.repeat(starts[at] - np.cumsum(lengths[at]) + lengths[at], lengths[at])
    stream = both[taken + np.arange(len(taken))]
    return Segment.make(np.sort(rows), lengths[at], stream)


class Words:
    """The words of all comments, by their rows in the database."""

    def __init__(self) -> None:
        self._segments: tuple[Segment, ...] = ()
        self._numbers: dict[str, int] = {}
        self._terms: list[str] = []  # the words with a number, sorted

    def load(self, db: sqlite3.Connection) -> None:
        """Read all comments."""
        self._segments = (self._read(db, ""),)

    def update(self, db: sqlite3.Connection, comments: Collection[int]) -> None:
        """Read some comments again, which have changed or are gone."""
        if not comments:
            return
        changed = np.array(sorted(comments))
        listed = msgspec.json.encode(changed.tolist()).decode()
        new = self._read(db, "WHERE row IN (SELECT value FROM json_each(?))", listed)
        segments = [*(one.without(changed) for one in self._segments), new]
        while len(segments) > 1 and len(segments[-2].rows) < MERGED * len(segments[-1].rows):
            segments[-2:] = [_merged(*segments[-2:])]
        self._segments = tuple(segments)

    def _read(self, db: sqlite3.Connection, where: str, *listed: str) -> Segment:
        rows, lengths, stream = list[int](), list[int](), list[int]()
        numbers = self._numbers
        found = f"SELECT row, text, described FROM comments {where} ORDER BY row"
        for row, *texts in db.execute(found, listed):
            before = len(stream)
            for text in texts:
                stream += [numbers.setdefault(w, len(numbers) + 1) for w in words_of(text)]
                stream.append(BREAK)
            rows.append(row)
            lengths.append(len(stream) - before)
        if len(numbers) > len(self._terms):
            self._terms = sorted(numbers)
        return Segment.make(np.array(rows, np.int64), np.array(lengths, np.int64),
                            np.array(stream, np.int32))  # fmt: skip

    # Asking --------------------------------------------------------------------------------------

    def best(self, terms: Sequence[str]) -> list[int]:
        """The comments that have all terms, the most relevant first.

        A term is a quoted phrase, followed by * if its last word need not be complete.
        """
        segments = self._segments
        phrases = [self._phrase(term) for term in terms]
        counts = [[one.counts(phrase) for phrase in phrases] for one in segments]
        having = [sum(map(np.count_nonzero, own)) for own in zip(*counts, strict=True)]
        total = sum(one.size for one in segments)
        idf = np.log((total - np.array(having) + 0.5) / (np.array(having) + 0.5))
        idf[idf <= 0] = MIN_IDF
        average = sum(one.words for one in segments) / max(total, 1)
        found = [_scored(*own, idf, average) for own in zip(segments, counts, strict=True)]
        rows, scores = (np.concatenate(part) for part in zip(*found, strict=True))
        best: list[int] = rows[np.lexsort((rows, -scores))].tolist()
        return best

    def having_any(self, terms: Iterable[str]) -> set[int]:
        """The comments that have at least one of the terms."""
        return {row for term in terms for row in self.best([term])}

    def has(self, term: str) -> bool:
        """Whether a comment has the term."""
        phrase = self._phrase(term)
        return any(one.counts(phrase).any() for one in self._segments)

    def frequencies(self) -> dict[str, int]:
        """How often each word occurs."""
        names = list(self._numbers)
        counts = np.zeros(len(names) + 1, np.int64)
        for one in self._segments:
            live = one.stream[~np.isin(one.comment, one.dead)]
            counts += np.bincount(live, minlength=len(counts))
        return {names[n - 1]: int(counts[n]) for n in counts.nonzero()[0] if n != BREAK}

    def _phrase(self, term: str) -> list[Numbers]:
        """The numbers that each word of a term stands for."""
        *whole, last = words_of(term)
        lasts = self._starting(last) if term.endswith("*") else [last]
        return [self._listed([word]) for word in whole] + [self._listed(lasts)]

    def _starting(self, word: str) -> list[str]:
        """All words that start with some letters."""
        terms = self._terms
        return terms[bisect_left(terms, word) : bisect_left(terms, f"{word}\U0010ffff")]

    def _listed(self, words: Iterable[str]) -> Numbers:
        known = (self._numbers.get(word) for word in words)
        return np.array([number for number in known if number is not None], np.int32)


def _scored(
    one: Segment, counts: Sequence[Ints], idf: NDArray[np.float64], average: float
) -> tuple[Ints, NDArray[np.float64]]:
    """The comments of a segment that have all terms, and their relevance."""
    found = np.flatnonzero(np.logical_and.reduce(counts)) if counts[0].size else one.rows[:0]
    share = (one.lengths[found] - BREAKS) / max(average, 1e-9)
    scores = np.zeros(len(found))
    for weight, own in zip(idf, counts, strict=True):
        often = own[found]
        scores += weight * often * (K1 + 1) / (often + K1 * (1 - B + B * share))
    return one.rows[found], scores
