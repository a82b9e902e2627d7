"""Expected counts of what comments describe, from the probabilities of their hypotheses.

`m` are the tables of a match, `p` are parameters, `n` are Counts that are added to.
"""

from __future__ import annotations

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.candidate_chains import GAP, REACH, Flags
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.data.word_blocks import causes_of
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.scoring import lag_odds
from touchline.methods.chains.model.sufficient_stats import (
    ACTOR_LAG,
    CANDIDATES,
    COMMENTS,
    DESCRIBED_WITH_NAMES,
    LAG_BINS,
    LEADS,
    MENTIONS,
    NAMED_CANDIDATES,
    NAMINGS,
    NONE,
    STRANGER,
    STRANGERS,
    Counts,
    add_at,
    lag_bin,
    sums,
)
from touchline.methods.chains.model.word_likelihood import (
    Worded,
    count_words,
)

# Hypotheses that are less probable are not worth counting.
NEGLIGIBLE = 1e-6
# A player who is named has just got the ball or is about to play it. How long after an action its
# player is named is learned from events that nobody receives; those that somebody does count less.
UNSURE_LAG = 0.1
# Hypotheses whose mentions are looked at together.
_TOGETHER = 100_000
_NEAR_TOGETHER = 5_000  # each has a number for every cause


def count_available(m: MatchTables, n: Counts) -> None:
    """What there is before anything is described: candidates, lags, words, mentions."""
    comments, candidates = m.comments, m.candidates
    weight = comments.weight[candidates.comment]
    named = comments.mentioned[candidates.comment, m.events.actor[candidates.event]]
    n.numbers[COMMENTS] += comments.weight.sum()
    n.numbers[MENTIONS] += comments.weight @ comments.first.sum(axis=1)
    n.numbers[CANDIDATES] += weight.sum()
    n.numbers[NAMED_CANDIDATES] += weight @ named
    word = comments.words >= 0
    add_at(n.frequency, comments.words[word], per_row(comments.weight, word))
    add_at(n.available, m.events.kind[candidates.event], weight)
    lag = comments.time[candidates.comment] - m.events.time[candidates.event]
    add_at(n.lag_available, lag_bin(lag), weight)


def per_row(values: Floats, chosen: Flags) -> Floats:
    """The value of the row of each chosen cell."""
    return np.broadcast_to(values[:, None], chosen.shape)[chosen]


def count_described(
    m: MatchTables, p: Parameters, share: Floats, none: Floats, n: Counts, worded: Worded
) -> None:
    """What is expected to be described, where hypotheses have probabilities `share`."""
    share, none = _weighed(m, share), none * m.comments.weight
    n.numbers[NONE] += none.sum()
    _count_heads(m, share, n)
    _count_lags(m, p, share, n)
    m.hypotheses.steps.add_counts(share, n.steps, n.neighbours)
    _count_mentions(m, share, none, n)
    count_words(m, p, share, none, n, worded)


def _weighed(m: MatchTables, share: Floats) -> Floats:
    """Probabilities times the weights of their comments; negligible ones are left out."""
    weight = m.comments.weight.take(m.hypotheses.comment)
    return np.where(share >= NEGLIGIBLE, share, 0.0) * weight


def _count_heads(m: MatchTables, share: Floats, n: Counts) -> None:
    likely = np.flatnonzero(share)
    g, head = share[likely], m.hypotheses.head_candidate[likely]
    kind, who = m.heads.kind[head], m.heads.naming[head]
    add_at(n.heads, kind, g)
    add_at(n.with_player, kind, g * m.heads.acting[head])
    add_at(n.named, kind, g * m.heads.named[head])
    add_at(n.naming, kind * NAMINGS + np.maximum(who, 0), g * (who >= 0))
    n.numbers[DESCRIBED_WITH_NAMES] += g[m.heads.naming_anybody[head]].sum()
    n.numbers[LEADS] += g[m.heads.leads[head]].sum()


def _count_lags(m: MatchTables, p: Parameters, share: Floats, n: Counts) -> None:
    """Each time that the player of a head is named, by how likely it is for the head."""
    lag, odds = m.candidates.lag, lag_odds(m, p)
    often = sums(m.hypotheses.head_candidate, share, len(lag))[:, None] * odds
    often /= odds.sum(axis=1, keepdims=True)
    other = m.events.others[m.candidates.event, :1]
    often *= np.where((lag // LAG_BINS == ACTOR_LAG) & (other >= 0), UNSURE_LAG, 1)
    real = (lag >= 0) & (often > 0)
    add_at(n.lag, lag[real], often[real])


def _count_mentions(m: MatchTables, share: Floats, none: Floats, n: Counts) -> None:
    """Each mention in each role."""
    mentions, roles = m.comments.mentions, m.hypotheses.roles
    real = mentions >= 0
    often = np.zeros((*mentions.shape, len(n.context)))
    likely = np.flatnonzero(share)
    for first in range(0, len(likely), _TOGETHER):
        some = likely[first : first + _TOGETHER]
        row, place = np.nonzero(roles[some] >= 0)
        hypothesis = some[row]
        mention = m.hypotheses.comment[hypothesis] * roles.shape[1] + place
        role = mention * often.shape[-1] + roles[hypothesis, place]
        np.add.at(often.reshape(-1), role, share[hypothesis])
    often[real, STRANGER] += none[np.nonzero(real)[0]]
    n.numbers[STRANGERS] += often[m.comments.first, STRANGER].sum()
    for beside in (m.comments.before, m.comments.after):
        for role, counts in enumerate(n.context):
            add_at(counts, beside[real], often[real, role])


def count_near(m: MatchTables, share: Floats, near: Floats, both: Floats) -> None:
    """Add the causes of all events within reach of each comment's head, by its probability."""
    size = len(m.comments.time)
    often = sums(m.hypotheses.head_candidate, _weighed(m, share), len(m.candidates.event))
    likely = np.flatnonzero(often)
    beside = np.zeros((size, len(near)))
    for first in range(0, len(likely), _NEAR_TOGETHER):
        some = likely[first : first + _NEAR_TOGETHER]
        met = _met(m, some, len(near))
        met *= often[some, None]
        np.add.at(beside, m.candidates.comment[some], met)
    near += beside.sum(axis=0)
    words, columns = m.word_blocks.vocabulary
    holds = np.zeros((size, len(words) + 1))
    holds[np.arange(size)[:, None], columns] = 1.0
    both[:, words] += beside.T @ holds[:, :-1]


def _met(m: MatchTables, candidates: Ints, causes: int) -> Floats:
    """Which causes have events near each candidate's."""
    met = np.zeros((len(candidates), causes + 1))
    time = m.events.time
    head, comment = m.candidates.event[candidates], m.candidates.comment[candidates]
    for reach in range(-REACH, REACH + 1):
        event = np.clip(head + reach, 0, max(len(time) - 1, 0))
        close = np.flatnonzero(np.abs(time[event] - time[head]) <= GAP)
        met[close[:, None], causes_of(m, comment[close], event[close])] = 1.0
    return met[:, :-1]
