"""Features of a set of events: how probable, how large, whom it covers, how it hangs together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Match
from touchline.methods.chains.labelled.candidate_sets import CandidateSets
from touchline.methods.chains.labelled.features import Inferred, Numbering, Table, one_column

LOG_POSTERIOR = "log posterior"
# What a set that is no hypothesis, or a very improbable one, is taken to have.
MIN_PROBABILITY = 1e-6
MAX_SIZE = 5
# Two records of one action, such as a foul committed and won, lie so close, in seconds.
MIRROR = 1.5
_SECONDS = 5.0


def set_features(known: Inferred, sets: CandidateSets, number: Numbering) -> Iterator[Table]:
    likely = np.log(np.maximum(sets.probability, MIN_PROBABILITY))
    yield one_column(number(LOG_POSTERIOR), likely)
    yield one_column(number("not a hypothesis"), (sets.probability <= 0).astype(float))
    for size in range(MAX_SIZE + 1):
        yield one_column(number(f"{size} events"), (sets.size == size).astype(float))
    yield from _coverage(known, sets, number)
    yield from _neighbours(known, sets, number)


def _coverage(known: Inferred, sets: CandidateSets, number: Numbering) -> Iterator[Table]:
    """How many of the named players have a part in the set, and whether the first one has."""
    m, event = known.tables, sets.event[sets.member]
    mentions = m.comments.mentions[sets.owner]
    own = mentions[sets.member_of]
    part = m.events.actor[event][:, None] == own
    part |= (m.events.others[event][:, :, None] == own[:, None]).any(axis=1)
    covered = np.zeros(mentions.shape, dtype=bool)
    np.logical_or.at(covered, sets.member_of, part)
    real = mentions >= 0
    for name, values in {
        "players covered": (covered & real).sum(axis=1),
        "players left out": (~covered & real).sum(axis=1),
        "first player covered": (covered & real)[:, 0],
    }.items():
        yield one_column(number(name), values.astype(float))


def _neighbours(known: Inferred, sets: CandidateSets, number: Numbering) -> Iterator[Table]:
    """The types of each two neighbours in a set, and what they have to do with each other."""
    events, types = known.tables.events, known.language.types
    of, one, two = _side_by_side(sets)
    both = events.type[one] * len(types) + events.type[two]
    some, column = np.unique(both, return_inverse=True)
    names = (f"{types[key // len(types)]}, {types[key % len(types)]}" for key in some.tolist())
    yield Table(of, number.every(names)[column], np.ones(len(of)))
    team, apart = _teams(known.match), events.time[two] - events.time[one]
    together = team[one] == team[two]
    for name, values in {
        "same player": (events.actor[one] == events.actor[two]) & (events.actor[one] >= 0),
        "same team": together,
        "other team": ~together,
        "mirror records": ~together & (np.abs(apart) <= MIRROR),
        "events skipped": two - one - 1,
        "seconds apart": apart / _SECONDS,
    }.items():
        yield one_column(number(name), _sums(of, values, len(sets)))


def _side_by_side(sets: CandidateSets) -> tuple[Ints, Ints, Ints]:
    """Each two neighbours of a set, in match order: the set, the first, the second."""
    order = np.lexsort((sets.event[sets.member], sets.member_of))
    of, event = sets.member_of[order], sets.event[sets.member[order]]
    first = np.flatnonzero(of[1:] == of[:-1])
    return of[first], event[first], event[first + 1]


def _sums(of: Ints, values: np.ndarray, size: int) -> Floats:
    return np.bincount(of, values.astype(float), size).astype(float)


def _teams(match: Match) -> Ints:
    number = {team.id: i for i, team in enumerate(match.teams)}
    return np.array([number.get(e.team.id, -1) if e.team else -1 for e in match.linkable], np.int64)
