"""Probabilities of hypotheses: each comment by itself, then together with its neighbours.

The comments of a period mostly follow the match. Forward-backward over the best hypotheses of each
comment weighs whether the head of one lies after, at, or before that of the comment before it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from touchline.chains._kernels import score_all
from touchline.chains.hypotheses import Prepared
from touchline.chains.parameters import Parameters
from touchline.pairs.pairing import Floats, Ints

# How many hypotheses of a comment take part in the order of comments; the others are dropped.
BEAM = 80
# Heads this near to each other, in seconds, are the same moment.
SAME = 1.5
WORD_WEIGHT = 1.0


class Posterior(NamedTuple):
    """Probability of each hypothesis, of "no event" for each comment, and steps of order."""

    chains: Floats
    none: Floats
    order: Floats


def infer(prepared: Prepared, types: Ints, parameters: Parameters, ordered: bool) -> Posterior:
    """Probabilities of all hypotheses of a match."""
    p = parameters
    scores, silent = score_all(
        prepared.kind, prepared.time, prepared.actor, prepared.other, prepared.words,
        prepared.mentions, prepared.chains, prepared.start, prepared.head, prepared.unexplained,
        prepared.first_named, prepared.lag, types, p.rate, p.extend, p.cause, p.background,
        p.named, p.other_named, p.chance, p.unexplained, p.first, p.lag, p.none, WORD_WEIGHT,
    )  # fmt: skip
    if not ordered:
        return _alone(prepared.start, scores, silent)
    return _in_order(prepared, scores, silent, np.log(p.order))


def _alone(start: Ints, scores: Floats, silent: Floats) -> Posterior:
    chains, none = np.zeros(len(scores)), np.ones(len(silent))
    for c in range(len(silent)):
        own = slice(start[c], start[c + 1])
        every = np.append(scores[own], silent[c])
        share = np.exp(every - logsumexp(every))
        chains[own], none[c] = share[:-1], share[-1]
    return Posterior(chains, none, np.zeros(3))


class _Comment(NamedTuple):
    """The hypotheses of a comment that take part, "no event" last, with heads' times."""

    chosen: Ints
    score: Floats
    time: Floats


def _in_order(prepared: Prepared, scores: Floats, silent: Floats, log_order: Floats) -> Posterior:
    chains, none, order = np.zeros(len(scores)), np.ones(len(silent)), np.zeros(3)
    heads = prepared.chains[np.arange(len(scores)), prepared.head]
    for period in np.unique(prepared.period):
        numbers = np.flatnonzero(prepared.period == period)
        comments = [_beam(prepared, scores, silent, heads, int(c)) for c in numbers]
        shares, steps = forward_backward(comments, log_order)
        order += steps
        for c, comment, share in zip(numbers, comments, shares, strict=True):
            chains[comment.chosen], none[c] = share[:-1], share[-1]
    return Posterior(chains, none, order)


def _beam(prepared: Prepared, scores: Floats, silent: Floats, heads: Ints, c: int) -> _Comment:
    own = np.arange(prepared.start[c], prepared.start[c + 1])
    chosen = own[np.argsort(-scores[own], kind="stable")[:BEAM]]
    times = np.append(prepared.time[heads[chosen]], np.nan)
    return _Comment(chosen, np.append(scores[chosen], silent[c]), times)


def forward_backward(comments: list[_Comment], log_order: Floats) -> tuple[list[Floats], Floats]:
    """Share of each hypothesis given all comments, and how often heads went on, stayed, back."""
    steps = [_step(before.time, after.time) for before, after in pairwise(comments)]
    # "No event" says nothing about order: its step weighs as an even chance would.
    costs = [np.where(step < 0, np.log(0.5), log_order[step]) for step in steps]
    forward = [comments[0].score - logsumexp(comments[0].score)]
    for comment, cost in zip(comments[1:], costs, strict=True):
        reached = comment.score + logsumexp(forward[-1][:, None] + cost, axis=0)
        forward.append(reached - logsumexp(reached))
    backward = [np.zeros(len(comments[-1].score))]
    for comment, cost in zip(comments[:0:-1], costs[::-1], strict=True):
        ahead = logsumexp(cost + (comment.score + backward[-1])[None, :], axis=1)
        backward.append(ahead - ahead.max())
    backward.reverse()
    shares = [_normalised(f + b) for f, b in zip(forward, backward, strict=True)]
    counts = np.zeros(3)
    for i, (step, cost) in enumerate(zip(steps, costs, strict=True)):
        ahead = comments[i + 1].score + backward[i + 1]
        joint = _normalised(forward[i][:, None] + cost + ahead[None, :])
        counts += [joint[step == way].sum() for way in range(3)]
    return shares, counts


def _step(before: Floats, after: Floats) -> Ints:
    """0 on, 1 the same moment, 2 back; -1 where one of the two tells nothing."""
    gone = after[None, :] - before[:, None]
    way = np.where(gone > SAME, 0, np.where(gone < -SAME, 2, 1))
    return np.where(np.isnan(gone), -1, way)


def _normalised(log: Floats) -> Floats:
    return np.asarray(np.exp(log - logsumexp(log)))
