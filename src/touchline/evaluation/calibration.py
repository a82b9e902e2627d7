"""Whether scores mean what they say: of links scored .8, eight in ten should be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from touchline.core.links import CommentLinks
from touchline.io.corpus.layout import LabelledMatch

BINS = 10

# A score, and whether what it was given to is so.
Judged = tuple[float, bool]


class Bin(NamedTuple):
    """Some answers with like scores: how many, their mean score, the share that is right."""

    answers: int
    score: float
    right: float


def judged_links(labelled: LabelledMatch, answers: Iterable[CommentLinks]) -> list[Judged]:
    """The links of labelled comments."""
    gold = labelled.gold or {}
    return [
        (link.score, labelled.key(link.id) in gold[answer.comment])
        for answer in answers
        if answer.comment in gold
        for link in answer.events
    ]


def judged_none(labelled: LabelledMatch, answers: Iterable[CommentLinks]) -> list[Judged]:
    """ "No event" of labelled comments, whether it was answered or not."""
    gold = labelled.gold or {}
    return [(answer.none, not gold[answer.comment]) for answer in answers if answer.comment in gold]


class Calibration(NamedTuple):
    """What was judged: the links of labelled comments, and "no event" of all of them."""

    links: list[Judged]
    none: list[Judged]

    def add(self, labelled: LabelledMatch, answers: Sequence[CommentLinks]) -> None:
        """Judge the answers for a match as well."""
        self.links.extend(judged_links(labelled, answers))
        self.none.extend(judged_none(labelled, answers))

    def to_json(self) -> dict[str, Any]:
        """The expected calibration error of each, the number of answers, and the bins."""
        return {
            name: {
                "ece": calibration_error(judged),
                "answers": len(judged),
                "bins": [bin_._asdict() for bin_ in reliability(judged)],
            }
            for name, judged in self._asdict().items()
        }


def reliability(judged: Sequence[Judged], bins: int = BINS) -> list[Bin]:
    """Bin answers by score, from low to high, with equally many in each bin."""
    scores, right = np.array(judged, dtype=float).reshape(-1, 2).T
    order = np.lexsort((right, scores))  # of equal scores the order given does not matter
    parts = [part for part in np.array_split(order, bins) if len(part)]
    return [Bin(len(p), float(scores[p].mean()), float(right[p].mean())) for p in parts]


def calibration_error(judged: Sequence[Judged], bins: int = BINS) -> float:
    """The expected calibration error: how far score and share lie apart, in the mean of answers."""
    found = reliability(judged, bins)
    total = sum(one.answers for one in found)
    return sum(one.answers * abs(one.score - one.right) for one in found) / total if total else 0.0
