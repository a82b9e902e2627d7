"""The models that come with touchline, and which matches they are for.

Each was learned from one kind of English commentary (docs/model.md). They hold counts, stems and
labels of the feed: no names, no numbers, no phrases.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from touchline.core.records import Match
from touchline.io.files import MAX_BYTES, read_bytes
from touchline.io.model_file import read_model
from touchline.io.npz import arrays_of
from touchline.methods.chains.data.language import Language, content_words, pace_of, stem
from touchline.methods.chains.inference.ensemble import Learned
from touchline.methods.chains.model.serialization import (
    FREQUENCY,
    unpack_frequency,
    unpack_learned,
)
from touchline.methods.pairs.features import name_words
from touchline.text.speech import is_spoken

FOLDER = Path(__file__).parent
KINDS = ("live-text", "speech-radio", "speech-tv", "templated")
PATHS = tuple(FOLDER / f"{kind}.npz" for kind in KINDS)
# A match of whose events or words less is known is better learned from by itself: another language,
# a feed with other types.
MIN_KNOWN = 0.7
# So many words of the mean of all models are added to each model's own when they are compared.
# Otherwise the smallest vocabulary would win, since in it each word is the most probable.
POOLED = 1000.0


# A model is not for comments that come so many times as fast, or as slowly, as those that it was
# learned from: live text has about one a minute, speech has ten and more, of which most describe
# nothing.
OTHER_PACE = 4.0


class Choice(NamedTuple):
    """The bundled model that a match's commentary is most like, and how much of it that knows."""

    kind: str
    words: float
    events: float

    @property
    def fits(self) -> bool:
        return min(self.words, self.events) >= MIN_KNOWN


class _Frequency(NamedTuple):
    """The language of a model, how often each of its words occurs, and its comments' pace."""

    language: Language
    often: dict[str, float]
    pace: float

    @property
    def total(self) -> float:
        return sum(self.often.values())

    def shares(self) -> dict[str, float]:
        total = self.total  # a sum over all words, so not for each of them
        return {word: n / total for word, n in self.often.items()}


def choose(match: Match) -> Choice | None:
    """The bundled model to answer a match with, if one fits; None while they are being made."""
    pace = pace_of(match)
    every = {kind: words for kind in KINDS if (words := _frequency(kind))}
    known = {kind: one for kind, one in every.items() if _same_pace(pace, one.pace)} or every
    if is_spoken(match.comments):  # recognisers cut lines as they like: a minute's may be one line
        known = {kind: one for kind, one in every.items() if kind.startswith("speech")} or known
    if not known:
        return None
    likely = _likelihoods(match, known)
    best = max(known, key=lambda kind: likely[kind])
    language = known[best].language
    return Choice(best, _words_known(language, match), _events_known(language, match))


@cache
def bundled_model(kind: str = KINDS[0]) -> Learned | None:
    """What a bundled model has learned; None while it is being made."""
    path = FOLDER / f"{kind}.npz"
    return unpack_learned(read_model(path).arrays) if path.exists() else None


def fits(language: Language, match: Match) -> bool:
    """Whether a model knows enough of a match's events and words."""
    return min(_events_known(language, match), _words_known(language, match)) >= MIN_KNOWN


@cache
def _frequency(kind: str) -> _Frequency | None:
    """Only what the choice needs: the rest of a model takes many times as long to unpack."""
    path = FOLDER / f"{kind}.npz"
    if not path.exists():
        return None
    arrays = arrays_of(read_bytes(path), MAX_BYTES, FREQUENCY)
    language, often, pace = unpack_frequency(arrays)
    return _Frequency(language, dict(zip(language.vocabulary, often.tolist(), strict=True)), pace)


def _same_pace(one: float, other: float) -> bool:
    """Whether two paces are about the same, as far as both are known."""
    return not (one and other) or 1 / OTHER_PACE <= one / other <= OTHER_PACE


def _likelihoods(match: Match, known: dict[str, _Frequency]) -> dict[str, float]:
    """How probable the words of a commentary are by each model, as logarithms.

    Each model's words are smoothed with the mean of all models; words that none knows say nothing.
    """
    shares = [one.shares() for one in known.values()]
    every = {word for share in shares for word in share}
    said = Counter(w for c in match.comments for w in content_words(c.text) if w in every)
    words, times = list(said), np.array(list(said.values()), dtype=float)
    pool = np.mean([[share.get(word, 0.0) for word in words] for share in shares], axis=0)
    return {
        kind: float(times @ np.log((_counts(one, words) + POOLED * pool) / (one.total + POOLED)))
        for kind, one in known.items()
    }


def _counts(one: _Frequency, words: list[str]) -> np.ndarray:
    return np.array([one.often.get(word, 0.0) for word in words])


def _events_known(language: Language, match: Match) -> float:
    """The share of a log's events whose type a model knows."""
    types = set(language.types)
    return _share([event.type in types for event in match.linkable])


def _words_known(language: Language, match: Match) -> float:
    """The share of a commentary's words that a model knows; it never knows names or numbers."""
    vocabulary = set(language.vocabulary)
    names = {form for name in name_words([match]) for form in (name, stem(name))}
    said = (word for comment in match.comments for word in content_words(comment.text))
    return _share([w in vocabulary for w in said if w not in names and not w.isdigit()])


def _share(known: list[bool]) -> float:
    return sum(known) / len(known) if known else 1.0
