"""Features of a comment with one event: what it says, by what happened; how `chains` judges it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.labelled.candidate_sets import CandidateSets
from touchline.methods.chains.labelled.features import Inferred, Numbering, Table, one_column

NAMED = " (named)"
# Numbers are scaled to about one, since all weights are drawn to 0 alike.
_GAIN, _SPREAD = 5.0, 0.5
# Seconds that a name, or a line, is heard after an event, in steps of so many, at most so many.
_STEP, _MAX_SECONDS = 2, 40
# Who of an event is named.
_PARTS = ("nobody named", "actor named", "other named", "both named")
_MIN_SHARE = 1e-6


def pair_words(known: Inferred, sets: CandidateSets, number: Numbering) -> Iterator[Table]:
    """The label of the event, and each word of the comment beside that label."""
    words, vocabulary = known.tables.comments.words, known.language.vocabulary
    said = (words >= 0).sum(axis=1)
    for labels, label in _labels(known, sets):
        pair = np.flatnonzero(label >= 0)
        yield Table(pair, _numbered(number, label[pair], labels), np.ones(len(pair)))
        count = said[sets.comment[pair]]
        row = np.repeat(pair, count)
        place = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        word = words[sets.comment[row], place]
        yield Table(row, _combined(number, label[row], labels, word, vocabulary), np.ones(len(row)))


def _labels(known: Inferred, sets: CandidateSets) -> Iterator[tuple[list[str], Ints]]:
    """Types, then kinds where they are finer, each with the player named or not; -1 for neither."""
    m, language = known.tables, known.language
    named = m.comments.mentioned[sets.comment, m.events.actor[sets.event]]
    kind = m.events.kind[sets.event]
    yield _named_or_not(language.types), 2 * m.events.type[sets.event] + named
    yield _named_or_not(language.kinds), np.where(_is_finer(language)[kind], 2 * kind + named, -1)


def _named_or_not(names: list[str]) -> list[str]:
    return [name + end for name in names for end in ("", NAMED)]


def _is_finer(language: Language) -> np.ndarray:
    types = set(language.types)
    return np.array([kind not in types for kind in language.kinds])


def _numbered(number: Numbering, label: Ints, labels: list[str]) -> Ints:
    some, column = np.unique(label, return_inverse=True)
    return number.every(labels[i] for i in some.tolist())[column]


def _combined(
    number: Numbering, label: Ints, labels: list[str], word: Ints, words: list[str]
) -> Ints:
    """The features "label: word", each name made only once."""
    width = max(len(words), 1)
    some, column = np.unique(label * width + word, return_inverse=True)
    names = (f"{labels[key // width]}: {words[key % width]}" for key in some.tolist())
    return number.every(names)[column]


def pair_numbers(known: Inferred, sets: CandidateSets, number: Numbering) -> Iterator[Table]:
    """What `chains` makes of the event: how probable, how surely, what its words say for it."""
    m = known.tables
    place = _Places(m, sets)
    voices = [place.marginals(voice.chains) for voice in known.voices]
    first, others = m.comments.mentions[sets.comment, 0], m.events.others[sets.event]
    for name, values in {
        "probability": place.marginals(known.agreed.chains),
        "spread": np.std(voices, axis=0) / _SPREAD,
        "word gain": place.of_singles(known.words) / _GAIN,
        "player named first": (first >= 0) & (m.events.actor[sets.event] == first),
        "other player named": m.comments.mentioned[sets.comment[:, None], others].any(axis=1),
    }.items():
        yield one_column(number(name), np.asarray(values, dtype=float))


def pair_speech(known: Inferred, sets: CandidateSets, number: Numbering) -> Iterator[Table]:
    """Who of the event is named, how long after it, and in which words.

    Only speech is timed to the second, and only in speech a name is often all that is said: "Oscar"
    is on the ball, "to Oscar" receives it.
    """
    m, rows = known.tables, np.arange(len(sets.event))
    actor, other = m.events.actor[sets.event], m.events.others[sets.event, 0]
    mentions, heard = m.comments.mentions[sets.comment], m.comments.heard[sets.comment]
    at, who = m.comments.time[sets.comment], np.zeros(len(rows), dtype=np.int64)
    for part, player in ((2, other), (1, actor)):  # where both are named, the actor counts
        named = (mentions == player[:, None]) & (player[:, None] >= 0)
        is_named = named.any(axis=1)
        place = named.argmax(axis=1)
        who, at = who + part * is_named, np.where(is_named, heard[rows, place], at)
        for beside in (m.comments.before, m.comments.after):
            context = beside[sets.comment[is_named], place[is_named]]
            labels = [f"{_PARTS[part]} {word}" for word in known.language.contexts]
            yield Table(rows[is_named], _numbered(number, context, labels), np.ones(is_named.sum()))
    types = [f"{name} ({part})" for name in known.language.types for part in _PARTS]
    of_type = m.events.type[sets.event] * len(_PARTS) + who
    yield Table(rows, _numbered(number, of_type, types), np.ones(len(rows)))
    lag = np.nan_to_num(at - m.events.time[sets.event])
    steps = (np.clip(lag, -_MAX_SECONDS, _MAX_SECONDS) // _STEP).astype(np.int64)
    seconds = range(-_MAX_SECONDS, _MAX_SECONDS + 1, _STEP)
    labels = [f"{part}, {second} s" for part in _PARTS for second in seconds]
    after = who * len(seconds) + steps + _MAX_SECONDS // _STEP
    yield Table(rows, _numbered(number, after, labels), np.ones(len(rows)))


class _Places:
    """Where the pairs of candidate sets stand among a match's candidates."""

    def __init__(self, m: MatchTables, sets: CandidateSets) -> None:
        self._m, width = m, max(len(m.events.time), 1)
        keys = m.candidates.comment * width + m.candidates.event
        order = np.argsort(keys, kind="stable")
        wanted = sets.comment * width + sets.event
        at = np.searchsorted(keys, wanted, sorter=order) % max(len(keys), 1)
        found = order[at] if len(order) else at
        # A neighbour just outside of the bucket is no candidate; the last place is for those.
        self._place = np.where(keys[found] == wanted, found, len(keys)) if len(keys) else found

    def marginals(self, shares: Floats) -> Floats:
        """The probability of each pair, given those of all hypotheses."""
        total = np.zeros(len(self._m.candidates.event) + 1)
        likely = np.flatnonzero(shares >= _MIN_SHARE)
        for column in self._m.hypotheses.candidates[likely].T:
            total += np.bincount(column % len(total), shares[likely], len(total))
        total[-1] = 0.0
        return np.asarray(total[self._place])

    def of_singles(self, values: Floats) -> Floats:
        """The value of each pair's own hypothesis, that of its event and no other."""
        total = np.zeros(len(self._m.candidates.event) + 1)
        single = np.flatnonzero(self._m.hypotheses.candidates[:, 1] < 0)
        total[self._m.hypotheses.candidates[single, 0]] = values[single]
        return np.asarray(total[self._place])
