"""Expectation-maximisation of the semi-Markov model, and its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Match
from touchline.methods.buckets import Window, buckets
from touchline.methods.prior_work.liang2009._kernels import best_records, expect
from touchline.methods.prior_work.liang2009.parameters import (
    SMOOTHING,
    Model,
    allowed_steps,
    number_records,
    uniform_model,
)
from touchline.methods.prior_work.symbols import numbered, sentences

# Types are chosen independently of each other until this round, as published.
BIGRAM_FROM = 10


class Observation(msgspec.Struct, frozen=True):
    """A comment and its bucket in the model's numbers.

    `bucket` are numbers of events. Where the corpus lists the candidates, a comment describes at
    most one of them (`single`), and all its words.
    """

    words: Ints
    bucket: Ints
    types: Ints
    values: Ints
    single: bool


class Found(msgspec.Struct, frozen=True):
    """What a comment describes: expected segments per event of its bucket, and the best path."""

    bucket: Ints
    segments: Floats
    described: set[int]
    path: Ints  # of each known word, the place in the bucket of the event that it is about, or -1


def learn(
    matches: Sequence[Match], arguments: Sequence[str], window: Window, rounds: int, min_count: int
) -> Model:
    model = uniform_model(matches, arguments, min_count)
    observed = [t for match in matches for t in observations(match, model, arguments, window)]
    for number in range(rounds):
        model = _maximised(model, observed, bigram=number >= BIGRAM_FROM)
    return model


def observations(
    match: Match, model: Model, arguments: Sequence[str], window: Window
) -> Iterator[Observation]:
    """The comments of a match with what each may describe; unknown words and types are left out."""
    records = number_records(match, model, arguments)
    said = numbered(sentences(match), model.words).rows()
    for words, bucket, comment in zip(said, buckets(match, window), match.comments, strict=True):
        known = bucket[records.types[bucket] >= 0]
        single = comment.candidates is not None
        yield Observation(words, known, records.types[known], records.values[known], single)


def find(observed: Iterable[Observation], model: Model) -> Iterator[Found]:
    """What each comment describes."""
    unused = _counts(model)
    for one in observed:
        if len(one.words) == 0 or len(one.bucket) == 0:
            nothing = np.full(len(one.words), -1)
            yield Found(one.bucket, np.zeros(len(one.bucket)), set(), nothing)
            continue
        arguments = (one.words, one.types, one.values, one.single, *_probabilities(model))
        segments, _ = expect(*arguments, *unused)
        path = best_records(*arguments)
        described = {int(one.bucket[r]) for r in path if r >= 0}
        yield Found(one.bucket, segments, described, path)


def _probabilities(model: Model) -> tuple[Floats, ...]:
    return (
        model.types, model.fields, model.own, model.null_words, model.value_words,
        model.none_words, model.generic,
    )  # fmt: skip


def _counts(model: Model) -> list[Floats]:
    """Empty counts for each probability; `own` counts both outcomes."""
    like = [np.zeros_like(array) for array in _probabilities(model)]
    like[2] = np.zeros((*model.own.shape, 2))
    return like


def _maximised(model: Model, observed: Iterable[Observation], bigram: bool) -> Model:
    """One round: expected counts under the model, then the model that they make likeliest."""
    counts = _counts(model)
    for one in observed:
        if len(one.words) and len(one.bucket):
            expect(
                one.words, one.types, one.values, one.single, *_probabilities(model), *counts
            )  # fmt: skip
    steps, chain, own, null_words, value_words, none_words, generic = counts
    if not bigram:
        steps = np.tile(steps.sum(axis=0), (len(steps), 1))
    allowed = allowed_steps([1 + len(f) for f in model.fields_of], model.own.shape[1])
    return msgspec.structs.replace(
        model,
        types=_smoothed(steps),
        fields=_smoothed(chain, allowed),
        own=_smoothed(own)[..., 1],
        null_words=_smoothed(null_words),
        value_words=_smoothed(value_words),
        none_words=_smoothed(none_words),
        generic=_smoothed(generic),
    )


def _smoothed(counts: Floats, allowed: np.ndarray | float = 1.0) -> Floats:
    """Shares of the last axis with additive smoothing, zero where nothing is allowed."""
    more = (counts + SMOOTHING) * allowed
    return np.asarray(more / np.maximum(more.sum(axis=-1, keepdims=True), SMOOTHING))
