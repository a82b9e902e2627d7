"""Models of a part of the matches, kept in a folder if there is one: they take long to learn."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.records import Match
from touchline.io.model_file import read_model, write_model
from touchline.io.storage import AnyPath
from touchline.methods.chains.inference.ensemble import Learned
from touchline.methods.chains.learning.clamping import Clamps
from touchline.methods.chains.model.seen import is_seen
from touchline.methods.chains.model.serialization import (
    pack_learned,
    unpack_learned,
    unpack_survey,
)
from touchline.methods.match_store import Arrays, MatchStore, Part

Learn = Callable[[MatchStore], Learned]
# Goes on learning with some comments clamped to their labels.
LearnClamped = Callable[[MatchStore, Learned, Clamps], Learned]


class PartModels:
    """Models of matches without some of them.

    `about` is all that a model depends on beside the matches.
    """

    def __init__(
        self,
        store: MatchStore,
        learn: Learn,
        about: Any,
        kept_in: AnyPath | None,
        learn_clamped: LearnClamped | None = None,
    ) -> None:
        self._store, self._learn, self._about, self._kept_in = store, learn, about, kept_in
        self._learn_clamped = learn_clamped
        found = list(store.map(_look, None))
        self._sketches = [sketch for sketch, _ in found]
        self._digests = [digest for _, digest in found]

    def whole(self) -> Learned:
        """Learned from all matches."""
        return self._kept(range(len(self._store)), self._learn, self._store)

    def without(self, matches: Sequence[Match]) -> Learned | None:
        """Learned from all matches but these, and any whose text is the same; None if none is."""
        numbers = self._all_but(matches)
        return self._kept(numbers, self._learn, Part(self._store, numbers)) if numbers else None

    def clamped(self, learned: Learned, matches: Sequence[Match], clamps: Clamps) -> Learned:
        """What was learned from all matches but these, after some rounds with labels."""
        numbers, learn = self._all_but(matches), self._learn_clamped
        if learn is None:
            raise TypeError("these models are not learned with labels")
        plain = sorted(
            [mark, sorted([comment, sorted(events)] for comment, events in own.items())]
            for mark, own in clamps.items()
        )

        def more(store: MatchStore) -> Learned:
            return learn(store, learned, clamps)

        return self._kept(numbers, more, Part(self._store, numbers), plain)

    def _all_but(self, matches: Sequence[Match]) -> list[int]:
        """The numbers of the matches whose text is none of these."""
        return [
            number
            for number, sketch in enumerate(self._sketches)
            if not any(is_seen(match, [sketch]) for match in matches)
        ]

    def _kept(self, numbers: Sequence[int], learn: Learn, store: MatchStore, *more: Any) -> Learned:
        if self._kept_in is None:
            return learn(store)
        about = [self._about, [self._digests[number] for number in numbers], *more]
        key = hashlib.sha256(msgspec.json.encode(about)).hexdigest()
        path = self._kept_in / f"part-{key[:32]}.npz"
        return _load(path) or _saved(learn(store), path)


def _look(_: None, match: Arrays) -> tuple[list[int], str]:
    """A sketch of a condensed match's text, and a digest of all of it."""
    digest = hashlib.sha256()
    for name in sorted(match):
        digest.update(name.encode() + str(match[name].dtype).encode() + match[name].tobytes())
    return unpack_survey(match).seen[0], digest.hexdigest()


def _load(path: AnyPath) -> Learned | None:
    try:
        return unpack_learned(read_model(path).arrays)
    except (TouchlineError, ValueError, KeyError):
        return None  # there is none, or it is damaged: learned anew


def _saved(learned: Learned, path: AnyPath) -> Learned:
    """The same, once it is stored: as exact as what is loaded the next time."""
    arrays = pack_learned(learned)
    with contextlib.suppress(OSError, TouchlineError):  # it is only quicker with it
        write_model(path, "chains", {}, arrays)
    return unpack_learned(arrays) or learned
