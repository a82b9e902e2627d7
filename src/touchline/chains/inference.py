"""Probabilities of hypotheses: each comment by itself, then together with its neighbours.

The comments of a period mostly follow the match. Forward-backward over the best hypotheses of each
comment weighs whether the head of one lies after, at, or before that of the comment before it, and
whether as much time went by in the match as between the comments.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.chains.counting import DRIFT_BINS
from touchline.chains.hypotheses import Prepared
from touchline.chains.ordering import forward_backward
from touchline.chains.parameters import Parameters
from touchline.chains.scoring import score_all
from touchline.pairs.pairing import Floats, Ints

# How many hypotheses of a comment take part in the order of comments; the others are dropped.
BEAM = 80
_LEAST = 1e-200


class Posterior(NamedTuple):
    """Probability of each hypothesis, of "no event" for each comment; steps from one to the next.

    `order` and `drifted` count as the fields of Counts of these names do.
    """

    chains: Floats
    none: Floats
    order: Floats
    drifted: Floats


def infer(prepared: Prepared, parameters: Parameters, ordered: bool = True) -> Posterior:
    """Probabilities of all hypotheses of a match."""
    scores, silent = score_all(prepared, parameters)
    order, drifted = np.zeros(4), np.zeros(DRIFT_BINS)
    chains, none = np.zeros(len(scores)), np.ones(len(silent))
    heads = prepared.chains[np.arange(len(scores)), prepared.head]
    for own in runs(prepared.half) if ordered else np.arange(len(silent))[:, None]:
        chosen = [_beam(prepared.start, scores, c, ordered) for c in own]
        start = np.cumsum([0, *(len(best) + 1 for best in chosen)])
        score = [_likelihoods(scores[best], silent[c]) for best, c in zip(chosen, own, strict=True)]
        time = [np.append(prepared.time[heads[best]], np.nan) for best in chosen]
        share, moved, drift = forward_backward(
            start,
            np.concatenate(score),
            np.concatenate(time),
            prepared.said[own],
            parameters.order,
            parameters.drift,
        )
        order, drifted = order + moved, drifted + drift
        for i, (c, best) in enumerate(zip(own, chosen, strict=True)):
            chains[best], none[c] = share[start[i] : start[i + 1] - 1], share[start[i + 1] - 1]
    return Posterior(chains, none, order, drifted)


def runs(half: Ints) -> list[Ints]:
    """The comments of each period, in the order in which they were made."""
    return [np.flatnonzero(half == period) for period in np.unique(half)]


def _beam(start: Ints, scores: Floats, c: int, ordered: bool) -> Ints:
    own = np.arange(start[c], start[c + 1])
    return own[np.argsort(-scores[own], kind="stable")[:BEAM]] if ordered else own


def _likelihoods(scores: Floats, silent: float) -> Floats:
    every = np.append(scores, silent)
    return np.asarray(np.maximum(np.exp(every - every.max()), _LEAST))
