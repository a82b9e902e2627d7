"""Expected counts of what comments tell, from the probabilities of their hypotheses.

`m` is a prepared match, `p` are parameters, `n` are Counts that are added to.
"""

from __future__ import annotations

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.methods.chains.data.candidate_chains import GAP, REACH
from touchline.methods.chains.data.hypotheses import Prepared
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.model.sufficient_stats import (
    CANDIDATES,
    COMMENTS,
    DESCRIBED_WITH_NAMES,
    LEADS,
    MENTIONS,
    NAMED_CANDIDATES,
    NONE,
    STRANGER,
    STRANGERS,
    Counts,
    add_at,
    sums,
)
from touchline.methods.chains.model.word_likelihood import (
    Vocabulary,
    Worded,
    causes_of,
    count_words,
)

# Hypotheses that are less probable are not worth counting.
NEGLIGIBLE = 1e-6


def count_available(m: Prepared, n: Counts) -> None:
    """What there is before anything is told: candidates, lags, words, mentions."""
    weight = m.weight[m.comment]
    n.numbers[COMMENTS] += m.weight.sum()
    n.numbers[MENTIONS] += m.weight @ (m.mentions >= 0).sum(axis=1)
    n.numbers[CANDIDATES] += weight.sum()
    n.numbers[NAMED_CANDIDATES] += weight @ m.spoken[m.comment, m.actor[m.event]]
    word = m.words >= 0
    add_at(n.frequency, m.words[word], np.broadcast_to(m.weight[:, None], word.shape)[word])
    add_at(n.available, m.kind[m.event], weight)
    add_at(n.lag_available, m.lag[m.chains[:, 1] < 0], weight)


def count_described(
    m: Prepared, p: Parameters, share: Floats, none: Floats, n: Counts, worded: Worded
) -> None:
    """What is expected to be told, where hypotheses have probabilities `share`."""
    share, none = np.where(share >= NEGLIGIBLE, share, 0.0) * m.weight[m.of], none * m.weight
    n.numbers[NONE] += none.sum()
    _count_heads(m, share, n)
    m.steps.tell(share, n.steps, n.neighbours)
    _count_mentions(m, share, none, n)
    count_words(m, p, share, none, n, worded)


def _count_heads(m: Prepared, share: Floats, n: Counts) -> None:
    told = np.flatnonzero(share)
    g, leader, comment = share[told], m.leader[told], m.of[told]
    kind, actor, other = m.kind[leader], m.actor[leader], m.others[leader, 0]
    first = m.mentions[comment, 0]
    add_at(n.heads, kind, g)
    add_at(n.lag, m.lag[told], g)
    for player, having, named in (
        (actor, n.with_player, n.named),
        (other, n.with_other, n.other_named),
    ):
        add_at(having, kind, g * (player >= 0))
        add_at(named, kind, g * m.spoken[comment, player])
    n.numbers[DESCRIBED_WITH_NAMES] += g[first >= 0].sum()
    n.numbers[LEADS] += g[(first >= 0) & (actor == first)].sum()


def _count_mentions(m: Prepared, share: Floats, none: Floats, n: Counts) -> None:
    """Each mention in each role."""
    real = m.mentions >= 0
    often = np.zeros((*m.mentions.shape, len(n.context)))
    told = np.flatnonzero(share)
    hypothesis, which = np.nonzero(m.roles[told] >= 0)
    hypothesis = told[hypothesis]
    mention = m.of[hypothesis] * m.roles.shape[1] + which
    add_at(often, mention * often.shape[-1] + m.roles[hypothesis, which], share[hypothesis])
    often[real, STRANGER] += none[np.nonzero(real)[0]]
    n.numbers[STRANGERS] += often[..., STRANGER].sum()
    for beside in (m.before, m.after):
        for role, counts in enumerate(n.context):
            add_at(counts, beside[real], often[real, role])


def count_near(m: Prepared, share: Floats, near: Floats, both: Floats) -> None:
    """Add the causes of all events within reach of each comment's head, by its probability."""
    share = np.where(share >= NEGLIGIBLE, share, 0.0) * m.weight[m.of]
    often = sums(m.leading, share, len(m.event))
    told = np.flatnonzero(often)
    beside = np.zeros((len(m.said), len(near)))
    np.add.at(beside, m.comment[told], often[told, None] * _met(m, told, len(near)))
    near += beside.sum(axis=0)
    words, columns = Vocabulary.of(m)
    holds = np.zeros((len(m.said), len(words) + 1))
    holds[np.arange(len(m.said))[:, None], columns] = 1.0
    both[:, words] += beside.T @ holds[:, :-1]


def _met(m: Prepared, pairs: Ints, causes: int) -> Floats:
    """Which causes have events near each pair's."""
    met = np.zeros((len(pairs), causes + 1))
    head, comment = m.event[pairs], m.comment[pairs]
    for reach in range(-REACH, REACH + 1):
        event = np.clip(head + reach, 0, max(len(m.time) - 1, 0))
        close = np.flatnonzero(np.abs(m.time[event] - m.time[head]) <= GAP)
        met[close[:, None], causes_of(m, comment[close], event[close])] = 1.0
    return met[:, :-1]
