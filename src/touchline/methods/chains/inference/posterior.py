"""Probabilities of hypotheses: each comment by itself, then together with its neighbours.

The comments of a period mostly follow the match. Forward-backward over the best hypotheses of each
comment weighs whether the head of one lies after, at, or before that of the comment before it, and
whether as much time went by in the match as between the comments.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints, distinct
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.model.m_step import Parameters, without_states
from touchline.methods.chains.model.ordering import forward_backward
from touchline.methods.chains.model.scoring import score_all
from touchline.methods.chains.model.sufficient_stats import DRIFT_BINS, STEPS_SHAPE, sums
from touchline.methods.chains.model.word_likelihood import Worded, each_wording

# How many heads of a comment take part in the order of comments; the others are dropped.
BEAM = 16


class Posterior(NamedTuple):
    """Probability of each hypothesis, of "no event" for each comment; steps from one to the next.

    `order` and `drifted` count as the fields of Counts of these names do.
    """

    chains: Floats
    none: Floats
    order: Floats
    drifted: Floats


def infer(
    m: MatchTables,
    parameters: Parameters,
    ordered: bool = True,
    worded: Worded = None,
    counted: bool = True,
) -> Posterior:
    """Probabilities of all hypotheses of a match; `worded` if its words are looked up already.

    Without `counted` steps from one comment to the next are not, for who only asks what is likely.
    """
    score, silent = score_all(m, parameters, worded or each_wording(m, parameters))
    if m.allowed is not None:
        score = np.where(m.allowed.chains, score, -np.inf)
        silent = np.where(m.allowed.none, silent, -np.inf)
    comment, head = m.hypotheses.comment, m.hypotheses.head_candidate
    best = _best_scores(score, m.hypotheses.start, silent)
    score -= best.take(comment)  # in place, for there are many
    alone = np.exp(score, out=score)
    # Whatever else a chain holds, for the order of comments only its head counts.
    heads, none = sums(head, alone, len(m.candidates.event)), np.exp(silent - best)
    if ordered:
        share, none, order, drifted = _in_order(m, heads, none, parameters, counted)
    else:
        every = none + sums(m.candidates.comment, heads, len(none))
        share, none = heads / every[m.candidates.comment], none / every
        order, drifted = np.zeros(STEPS_SHAPE), np.zeros(DRIFT_BINS)
    of_head = np.divide(share, heads, out=np.zeros_like(heads), where=heads > 0)
    alone *= of_head.take(head)
    return Posterior(alone, none, order, drifted)


def _best_scores(score: Floats, start: Ints, silent: Floats) -> Floats:
    """The best score of each comment, that of "no event" among them."""
    best, filled = silent.copy(), np.flatnonzero(np.diff(start))
    if len(filled):
        best[filled] = np.maximum(silent[filled], np.maximum.reduceat(score, start[filled]))
    return best


def _in_order(
    m: MatchTables, heads: Floats, none: Floats, parameters: Parameters, counted: bool
) -> tuple[Floats, Floats, Floats, Floats]:
    """Shares of heads, given as candidates, and of "no event"; how heads moved and drifted."""
    share, silent = np.zeros_like(heads), np.ones_like(none)
    order, drifted = np.zeros(STEPS_SHAPE), np.zeros(DRIFT_BINS)
    best = likeliest(m, heads)
    likely = np.column_stack([np.append(heads, 0.0)[best], none])
    happened = np.append(m.events.time[m.candidates.event], 0.0)[best]
    time = np.column_stack([happened, np.full(len(none), np.nan)])
    moves = parameters.order if m.spoken else without_states(parameters.order)
    for own in runs(m.comments.period):
        found, moved, drift = forward_backward(
            likely[own], time[own], m.comments.time[own], moves, parameters.drift, m.spoken, counted
        )
        real = best[own] >= 0
        share[best[own][real]], silent[own] = found[:, :-1][real], found[:, -1]
        order, drifted = order + moved, drifted + drift
    return share, silent, order, drifted


def runs(periods: Ints) -> list[Ints]:
    """The comments of each period, in the order in which they were made."""
    return [np.flatnonzero(periods == period) for period in distinct(periods)]


def likeliest(m: MatchTables, heads: Floats) -> Ints:
    """The likeliest candidates of each comment, best first, padded with -1."""
    of_comment = m.candidates_of
    less = np.append(-heads, np.inf).take(of_comment)
    best = np.argsort(less, axis=1, kind="stable")[:, :BEAM]
    return np.asarray(np.take_along_axis(of_comment, best, axis=1))
