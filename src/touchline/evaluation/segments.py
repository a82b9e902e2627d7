"""Metrics over the words of pairs: tokens (`\\w+`) inside the spans that describe an event.

Counts are micro-averaged over pairs. Given the gold links, a method is asked for the words of the
gold events; end to end, for those of its own links, where a pair that is wrong or missing counts
with all its tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from touchline.core.arrays import Floats
from touchline.core.errors import UsageError
from touchline.core.links import CommentLinks, Spans
from touchline.core.records import CommentId, Match
from touchline.evaluation.bootstrap import draws, interval_of, rates
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.base import Alignment
from touchline.text.names import MENTIONED, NameFinder

_TOKEN = re.compile(r"\w+")
_CLAUSE_END = re.compile(r"[.!?;,]+\s*|\s+but\s+")
Given = Mapping[str, Sequence[tuple[int, int]]]
# The words of a comment's events: comment id, event ids.
Describe = Callable[[CommentId, Sequence[str]], Given | None]


class Tokens(msgspec.Struct, frozen=True):
    """Tokens that are right, predicted, and gold."""

    right: int = 0
    predicted: int = 0
    gold: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.right + other.right, self.predicted + other.predicted, self.gold + other.gold
        )

    def metrics(self) -> dict[str, float]:
        precision, recall, f1 = rates(np.array([self.right, self.predicted, self.gold], float))
        return {"precision": float(precision), "recall": float(recall), "f1": float(f1)}


class SegmentScore(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of one comment, or of several: given the gold links, and end to end."""

    given: Tokens = Tokens()
    end_to_end: Tokens = Tokens()
    pairs: int = 0

    def __add__(self, other: SegmentScore) -> SegmentScore:
        return SegmentScore(
            given=self.given + other.given,
            end_to_end=self.end_to_end + other.end_to_end,
            pairs=self.pairs + other.pairs,
        )

    def metrics(self) -> dict[str, Any]:
        return {
            **self.given.metrics(),
            "pairs": self.pairs,
            "end_to_end": self.end_to_end.metrics(),
        }


def tokens_in(text: str, spans: Iterable[tuple[int, int]]) -> set[int]:
    """The tokens of a text, by their first characters, that lie inside the spans."""
    inside = list(spans)
    return {
        token.start()
        for token in _TOKEN.finditer(text)
        if any(start <= token.start() and token.end() <= end for start, end in inside)
    }


def score_each_segment(
    labelled: LabelledMatch, describe: Describe, answers: Iterable[CommentLinks]
) -> dict[CommentId, SegmentScore]:
    """The score of each labelled comment: those with segments, and those that describe nothing."""
    segments, texts = labelled.segments or {}, _texts(labelled.match)
    linked = {answer.comment: [link.id for link in answer.events] for answer in answers}
    found = {}
    for comment in dict.fromkeys([*(labelled.gold or {}), *segments]):
        gold = segments.get(comment, {})
        own = linked.get(comment, [])
        found[comment] = SegmentScore(
            given=_compare(texts[comment], describe(comment, list(gold)) or {}, gold),
            end_to_end=_compare(texts[comment], describe(comment, own) or {}, gold),
            pairs=len(gold),
        )
    return found


def _compare(text: str, found: Given, gold: Mapping[str, Spans]) -> Tokens:
    total = Tokens()
    for event in {**found, **gold}:
        mine, right = (tokens_in(text, spans.get(event, ())) for spans in (found, gold))
        total += Tokens(len(mine & right), len(mine), len(right))
    return total


def _texts(match: Match) -> dict[CommentId, str]:
    return {comment.id: comment.text for comment in match.comments}


def whole_comment(match: Match) -> Describe:
    """Baseline: all words describe each event."""
    texts = _texts(match)
    return lambda comment, events: {event: ((0, len(texts[comment])),) for event in events}


def actor_clause(match: Match) -> Describe:
    """Baseline: the clauses that name the event's player; all words if none does."""
    texts, finder = _texts(match), NameFinder(match)

    def describe(comment: CommentId, events: Sequence[str]) -> Given:
        text = texts[comment]
        clauses = list(_clauses(text))
        named = [(m.who.id, m.start) for m in finder.mentions(text) if m.weight >= MENTIONED]
        found = {}
        for event in events:
            player = match.event_by_id[event].player
            at = [start for who, start in named if player is not None and who == player.id]
            own = [(a, b) for a, b in clauses if any(a <= start < b for start in at)]
            found[event] = own or [(0, len(text))]
        return found

    return describe


def _clauses(text: str) -> Iterable[tuple[int, int]]:
    start = 0
    for end in _CLAUSE_END.finditer(text):
        yield start, end.start()
        start = end.end()
    yield start, len(text)


BASELINES: Mapping[str, Callable[[Match], Describe]] = {
    "whole comment": whole_comment,
    "clause with the actor's name": actor_clause,
}


def score_alignment(labelled: LabelledMatch, alignment: Alignment) -> list[SegmentScore]:
    """The score of each labelled comment of a match.

    Raises
    ------
    UsageError
        The method does not know the words of events.
    """
    links = alignment.links
    if all(alignment.words(answer.comment) is None for answer in links):
        raise UsageError(f"{alignment.method} does not say which words describe an event")
    return list(score_each_segment(labelled, alignment.words, links).values())


class SegmentReport:
    """The comments that were scored, one by one, for intervals, and the same of each baseline."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._own: list[SegmentScore] = []
        self._baselines: dict[str, list[SegmentScore]] = {name: [] for name in BASELINES}

    def add(self, labelled: LabelledMatch, alignment: Alignment) -> SegmentScore:
        """Score one match; the baselines are given the same links.

        Raises
        ------
        UsageError
            The method does not know the words of events.
        """
        links = alignment.links
        own = score_alignment(labelled, alignment)
        self._own += own
        for name, baseline in BASELINES.items():
            each = score_each_segment(labelled, baseline(labelled.match), links)
            self._baselines[name] += each.values()
        return sum(own, SegmentScore())

    def baselines(self) -> dict[str, dict[str, Any]]:
        """The totals of each baseline."""
        return {name: summed(each, self._seed) for name, each in self._baselines.items()}

    def to_json(self) -> dict[str, Any]:
        interval = segment_intervals(self._own, self._seed)
        return {"interval": interval, "baselines": self.baselines()}


def summed(each: Sequence[SegmentScore], seed: int) -> dict[str, Any]:
    """The metrics of several comments together, with 95 % intervals."""
    total = sum(each, SegmentScore()).metrics()
    return {**total, "interval": segment_intervals(each, seed)}


def segment_tallies(scores: Sequence[Tokens]) -> Floats:
    rows = [(score.right, score.predicted, score.gold) for score in scores]
    return np.array(rows, dtype=float).reshape(len(rows), 3)


def segment_intervals(scores: Sequence[SegmentScore], seed: int) -> dict[str, list[float]]:
    """95 % intervals of F1, given the gold links and end to end, over comments."""
    weights = draws(len(scores), seed)
    ways = {"f1": [s.given for s in scores], "end_to_end": [s.end_to_end for s in scores]}
    return {
        name: interval_of(rates(weights @ segment_tallies(own))[2]) for name, own in ways.items()
    }
