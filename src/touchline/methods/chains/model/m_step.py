"""The model's parameters, as shares of what was counted; docs/model.md has the formulas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.model.sufficient_stats import (
    ACTOR_LAG,
    CANDIDATES,
    COMMENTS,
    DESCRIBED_WITH_NAMES,
    DRIFT_BIN,
    DRIFT_BINS,
    LAG_EDGES,
    LEADS,
    MENTIONS,
    NAMED_CANDIDATES,
    NONE,
    RECEIVER_LAG,
    STEPS_SHAPE,
    STRANGERS,
    TALK,
    UNNAMED_LAG,
    Counts,
    sums,
)

# Pseudo-counts: how many comments' worth of evidence a parameter's usual value weighs. Chosen with
# the dev matches in view (docs/scored-runs.md).
WORD_PRIOR, WORD_DISCOUNT = 10.0, 0.5
STEP_PRIOR, STEP_NAMED, STEP_UNNAMED = 10.0, 0.3, 0.05
STEP_KIND_PRIOR = 10.0
CONTEXT_PRIOR, DRIFT_PRIOR, LAG_PRIOR = 20.0, 2.0, 5.0
STATE_PRIOR = 20.0
SOON_PRIOR = 20.0
# Lags of a role are drawn to those of all other players. Where less than this share of the usual
# candidates is available, lags count as if that many were.
LAG_ROLE_PRIOR, MIN_AVAILABLE = 20.0, 0.1
# Who of two players is named, before anything is known: nobody, the actor, the other, both.
NAMING_PRIOR, NAMING_START = 10.0, np.array([0.2, 0.4, 0.2, 0.2])
ORDER_PRIOR = np.array([6.0, 2.0, 2.0])
SILENT = 1e-7
# How wide each bin of lags is, and which bin of drifts its middle lies in.
_LAG_WIDTH = np.diff(LAG_EDGES, prepend=LAG_EDGES[0] - 5.0, append=LAG_EDGES[-1] + 5.0)
_LAG_MIDDLE = np.concatenate([LAG_EDGES[:1], (LAG_EDGES[1:] + LAG_EDGES[:-1]) / 2, LAG_EDGES[-1:]])
_EVEN_BIN = ((_LAG_MIDDLE - LAG_EDGES[0]) // DRIFT_BIN).astype(np.int64)


class Parameters(NamedTuple):
    """All that is learned.

    `rate[k]` how often an event of kind k is the head of what is described; `extend[d, a, k]` how
    often a chain goes on from type a to a neighbour of kind k; `cause[f, w]` how often cause f
    brings word w, `quiet[f]` the log-probability that it brings none, `background[w]` how often w
    comes by itself; `named[k]` how often a head's player is mentioned; `naming[k]` how often
    nobody, the player, the other player, or both are, where a head has two; `chance` how often a
    player of any event of the bucket is; `stranger` how often a mention belongs to no described
    event; `first` how often the first mention is the head's; `context[r, x]` log-odds of the words
    beside a mention of role r; `lag[n, l]` odds of lag l, where n is whose name it is counted from;
    `order[a, b, m]` odds of state b after state a, where heads move by m; `drift` odds of the time
    between two heads against that between their comments; `none` how often nothing is described;
    `length` how many words a comment usually has.
    """

    rate: Floats
    extend: Floats
    cause: Floats
    quiet: Floats
    background: Floats
    named: Floats
    naming: Floats
    chance: float
    stranger: float
    first: float
    context: Floats
    lag: Floats
    order: Floats
    drift: Floats
    none: float
    length: float

    def with_causes(self, cause: Floats) -> Parameters:
        return self._replace(cause=cause, quiet=_quiet(cause))

    @property
    def wordless(self) -> bool:
        """Whether no event brings any word."""
        return not bool((self.cause > SILENT).any())


def _quiet(cause: Floats) -> Floats:
    silent = -cause
    return np.asarray(np.log1p(silent, out=silent).sum(axis=1))


def _cause(counts: Counts) -> Floats:
    """In place: it is the largest array there is, and new memory has to be cleared first."""
    cause = counts.caused - WORD_DISCOUNT
    np.maximum(cause, 0, out=cause)
    cause /= counts.exposed[:, None] + WORD_PRIOR
    return np.clip(cause, SILENT, 0.95, out=cause)


def silence(cause: Floats) -> Floats:
    """No cause brings any word."""
    return np.full_like(cause, SILENT)


def start(counts: Counts, unnamed: float) -> Parameters:
    """Parameters before anything is learned, from what there is.

    Rare kinds are described rather than common ones, words come by themselves, players are named,
    neighbours are taken in freely, and comments that name nobody, a share of `unnamed`, describe
    nothing.
    """
    kinds, cause = len(counts.heads), silence(counts.caused)
    return Parameters(
        rate=1 / np.sqrt(np.maximum(counts.available, 1.0)),
        extend=np.full_like(counts.steps, STEP_NAMED),
        cause=cause,
        quiet=_quiet(cause),
        background=word_frequency(counts),
        named=np.full(kinds, 0.7),
        naming=np.tile(NAMING_START, (kinds, 1)),
        chance=_chance(counts),
        stranger=0.1,
        first=0.8,
        context=np.zeros_like(counts.context),
        lag=np.ones_like(counts.lag),
        order=_order(np.zeros(STEPS_SHAPE)),
        drift=np.ones(DRIFT_BINS),
        none=float(np.clip(unnamed, 0.05, 0.9)),
        length=_length(counts),
    )


def maximise(counts: Counts, language: Language) -> Parameters:
    """The parameters that fit the counts best, smoothed."""
    n = counts.numbers
    chance = _chance(counts)
    cause = _cause(counts)
    return Parameters(
        rate=(counts.heads + 0.5) / (counts.available + 10),
        extend=_extend(counts, np.array(language.type_numbers())),
        cause=cause,
        quiet=_quiet(cause),
        background=np.clip(counts.by_itself / max(n[COMMENTS], 1), 1e-5, 0.9),
        named=np.clip((counts.named + 7) / (counts.with_player + 10), 0.02, 0.98),
        naming=_naming(counts.naming),
        chance=chance,
        stranger=float(np.clip((n[STRANGERS] + 1) / (n[MENTIONS] + 10), 0.02, 0.5)),
        first=float(np.clip((n[LEADS] + 8) / (n[DESCRIBED_WITH_NAMES] + 10), 0.5, 0.98)),
        context=_context(counts.context),
        lag=_lag(counts.lag, counts.lag_available),
        order=_order(counts.order),
        drift=_drift(counts.drifted, _even_lags(counts.lag)),
        none=float(np.clip((n[NONE] + 1) / (n[COMMENTS] + 2), 0.01, 0.95)),
        length=_length(counts),
    )


def word_frequency(counts: Counts) -> Floats:
    """The share of comments that hold each word."""
    return np.asarray(np.clip(counts.frequency / max(counts.numbers[COMMENTS], 1), 1e-4, 0.9))


def _length(counts: Counts) -> float:
    """The mean number of a comment's words."""
    words = float(counts.frequency.sum())
    return words / float(counts.numbers[COMMENTS]) if counts.numbers[COMMENTS] else 1.0


