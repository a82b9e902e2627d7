"""How the events of a comment's bucket explain its words: a noisy-or of all that may bring each.

Subtitles cut speech into lines that are shorter than the comments of a radio match. Where a text is
cut into lines of half the usual length, each says a word half as probably, whether an event brings
it or it comes by itself: the odds of what is there stay the same, and what is not said counts half.

Comments are looked at some at a time: enough for arrays to be worth it, not more than fit into a
processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.sufficient_stats import Counts, add_at, sums

# Hypotheses times words that are looked at together.
MAX_CELLS = 100_000


class Wording(NamedTuple):
    """Some comments in a row, with their hypotheses, `own`, and the candidates of their buckets.

    `words[c]` are the comments' words as columns, `background[c]` how likely they come by
    themselves, `of[h]` the comment of each hypothesis, `comment[q]` that of each candidate,
    `candidates[h]` the chain. `missing[q, i]` is how likely the candidate's event does not bring
    word i of its comment, with ones in a last row for padding; `quiet[q]` the log-probability that
    it brings no other. `causes[q]` is what of an event may bring words, `length` how long the
    match's comments are as a share of the usual length, at most one. Padding of words has a
    background of one.
    """

    own: slice
    words: Ints
    background: Floats
    of: Ints
    comment: Ints
    candidates: Ints
    causes: Ints
    missing: Floats
    quiet: Floats
    length: float

    def present(self, some: Ints | slice = slice(None)) -> Floats:
        """Probability that each word is there: from one of the chain's events, or by itself."""
        missing = (1 - self.background)[self.of[some]]
        for candidate in self.candidates[some].T:
            missing *= self.missing[candidate]
        return np.asarray(1 - missing)

    def score(self) -> Floats:
        """Log-likelihood ratio of the words, against no event."""
        by_itself = np.log(self.background).sum(axis=1)
        said = np.log(self.present()).sum(axis=1) - by_itself[self.of]
        return np.asarray(said + self.quiet[self.candidates].sum(axis=1))

    def hand_on(self, share: Floats, tally: Tally) -> None:
        """Hand each word on to what brought it: itself, or the causes of events."""
        likely = np.flatnonzero(share)
        of, candidates = self.of[likely], self.candidates[likely]
        part = share[likely, None] / self.present(likely)
        add_at(tally.by_itself, self.words[of], part)
        often, brought = np.zeros(len(self.missing)), np.zeros_like(self.missing)
        add_at(often, candidates, share[likely, None])
        width = self.words.shape[1]
        add_at(brought, candidates[:, :, None] * width + np.arange(width), part[:, None])
        some = np.flatnonzero(often[:-1])  # the last is padding
        words, often, brought = self.words[self.comment[some]], often[some], brought[some]
        exposed = self.length * often
        for rows, cause in _columns(self.causes[some], len(tally.described) - 1):
            add_at(tally.described, cause, often[rows])
            add_at(tally.exposed, cause, exposed[rows])
            place = cause[:, None] * len(tally.by_itself) + words[rows]
            add_at(tally.brought, place, brought[rows])


Worded = list[Wording] | None


class Tally(NamedTuple):
    """What words were handed on to, before their own chances; the last of each is for padding."""

    described: Floats
    exposed: Floats
    brought: Floats
    by_itself: Floats

    @classmethod
    def nothing(cls, causes: int, words: int) -> Tally:
        shapes = (causes + 1,), (causes + 1,), (causes + 1, words + 1), (words + 1,)
        return cls(*map(np.zeros, shapes))


class Vocabulary(NamedTuple):
    """The different words of a match, and its comments' words as columns of them."""

    words: Ints
    columns: Ints

    @classmethod
    def of(cls, m: MatchTables) -> Vocabulary:
        words = np.unique(m.comments.words[m.comments.words >= 0])
        columns = np.searchsorted(words, m.comments.words)
        return cls(words, np.where(m.comments.words >= 0, columns, len(words)))


def score_words(m: MatchTables, worded: Worded) -> Floats:
    """What the words of comments say for each hypothesis."""
    if worded is None:
        return np.zeros(len(m.hypotheses.head))
    return np.concatenate([np.zeros(0), *(each.score() for each in worded)])


