"""Learning by expectation-maximisation, from matches without labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from touchline.chains.contrast import Contrast
from touchline.chains.counting import Counts
from touchline.chains.expecting import count_available, count_told
from touchline.chains.hypotheses import Prepared
from touchline.chains.inference import Posterior, infer
from touchline.chains.language import Language
from touchline.chains.parameters import (
    SILENT,
    STEP_NAMED,
    Parameters,
    maximise,
    start,
    word_frequency,
)
from touchline.chains.parts import WHOLE, Parts
from touchline.pairs.pairing import Floats

# Names and times come first, from the third round on also the order of comments, then words.
WORDLESS_ROUNDS = 4
ORDER_FROM_ROUND = 2
# Of what there is of a word, so much may come by itself when its causes are first guessed.
BY_ITSELF = 0.3
# How many comments the lags of other matches weigh beside a match's own.
CLOCK_PRIOR = 20.0

Progress = Callable[[Iterable[int]], Iterable[int]]


def learn(
    prepared: Sequence[Prepared],
    language: Language,
    rounds: int,
    parts: Parts = WHOLE,
    progress: Progress = iter,
) -> Counts:
    """The counts that explain the comments of some matches best; parameters follow from them."""
    available = counts = _available(prepared, language)
    parameters = start(available, _unnamed(prepared))
    for number in progress(range(rounds)):
        parameters = parts.neutral(parameters)
        posteriors = [infer(one, parameters, number >= ORDER_FROM_ROUND) for one in prepared]
        counts = available
        for one, posterior in zip(prepared, posteriors, strict=True):
            counts = counts.plus(_told(one, parameters, posterior, language))
        parameters = maximise(counts, language)
        if number + 1 < WORDLESS_ROUNDS:
            parameters = _wordless(parameters, available)
        elif number + 1 == WORDLESS_ROUNDS:
            cause = _first_causes(prepared, posteriors, language, parts)
            parameters = _with_words(parameters, available, cause)
    return counts


def adapt(
    one: Prepared, language: Language, learned: Counts, rounds: int, parts: Parts = WHOLE
) -> Parameters:
    """Parameters for a match: what was learned elsewhere, and what the match itself shows."""
    parameters = parts.neutral(maximise(learned, language))
    known = _but_for_its_clock(learned).plus(_available([one], language))
    for _ in range(rounds):
        own = _told(one, parameters, infer(one, parameters), language)
        parameters = parts.neutral(maximise(known.plus(own), language))
    return parameters


def _but_for_its_clock(learned: Counts) -> Counts:
    """What was learned, with lags that weigh little: each match has a clock of its own."""
    less = min(1.0, CLOCK_PRIOR / max(float(learned.lag.sum()), 1e-9))
    return learned._replace(lag=less * learned.lag, lag_available=less * learned.lag_available)


def _told(
    one: Prepared, parameters: Parameters, posterior: Posterior, language: Language
) -> Counts:
    """What a match is expected to tell."""
    counts = Counts.zero(language)
    count_told(one, parameters, posterior.chains, posterior.none, counts)
    return counts._replace(order=posterior.order, drifted=posterior.drifted)


def _wordless(parameters: Parameters, available: Counts) -> Parameters:
    """Words say nothing yet."""
    silent = np.full_like(parameters.cause, SILENT)
    return parameters._replace(cause=silent, background=word_frequency(available))


def _first_causes(
    prepared: Sequence[Prepared],
    posteriors: Sequence[Posterior],
    language: Language,
    parts: Parts,
) -> Floats:
    """Each word with the causes it goes along with best; without contrast, with all alike."""
    seen = Contrast(language, labels=parts.labels)
    for one, posterior in zip(prepared, posteriors, strict=True):
        seen.add(one, posterior)
    guess = seen.causes()
    return guess if parts.contrast else np.full_like(guess, guess.mean())


def _with_words(parameters: Parameters, available: Counts, cause: Floats) -> Parameters:
    """Words begin; chains may grow freely until the words of their further events are learned."""
    return parameters._replace(
        cause=cause,
        background=BY_ITSELF * word_frequency(available),
        extend=np.full_like(parameters.extend, STEP_NAMED),
    )


def _available(prepared: Sequence[Prepared], language: Language) -> Counts:
    counts = Counts.zero(language)
    for one in prepared:
        count_available(one, counts)
    return counts


def _unnamed(prepared: Sequence[Prepared]) -> float:
    """The share of comments that name nobody."""
    comments = sum(len(one.mentions) for one in prepared)
    return sum(int((one.mentions[:, 0] < 0).sum()) for one in prepared) / max(comments, 1)
