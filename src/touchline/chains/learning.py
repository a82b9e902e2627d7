"""Learning by expectation-maximisation, from matches without labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from touchline.chains._kernels import count_available, count_told
from touchline.chains.contrast import Contrast
from touchline.chains.counting import Counts
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

# Names and times come first, then words, then the order of comments.
WORDLESS_ROUNDS = 3
ORDER_FROM_ROUND = 2
# Of what there is of a word, so much may come by itself when its causes are first guessed.
BY_ITSELF = 0.3

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
    parameters = parts.neutral(start(available, _unnamed(prepared)))
    for number in progress(range(rounds)):
        beginning = number == WORDLESS_ROUNDS - 1
        seen = Contrast(language, labels=parts.labels)
        counts = available
        for one in prepared:
            posterior = infer(one, parameters, ordered=number >= ORDER_FROM_ROUND)
            counts = counts.plus(_told(one, parameters, posterior, language))
            if beginning:
                seen.add(one, posterior)
        parameters = maximise(counts, language)
        if number < WORDLESS_ROUNDS:
            often = word_frequency(available)
            cause = _first_causes(seen, often, parts) if beginning else SILENT
            parameters = _with_words(parameters, cause, often)
        parameters = parts.neutral(parameters)
    return counts


def adapt(
    one: Prepared, language: Language, learned: Counts, rounds: int, parts: Parts = WHOLE
) -> Parameters:
    """Parameters for a match: what was learned elsewhere, and what the match itself shows."""
    parameters = parts.neutral(maximise(learned, language))
    known = learned.plus(_available([one], language))
    for _ in range(rounds):
        own = _told(one, parameters, infer(one, parameters), language)
        parameters = parts.neutral(maximise(known.plus(own), language))
    return parameters


def _told(
    one: Prepared, parameters: Parameters, posterior: Posterior, language: Language
) -> Counts:
    """What a match is expected to tell."""
    counts = Counts.zero(language)
    count_told(one, parameters, posterior.chains, posterior.none, counts)
    return counts._replace(order=posterior.order, drifted=posterior.drifted)


def _first_causes(seen: Contrast, often: np.ndarray, parts: Parts) -> np.ndarray:
    guess = seen.causes()
    return guess if parts.contrast else np.broadcast_to(BY_ITSELF * often, guess.shape)


def _with_words(parameters: Parameters, cause: np.ndarray | float, often: np.ndarray) -> Parameters:
    """Words take part with these causes; chains may grow freely until their words are learned."""
    return parameters._replace(
        cause=np.zeros_like(parameters.cause) + cause,
        background=often if np.isscalar(cause) else BY_ITSELF * often,
        extend=parameters.extend
        if np.isscalar(cause)
        else np.full_like(parameters.extend, STEP_NAMED),
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
