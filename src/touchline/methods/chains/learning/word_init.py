"""A first guess at which events bring which words, from contrast.

Before words are used, names and times already say roughly where a comment belongs. A word that is
there when a clearance is near, and is not when none is, belongs to clearances, whether the comment
begins with a corner, a free kick or a cross. Each word starts with the causes with which it goes
along best. Without this the head of a chain takes every word of the comment for its own, and what
follows it, the clearance, the block, the save, has no words left.

A feed's own labels are words as well: "block" is what the log calls a Block. Such a word starts
with the records that are named so, and with no others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.language import Language, content_words
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference.posterior import Posterior
from touchline.methods.chains.learning.e_step import count_near
from touchline.methods.chains.model.m_step import SILENT
from touchline.methods.chains.model.sufficient_stats import add_at

# A cause must be so many standard deviations above chance to be one at all.
MIN_DEVIATION = 1.0
# How much a label's own word is favoured, in the same measure.
LABEL_BONUS, LABEL_CAUSE = 10.0, 0.2
# What an unnamed player did must go along with a word twice as well as what a named one did; so
# must an argument, which many kinds of events share.
UNNAMED = ARGUMENT = 0.5
FAINT = 1e-4
_MIN_STEM = 4


class Near(NamedTuple):
    """What one match shows: causes near what its comments describe, and its own words beside them.

    `both` has a column for each of `words`, `used` says how many comments hold them.
    """

    words: Ints
    used: Floats
    near: Floats
    both: Floats
    comments: float


def near_of(prepared: MatchTables, posterior: Posterior, language: Language) -> Near:
    """Count a match whose comments describe, as far as is known, what `posterior` says."""
    near = np.zeros(len(language.causes()))
    both = np.zeros((len(near), len(language.vocabulary)))
    count_near(prepared, posterior.chains, near, both)
    words, columns = prepared.word_blocks.vocabulary
    used = np.zeros(len(words) + 1)
    add_at(used, columns, prepared.comments.weight[:, None])
    return Near(words, used[:-1], near, both[:, words], float(prepared.comments.weight.sum()))


class Contrast:
    """How often causes are near what comments describe, and words beside them."""

    def __init__(self, language: Language, labels: bool = True) -> None:
        causes, words = len(language.causes()), len(language.vocabulary)
        self._near = np.zeros(causes)
        self._both = np.zeros((causes, words))
        self._words = np.zeros(words)
        self._comments = 0.0
        self._labels = _labels(language) if labels else np.zeros((causes, words), dtype=bool)
        types = language.type_numbers()
        sizes = [len(types), len(language.arguments), len(language.types)]
        self._type = np.array([*types, *[0] * sizes[1], *range(sizes[2])])
        self._trust = np.repeat([1.0, ARGUMENT, UNNAMED], sizes)[:, None]

    def join(self, one: Near) -> None:
        """Add what a match shows."""
        self._near += one.near
        self._both[:, one.words] += one.both
        self._words[one.words] += one.used
        self._comments += one.comments

    def causes(self) -> Floats:
        """How often each cause may bring each word, for a start."""
        near, rest = self._near[:, None], self._comments - self._near[:, None]
        beside = self._both / (near + 1)
        elsewhere = (self._words - self._both) / (rest + 1)
        often = np.clip(self._words / max(self._comments, 1), 1e-6, 1 - 1e-6)
        spread = np.sqrt(near * np.maximum(rest, 0) / max(self._comments, 1))
        deviation = (beside - elsewhere) * spread / np.sqrt(often * (1 - often))
        labels = self._labels & (deviation > MIN_DEVIATION)
        strength = np.where(deviation > MIN_DEVIATION, deviation, 0) + LABEL_BONUS * labels
        strength *= self._trust
        best = np.maximum(strength.max(axis=0, initial=0), 1e-9)
        gain = np.maximum(beside - elsewhere, LABEL_CAUSE * labels)
        start = np.clip(gain * (strength / best) ** 2, FAINT, 0.9)
        return np.where(self._foreign(labels), SILENT, start)

    def _foreign(self, labels: np.ndarray) -> np.ndarray:
        """Words that are the label of another type."""
        of_type = np.zeros((self._type.max() + 1, labels.shape[1]), dtype=bool)
        np.logical_or.at(of_type, self._type, labels)
        return np.asarray(labels.any(axis=0) & ~of_type[self._type])


def _labels(language: Language) -> np.ndarray:
    """Which words are the log's own word for a type: its name, or a part of it.

    A part that is by itself a value of some argument ("Goal" of "Goal Keeper") says nothing.
    """
    found = np.zeros((len(language.causes()), len(language.vocabulary)), dtype=bool)
    values = {
        " ".join(content_words(part.partition("=")[2]))
        for kind in language.kinds
        for part in kind.split("|")[1:]
    }
    for i, kind in enumerate(language.causes()):
        if "|" not in kind and "=" not in kind:
            parts = set(content_words(kind))
            whole = set(content_words(kind.replace(" ", "")))
            taken = set() if len(parts) == 1 else values
            for j, word in enumerate(language.vocabulary):
                found[i, j] = word not in taken and any(_same(word, p) for p in parts | whole)
    return found


def _same(word: str, other: str) -> bool:
    """Whether two stems are forms of one word: `clear` and `clearanc`."""
    if min(len(word), len(other)) < _MIN_STEM:
        return word == other
    return word.startswith(other) or other.startswith(word)
