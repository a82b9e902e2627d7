"""Learning by expectation-maximisation, from matches without labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference.posterior import Posterior, infer
from touchline.methods.chains.learning.e_step import count_available, count_described
from touchline.methods.chains.learning.word_init import Contrast, Near, near_of
from touchline.methods.chains.model.ablation import WHOLE, Parts
from touchline.methods.chains.model.m_step import (
    STEP_NAMED,
    Parameters,
    maximise,
    silence,
    start,
    word_frequency,
)
from touchline.methods.chains.model.sufficient_stats import Counts, Part
from touchline.methods.chains.model.word_likelihood import wordings

# Names and times come first, from the third round on also the order of comments, then words.
WORDLESS_ROUNDS = 4
ORDER_FROM_ROUND = 2
# Of what there is of a word, so much may come by itself when its causes are first guessed.
BY_ITSELF = 0.3
# How many comments the lags of other matches weigh beside a match's own.
CLOCK_PRIOR = 20.0

# A question that is put to every match, given what is known so far.
R = TypeVar("R")
Question = Callable[[Any, MatchTables], R]
Ask = Callable[[Question[R], Any], Iterator[R]]


class Learning(NamedTuple):
    """How far learning has come: rounds done, what is available, what was described, parameters."""

    rounds: int
    available: Counts
    counts: Counts
    parameters: Parameters


class Round(NamedTuple):
    """What a match is asked in a round; `contrast` asks also which causes words go along with."""

    parameters: Parameters
    language: Language
    ordered: bool
    contrast: bool


def learn(
    prepared: Sequence[MatchTables], language: Language, rounds: int, parts: Parts = WHOLE
) -> Counts:
    """The counts that explain the comments of some matches best; parameters follow from them."""

    def ask(question: Question[R], given: Any) -> Iterator[R]:
        return (question(given, one) for one in prepared)

    now = begin(ask, language)
    while now.rounds < rounds:
        now = one_round(ask, now, language, parts)
    return now.counts


def begin(ask: Ask[Any], language: Language) -> Learning:
    """Before the first round: what there is to describe."""
    available, comments, unnamed = Counts.zero(language), 0, 0
    for own, said, nameless in ask(_first_look, language):
        available.add(own)
        comments, unnamed = comments + said, unnamed + nameless
    parameters = start(available, unnamed / max(comments, 1))
    return Learning(0, available, available, parameters)


def go_on(ask: Ask[Any], language: Language, counts: Counts) -> Learning:
    """After the last round that gave these counts."""
    available = begin(ask, language).available
    return Learning(WORDLESS_ROUNDS, available, counts, maximise(counts, language))


def one_round(ask: Ask[Any], now: Learning, language: Language, parts: Parts) -> Learning:
    """Ask every match what it describes, and learn from that."""
    available, done = now.available, now.rounds + 1
    parameters = parts.neutral(now.parameters)
    first_words = done == WORDLESS_ROUNDS
    asked = Round(parameters, language, now.rounds >= ORDER_FROM_ROUND, first_words)
    counts = available.copy()
    seen = Contrast(language, labels=parts.labels) if first_words else None
    for described, near in ask(_answer, asked):
        counts.add(described)
        if seen:
            seen.join(near)
    parameters = maximise(counts, language)
    if done < WORDLESS_ROUNDS:
        parameters = _wordless(parameters, available)
    elif seen:
        parameters = _with_words(parameters, available, _first_causes(seen, parts))
    return Learning(done, available, counts, parameters)


def _first_look(language: Language, one: MatchTables) -> tuple[Part, int, int]:
    """What there is in a match, how many comments, and how many of them that name nobody."""
    counts = _available(one, language)
    first = one.comments.mentions[:, 0]
    return counts.part(one.comments.words), len(first), int((first < 0).sum())


def _answer(asked: Round, one: MatchTables) -> tuple[Part, Near | None]:
    """What the comments of a match are expected to describe."""
    described, posterior = _described(one, asked.parameters, asked.language, asked.ordered)
    near = near_of(one, posterior, asked.language) if asked.contrast else None
    return described.part(one.comments.words), near


def adapt(
    one: MatchTables,
    language: Language,
    learned: Counts,
    parameters: Parameters,
    rounds: int,
    parts: Parts = WHOLE,
) -> Parameters:
    """Parameters for a match: what was learned elsewhere, and what the match itself shows.

    Those that it starts with follow from the counts.
    """
    known = _but_for_its_clock(learned).plus(_available(one, language))
    for _ in range(rounds):
        own, _ = _described(one, parameters, language)
        parameters = parts.neutral(maximise(known.plus(own), language))
    return parameters


def _but_for_its_clock(learned: Counts) -> Counts:
    """What was learned, with lags that weigh little: each match has a clock of its own."""
    less = min(1.0, CLOCK_PRIOR / max(float(learned.lag.sum()), 1e-9))
    return learned._replace(lag=less * learned.lag, lag_available=less * learned.lag_available)


def _described(
    one: MatchTables, parameters: Parameters, language: Language, ordered: bool = True
) -> tuple[Counts, Posterior]:
    """What comments are expected to describe, and how probable each hypothesis is."""
    worded = wordings(one, parameters)
    posterior = infer(one, parameters, ordered, worded)
    counts = Counts.zero(language)
    count_described(one, parameters, posterior.chains, posterior.none, counts, worded)
    return counts._replace(order=posterior.order, drifted=posterior.drifted), posterior


def _available(one: MatchTables, language: Language) -> Counts:
    """What there is in a match."""
    counts = Counts.zero(language)
    count_available(one, counts)
    return counts


def _wordless(parameters: Parameters, available: Counts) -> Parameters:
    """Words say nothing yet."""
    silent = parameters.with_causes(silence(parameters.cause))
    return silent._replace(background=word_frequency(available))


def _first_causes(seen: Contrast, parts: Parts) -> Floats:
    """Each word with the causes it goes along with best; without contrast, with all alike."""
    guess = seen.causes()
    return guess if parts.contrast else np.full_like(guess, guess.mean())


def _with_words(parameters: Parameters, available: Counts, cause: Floats) -> Parameters:
    """Words begin; chains may grow freely until the words of their further events are learned."""
    return parameters.with_causes(cause)._replace(
        background=BY_ITSELF * word_frequency(available),
        extend=np.full_like(parameters.extend, STEP_NAMED),
    )
