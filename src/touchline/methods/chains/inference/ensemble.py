"""How sure to be: members who have weighed the same matches otherwise.

A model believes its own numbers, and is too sure wherever they are chance. Each member has learned
from the same matches with weights drawn at random, one for each match and one for each comment (the
Bayesian bootstrap): how far members agree on a match says how much of what was learned can be
trusted, without any label. What is told, and how surely, is the mean of all their probabilities.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.data.hypotheses import Prepared
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.inference.posterior import Posterior, infer
from touchline.methods.chains.model.ablation import Parts
from touchline.methods.chains.model.m_step import Parameters, maximise
from touchline.methods.chains.model.seen import Sketch
from touchline.methods.chains.model.sufficient_stats import Counts

# From fewer matches than these there is nothing to weigh; more than these a member need not read.
MEMBERS, FEWEST, MOST = 6, 4, 12


class Learned(NamedTuple):
    """What was learned from all matches, and by each member with weights of his own.

    `seen` are sketches of the commentaries, to recognise them by, `pace` how many comments a minute
    they usually have, 0 if that is not known.
    """

    language: Language
    counts: Counts
    members: tuple[Counts, ...] = ()
    seen: tuple[Sketch, ...] = ()
    pace: float = 0.0

    def parameters(self, parts: Parts) -> list[Parameters]:
        """What follows from all counts: those of the whole, then each member's."""
        every = (self.counts, *self.members)
        return [parts.neutral(maximise(counts, self.language)) for counts in every]


class Member(NamedTuple):
    """A member, and the numbers of the matches that he learns from."""

    number: int
    matches: list[int]


def members_of(matches: int) -> list[Member]:
    """The members of so many matches."""
    if matches < FEWEST:
        return []
    chance = random.Random(0)
    some = min(matches, MOST)
    return [Member(i, sorted(chance.sample(range(matches), some))) for i in range(MEMBERS)]


def weights(member: int, words: np.ndarray) -> Floats:
    """How much each comment of a match counts for a member; `words` has a row for each comment.

    It follows from the match itself, whoever asks and in whatever order.
    """
    mark = hashlib.sha256(words.tobytes()).hexdigest()
    chance = random.Random(f"{member} {mark}")
    of_match = chance.expovariate(1.0)
    return np.array([of_match * chance.expovariate(1.0) for _ in words])


def agreed(
    prepared: Prepared, whole: Posterior, adapted: Parameters, members: Iterable[Parameters]
) -> Posterior:
    """The mean of all members' probabilities.

    `whole` are those of who has learned from all, by parameters that are adapted to the match.
    """
    voices = [whole, *(_read(prepared, adapted, own) for own in members)]
    return whole._replace(
        chains=np.mean([voice.chains for voice in voices], axis=0),
        none=np.mean([voice.none for voice in voices], axis=0),
    )


def _read(prepared: Prepared, adapted: Parameters, own: Parameters) -> Posterior:
    """A member takes over what was found out about the match's clock, and only that."""
    return infer(prepared, own._replace(lag=adapted.lag, order=adapted.order, drift=adapted.drift))
