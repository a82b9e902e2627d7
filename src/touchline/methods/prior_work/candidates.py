"""All pairs of comments and events of their buckets as arrays, over several matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from touchline.core.arrays import Ints
from touchline.core.records import Event, Match
from touchline.methods.buckets import Window, buckets
from touchline.methods.prior_work.symbols import Floats, Ragged, event_symbols, numbered, sentences


class Candidates(msgspec.Struct, frozen=True):
    """Comments, events and their pairs by number, comment by comment.

    The pairs of comment c are those from `start[c]` to `start[c + 1]`; `events` are all linkable
    events of the matches, one after the other.
    """

    sentence: Ints
    event: Ints
    start: Ints
    said: list[list[str]]
    events: list[Event]

    def symbols(self, known: Sequence[str]) -> Ragged:
        return numbered(map(event_symbols, self.events), known)

    def by_comment(self) -> Iterator[slice]:
        """The pairs of each comment."""
        for first, last in zip(self.start[:-1].tolist(), self.start[1:].tolist(), strict=True):
            yield slice(first, last)


def gather(matches: Sequence[Match], window: Window) -> Candidates:
    """The candidates of all comments of some matches."""
    rows: list[Ints] = []
    first = 0
    for match in matches:
        rows += [bucket + first for bucket in buckets(match, window)]
        first += len(match.linkable)
    lengths = [len(row) for row in rows]
    return Candidates(
        sentence=np.repeat(np.arange(len(rows)), lengths),
        event=np.concatenate([np.zeros(0, dtype=np.int64), *rows]),
        start=np.cumsum([0, *lengths], dtype=np.int64),
        said=[said for match in matches for said in sentences(match)],
        events=[event for match in matches for event in match.linkable],
    )


def best_of_each(candidates: Candidates, scores: Floats) -> Ints:
    """The best pair of each comment, the first of equals; -1 where there is none."""
    return np.array(
        [
            pairs.start + int(np.argmax(scores[pairs])) if pairs.stop > pairs.start else -1
            for pairs in candidates.by_comment()
        ],
        dtype=np.int64,
    )


def softmax(scores: Floats) -> Floats:
    """Scores as shares of one; of nothing, nothing."""
    if len(scores) == 0:
        return scores
    weights = np.exp(scores - scores.max())
    return np.asarray(weights / weights.sum())
