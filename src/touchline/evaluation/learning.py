"""Learning from the labels of some matches, and what it would bring: each labelled match left out.

Labels of a few matches may also make links worse, as may a model of a few matches where a bundled
one knows more. Whoever has labelled should see both before anything changes.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from touchline.core.errors import TouchlineError
from touchline.core.records import CommentId, Match
from touchline.evaluation.metrics import Score, score_comments
from touchline.io.corpus.labels import Said
from touchline.io.corpus.layout import LabelledMatch
from touchline.io.corpus.segments import Segments
from touchline.methods.logs import is_same_log, log_sketch
from touchline.methods.match_store import MatchStore, Part
from touchline.methods.streaming import Streaming

# A match counts as labelled from so many comments on: two of them are then enough to learn from.
MIN_COMMENTS = 25
# So many matches at most are left out: each takes some models of its own.
MAX_LEFT_OUT = 6
# What a kind of text is called in a sentence; others are called by their own name.
KINDS = {"text": "written commentary", "speech": "speech"}


class LabelledText(NamedTuple):
    """A match with labels, and its number among all matches that are learned from.

    `machine` are the comments that only machines have labelled: they are learned from, but nothing
    is scored by them. `words` are those that annotators have given to events.
    """

    number: int
    match: Match
    said: Mapping[CommentId, Said]
    machine: frozenset[CommentId] = frozenset()
    words: Segments = MappingProxyType({})

    @property
    def by_people(self) -> dict[CommentId, Said]:
        return {c: said for c, said in self.said.items() if said and c not in self.machine}

    @property
    def is_enough(self) -> bool:
        return len(self.by_people) >= MIN_COMMENTS


class LeftOut(NamedTuple):
    """The scores of a match whose labels were not learned from.

    `bundled` is that of the method as it comes, None if that knows the match; `without` and
    `labels` are of a model of the other matches, before and after it has learned from their labels;
    `over` is of the bundled model and the same labels, None if there is none for all the matches.
    """

    match: str
    bundled: Score | None
    without: Score
    labels: Score
    over: Score | None = None


def missing(aligner: Streaming, groups: Iterable[str | None]) -> str | None:
    """How many more matches must be labelled, as a sentence; None if they are enough.

    `groups` are the kinds of text of the matches that are labelled. One more is needed than the
    method learns from, because one at a time is left out.
    """
    found = list(groups)
    needed = {kind: number + 1 for kind, number in aligner.min_labelled.items()}
    short = {kind: number - found.count(kind) for kind, number in needed.items()}
    if not short or min(short.values()) <= 0:
        return None
    fewest = min(short.values())
    more = "1 more match" if fewest == 1 else f"{fewest} more matches"
    kinds = ", or ".join(f"{number} of {KINDS.get(kind, kind)}" for kind, number in needed.items())
    return (
        f"label {more} first: learning takes {kinds}, each with at least {MIN_COMMENTS} labelled "
        "lines, so that one of them can be left out"
    )


def check_enough(aligner: Streaming, labelled: Sequence[LabelledText]) -> None:
    """Raise unless there are enough labels to learn from and to compare."""
    problem = missing(aligner, [aligner.label_group(m.match) for m in labelled if m.is_enough])
    if problem is not None:
        raise TouchlineError(problem)


def builds_on_bundled(compared: Sequence[LeftOut]) -> bool:
    """Whether a bundled model with the labels does better on what was left out.

    The model of the folder's own matches may have few matches to learn words from.
    """
    over = [one.over for one in compared if one.over is not None]
    if not over or len(over) < len(compared):
        return False
    both = (sum(scores, Score(candidates=[])) for scores in (over, [c.labels for c in compared]))
    ours, own = (score.metrics()["f1"] for score in both)
    return ours > own


def learn(
    aligner: Streaming,
    store: MatchStore,
    labelled: Sequence[LabelledText],
    over_bundled: bool = False,
) -> Streaming:
    """Learn from all matches and all labels, or from the labels beside a bundled model."""
    matches, labels = [m.match for m in labelled], _labels(labelled)
    taught = aligner.over_bundled(matches, labels) if over_bundled else None
    if taught is None:
        taught = aligner
        taught.learn(store)
        taught.learn_labels(store, matches, labels)
    words = {one.match.name: one.words for one in labelled if one.words}
    taught.learn_words([m for m in matches if m.name in words], labels, words)
    return taught


def scored(aligner: Streaming, labelled: Sequence[LabelledText]) -> list[LabelledText]:
    """The matches to compare: those of the kinds that are learned, at most `MAX_LEFT_OUT`."""
    kinds = [aligner.label_group(one.match) for one in labelled if one.is_enough]
    learned = {kind for kind, least in aligner.min_labelled.items() if kinds.count(kind) > least}
    own = [m for m in labelled if m.is_enough and aligner.label_group(m.match) in learned]
    most = sorted(own, key=lambda one: -len(one.by_people))[:MAX_LEFT_OUT]
    return sorted(most, key=lambda one: one.number)


def left_out(
    aligner: Streaming, store: MatchStore, labelled: Sequence[LabelledText], one: LabelledText
) -> LeftOut:
    """Score a match by models that know neither its labels nor those of the same log.

    The aligner has learned nothing, and stays so.
    """
    others = [m for m in labelled if not is_same_log(one.match, [log_sketch(m.match)])]
    same = {m.number for m in labelled} - {m.number for m in others}
    part = Part(store, [number for number in range(len(store)) if number not in same])
    fitted = copy.copy(aligner)
    fitted.learn(part)
    without = _score(fitted, one)
    fitted.learn_labels(part, [m.match for m in others], _labels(others))
    unknown = aligner.bundled_for(one.match) != "seen"
    over = aligner.over_bundled([m.match for m in others], _labels(others)) if unknown else None
    return LeftOut(
        match=one.match.name,
        bundled=_score(aligner, one) if unknown else None,
        without=without,
        labels=_score(fitted, one),
        over=_score(over, one) if over else None,
    )


def _score(aligner: Streaming, one: LabelledText) -> Score:
    gold = {comment: likeliest(said) for comment, said in one.by_people.items()}
    return score_comments(LabelledMatch(match=one.match, gold=gold), aligner.align(one.match))


def likeliest(said: Said) -> frozenset[str]:
    """What counts most of what annotators say about a comment."""
    return max(said, key=lambda events: (said[events], sorted(events)))


def _labels(labelled: Iterable[LabelledText]) -> dict[str, Mapping[CommentId, Said]]:
    return {one.match.name: one.said for one in labelled}
