"""Clamped learning: a labelled comment may only describe what its label says.

Labels then teach the model itself, what words mean and what is described at all. A few are enough
for that, where a layer of weights would not know which of them to trust.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.data.tables import Allowed, MatchTables
from touchline.methods.match_store import Arrays

# Of some comments, by number, the numbers of the events that they describe.
Described = Mapping[int, frozenset[int]]
# The same of some condensed matches, by their mark.
Clamps = Mapping[str, Described]


def mark_of(match: Arrays) -> str:
    """What a condensed match is recognised by: its words, hypotheses and times."""
    digest = hashlib.sha256()
    for name in ("comments.words", "comments.time", "comments.event", "events.time"):
        digest.update(match[name].tobytes())
    return digest.hexdigest()


def clamped(m: MatchTables, labels: Described) -> MatchTables:
    """The same match, with only those hypotheses of labelled comments nearest to the label, by F1.

    A comment of which no hypothesis has anything right may describe anything.
    """
    chains = np.ones(len(m.hypotheses.events), dtype=bool)
    none = np.ones(len(m.comments.time), dtype=bool)
    for comment, events in labels.items():
        own = slice(m.hypotheses.start[comment], m.hypotheses.start[comment + 1])
        near = _f1(m.hypotheses.events[own], events)
        best = near.max(initial=0.0)
        if not events:
            chains[own] = False
        elif best > 0:
            chains[own], none[comment] = near == best, False
    return m._replace(allowed=Allowed(chains, none))


def _f1(hypotheses: np.ndarray, events: frozenset[int]) -> Floats:
    """How near each hypothesis is to some events."""
    right = np.isin(hypotheses, list(events)).sum(axis=1)
    return np.asarray(2 * right / np.maximum((hypotheses >= 0).sum(axis=1) + len(events), 1))
