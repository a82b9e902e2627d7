"""The words of comments beside what may bring them: all of it that no parameter changes.

Comments are looked at some at a time: enough for arrays to be worth it, not more than fit into a
processor's cache. A match is looked at twenty times before it is answered, so its blocks are made
once (`MatchTables.word_blocks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from touchline.core.arrays import Ints

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
        words = np.unique(m.comments.words[m.comments.words >= 0])
        columns = np.searchsorted(words, m.comments.words)
        return cls(words, np.where(m.comments.words >= 0, columns, len(words)))


class WordBlock(NamedTuple):
    """Some comments in a row, with their hypotheses, `own`, and the candidates of their buckets.

    `words[c]` are the comments' words as columns of the vocabulary, `of[h]` the comment of each
    hypothesis, `comment[q]` that of each candidate, `said[q]` its words. `candidates[h]` is the
    chain, in which the number of candidates is padding; only the first `longest` are ever more.
    `causes` are the columns of what of an event may bring words, each with the candidates that have
    such a cause: few have as many as there are columns.
    """

    own: slice
    words: Ints
    of: Ints
    comment: Ints
    said: Ints
    candidates: Ints
    longest: int
    causes: list[tuple[Ints, Ints]]


class WordBlocks(NamedTuple):
    """All comments of a match, some at a time; `per_comment` is how many words they have."""

    vocabulary: Vocabulary
    blocks: list[WordBlock]
    per_comment: float


def word_blocks(m: MatchTables) -> WordBlocks:
    vocabulary = Vocabulary.of(m)
    used = (m.comments.words >= 0).sum(axis=1)
    per_comment = float(used.sum()) / max(len(used), 1)
    return WordBlocks(vocabulary, list(_blocks(m, vocabulary.columns, used)), per_comment)


def _blocks(m: MatchTables, columns: Ints, used: Ints) -> Iterator[WordBlock]:
    hypotheses, candidates = m.hypotheses, m.candidates
    every_cause = causes_of(m, candidates.comment, candidates.event)
    for first, last in _ranges(used, hypotheses.start):
        own = slice(hypotheses.start[first], hypotheses.start[last])
        some = slice(candidates.start[first], candidates.start[last])
        words = columns[first:last, : int(used[first:last].max())]
        comment, chains = candidates.comment[some] - first, hypotheses.candidates[own]
        places = chains - candidates.start[first]
        yield WordBlock(
            own=own,
            words=words,
            of=hypotheses.comment[own] - first,
            comment=comment,
            said=words[comment],
            candidates=np.where(chains >= 0, places, some.stop - some.start),
            longest=max(1, int((chains >= 0).any(axis=0).sum())),
            causes=list(_with_causes(every_cause[some])),
        )


def _with_causes(causes: Ints) -> Iterator[tuple[Ints, Ints]]:
    for column in causes.T:
        rows = np.flatnonzero(column >= 0)
        yield rows, column[rows]


def _ranges(used: Ints, start: Ints) -> Iterator[tuple[int, int]]:
    """Comments from one to before another, such that hypotheses times words are not too many."""
    first, widest = 0, 0
    for c in range(len(used)):
        widest = max(widest, int(used[c]))
        if c > first and (start[c + 1] - start[first]) * widest > MAX_CELLS:
            yield first, c
            first, widest = c, int(used[c])
    if first < len(used):
        yield first, len(used)


def causes_of(m: MatchTables, comments: Ints | int, events: Ints) -> Ints:
    """What of each event may bring words to a comment; -1 for padding.

    The part of an unnamed player counts only if they are unnamed.
    """
    causes = m.events.causes[events]
    named = m.comments.mentioned[comments, m.events.actor[events]]
    return np.where(named[..., None] & (causes >= m.unnamed), -1, causes)
