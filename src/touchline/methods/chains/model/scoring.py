"""Log-scores of hypotheses, part by part; docs/model.md has the formulas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.tables import MatchTables
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


def score_all(m: MatchTables, p: Parameters, worded: Worded) -> tuple[Floats, Floats]:
    """Log-score of every hypothesis, and of "no event" for every comment."""
    scores = score_parts(m, p, worded)
    return scores.total, scores.silent


def score_parts(m: MatchTables, p: Parameters, worded: Worded) -> Scores:
    """The log-scores of all hypotheses of a match."""
    mentioned = _mentions(m, p)
    return Scores(
        rate=_rates(m, p),
        lag=_lags(m, p)[m.hypotheses.head_candidate],
        groups=m.hypotheses.steps.score(p.extend),
        words=score_words(m, worded),
        names=_names(m, p, mentioned),
        silent=np.log(p.none) + mentioned[:, :, STRANGER].sum(axis=1),
    )


def _rates(m: MatchTables, p: Parameters) -> Floats:
    """How often such a head is described, among all candidates of the comment."""
    kind, comment = m.events.kind, m.hypotheses.comment
    every = sums(m.candidates.comment, p.rate[kind[m.candidates.event]], len(m.comments.time))
    own = p.rate[kind[m.hypotheses.head_event]]
    return np.asarray(np.log1p(-p.none) + np.log(own / every[comment]))


def _lags(m: MatchTables, p: Parameters) -> Floats:
    """Log-odds of each candidate's lag: one of the times that its player is named is for it."""
    return np.asarray(np.log(lag_odds(m, p).sum(axis=1) / (m.candidates.lag >= 0).sum(axis=1)))


def lag_odds(m: MatchTables, p: Parameters) -> Floats:
    """Odds of each lag of each candidate; 0 for padding."""
    return np.append(p.lag.reshape(-1), 0.0)[m.candidates.lag]


def _mentions(m: MatchTables, p: Parameters) -> Floats:
    """Log-odds of each mention in each role, by the words beside it; 0 for padding."""
    comments = m.comments
    around = np.moveaxis(p.context[:, comments.before] + p.context[:, comments.after], 0, -1)
    around[comments.first, STRANGER] += np.log(p.stranger)
    return np.where(comments.mentions[..., None] >= 0, around, 0.0)


def _names(m: MatchTables, p: Parameters, mentioned: Floats) -> Floats:
    """What mentions say for each chain: who is named, in which role, who is left out."""
    comment, head = m.hypotheses.comment, m.hypotheses.head_event
    first, kind = m.comments.mentions[comment, 0], m.events.kind[head]

    who = m.head_naming
    total = np.where(who >= 0, _both_odds(p)[kind, who], _actor_odds(m, p, comment, head))
    for which, roles in enumerate(m.hypotheses.roles.T):
        total += mentioned[comment, which, roles]
    is_lead = np.where(m.head_leads, np.log(p.first), np.log(1 - p.first))
    return np.asarray(total + np.where(first >= 0, is_lead, 0.0))


def _both_odds(p: Parameters) -> Floats:
    """Log-odds of who is named, by kind, against two players of any other events."""
    chance = np.array([1 - p.chance, p.chance])
    return np.asarray(np.log(p.naming / np.outer(chance, chance).reshape(-1)))


def _actor_odds(m: MatchTables, p: Parameters, comments: Ints, heads: Ints) -> Floats:
    """Log-odds that the head's player is named or not, against the player of any other event."""
    actor, often = m.events.actor[heads], p.named[m.events.kind[heads]]
    named, missing = np.log(often / p.chance), np.log((1 - often) / (1 - p.chance))
    odds = np.where(m.comments.mentioned[comments, actor], named, missing)
    return np.where(actor >= 0, odds, 0.0)
