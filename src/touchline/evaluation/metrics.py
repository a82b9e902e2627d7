"""Metrics over (comment, event) pairs of labelled comments.

Counts add up over matches, so that a total is micro-averaged: precision = right / predicted,
recall = right / gold. Golds that no candidate covers are misses.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np

from touchline.core.links import CommentLinks, Link
from touchline.core.records import CommentId
from touchline.io.corpus.layout import LabelledMatch


class Score(msgspec.Struct, kw_only=True):
    """Counts from which every metric of a track follows; scores add up."""

    right: int = 0
    predicted: int = 0
    gold: int = 0
    exact: int = 0
    none_right: int = 0
    comments: int = 0
    # Of every scored candidate: its score, and whether it is gold.
    candidates: list[tuple[float, bool]] = []

    def count(self, other: Score) -> None:
        """Count another score's comments in as well."""
        for name in self.__struct_fields__:
            total = getattr(self, name)
            total += getattr(other, name)
            setattr(self, name, total)

    def __add__(self, other: Score) -> Score:
        total = Score(candidates=[])
        total.count(self)
        total.count(other)
        return total

    def metrics(self) -> dict[str, float]:
        """The metrics by name, as fractions."""
        precision = ratio(self.right, self.predicted)
        recall = ratio(self.right, self.gold)
        return {
            "precision": precision,
            "recall": recall,
            "f1": ratio(2 * precision * recall, precision + recall),
            "pr_auc": average_precision(self.candidates, self.gold),
            "exact": ratio(self.exact, self.comments),
            "none_accuracy": ratio(self.none_right, self.comments),
            "predicted": self.predicted,
            "gold": self.gold,
            "comments": self.comments,
        }


class LineScore(msgspec.Struct, kw_only=True):
    """Counts of the templated track: lines whose best candidate is the one they are about."""

    right: int = 0
    lines: int = 0

    def __add__(self, other: LineScore) -> LineScore:
        return LineScore(right=self.right + other.right, lines=self.lines + other.lines)

    def metrics(self) -> dict[str, float]:
        return {"accuracy": ratio(self.right, self.lines), "lines": self.lines}


def score_comments(labelled: LabelledMatch, answers: Iterable[CommentLinks]) -> Score:
    """Score the answers for one match; a labelled comment without an answer is not linked."""
    total = Score(candidates=[])
    for score in score_each(labelled, answers).values():
        total.count(score)
    return total


def score_each(labelled: LabelledMatch, answers: Iterable[CommentLinks]) -> dict[CommentId, Score]:
    """The score of each labelled comment by itself."""
    given = {answer.comment: answer for answer in answers}
    return {
        comment: _score_comment(labelled, given.get(comment), gold)
        for comment, gold in (labelled.gold or {}).items()
    }


def _score_comment(
    labelled: LabelledMatch, answer: CommentLinks | None, gold: frozenset[str]
) -> Score:
    linked = {labelled.key(link.id) for link in answer.events} if answer else set()
    return Score(
        right=len(linked & gold),
        predicted=len(linked),
        gold=len(gold),
        exact=int(linked == gold),
        none_right=int((not linked) == (not gold)),
        comments=1,
        candidates=[(s, key in gold) for key, s in _scores(labelled, answer).items()],
    )


def score_lines(labelled: LabelledMatch, answers: Iterable[CommentLinks]) -> LineScore:
    """Share of lines whose best-scored candidate is the event they are about."""
    each = score_each_line(labelled, answers)
    return LineScore(right=sum(each.values()), lines=len(each))


def score_each_line(
    labelled: LabelledMatch, answers: Iterable[CommentLinks]
) -> dict[CommentId, bool]:
    """Whether the best-scored candidate of each labelled line is the event it is about."""
    best = {
        answer.comment: labelled.key(max(links, key=lambda link: link.score).id)
        for answer in answers
        if (links := _scored(answer))
    }
    return {comment: best.get(comment) in gold for comment, gold in (labelled.gold or {}).items()}


def _scored(answer: CommentLinks) -> tuple[Link, ...]:
    """All scored candidates where the answer has them, else its links."""
    return answer.candidates if answer.candidates is not None else answer.events


def _scores(labelled: LabelledMatch, answer: CommentLinks | None) -> dict[str, float]:
    """The best score of each key."""
    scores: dict[str, float] = {}
    for link in _scored(answer) if answer else ():
        key = labelled.key(link.id)
        scores[key] = max(link.score, scores.get(key, 0.0))
    return scores


def average_precision(candidates: list[tuple[float, bool]], gold: int) -> float:
    """Area under the precision-recall curve; equal scores are one point of it."""
    if not candidates or not gold:
        return 0.0
    scores = np.array([score for score, _ in candidates])
    right = np.array([is_gold for _, is_gold in candidates], dtype=float)
    order = np.argsort(-scores, kind="stable")
    scores, right = scores[order], np.cumsum(right[order])
    ends = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
    found = right[ends]
    gained = np.diff(found, prepend=0.0)
    return float(np.sum(gained * found / (ends + 1)) / gold)


def ratio(part: float, whole: float) -> float:
    """A share; 0 of nothing."""
    return part / whole if whole else 0.0


def add_up(scores: Iterable[Score]) -> Score:
    """Several scores as one."""
    total = Score(candidates=[])
    for score in scores:
        total.count(score)
    return total
