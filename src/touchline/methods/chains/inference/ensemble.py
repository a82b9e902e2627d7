"""How sure to be: an ensemble whose members weigh the same comments differently.

A model trusts its own estimates, and is overconfident where they are noise. Each member learns from
the same matches with a random weight for each comment (the Bayesian bootstrap). How far members
agree on a match says how much of what was learned can be trusted, without any label. The scores are
the mean of all their probabilities.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.inference.posterior import Posterior, infer
from touchline.methods.chains.labelled.layer import LabelChoice, Layer
from touchline.methods.chains.model.ablation import Parts
from touchline.methods.chains.model.m_step import Parameters, maximise
from touchline.methods.chains.model.seen import Sketch
from touchline.methods.chains.model.sufficient_stats import Counts
from touchline.methods.chains.words.layer import WordLayer

if TYPE_CHECKING:
    from random import Random

# Fewer matches than the minimum are not worth weighing; a member needs no more than the maximum.
MEMBERS, MIN_MATCHES, MAX_MATCHES = 6, 4, 12


class Learned(NamedTuple):
    """What was learned from all matches, and by each member of the ensemble.

    `seen` are sketches of the commentaries, to recognise them by, `pace` how many comments a minute
    they usually have, 0 if that is not known. `layers` are what labels have taught, for each kind
    of text; `clamped` are models of which labels were a part, by the same kinds, for the layers
    that need one; `choices` say why each kind is answered so. `word_layers` are what labelled words
    of events have taught.
    """

    language: Language
    counts: Counts
    members: tuple[Counts, ...] = ()
    seen: tuple[Sketch, ...] = ()
    pace: float = 0.0
    layers: tuple[Layer, ...] = ()
    clamped: Mapping[str, Learned] = {}
    choices: tuple[LabelChoice, ...] = ()
    word_layers: tuple[WordLayer, ...] = ()

    def read_by(self, layer: Layer | None) -> Learned:
        """The model whose answers a layer looks at."""
        return self.clamped[layer.kind] if layer and layer.clamped else self

    def parameters(self, parts: Parts) -> list[Parameters]:
        """What follows from all counts: those of the whole, then each member's."""
        every = (self.counts, *self.members)
        return [parts.neutral(maximise(counts, self.language)) for counts in every]


class Member(NamedTuple):
    """A member of the ensemble, and the numbers of the matches that it learns from."""

    number: int
    matches: list[int]


def members_of(matches: int) -> list[Member]:
    """The members of an ensemble that learns from so many matches."""
    if matches < MIN_MATCHES:
        return []
    chance = _chance(0)
    some = min(matches, MAX_MATCHES)
    return [Member(i, sorted(chance.sample(range(matches), some))) for i in range(MEMBERS)]


def _chance(seed: int | str) -> Random:
    import random  # takes 3 ms to load, and only learning needs it

    return random.Random(seed)


def weights(member: int, words: np.ndarray) -> Floats:
    """How much each comment of a match counts for a member; `words` has a row for each comment.

    It follows from the match itself, whoever asks and in whatever order.
    """
    mark = hashlib.sha256(words.tobytes()).hexdigest()
    chance = _chance(f"{member} {mark}")
    return np.array([chance.expovariate(1.0) for _ in words])


def agreed(
    prepared: MatchTables, whole: Posterior, adapted: Parameters, members: Iterable[Parameters]
) -> Posterior:
    """The mean of all members' probabilities."""
    return mean(whole, voices(prepared, whole, adapted, members))


def voices(
    prepared: MatchTables, whole: Posterior, adapted: Parameters, members: Iterable[Parameters]
) -> list[Posterior]:
    """Probabilities of all members.

    `whole` are those of the model that was learned from all matches, adapted to this one.
    """
    return [whole, *(_infer_member(prepared, adapted, own) for own in members)]


def mean(whole: Posterior, voices: Sequence[Posterior]) -> Posterior:
    chains, none = (sum(of[1:], of[0]) for of in zip(*(voice[:2] for voice in voices), strict=True))
    return whole._replace(chains=chains / len(voices), none=none / len(voices))


def _infer_member(prepared: MatchTables, adapted: Parameters, own: Parameters) -> Posterior:
    """Probabilities of a member, with the clock that the adapted parameters found."""
    own = own._replace(lag=adapted.lag, order=adapted.order, drift=adapted.drift)
    return infer(prepared, own, counted=False)