def _chance(counts: Counts) -> float:
    """How often the player of just any candidate is mentioned."""
    n = counts.numbers
    return float(np.clip(n[NAMED_CANDIDATES] / max(n[CANDIDATES], 1), 1e-3, 0.5))


def _naming(counts: Floats) -> Floats:
    """How often neither, the actor, the other player, or both of a head are mentioned, by kind."""
    pooled = counts.sum(axis=0)
    usual = (pooled + 20 * NAMING_START) / (pooled.sum() + 20)
    own = (counts + NAMING_PRIOR * usual) / (counts.sum(axis=1, keepdims=True) + NAMING_PRIOR)
    return np.asarray(np.clip(own, 0.005, 0.98))


def _order(counts: Floats) -> Floats:
    """Odds of each step between comments: states follow each other more often than by chance.

    How heads move does not depend on the states; where one comment has no head, nothing moves. The
    sooner a comment follows another, the likelier both are about the same event.
    """
    usual = _shares(counts.sum(axis=(0, 1, 3)), np.full(3, 1 / 3), 15)
    follows = _shares(counts.sum(axis=(0, 3)), usual, STATE_PRIOR)
    moves = _shares(counts[:, :TALK, :TALK].sum(axis=(0, 1, 2)), ORDER_PRIOR / 10, 10)
    odds = np.zeros(counts.shape)
    for soon, own in enumerate(counts):
        moved = own[:TALK, :TALK].sum(axis=(0, 1))
        moving = np.tile(_shares(moved, moves, SOON_PRIOR), (*follows.shape, 1))
        moving[TALK], moving[:, TALK] = 0.5, 0.5
        odds[soon] = (follows / usual)[..., None] * moving
    return odds


