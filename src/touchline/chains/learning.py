"""Learning by expectation-maximisation, from matches without labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from touchline.chains._kernels import count_all
from touchline.chains.hypotheses import LAG_BINS, Prepared
from touchline.chains.inference import Posterior, infer
from touchline.chains.language import Language
from touchline.chains.parameters import Counts, Parameters, start, type_array
from touchline.pairs.pairing import Floats, Ints

# Pseudo-counts and limits. They were set while looking at the dev matches (docs/scored-runs.md).
WORD_PRIOR = 10.0
STEP_PRIOR, STEP_NAMED = 10.0, 0.3
STEP_UNNAMED = 0.05
# Chains take in unmentioned neighbours freely at first, so that their words can be learned, and
# only on evidence later: otherwise what is always beside a told event counts as told.
GENEROUS_ROUNDS, STRICT_PRIOR = 4, 100.0
ORDER_FROM_ROUND = 2


def learn(
    prepared: Sequence[Prepared],
    language: Language,
    rounds: int,
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Parameters:
    """Parameters that explain the comments of some matches."""
    types = type_array(language)
    available = _available(prepared, len(language.kinds))
    frequency = _word_frequency(prepared, len(language.vocabulary))
    comments = max(sum(len(one.words) for one in prepared), 1)
    background = np.clip(frequency / comments, 1e-4, 0.9)
    unnamed = sum(int((one.mentions < 0).all(axis=1).sum()) for one in prepared) / comments
    parameters = start(language, available, background, _chance(prepared), unnamed)
    lags = _available_lags(prepared)
    for number in progress(range(rounds)):
        counts = Counts.zero(language)
        for one in prepared:
            posterior = infer(one, types, parameters, number >= ORDER_FROM_ROUND)
            _count(one, types, parameters, posterior, counts)
        mentions = sum(int((one.mentions >= 0).sum()) for one in prepared)
        parameters = _maximise(counts, parameters, number, available, lags, comments, mentions)
    return parameters


def _count(
    one: Prepared, types: Ints, parameters: Parameters, posterior: Posterior, counts: Counts
) -> None:
    share = posterior.chains
    count_all(
        one.kind, one.time, one.actor, one.other, one.words, one.mentions, one.chains, one.start,
        one.head, one.unexplained, one.first_named, types, parameters.extend, parameters.cause,
        parameters.background, share, counts.heads, counts.events, counts.steps,
        counts.neighbours, counts.caused, counts.by_itself, counts.named, counts.heads_named,
        counts.other_named, counts.heads_other,
    )  # fmt: skip
    for words, none in zip(one.words, posterior.none, strict=True):
        counts.by_itself[words[words >= 0]] += none
    mentioned = (one.mentions >= 0).sum(axis=1)
    with_mentions = np.repeat(mentioned > 0, np.diff(one.start))
    counts.lag += np.bincount(one.lag, weights=share, minlength=LAG_BINS)
    counts.order += posterior.order
    counts.unexplained += float(share @ one.unexplained + posterior.none @ mentioned)
    counts.first += float((share * one.first_named)[with_mentions].sum())
    counts.with_mentions += float(share[with_mentions].sum())
    counts.none += float(posterior.none.sum())


def _maximise(
    counts: Counts,
    before: Parameters,
    number: int,
    available: Floats,
    lags: Floats,
    comments: int,
    mentions: int,
) -> Parameters:
    prior = STEP_PRIOR if number < GENEROUS_ROUNDS else STRICT_PRIOR
    priors = np.array([prior, prior, STEP_PRIOR, STEP_PRIOR])[:, None, None]
    means = np.array([STEP_UNNAMED] * 2 + [STEP_NAMED] * 2)[:, None, None]
    chance = before.chance
    return Parameters(
        rate=(counts.heads + 0.5) / (available + 10),
        extend=np.clip((counts.steps + priors * means) / (counts.neighbours + priors), 1e-4, 0.95),
        cause=np.clip(counts.caused / (counts.events[:, None] + WORD_PRIOR), 1e-7, 0.95),
        background=np.clip(counts.by_itself / comments, 1e-5, 0.9),
        named=np.clip((counts.named + 7) / (counts.heads_named + 10), 0.02, 0.98),
        other_named=np.clip((counts.other_named + 20 * chance) / (counts.heads_other + 10),
                            0.005, 0.98),
        chance=chance,
        unexplained=float(np.clip((counts.unexplained + 1) / (mentions + 10), 0.02, 0.5)),
        first=float(np.clip((counts.first + 8) / (counts.with_mentions + 10), 0.5, 0.98)),
        lag=_lag_odds(counts.lag, lags),
        order=(counts.order + np.array([6, 2, 2])) / (counts.order.sum() + 10),
        none=float(np.clip((counts.none + 1) / (comments + 2), 0.01, 0.95)),
    )  # fmt: skip


def _lag_odds(told: Floats, available: Floats) -> Floats:
    """How much likelier each lag is among told heads than among all candidates, smoothed."""
    smooth = np.convolve(told + 0.5, np.ones(3) / 3, mode="same")
    ratio = (smooth / smooth.sum()) / (available / available.sum())
    return np.asarray(np.maximum(ratio, 1e-3))


def _single(one: Prepared) -> np.ndarray:
    """Hypotheses of one event: each candidate of each comment once."""
    return np.flatnonzero(one.chains[:, 1] < 0)


def _available(prepared: Sequence[Prepared], kinds: int) -> Floats:
    counts = np.zeros(kinds)
    for one in prepared:
        counts += np.bincount(one.kind[one.chains[_single(one), 0]], minlength=kinds)
    return counts


def _available_lags(prepared: Sequence[Prepared]) -> Floats:
    counts = np.ones(LAG_BINS)
    for one in prepared:
        counts += np.bincount(one.lag[_single(one)], minlength=LAG_BINS)
    return counts


def _word_frequency(prepared: Sequence[Prepared], words: int) -> Floats:
    counts = np.zeros(words)
    for one in prepared:
        counts += np.bincount(one.words[one.words >= 0], minlength=words)
    return counts


def _chance(prepared: Sequence[Prepared]) -> float:
    """How often the player of just any candidate is mentioned."""
    met = named = 0
    for one in prepared:
        single = _single(one)
        owner = np.searchsorted(one.start, single, side="right") - 1
        actor = one.actor[one.chains[single, 0]]
        met += len(single)
        named += int(((one.mentions[owner] == actor[:, None]) & (actor >= 0)[:, None]).any(1).sum())
    return float(np.clip(named / max(met, 1), 1e-3, 0.5))
