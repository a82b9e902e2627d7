"""`koncel2014`: Koncel-Kedziorski, Hajishirzi and Farhadi, Multi-Resolution Language Grounding.

An approximation: only the abstract and the introduction were at hand. They describe segments of
sentences and events that are aligned jointly, one-to-one in a relaxed sense, by a factored
objective over the structure of the discourse and the composition of events. The factors
(`alignment.py`), what they are learned with (expectation-maximisation) and the answer are ours;
`docs/systems.md` lists them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from touchline.core.arrays import Floats
from touchline.core.links import CommentLinks, Links, Spans
from touchline.core.records import Match
from touchline.io.model_arrays import Stored
from touchline.methods.base import MinCount, Options, Rounds, Words, answer
from touchline.methods.base import Model as Answered
from touchline.methods.learner import Learner
from touchline.methods.prior_work.koncel2014.alignment import (
    Counts,
    Model,
    expect,
    maximise,
    start,
)
from touchline.methods.prior_work.koncel2014.observations import Observation, Reader, content_of
from touchline.methods.segments.alignment import SegmentAlignment
from touchline.methods.segments.spans import spans_of
from touchline.text.names import NameFinder
from touchline.text.parts import parts_of


class Koncel2014Options(Options, frozen=True, kw_only=True):
    """`rounds` of learning; `min_count` comments must hold a word."""

    rounds: Rounds = 10
    min_count: MinCount = 2


class Koncel2014Alignment(SegmentAlignment):
    """The links of a match, and the parts of its comments."""

    def __init__(self, links: Links, answered: Answered, model: Model) -> None:
        super().__init__(links, Koncel2014.name, answered)
        self._model, self._reader = model, Reader(links.match, model.words, model.types)

    def segments(self, place: int, events: Sequence[int]) -> Words:
        seen = self._reader.one(place, np.array(events, dtype=np.int64))
        return _words(self.links.match, place, seen, expect(seen, self._model))


class Koncel2014(Learner[Model]):
    """Learned by expectation-maximisation with exact sums; answers what a part probably means."""

    name = "koncel2014"
    options_type = Koncel2014Options
    options: Koncel2014Options
    learned_type = Model

    def learn(self, matches: Sequence[Match]) -> Model:
        words, types = _known(matches, self.options.min_count)
        window = self.options.bucket_window
        seen = [one for match in matches for one in Reader(match, words, types).every(window)]
        model = start(words, types)
        for _ in range(self.options.rounds):
            counts = Counts.zero(model)
            for one in seen:
                expect(one, model, counts)
            model = maximise(model, counts)
        return model

    def restored_tables(self, stored: Stored, plain: Mapping[str, Any]) -> dict[str, np.ndarray]:
        types, words = len(plain["types"]), max(len(plain["words"]), 1)
        return {
            "by_type": stored.counts("by_type", types, words),
            "by_none": stored.counts("by_none", words),
            "roles": stored.counts("roles", 3),
            "steps": stored.counts("steps", 4),
            "silent": stored.counts("silent", 2, 2),
            "rates": stored.counts("rates", types),
        }

    def alignment(self, links: Links, answered: Answered, learned: Model) -> Koncel2014Alignment:
        return Koncel2014Alignment(links, answered, learned)

    def answers(self, match: Match, learned: Model) -> Iterator[CommentLinks]:
        reader = Reader(match, learned.words, learned.types)
        for place, seen in enumerate(reader.every(self.options.bucket_window)):
            share = expect(seen, learned)
            best = share.max(axis=0, initial=0.0)
            events = [match.linkable[e] for e in seen.bucket]
            scored = list(zip(events, best[:-1].tolist(), strict=True))
            described = _described(match, place, seen, share)
            none = 1 - max(best[:-1].tolist(), default=0.0)
            words = _words(match, place, seen, share)
            found = answer(match, match.comments[place], scored, described, none)
            yield found.with_words(words)


def _described(match: Match, place: int, seen: Observation, share: Floats) -> list[str]:
    """What parts most probably describe; where candidates are listed, the best of them."""
    best = share.argmax(axis=1)
    columns = sorted({int(column) for column in best if column < len(seen.bucket)})
    if match.comments[place].candidates is not None:
        columns = sorted(columns, key=lambda column: -share[:, column].max())[:1]
    return [match.linkable[seen.bucket[column]].id for column in columns]


def _words(match: Match, place: int, seen: Observation, share: Floats) -> dict[str, Spans]:
    text = match.comments[place].text
    return {
        match.linkable[event].id: spans_of(text, seen.parts, _parts(share, column))
        for column, event in enumerate(seen.bucket.tolist())
        if len(seen.parts)
    }


def _parts(share: Floats, column: int) -> list[int]:
    """The parts that most probably describe an event; its likeliest if none does."""
    likely: list[int] = np.flatnonzero(share.argmax(axis=1) == column).tolist()
    return likely or [int(share[:, column].argmax())]


def _known(matches: Sequence[Match], min_count: int) -> tuple[list[str], list[str]]:
    """The words of enough comments, and all types of events."""
    counts: Counter[str] = Counter()
    types: set[str] = set()
    for match in matches:
        finder = NameFinder(match)
        types.update(event.type for event in match.linkable)
        for comment in match.comments:
            parts = parts_of(comment.text, finder.mentions(comment.text))
            counts.update({word for part in parts for word in content_of(part)})
    return sorted(word for word, n in counts.items() if n >= min_count), sorted(types)