def count_words(
    m: MatchTables, p: Parameters, share: Floats, none: Floats, n: Counts, worded: Worded
) -> None:
    """Add what words were brought by, where hypotheses have probabilities `share`."""
    words, columns = Vocabulary.of(m)
    tally = Tally.nothing(len(n.described), len(words))
    alone = none + sums(m.hypotheses.comment, share, len(none)) if worded is None else none
    for each in worded or ():
        each.hand_on(share[each.own], tally)
    tally.by_itself[:-1] *= p.background[words]
    add_at(tally.by_itself, columns, alone[:, None])
    n.by_itself[words] += tally.by_itself[:-1]
    n.caused[:, words] += tally.brought[:-1, :-1] * p.cause[:, words]
    np.add(n.described, tally.described[:-1], out=n.described)
    np.add(n.exposed, tally.exposed[:-1], out=n.exposed)


def wordings(m: MatchTables, p: Parameters) -> Worded:
    """All comments of a match, some at a time; None where no event brings any word."""
    return None if p.wordless else list(_wordings(m, p))


def _wordings(m: MatchTables, p: Parameters) -> Iterator[Wording]:
    words, columns = Vocabulary.of(m)
    silent = np.ones((len(p.cause) + 1, len(words) + 1))
    silent[:-1, :-1] -= p.cause[:, words]
    quiet = np.append(p.quiet, 0.0)
    background = np.append(p.background[words], 1.0)
    used = (m.comments.words >= 0).sum(axis=1)
    length = min(1.0, float(used.sum()) / max(len(used), 1) / p.length)
    hypotheses, candidates = m.hypotheses, m.candidates
    # -1 becomes the last cause, which is for padding.
    every_cause = causes_of(m, candidates.comment, candidates.event) % len(silent)
    for first, last in _blocks(m):
        own = slice(hypotheses.start[first], hypotheses.start[last])
        some = slice(candidates.start[first], candidates.start[last])
        width = int(used[first:last].max())
        here, comment = columns[first:last, :width], candidates.comment[some] - first
        causes, chains = every_cause[some], hypotheses.candidates[own]
        missing = _missing(silent, causes, here[comment])
        silence = quiet[causes].sum(axis=1) - np.log(missing).sum(axis=1)
        yield Wording(
            own=own,
            words=here,
            background=background[here],
            of=hypotheses.comment[own] - first,
            comment=comment,
            candidates=np.where(chains >= 0, chains - candidates.start[first], len(missing)),
            causes=causes,
            missing=np.vstack([missing, np.ones(width)]),
            quiet=length * np.append(silence, 0.0),
            length=length,
        )


def causes_of(m: MatchTables, comments: Ints | int, events: Ints) -> Ints:
    """What of each event may bring words to a comment; -1 for padding.

    The part of an unnamed player counts only if they are unnamed.
    """
    causes = m.events.causes[events]
    named = m.comments.mentioned[comments, m.events.actor[events]]
    return np.where(named[..., None] & (causes >= m.unnamed), -1, causes)


def _missing(silent: Floats, causes: Ints, words: Ints) -> Floats:
    """How likely none of the causes of each row brings each of its words."""
    missing = np.ones(words.shape)
    for rows, cause in _columns(causes, len(silent) - 1):
        missing[rows] *= silent.take(cause[:, None] * silent.shape[1] + words[rows])
    return missing


def _columns(causes: Ints, padding: int) -> Iterator[tuple[Ints | slice, Ints]]:
    """Column by column the causes and whose they are; few have as many as there are columns."""
    for column in causes.T:
        rows = np.flatnonzero(column != padding)
        yield (slice(None), column) if len(rows) == len(column) else (rows, column[rows])


def _blocks(m: MatchTables) -> Iterator[tuple[int, int]]:
    """Comments from one to before another, such that hypotheses times words are not too many."""
    width, start = (m.comments.words >= 0).sum(axis=1), m.hypotheses.start
    first, widest = 0, 0
    for c in range(len(width)):
        widest = max(widest, int(width[c]))
        if c > first and (start[c + 1] - start[first]) * widest > MAX_CELLS:
            yield first, c
            first, widest = c, int(width[c])
    if first < len(width):
        yield first, len(width)
