"""How sure to be: readers who have each learned from half of the matches.

A model believes its own numbers, and is too sure wherever they are chance. Others who have learned
from another half of the same matches have other numbers: how far they agree on a match says how
much of what was learned can be trusted, without any label. A score is therefore the mean of all
readers' probabilities; which events are told is left to the one who has learned from all.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

from touchline.chains.counting import Counts
from touchline.chains.hypotheses import Prepared
from touchline.chains.inference import Posterior, infer
from touchline.chains.language import Language
from touchline.chains.parameters import Parameters, maximise
from touchline.chains.parts import Parts

# Matches are split in two so often; each half has a reader. From fewer matches than these nobody
# could learn from a half; more than these a reader need not have read.
SPLITS, FEWEST, MOST = 3, 4, 12


class Learned(NamedTuple):
    """What was learned from all matches, and by each reader from a half of them.

    `read` are digests of the commentaries, to know them again by.
    """

    language: Language
    counts: Counts
    readers: tuple[Counts, ...] = ()
    read: tuple[str, ...] = ()


def halves(matches: int) -> list[list[int]]:
    """The numbers of the matches that each reader learns from."""
    if matches < FEWEST:
        return []
    chance = random.Random(0)
    found = []
    for _ in range(SPLITS):
        mixed = chance.sample(range(matches), matches)
        found += [mixed[: matches // 2], mixed[matches // 2 :]]
    return [sorted(half[:MOST]) for half in found]


def agreed(
    prepared: Prepared, whole: Posterior, adapted: Parameters, learned: Learned, parts: Parts
) -> Posterior:
    """The mean of all readers' probabilities.

    `whole` are those of who has learned from all, by parameters that are adapted to the match.
    """
    own = (parts.neutral(maximise(counts, learned.language)) for counts in learned.readers)
    voices = [whole, *(_read(prepared, adapted, parameters) for parameters in own)]
    return whole._replace(
        chains=np.mean([voice.chains for voice in voices], axis=0),
        none=np.mean([voice.none for voice in voices], axis=0),
    )


def _read(prepared: Prepared, adapted: Parameters, own: Parameters) -> Posterior:
    """A reader takes over what was found out about the match's clock, and only that."""
    return infer(prepared, own._replace(lag=adapted.lag, order=adapted.order, drift=adapted.drift))
