"""Log-scores of hypotheses, part by part; docs/model.md has the formulas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.sufficient_stats import STRANGER, sums
from touchline.methods.chains.model.word_likelihood import Worded, Wording, score_words


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


def score_all(
    m: MatchTables, p: Parameters, worded: Iterable[Wording] | None
) -> tuple[Floats, Floats]:
    """Log-score of every hypothesis, and of "no event" for every comment."""
    mentioned = _mentions(m, p)
    total = (_rates(m, p) + _lags(m, p) + _heads(m, p)).take(m.hypotheses.head_candidate)
    total += m.hypotheses.steps.score(p.extend)
    total += score_words(m, worded)
    total += _roles(m, mentioned)
    return total, _silent(p, mentioned)


def score_parts(m: MatchTables, p: Parameters, worded: Worded) -> Scores:
    """The same part by part."""
    mentioned, head = _mentions(m, p), m.hypotheses.head_candidate
    return Scores(
        rate=_rates(m, p)[head],
        lag=_lags(m, p)[head],
        groups=m.hypotheses.steps.score(p.extend),
        words=score_words(m, worded),
        names=_heads(m, p)[head] + _roles(m, mentioned),
        silent=_silent(p, mentioned),
    )


def _rates(m: MatchTables, p: Parameters) -> Floats:
    """How often each candidate is described as a head, among all candidates of the comment."""
    own = p.rate[m.heads.kind]
    every = sums(m.candidates.comment, own, len(m.comments.time))
    return np.asarray(np.log1p(-p.none) + np.log(own / every[m.candidates.comment]))


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


def _silent(p: Parameters, mentioned: Floats) -> Floats:
    """Nothing is described, and all who are mentioned are strangers."""
    return np.asarray(np.log(p.none) + mentioned[:, :, STRANGER].sum(axis=1))


def _roles(m: MatchTables, mentioned: Floats) -> Floats:
    """What mentions say for each chain by the roles that it gives to the players."""
    strangers = mentioned[..., STRANGER]
    gain = (mentioned - strangers[..., None]).reshape(-1)
    hypothesis, place = m.parts_in_chains
    total = sums(hypothesis, gain.take(place), len(m.hypotheses.head))
    return np.asarray(total + strangers.sum(axis=1).take(m.hypotheses.comment))


def _heads(m: MatchTables, p: Parameters) -> Floats:
    """What mentions say for each candidate as a head: who of it is named, and whether first."""
    heads = m.heads
    total = np.where(heads.naming >= 0, _both_odds(p)[heads.kind, heads.naming], _actor_odds(m, p))
    is_lead = np.where(heads.leads, np.log(p.first), np.log(1 - p.first))
    return np.asarray(total + np.where(heads.naming_anybody, is_lead, 0.0))


def _both_odds(p: Parameters) -> Floats:
    """Log-odds of who is named, by kind, against two players of any other events."""
    chance = np.array([1 - p.chance, p.chance])
    return np.asarray(np.log(p.naming / np.outer(chance, chance).reshape(-1)))


def _actor_odds(m: MatchTables, p: Parameters) -> Floats:
    """Log-odds that the head's player is named or not, against the player of any other event."""
    named, missing = np.log(p.named / p.chance), np.log((1 - p.named) / (1 - p.chance))
    odds = np.where(m.heads.named, named[m.heads.kind], missing[m.heads.kind])
    return np.where(m.heads.acting, odds, 0.0)
