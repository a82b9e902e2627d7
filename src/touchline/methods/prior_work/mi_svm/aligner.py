"""`mi-svm` and `mi-svm-bag`: multiple-instance learning, the paper's "MIL" (Andrews et al. 2002).

Sentences with all events of their buckets are positive bags; which of the pairs are right is
latent. `mi-svm` answers with every pair on the positive side, `mi-svm-bag` (MI-SVM) with the best
pair of the bag, if it is on that side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
import numpy as np

from touchline.core.arrays import Floats
from touchline.core.links import CommentLinks
from touchline.core.records import Match
from touchline.io.model_arrays import Stored
from touchline.methods.base import Cost, Count, MinCount, Options, Rounds, answer
from touchline.methods.learner import Learner
from touchline.methods.logistic import sigmoid
from touchline.methods.pairs.pairing import Pairs, Reading, pair_up
from touchline.methods.prior_work.mi_svm.training import all_bags, learn, positive_bags


class MiSvmOptions(Options, frozen=True, kw_only=True):
    """`negatives` of each half as in the paper's PairModel; `cost` of all slack together."""

    negatives: Count = 50
    cost: Cost = 100.0
    rounds: Rounds = 20
    min_count: MinCount = 2


class Plane(msgspec.Struct, frozen=True):
    """A weight for each word and event value by name, for the string parts, and the intercept."""

    words: dict[str, float]
    values: dict[str, float]
    rest: Floats


class MiSvm(Learner[Plane]):
    """mi-SVM: labels of instances are latent."""

    name = "mi-svm"
    options_type = MiSvmOptions
    options: MiSvmOptions
    learned_type = Plane
    witnesses: ClassVar[bool] = False

    def learn(self, matches: Sequence[Match]) -> Plane:
        pairs = pair_up(matches, self._reading(self.options.min_count))
        if len(pairs) == 0:
            return Plane({}, {}, np.zeros(pairs.strings.shape[1] + 1))
        options = self.options
        bags = all_bags(pairs, options.negatives, options.seed)
        weights = learn(bags, options.cost, options.rounds, self.witnesses).tolist()
        words, values = len(pairs.vocabulary), len(pairs.columns)
        return Plane(
            dict(zip(pairs.vocabulary, weights[:words], strict=True)),
            dict(zip(pairs.columns, weights[words : words + values], strict=True)),
            np.array(weights[words + values :]),
        )

    def restored_tables(self, stored: Stored, plain: Mapping[str, Any]) -> dict[str, np.ndarray]:
        return {"rest": stored.floats("rest", 2)}

    def answers(self, match: Match, learned: Plane) -> Iterator[CommentLinks]:
        pairs = pair_up([match], self._reading(1))
        margins = positive_bags(pairs).margins(_weights(pairs, learned))
        for number, comment in enumerate(match.comments):
            own = np.flatnonzero(pairs.sentence == number)
            events = [match.linkable[e] for e in pairs.event[own]]
            probable = sigmoid(margins[own])
            chosen = own[margins[own] > 0]
            if self.witnesses:
                chosen = chosen[np.argsort(-margins[chosen], kind="stable")][:1]
            ids = [match.linkable[e].id for e in pairs.event[chosen]]
            none = 1 - float(probable.max(initial=0))
            yield answer(match, comment, list(zip(events, probable, strict=True)), ids, none)

    def _reading(self, min_count: int) -> Reading:
        return Reading(window=self.options.bucket_window, min_count=min_count, nodes="all")


class MiSvmBag(MiSvm):
    """MI-SVM: each bag has one witness."""

    name = "mi-svm-bag"
    witnesses = True


def _weights(pairs: Pairs, learned: Plane) -> Floats:
    """The weights in the order of these pairs' features; what is unknown weighs nothing."""
    words = [learned.words.get(word, 0.0) for word in pairs.vocabulary]
    values = [learned.values.get(value, 0.0) for value in pairs.columns]
    return np.concatenate([words, values, learned.rest])
