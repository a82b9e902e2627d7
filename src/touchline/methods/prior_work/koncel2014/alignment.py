"""The factored objective: every way to align the parts of a comment with events, summed.

A way is a product of factors. Each part and its event: the words of the part given the event's
type, and who its name is to the event. Each pair of parts in a row: what follows what in a text
(discourse), and that the events of a comment come from one stretch of play (composition). An event
may have several parts or none, and a part no event: one-to-one, relaxed.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.prior_work.koncel2014.observations import (
    ROLES,
    SILENT,
    STAY,
    STEPS,
    STRANGER,
    UNNAMED,
    Observation,
)

SMOOTHING = 0.1


class Model(msgspec.Struct, frozen=True):
    """Probabilities: of words by type and in parts about nothing, of roles, of steps.

    `silent` is how probably a part is about nothing after one that is, and after one that is not;
    `rates` how probably an event that is described is of each type.
    """

    words: list[str]
    types: list[str]
    by_type: Floats
    by_none: Floats
    roles: Floats
    steps: Floats
    silent: Floats
    rates: Floats


class Counts(NamedTuple):
    """What is expected to have happened; the fields of `Model` before they are shares."""

    by_type: Floats
    by_none: Floats
    roles: Floats
    steps: Floats
    silent: Floats
    rates: Floats

    @classmethod
    def zero(cls, model: Model) -> Counts:
        tables = (model.by_type, model.by_none, model.roles, model.steps, model.silent, model.rates)
        return cls(*(np.zeros_like(table) for table in tables))


def start(words: list[str], types: list[str]) -> Model:
    """Before anything is learned: words say nothing, names mean actors, events stay."""
    size = max(len(words), 1)
    return Model(
        words,
        types,
        np.full((len(types), size), 1 / size),
        np.full(size, 1 / size),
        np.array([0.79, 0.2, 0.01]),
        np.array([0.7, 0.19, 0.1, 0.01]),
        np.array([[0.8, 0.2], [0.2, 0.8]]),
        np.full(len(types), 1 / max(len(types), 1)),
    )


def maximise(model: Model, counts: Counts) -> Model:
    """The model that fits the counts best, with additive smoothing."""
    return msgspec.structs.replace(
        model,
        by_type=_shares(counts.by_type),
        by_none=_shares(counts.by_none),
        roles=_shares(counts.roles),
        steps=_shares(counts.steps),
        silent=_shares(counts.silent),
        rates=_shares(counts.rates),
    )


def _shares(counts: Floats) -> Floats:
    more = counts + SMOOTHING
    return np.asarray(more / more.sum(axis=-1, keepdims=True))


def expect(seen: Observation, model: Model, counts: Counts | None = None) -> Floats:
    """The probability that each part describes each event, the last column: nothing."""
    if not len(seen.parts) or not len(seen.bucket):
        share = np.zeros((len(seen.parts), len(seen.bucket) + 1))
        share[:, -1] = 1.0
        return share
    emitted, steps = _emitted(seen, model), _transitions(seen, model)
    forward, backward = np.zeros_like(emitted), np.ones_like(emitted)
    first = np.append(model.silent[1, 1] * _chosen(seen, model), model.silent[1, 0])
    for i, own in enumerate(emitted):
        forward[i] = own * (forward[i - 1] @ steps if i else first)
        forward[i] /= forward[i].sum()
    for i in range(len(emitted) - 2, -1, -1):
        backward[i] = steps @ (emitted[i + 1] * backward[i + 1])
        backward[i] /= backward[i].max()
    share = forward * backward
    share /= share.sum(axis=1, keepdims=True)
    if counts is not None:
        _count(seen, share, _joint(forward, backward, emitted, steps), counts)
    return share


def _emitted(seen: Observation, model: Model) -> Floats:
    """How likely each part is under each event, up to a factor."""
    score = np.zeros((len(seen.parts), len(seen.bucket) + 1))
    part, word = seen.words.T
    by_event = np.vstack([np.log(model.by_type[seen.types]), np.log(model.by_none)])
    np.add.at(score, part, by_event[:, word].T)
    usual = np.append(np.log(model.roles), 0.0)
    usual[STRANGER] -= np.log(seen.players)  # any of them
    score[:, :-1] += usual[seen.roles]
    named = (seen.roles != UNNAMED).any(axis=1)
    score[named, -1] -= np.log(seen.players)
    return np.asarray(np.exp(score - score.max(axis=1, keepdims=True)))


def _chosen(seen: Observation, model: Model) -> Floats:
    """How probably each event of the bucket is the one: a type, then any event of it."""
    often = np.bincount(seen.types, minlength=len(model.types))
    share = model.rates[seen.types] / often[seen.types]
    return np.asarray(share / share.sum())


def _transitions(seen: Observation, model: Model) -> Floats:
    """How probably each event, or nothing, follows each."""
    chosen, size = _chosen(seen, model), len(seen.bucket)
    found = np.zeros((size + 1, size + 1))
    for step, share in enumerate(model.steps):
        there = np.where(seen.step == step, 1.0 if step == STAY else chosen, 0.0)
        every = there.sum(axis=1, keepdims=True)
        found[:-1, :-1] += share * np.divide(there, every, out=there, where=every > 0)
    found[:-1, :-1] *= model.silent[1, 1] / found[:-1, :-1].sum(axis=1, keepdims=True)
    found[:-1, -1] = model.silent[1, 0]
    found[-1, :-1], found[-1, -1] = model.silent[0, 1] * chosen, model.silent[0, 0]
    return found


def _joint(forward: Floats, backward: Floats, emitted: Floats, steps: Floats) -> Floats:
    """How probably each state follows each other one, summed over the comment."""
    total = np.zeros_like(steps)
    for i in range(1, len(emitted)):
        joint = forward[i - 1][:, None] * steps * (emitted[i] * backward[i])
        total += joint / joint.sum()
    return total


def _count(seen: Observation, share: Floats, joint: Floats, counts: Counts) -> None:
    part, word = seen.words.T
    np.add.at(counts.by_type, (seen.types[None, :], word[:, None]), share[part, :-1])
    np.add.at(counts.by_none, word, share[part, -1])
    roles = np.bincount(seen.roles.ravel(), share[:, :-1].ravel(), ROLES)
    np.add(counts.roles, roles[:-1], out=counts.roles)
    moved = np.bincount(seen.step.ravel(), joint[:-1, :-1].ravel(), STEPS)
    np.add(counts.steps, moved[: SILENT - STAY], out=counts.steps)
    entered = np.where(seen.step == STAY, 0.0, joint[:-1, :-1]).sum(axis=0) + joint[-1, :-1]
    np.add.at(counts.rates, seen.types, entered + share[0, :-1])
    counts.silent[1] += joint[:-1, -1].sum(), joint[:-1, :-1].sum()
    counts.silent[0] += joint[-1, -1], joint[-1, :-1].sum()
