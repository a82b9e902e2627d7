"""Metrics over labelled phases: the right comment with the right team, and how far spans agree."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from touchline.core.links import CommentLinks
from touchline.core.records import CommentId
from touchline.evaluation.metrics import ratio
from touchline.io.corpus.layout import LabelledMatch
from touchline.io.corpus.phases import GoldPhase


class PhaseScore(msgspec.Struct, kw_only=True):
    """Counts from which the metrics follow; scores add up.

    `right` comments are given a phase of the team that they are about, `overlap` is the sum of
    what the spans of those share with the labelled ones, `lines` are the labelled phases.
    """

    right: int = 0
    predicted: int = 0
    lines: int = 0
    overlap: float = 0.0

    def __add__(self, other: PhaseScore) -> PhaseScore:
        return PhaseScore(
            **{name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__}
        )

    def metrics(self) -> dict[str, float]:
        """The metrics by name, as fractions; `overlap` is the mean over the right comments."""
        return {
            "precision": ratio(self.right, self.predicted),
            "recall": ratio(self.right, self.lines),
            "f1": ratio(2 * self.right, self.predicted + self.lines),
            "overlap": ratio(self.overlap, self.right),
            "lines": self.lines,
        }


def score_phases(labelled: LabelledMatch, answers: Iterable[CommentLinks]) -> PhaseScore:
    """Score the phases of one match."""
    return sum(score_each_phase(labelled, answers).values(), PhaseScore())


def score_each_phase(
    labelled: LabelledMatch, answers: Iterable[CommentLinks]
) -> dict[CommentId, PhaseScore]:
    """The score of each labelled comment by itself; comments without labels are not scored."""
    given = {answer.comment: answer for answer in answers}
    gold = labelled.phases or {}
    return {
        comment: _score(labelled, given.get(comment), gold.get(comment))
        for comment in (labelled.gold or {})
    }


def _score(
    labelled: LabelledMatch, answer: CommentLinks | None, gold: GoldPhase | None
) -> PhaseScore:
    found = answer.phase if answer else None
    right = found is not None and gold is not None and found.team == gold.team
    overlap = shared(found.span, gold.span(labelled.match)) if right and found and gold else 0.0
    return PhaseScore(
        right=right, predicted=found is not None, lines=gold is not None, overlap=overlap
    )


def shared(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The share of two spans together that is in both of them."""
    both = min(one[1], other[1]) - max(one[0], other[0])
    whole = max(one[1], other[1]) - min(one[0], other[0])
    return max(both, 0.0) / whole if whole else 1.0
