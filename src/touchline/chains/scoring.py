"""Log-scores of hypotheses, part by part; docs/model.md has the formulas.

What depends on neighbours and names is looked up for a whole match at once, words comment by
comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from touchline.chains.counting import STRANGER
from touchline.chains.hypotheses import Prepared
from touchline.chains.parameters import Parameters
from touchline.pairs.pairing import Floats, Ints


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


def score_all(m: Prepared, p: Parameters) -> tuple[Floats, Floats]:
    """Log-score of every hypothesis, and of "no event" for every comment."""
    scores = score_parts(m, p)
    return scores.total, scores.silent


def score_parts(m: Prepared, p: Parameters) -> Scores:
    """The log-scores of all hypotheses of a match."""
    mentioned = _mentions(m, p)
    return Scores(
        rate=_rates(m, p),
        lag=np.log(p.lag)[m.lag],
        groups=_groups(m, p),
        words=np.concatenate([np.zeros(0), *(each.score(p) for each in explained(m, p))]),
        names=_names(m, p, mentioned),
        silent=np.log(p.none) + _sums(m.said_by, mentioned[:, STRANGER], len(m.said)),
    )


def _rates(m: Prepared, p: Parameters) -> Floats:
    """How often such a head is told, among all candidates of the comment."""
    single = m.chains[:, 1] < 0
    candidates = p.rate[m.kind[m.chains[single, 0]]]
    every = _sums(m.of[single], candidates, len(m.said))
    return np.asarray(np.log1p(-p.none) + np.log(p.rate[m.kind[m.leader]] / every[m.of]))


def _groups(m: Prepared, p: Parameters) -> Floats:
    """Each neighbour along the chain is taken or passed by."""
    often = p.extend.ravel()[m.met.step]
    return _sums(m.met.of, np.log(np.where(m.met.taken, often, 1 - often)), len(m.chains))


# Words ------------------------------------------------------------------------------------------


class Explained(NamedTuple):
    """How the events of a bucket explain the words of a comment.

    `missing[j, i]` is how likely the event at place j does not bring word i, with ones in a last
    row for padding; `quiet[j]` the log-probability that it brings no other word. `own` are the
    comment's hypotheses, `causes[j]` what of an event may bring words, past the last for padding.
    """

    comment: int
    own: slice
    words: Ints
    causes: Ints
    missing: Floats
    quiet: Floats
    places: Ints

    def present(self, p: Parameters, places: Ints) -> Floats:
        """Probability that each word is there: from one of the chain's events, or by itself."""
        missing = 1 - p.background[self.words]
        for place in places.T:
            missing = missing * self.missing[place]
        return np.asarray(1 - missing)

    def score(self, p: Parameters) -> Floats:
        """Log-likelihood ratio of the words under a noisy-or of the events, against no event."""
        said = np.log(self.present(p, self.places) / p.background[self.words]).sum(axis=1)
        return np.asarray(said + self.quiet[self.places].sum(axis=1))


def explained(m: Prepared, p: Parameters) -> Iterator[Explained]:
    """For each comment, how the events of its bucket explain its words."""
    silent = np.vstack([1 - p.cause, np.ones(p.cause.shape[1])])
    absent = np.log(silent).sum(axis=1)
    for c, (first, last) in enumerate(zip(m.start[:-1], m.start[1:], strict=True)):
        yield _explain(m, c, slice(first, last), silent, absent)


def _explain(m: Prepared, c: int, own: slice, silent: Floats, absent: Floats) -> Explained:
    chains = m.chains[own]
    bucket = chains[chains[:, 1] < 0, 0]
    words = m.words[c][m.words[c] >= 0]
    causes = causes_of(m, c, bucket)
    missing = silent[causes[:, :, None], words].prod(axis=1)
    quiet = absent[causes].sum(axis=1) - np.log(missing).sum(axis=1)
    return Explained(
        comment=c,
        own=own,
        words=words,
        causes=causes,
        missing=np.vstack([missing, np.ones(len(words))]),
        quiet=np.append(quiet, 0.0),
        places=m.places[own],
    )


def causes_of(m: Prepared, c: int, events: Ints) -> Ints:
    """What of each event may bring words to a comment; -1 for padding.

    The part of an unnamed player counts only if he is unnamed.
    """
    causes = m.causes[events]
    spoken = m.spoken[c, m.actor[events]]
    return np.where(spoken[:, None] & (causes >= m.unnamed), -1, causes)


# Names ------------------------------------------------------------------------------------------


def _mentions(m: Prepared, p: Parameters) -> Floats:
    """Log-odds of each mention in each role, by the words beside it."""
    around = (p.context[:, m.beside[:, 0]] + p.context[:, m.beside[:, 1]]).T
    around[:, STRANGER] += np.log(p.stranger)
    return np.asarray(around)


def _names(m: Prepared, p: Parameters, mentioned: Floats) -> Floats:
    """What mentions say for each chain: who is named, in which role, who is left out."""
    k = m.kind[m.leader]
    total = _named(m, m.actor[m.leader], p.named[k], p.chance)
    total += _named(m, m.others[m.leader, 0], p.other_named[k], p.chance)
    total += _sums(m.roles.of, mentioned[m.roles.mention, m.roles.role], len(total))
    first = m.mentions[m.of, 0]
    leads = np.log(np.where(m.actor[m.leader] == first, p.first, 1 - p.first))
    return np.asarray(total + np.where(first >= 0, leads, 0.0))


def _named(m: Prepared, player: Ints, often: Floats, chance: float) -> Floats:
    """How much more likely a player is mentioned, or not, than one of just any event."""
    odds = np.where(m.spoken[m.of, player], often / chance, (1 - often) / (1 - chance))
    return np.where(player >= 0, np.log(odds), 0.0)


def _sums(of: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(of, weights=values, minlength=size).astype(float)
