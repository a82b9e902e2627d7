"""Log-scores of hypotheses, part by part; docs/model.md has the formulas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.sufficient_stats import STRANGER, sums
from touchline.methods.chains.model.word_likelihood import Worded, score_words

# The third of the naming odds: there is no such player.
NOBODY = 2


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
        lag=np.log(p.lag)[m.hypotheses.lag],
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


def _mentions(m: MatchTables, p: Parameters) -> Floats:
    """Log-odds of each mention in each role, by the words beside it; 0 for padding."""
    comments = m.comments
    around = np.moveaxis(p.context[:, comments.before] + p.context[:, comments.after], 0, -1)
    around[..., STRANGER] += np.log(p.stranger)
    return np.where(comments.mentions[..., None] >= 0, around, 0.0)


def _names(m: MatchTables, p: Parameters, mentioned: Floats) -> Floats:
    """What mentions say for each chain: who is named, in which role, who is left out."""
    comment, head = m.hypotheses.comment, m.hypotheses.head_event
    actor, other = m.events.actor[head], m.events.others[head, 0]
    first, kind = m.comments.mentions[comment, 0], m.events.kind[head]

    def odds(player: Ints, often: Floats) -> Floats:
        named = np.where(player >= 0, m.comments.mentioned[comment, player], NOBODY)
        return _naming_odds(often, p.chance)[named, kind]

    total = odds(actor, p.named) + odds(other, p.other_named)
    for which, roles in enumerate(m.hypotheses.roles.T):
        total += mentioned[comment, which, roles]
    leads = np.where(actor == first, np.log(p.first), np.log(1 - p.first))
    return np.asarray(total + np.where(first >= 0, leads, 0.0))


def _naming_odds(often: Floats, chance: float) -> Floats:
    """Log-odds that a player is not mentioned, is mentioned, or does not exist, by kind.

    They are against the player of any other event.
    """
    missing, named = (1 - often) / (1 - chance), often / chance
    return np.log(np.stack([missing, named, np.ones_like(often)]))
