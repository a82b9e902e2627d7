"""`bordes2010`: label ranking under ambiguous supervision, after Bordes, Usunier and Weston.

A sentence and an event score by the weights of all pairs of the sentence's n-grams and the
event's symbols. Learning draws an event of the sentence's bucket and one from elsewhere and asks
for a margin between them. Known from the abstract and from later papers; where those are silent
this is the textbook's projected stochastic gradient with averaged weights, and the rule for "no
event" is our own (`docs/systems.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
import numpy as np

from touchline.core.arrays import Ints
from touchline.core.links import CommentLinks
from touchline.core.records import Match
from touchline.io.model_arrays import Stored
from touchline.methods.base import MinCount, Options, Rounds, Share, answer
from touchline.methods.learner import Learner
from touchline.methods.prior_work._kernels import rank_labels, score_labels
from touchline.methods.prior_work.candidates import Candidates, best_of_each, gather
from touchline.methods.prior_work.symbols import (
    Floats,
    Ragged,
    event_symbols,
    frequent,
    ngrams,
    numbered,
)

MAX_NGRAM = 3
# How many foreign buckets a sentence's own is compared with, to say whether it describes anything.
FOREIGN = 50
# How often a label outside of the bucket is drawn again when it turns out to be inside.
DRAWS = 20


class Bordes2010Options(Options, frozen=True, kw_only=True):
    """`epochs` over all pairs; `min_count` comments hold an n-gram.

    `silence`: a comment describes nothing when at least this share of other comments' buckets hold
    an event that fits it as well as the best of its own; None to always answer.
    """

    epochs: Rounds = 10
    min_count: MinCount = 2
    silence: Share | None = 0.5


class Weights(msgspec.Struct, frozen=True):
    """A weight for each n-gram and symbol."""

    grams: list[str]
    symbols: list[str]
    weights: Floats


class Bordes2010(Learner[Weights]):
    """Answers with the best event of the bucket or none; with the preset `always` never none."""

    name = "bordes2010"
    options_type = Bordes2010Options
    options: Bordes2010Options
    learned_type = Weights
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"always": {"silence": None}}

    def learn(self, matches: Sequence[Match]) -> Weights:
        candidates = gather(matches, self.options.bucket_window)
        spoken = [ngrams(said, MAX_NGRAM) for said in candidates.said]
        grams = frequent(spoken, self.options.min_count)
        symbols = frequent(map(event_symbols, candidates.events), 1)
        weights = np.zeros((len(grams), len(symbols)), dtype=np.float32)
        x, y = numbered(spoken, grams), candidates.symbols(symbols)
        chance = np.random.default_rng(self.options.seed)
        total = np.zeros_like(weights)
        for epoch in range(self.options.epochs):
            drawn = chance.permutation(len(candidates.event))
            sentence, inside = candidates.sentence[drawn], candidates.event[drawn]
            outside = _outside(candidates, sentence, chance)
            rank_labels(
                sentence, inside, outside, x.items, x.start, y.items, y.start, weights,
                1 + epoch * len(drawn),
            )  # fmt: skip
            total += weights / self.options.epochs
        return Weights(grams, symbols, total)

    def restored_tables(self, stored: Stored, plain: Mapping[str, Any]) -> dict[str, np.ndarray]:
        shape = len(plain["grams"]), len(plain["symbols"])
        return {"weights": stored.floats("weights", *shape, dtype=np.float32)}

    def answers(self, match: Match, learned: Weights) -> Iterator[CommentLinks]:
        candidates = gather([match], self.options.bucket_window)
        x = numbered((ngrams(said, MAX_NGRAM) for said in candidates.said), learned.grams)
        y = candidates.symbols(learned.symbols)
        scores = _scores(candidates.sentence, candidates.event, x, y, learned)
        best = best_of_each(candidates, scores)
        chance = np.random.default_rng(self.options.seed)
        for number, pairs in enumerate(candidates.by_comment()):
            comment, pair = match.comments[number], int(best[number])
            none, silence = float(pair < 0), self.options.silence
            if pair >= 0 and silence is not None:
                none = _as_good_elsewhere(
                    candidates, number, float(scores[pair]), x, y, learned, chance
                )
            silent = pair < 0 or (silence is not None and none >= silence)
            events = [match.linkable[e] for e in candidates.event[pairs]]
            share = (1 - none) * np.exp(np.minimum(scores[pairs] - scores[pairs].max(initial=0), 0))
            described = [match.linkable[candidates.event[pair]].id] if not silent else []
            yield answer(
                match, comment, list(zip(events, share.tolist(), strict=True)), described, none
            )


def _outside(candidates: Candidates, sentence: Ints, chance: np.random.Generator) -> Ints:
    """For each sentence an event whose meaning its bucket does not hold.

    Labels are meanings: another event of the same meaning as one of the bucket is not wrong. A
    sentence whose bucket holds all meanings keeps what was drawn last.
    """
    meaning = _meanings(candidates)
    pairs = zip(candidates.sentence.tolist(), meaning[candidates.event].tolist(), strict=True)
    held = np.array(sorted(place * len(meaning) + label for place, label in set(pairs)))
    drawn = chance.integers(len(candidates.events), size=len(sentence))
    for _ in range(DRAWS):
        inside = np.isin(sentence * len(meaning) + meaning[drawn], held)
        drawn[inside] = chance.integers(len(candidates.events), size=int(inside.sum()))
    return np.asarray(drawn)


def _meanings(candidates: Candidates) -> Ints:
    """The number of each event's meaning: events of the same symbols have the same."""
    symbols = [tuple(event_symbols(event)) for event in candidates.events]
    number = {own: i for i, own in enumerate(dict.fromkeys(symbols))}
    return np.array([number[own] for own in symbols], dtype=np.int64)


def _scores(sentence: Ints, event: Ints, x: Ragged, y: Ragged, learned: Weights) -> Floats:
    found: Floats = score_labels(
        sentence, event, x.items, x.start, y.items, y.start, learned.weights
    )
    return found


def _as_good_elsewhere(
    candidates: Candidates, number: int, best: float, x: Ragged, y: Ragged, learned: Weights,
    chance: np.random.Generator,
) -> float:  # fmt: skip
    """The share of other comments' buckets that hold an event which fits the sentence as well."""
    others = chance.integers(len(candidates.said), size=FOREIGN)
    first, last = candidates.start[others], candidates.start[others + 1]
    events = np.concatenate([candidates.event[a:b] for a, b in zip(first, last, strict=True)])
    bucket = np.repeat(np.arange(FOREIGN), last - first)
    fits = _scores(np.full(len(events), number), events, x, y, learned) >= best
    return len(set(bucket[fits].tolist())) / FOREIGN
