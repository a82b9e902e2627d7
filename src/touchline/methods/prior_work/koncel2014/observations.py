"""Comments in parts, and the events that each part may describe, as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Event, Match
from touchline.methods.buckets import Window, buckets
from touchline.text.names import NameFinder
from touchline.text.parts import Part, parts_of
from touchline.text.tokens import FUNCTION_WORDS

# Who a name in a part is to an event; the last is for parts without a name.
ACTOR, OTHER, STRANGER, UNNAMED = range(4)
ROLES = 4
# From part to part: the same event goes on; a later or an earlier one of the same stretch of play;
# any other; to or from "no event".
STAY, ONWARDS, BACK, JUMP, SILENT = range(5)
STEPS = 5
# Seconds within which events belong to one stretch of play.
STRETCH = 10.0


class Observation(NamedTuple):
    """A comment: its parts, their words as rows of part and word, the events of its bucket.

    `roles[i, e]` is who the name of part i is to event e, `step[a, b]` the step from event a to
    event b, `players` how many there are in the match.
    """

    parts: list[Part]
    words: Ints
    bucket: Ints
    types: Ints
    roles: Ints
    step: Ints
    players: int


class Reader:
    """The comments of a match, for given words and types."""

    def __init__(self, match: Match, words: Sequence[str], types: Sequence[str]) -> None:
        self._match, self._finder = match, NameFinder(match)
        self._words = {word: i for i, word in enumerate(words)}
        known = {name: i for i, name in enumerate(types)}
        self._types = np.array([known.get(e.type, -1) for e in match.linkable], dtype=np.int64)

    def every(self, window: Window) -> Iterator[Observation]:
        for number, bucket in enumerate(buckets(self._match, window)):
            yield self.one(number, bucket)

    def one(self, comment: int, bucket: Ints) -> Observation:
        text = self._match.comments[comment].text
        parts = parts_of(text, self._finder.mentions(text))
        bucket = bucket[self._types[bucket] >= 0]
        events = [self._match.linkable[e] for e in bucket]
        rows = [
            (i, self._words[word])
            for i, part in enumerate(parts)
            for word in content_of(part)
            if word in self._words
        ]
        return Observation(
            parts,
            np.array(rows, dtype=np.int64).reshape(len(rows), 2),
            bucket,
            self._types[bucket],
            _roles(parts, events),
            _steps(events),
            max(len(self._match.players), 1),
        )


def content_of(part: Part) -> list[str]:
    """The words of a part without those of grammar."""
    return [word for word in part.words if len(word) > 1 and word not in FUNCTION_WORDS]


def _roles(parts: Sequence[Part], events: Sequence[Event]) -> Ints:
    found = np.full((len(parts), len(events)), UNNAMED, dtype=np.int64)
    for i, part in enumerate(parts):
        if part.players:
            found[i] = [_role(part, event) for event in events]
    return found


def _role(part: Part, event: Event) -> int:
    if event.player is not None and event.player.id in part.players:
        return ACTOR
    others = (other.player.id for other in event.others)
    return OTHER if any(who in part.players for who in others) else STRANGER


def _steps(events: Sequence[Event]) -> Ints:
    time: Floats = np.array([event.time for event in events], dtype=float)
    period = np.array([event.period for event in events], dtype=np.int64)
    gone = time[None, :] - time[:, None]
    near = (np.abs(gone) <= STRETCH) & (period[None, :] == period[:, None])
    later = np.arange(len(events))[None, :] > np.arange(len(events))[:, None]
    step = np.where(near, np.where(later, ONWARDS, BACK), JUMP)
    np.fill_diagonal(step, STAY)
    return np.asarray(step)
