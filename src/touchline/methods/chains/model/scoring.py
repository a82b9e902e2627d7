"""Log-scores of hypotheses, part by part; docs/model.md has the formulas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.hypotheses import Prepared
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.sufficient_stats import STRANGER, sums
from touchline.methods.chains.model.word_likelihood import Worded, score_words


class Scores(NamedTuple):
    """The parts that add up to the log-score of each hypothesis, and that of "no event"."""

    rate: Floats
    lag: Floats
    groups: Floats
    words: Floats
    names: Floats
    silent: Floats

    @property
    def total(self) -> Floats:
        return np.asarray(self.rate + self.lag + self.groups + self.words + self.names)


def score_all(m: Prepared, p: Parameters, worded: Worded) -> tuple[Floats, Floats]:
    """Log-score of every hypothesis, and of "no event" for every comment."""
    scores = score_parts(m, p, worded)
    return scores.total, scores.silent


def score_parts(m: Prepared, p: Parameters, worded: Worded) -> Scores:
    """The log-scores of all hypotheses of a match."""
    mentioned = _mentions(m, p)
    return Scores(
        rate=_rates(m, p),
        lag=np.log(p.lag)[m.lag],
        groups=m.steps.score(p.extend),
        words=score_words(m, worded),
        names=_names(m, p, mentioned),
        silent=np.log(p.none) + mentioned[:, :, STRANGER].sum(axis=1),
    )


def _rates(m: Prepared, p: Parameters) -> Floats:
    """How often such a head is told, among all candidates of the comment."""
    every = sums(m.comment, p.rate[m.kind[m.event]], len(m.said))
    return np.asarray(np.log1p(-p.none) + np.log(p.rate[m.kind[m.leader]] / every[m.of]))


def _mentions(m: Prepared, p: Parameters) -> Floats:
    """Log-odds of each mention in each role, by the words beside it; none where nobody is."""
    around = np.moveaxis(p.context[:, m.before] + p.context[:, m.after], 0, -1)
    around[..., STRANGER] += np.log(p.stranger)
    return np.where(m.mentions[..., None] >= 0, around, 0.0)


def _names(m: Prepared, p: Parameters, mentioned: Floats) -> Floats:
    """What mentions say for each chain: who is named, in which role, who is left out."""
    of, leader = m.of, m.leader
    actor, first = m.actor[leader], m.mentions[of, 0]
    total = _named(m, of, leader, actor, p.named, p.chance)
    total += _named(m, of, leader, m.others[leader, 0], p.other_named, p.chance)
    for which, roles in enumerate(m.roles.T):
        total += mentioned[of, which, roles]
    leads = np.where(actor == first, np.log(p.first), np.log(1 - p.first))
    return np.asarray(total + np.where(first >= 0, leads, 0.0))


def _named(
    m: Prepared, of: Ints, leader: Ints, player: Ints, often: Floats, chance: float
) -> Floats:
    """How much more likely a player is mentioned, or not, than one of just any event."""
    odds = np.stack([(1 - often) / (1 - chance), often / chance, np.ones_like(often)])
    said = np.where(player >= 0, m.spoken[of, player], 2)  # the last for nobody
    return np.asarray(np.log(odds)[said, m.kind[leader]])
