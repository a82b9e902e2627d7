"""How the events of a comment's bucket explain its words: a noisy-or of all that may bring each.

Subtitles cut speech into lines that are shorter than the comments of a radio match. Where a text is
cut into lines of half the usual length, each says a word half as probably, whether an event brings
it or it comes by itself: the odds of what is there stay the same, and what is not said counts half.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.extensions import sum_of_row
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.data.word_blocks import WordBlock
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.sufficient_stats import Counts, add_at, sums

# Probabilities that are multiplied before a logarithm is taken.
_TOGETHER = 16
# Numbers in one array at a time: for more than 128 KiB memory is asked of the system each time, and
# to clear it takes longer than to fill it.
_AT_ONCE = 15_000


class Wording(NamedTuple):
    """A block of comments, and how likely its words are.

    `background[c]` is how likely the comments' words come by themselves. `missing[q, i]` is how
    likely the candidate's event does not bring word i of its comment, with ones in a last row for
    padding, and `alone[q, i]` that the word does not come by itself either; `quiet[q]` the
    log-probability that the event brings no other. `length` is how long the
    match's comments are as a share of the usual length, at most one. Padding of words has a
    background of one.
    """

    block: WordBlock
    background: Floats
    missing: Floats
    alone: Floats
    quiet: Floats
    length: float

    def present(self, some: Ints | slice) -> Floats:
        """Probability that each word is there: from one of the chain's events, or by itself."""
        first, *others = self.block.candidates[some].T
        missing = self.alone.take(first, axis=0)
        for candidate in others:
            missing *= self.missing.take(candidate, axis=0)
        return np.asarray(np.subtract(1, missing, out=missing))

    def score(self) -> Floats:
        """Log-likelihood ratio of the words, against no event."""
        said = np.empty(len(self.block.of))
        at_once = _AT_ONCE // max(1, self.block.words.shape[1])
        for first in range(0, len(said), at_once):
            some = slice(first, first + at_once)
            said[some] = log_product(self.present(some))
        said -= log_product(self.background).take(self.block.of)
        said += sum_of_row(self.quiet, self.block.candidates)
        return said

    def hand_on(self, share: Floats, tally: Tally) -> None:
        """Hand each word on to what brought it: itself, or the causes of events."""
        block, likely = self.block, np.flatnonzero(share)
        candidates = block.candidates[likely]
        part = share[likely, None] / self.present(likely)
        add_at(tally.by_itself, block.words[block.of[likely]], part)
        often, brought = np.zeros(len(self.missing)), np.zeros_like(self.missing)
        add_at(often, candidates, share[likely, None])
        width = block.words.shape[1]
        add_at(brought, candidates[:, :, None] * width + np.arange(width), part[:, None])
        described = np.flatnonzero(often[:-1])
        for column in block.causes:
            rows = described[: np.searchsorted(described, len(column))]
            pairs = column.take(rows)
            cause = block.cause.take(pairs)
            add_at(tally.described, cause, often[rows])
            add_at(tally.exposed, cause, self.length * often[rows])
            add_at(tally.brought, block.said.take(pairs, axis=0), brought[rows])


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


def score_words(m: MatchTables, worded: Iterable[Wording] | None) -> Floats:
    """What the words of comments say for each hypothesis."""
    total = np.zeros(len(m.hypotheses.head))
    for each in worded or ():
        total[each.block.own] = each.score()
    return total


def count_words(
    m: MatchTables, p: Parameters, share: Floats, none: Floats, n: Counts, worded: Worded
) -> None:
    """Add what words were brought by, where hypotheses have probabilities `share`."""
    words, columns = m.word_blocks.vocabulary
    tally = Tally.nothing(len(n.described), len(words))
    alone = none + sums(m.hypotheses.comment, share, len(none)) if worded is None else none
    for each in worded or ():
        each.hand_on(share[each.block.own], tally)
    tally.by_itself[:-1] *= p.background[words]
    add_at(tally.by_itself, columns, alone[:, None])
    n.by_itself[words] += tally.by_itself[:-1]
    n.caused[:, words] += tally.brought[:-1, :-1] * p.cause[:, words]
    np.add(n.described, tally.described[:-1], out=n.described)
    np.add(n.exposed, tally.exposed[:-1], out=n.exposed)


def wordings(m: MatchTables, p: Parameters) -> Worded:
    """All comments of a match, some at a time; None where no event brings any word."""
    return None if p.wordless else list(each_wording(m, p))


def each_wording(m: MatchTables, p: Parameters) -> Iterator[Wording]:
    """The same one after the other, for who looks at them once."""
    if p.wordless:
        return
    (words, _), blocks, per_comment = m.word_blocks
    silent = np.ones((len(p.cause), len(words) + 1))
    silent[:, :-1] -= p.cause[:, words]
    background = np.append(p.background[words], 1.0)
    length = min(1.0, per_comment / p.length)
    for block in blocks:
        missing, silence = _missing(silent, p.quiet, block)
        own = background[block.words]
        yield Wording(
            block=block,
            background=own,
            missing=missing,
            alone=(1 - own).take(block.comment, axis=0) * missing[:-1],
            quiet=length * silence,
            length=length,
        )


def _missing(silent: Floats, quiet: Floats, block: WordBlock) -> tuple[Floats, Floats]:
    """How likely no cause of each candidate brings each word said; that it brings no other word.

    The second is a log-probability. The last candidate is padding.
    """
    missing = np.ones((len(block.comment) + 1, block.words.shape[1]))
    silence = np.zeros(len(missing))
    of_pair, quiet = silent.take(block.said), quiet.take(block.cause)
    for pairs in block.causes:
        rows = slice(len(pairs))
        missing[rows] *= of_pair.take(pairs, axis=0)
        silence[rows] += quiet.take(pairs)
    silence -= log_product(missing)
    return missing, silence


def log_product(rows: Floats) -> Floats:
    """The logarithm of the product of each row of probabilities.

    One logarithm for several of them is quicker than one for each. They are few enough that their
    product stays far from the smallest number there is. Rows are short and many, so that columns
    are multiplied, each of which lies in one piece.
    """
    total, columns = np.zeros(len(rows)), np.ascontiguousarray(rows.T)
    for first in range(0, len(columns), _TOGETHER):
        total += np.log(np.multiply.reduce(columns[first : first + _TOGETHER], axis=0))
    return total
