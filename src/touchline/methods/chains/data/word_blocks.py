"""The words of comments beside what may bring them: all of it that no parameter changes.

Comments are looked at some at a time, those of about the same length together: enough for arrays
to be worth it, not more than fit into a processor's cache. A match is looked at twenty times before
it is answered, so its blocks are made once (`MatchTables.word_blocks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from touchline.core.arrays import Ints, distinct

if TYPE_CHECKING:
    from touchline.methods.chains.data.tables import MatchTables

# Hypotheses times words that are looked at together.
MAX_CELLS = 100_000


class Vocabulary(NamedTuple):
    """The different words of a match, and its comments' words as columns of them."""

    words: Ints
    columns: Ints

    @classmethod
    def of(cls, m: MatchTables) -> Vocabulary:
        words = distinct(m.comments.words[m.comments.words >= 0])
        columns = np.searchsorted(words, m.comments.words)
        return cls(words, np.where(m.comments.words >= 0, columns, len(words)))


class WordBlock(NamedTuple):
    """Some comments with their hypotheses, `own`, and the candidates of their buckets.

    `words[c]` are the comments' words as columns of the vocabulary, `of[h]` the comment of each
    hypothesis, `comment[q]` that of each candidate. `candidates[h]` is the chain, in which the
    number of candidates is padding, as wide as the longest chain.
    `causes` are the columns of what of an event may bring words, each for the first candidates:
    those with more causes come first, and few have as many as there are columns. They are numbers
    of pairs: the events of a bucket have causes in common, so that the words of a comment are
    looked up once for each of its different causes. `cause[i]` is that of pair i, `said[i]` are the
    words of its comment as places in a table of causes and vocabulary.
    """

    own: Ints
    words: Ints
    of: Ints
    comment: Ints
    candidates: Ints
    causes: list[Ints]
    cause: Ints
    said: Ints


class WordBlocks(NamedTuple):
    """All comments of a match, some at a time; `per_comment` is how many words they have."""

    vocabulary: Vocabulary
    blocks: list[WordBlock]
    per_comment: float


def word_blocks(m: MatchTables) -> WordBlocks:
    vocabulary = Vocabulary.of(m)
    used = (m.comments.words >= 0).sum(axis=1)
    per_comment = float(used.sum()) / max(len(used), 1)
    return WordBlocks(vocabulary, list(_blocks(m, vocabulary, used)), per_comment)


def _blocks(m: MatchTables, vocabulary: Vocabulary, used: Ints) -> Iterator[WordBlock]:
    hypotheses, candidates = m.hypotheses, m.candidates
    every_cause = causes_of(m, candidates.comment, candidates.event).T.copy()
    missing = np.add.reduce(every_cause < 0, axis=0, dtype=np.int16)
    place = np.empty(len(candidates.event) + 1, dtype=np.int32)  # the last is for padding
    for comments in _alike(used, hypotheses.start):
        own, some = (items_of(start, comments) for start in (hypotheses.start, candidates.start))
        order = np.argsort(missing[some], kind="stable")
        place[some[order]], place[-1] = np.arange(len(some)), len(some)
        words = vocabulary.columns[comments, : int(used[comments].max())]
        chains = _chains(hypotheses.candidates, own)
        of, comment = (_places(start, comments) for start in (hypotheses.start, candidates.start))
        pairs = _pairs(comment[order], every_cause.take(some[order], axis=1))
        yield WordBlock(
            own=own.astype(np.int32),
            words=words,
            of=of.astype(np.int32),
            comment=comment[order].astype(np.int32),
            candidates=np.array([place.take(column) for column in chains]).T,
            causes=pairs.columns,
            cause=pairs.cause,
            said=pairs.cause[:, None] * (len(vocabulary.words) + 1) + words[pairs.comment],
        )


class _Pairs(NamedTuple):
    """The different pairs of a comment and a cause; columns of causes as numbers of pairs."""

    comment: Ints
    cause: Ints
    columns: list[Ints]


def _pairs(comment: Ints, causes: Ints) -> _Pairs:
    """Pairs of what may bring words to each candidate, and the candidate's comment.

    `causes` are columns; of those with fewer causes than columns the last ones are -1.
    """
    width = causes.max(initial=0) + 1
    columns = [column[: np.count_nonzero(column >= 0)] for column in causes]
    places = [comment[: len(column)] * width + column for column in columns]
    there = np.zeros((comment.max(initial=0) + 1) * width, dtype=bool)
    for some in places:
        there[some] = True
    pairs, number = np.flatnonzero(there), np.cumsum(there) - 1
    return _Pairs(pairs // width, pairs % width, [number.take(some) for some in places])


def _chains(candidates: Ints, own: Ints) -> list[Ints]:
    """The columns of some chains, as many as the longest of them has."""
    first, *others = (column.take(own) for column in candidates.T)
    return [first, *(column for column in others if (column >= 0).any())]


def _alike(used: Ints, start: Ints) -> Iterator[Ints]:
    """Comments of about the same length, such that hypotheses times words are not too many."""
    order = np.argsort(used, kind="stable")
    first, hypotheses = 0, np.append(0, np.cumsum(np.diff(start)[order]))
    for last, widest in enumerate(used[order].tolist()):
        if last > first and (hypotheses[last + 1] - hypotheses[first]) * widest > MAX_CELLS:
            yield order[first:last]
            first = last
    if first < len(order):
        yield order[first:]


def items_of(start: Ints, owners: Ints) -> Ints:
    """The items of some owners one after the other; `start[i]` to `start[i + 1]` belong to i."""
    moved = start[owners] - _starts(start, owners)
    return np.asarray(np.arange(len(of := _places(start, owners))) + moved[of])


def _places(start: Ints, owners: Ints) -> Ints:
    """For each item of some owners, which of them it belongs to."""
    return np.repeat(np.arange(len(owners)), start[owners + 1] - start[owners])


def _starts(start: Ints, owners: Ints) -> Ints:
    """Where the items of each of some owners begin, one after the other."""
    sizes = start[owners + 1] - start[owners]
    return np.asarray(np.cumsum(sizes) - sizes)


def causes_of(m: MatchTables, comments: Ints | int, events: Ints) -> Ints:
    """What of each event may bring words to a comment; -1 for padding.

    The part of an unnamed player counts only if they are unnamed.
    """
    causes = m.events.causes[events]
    named = m.comments.mentioned[comments, m.events.actor[events]]
    return np.where(named[..., None] & (causes >= m.unnamed), -1, causes)