def _shares(counts: Floats, usual: Floats, prior: float) -> Floats:
    """Shares along the last axis, drawn to what is usual."""
    return np.asarray((counts + prior * usual) / (counts.sum(axis=-1, keepdims=True) + prior))


def without_states(order: Floats) -> Floats:
    """Odds of how heads move, whatever the states; odds that say nothing stay so."""
    if not np.ptp(order):
        return order
    moves = order[:, :1, :1] / order[:, :1, :1].sum(axis=-1, keepdims=True)
    flat = np.tile(moves, (1, *order.shape[1:3], 1))
    flat[:, TALK], flat[:, :, TALK] = 0.5, 0.5
    return np.asarray(flat)


def _extend(counts: Counts, types: np.ndarray) -> Floats:
    """By kind of the neighbour, drawn to what holds for its type, and that to what is usual."""
    usual = np.array([STEP_UNNAMED] * 2 + [STEP_NAMED] * 2)[:, None, None]
    of_type = np.eye(types.max() + 1)[types]
    steps, neighbours = counts.steps @ of_type, counts.neighbours @ of_type
    common = ((steps + STEP_PRIOR * usual) / (neighbours + STEP_PRIOR))[:, :, types]
    own = counts.steps + STEP_KIND_PRIOR * common
    return np.asarray(np.clip(own / (counts.neighbours + STEP_KIND_PRIOR), 1e-4, 0.95))


def _context(counts: Floats) -> Floats:
    """Log-odds of a word beside a mention of each role against a mention of any."""
    every = (counts.sum(axis=0) + 0.5) / (counts.sum() + 0.5 * counts.shape[1])
    own = (counts + CONTEXT_PRIOR * every) / (counts.sum(axis=1, keepdims=True) + CONTEXT_PRIOR)
    return np.asarray(np.log(own / every))


def _lag(described: Floats, available: Floats) -> Floats:
    """How much likelier each lag is among described heads than among all candidates.

    Lags of a role of which there are few are drawn to those of all others. Where hardly any
    candidate is available, odds are drawn to even.
    """
    every = _smooth(available) / max(available.sum(), 1)
    near = np.array([_smooth(row) for row in described])
    others = near[RECEIVER_LAG:UNNAMED_LAG].sum(axis=0) + LAG_PRIOR * every
    near[RECEIVER_LAG:UNNAMED_LAG] += LAG_ROLE_PRIOR * others / max(others.sum(), 1e-9)
    near[[ACTOR_LAG, UNNAMED_LAG]] += LAG_PRIOR * every
    expected = near.sum(axis=1, keepdims=True) * _floored(every)
    odds = near / np.maximum(expected, 1e-9)
    return np.asarray(np.where(every > 0, np.maximum(odds, 1e-3), 1.0))


def _floored(every: Floats) -> Floats:
    """Shares of lags, at least a tenth of what is usual for a bin of that width."""
    dense = every / _LAG_WIDTH
    order = np.argsort(dense)
    reached = np.cumsum(every[order])
    usual = dense[order[min(np.searchsorted(reached, reached[-1] / 2), len(order) - 1)]]
    return np.asarray(np.maximum(every, MIN_AVAILABLE * usual * _LAG_WIDTH))


def _drift(drifted: Floats, lag: Floats) -> Floats:
    """How much likelier each drift is than if the lags of comments had nothing to do with another.

    Lags that stay alike from comment to comment are a clock that is off; it may jump.
    """
    odds = np.ones(DRIFT_BINS)
    known = _smooth(drifted[:-1])
    if known.sum() > 0:
        reach = (DRIFT_BINS - 1) // 2
        own = lag / max(lag.sum(), 1e-9)
        apart = _smooth(np.convolve(own, own[::-1])[len(own) - 1 - reach : len(own) + reach])
        expected = apart * known.sum() / max(apart.sum(), 1e-9)
        odds[:-1] = np.clip((known + DRIFT_PRIOR) / (expected + DRIFT_PRIOR), 0.02, 50)
    return odds


def _even_lags(lag: Floats) -> Floats:
    """All lags, whoever is named, in bins as wide as those of drifts."""
    return sums(_EVEN_BIN, lag.sum(axis=0), int(_EVEN_BIN[-1]) + 1)


def _smooth(bins: Floats) -> Floats:
    return np.convolve(bins, np.ones(3) / 3, mode="same")
