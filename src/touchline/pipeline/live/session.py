"""The links of a live match.

A session has the log and the comments as they are so far. Whatever changes, it knows which
comments that concerns, and answers them in their surroundings: a fixed number of comments before
and after. An answer thus takes as long late in a match as early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from touchline.core.errors import UsageError
from touchline.core.links import CommentLinks
from touchline.core.records import Comment, CommentId, Match
from touchline.methods.buckets import buckets
from touchline.methods.chains.aligner import Chains, answers
from touchline.methods.chains.bundled.loader import KINDS, bundled_model, choose, fits
from touchline.methods.chains.data.candidate_chains import REACH
from touchline.methods.chains.data.hypotheses import event_table, prepare_comments
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.data.mentions import Mentioned, mentions_in
from touchline.methods.chains.data.tables import Events
from touchline.methods.chains.inference.posterior import infer
from touchline.methods.chains.model.m_step import Parameters, maximise
from touchline.methods.chains.model.serialization import unpack_learned
from touchline.text.names import NameFinder

# Of the comments before one that is answered, so many are answered again with it, and so many
# more, before and after those, are looked at.
AGAIN, AROUND = 8, 8
# An answer that says the same and is surer or less sure by less than this is not given again.
MATTERS = 0.05


class Fixed(NamedTuple):
    """What a live match is answered with; `kind` is that of a bundled model, else None."""

    aligner: Chains
    language: Language
    parameters: Parameters
    kind: str | None


def fixed(aligner: Any, kind: str = KINDS[0]) -> Fixed:
    """The model of an aligner, or a bundled one if it has learned nothing."""
    if not isinstance(aligner, Chains):
        raise UsageError(f"live matches need a model of chains, not of {aligner.name}")
    learned = unpack_learned(aligner.parameters())
    known = learned or bundled_model(kind)
    if known is None:
        raise UsageError("this installation has no bundled model; pass one with --model")
    language, counts, *_ = known
    parameters = aligner.options.parts.neutral(maximise(counts, language))
    return Fixed(aligner, language, parameters, None if learned else kind)


class Session:
    """Takes the log and the comments as they come; gives answers and their revisions."""

    def __init__(self, model: Fixed, name: str) -> None:
        self.match = Match(name=name, provider="", events=())
        self._model = model
        self._events: Events = event_table(self.match, model.language)
        self._finder = NameFinder(self.match)
        self._given: dict[CommentId, CommentLinks] = {}
        self._mentioned: dict[str, list[Mentioned]] = {}
        self._seen: dict[CommentId, object] = {}  # what an answer was based on
        self._waiting: set[CommentId] = set()

    @property
    def waiting(self) -> bool:
        """Whether there is something to answer."""
        return bool(self._waiting)

    @property
    def fits(self) -> bool:
        """Whether the model knows enough of the match's words and events."""
        return fits(self._model.language, self.match)

    def choose_model(self) -> None:
        """Choose among the bundled models as `align` does, now that there are comments."""
        choice = choose(self.match) if self._model.kind else None
        if choice is None or not choice.fits or choice.kind == self._model.kind:
            return
        self._model = fixed(self._model.aligner, choice.kind)
        self._seen.clear()  # every answer was based on the other model
        self.follow_log(self.match)

    def follow_log(self, match: Match) -> None:
        """The log as it is now, whatever it was before."""
        if match.players != self.match.players or match.teams != self.match.teams:
            self._finder = NameFinder(match)
            self._mentioned.clear()
        self.match = match.with_comments(self.match.comments).named(self.match.name)
        self._events = event_table(match, self._model.language, self._model.aligner.options.parts)
        window = self._model.aligner.options.bucket_window
        for comment, bucket in zip(self.match.comments, buckets(self.match, window), strict=True):
            self._base(comment, self._excerpt(bucket))

    def follow_comments(self, comments: Sequence[Comment]) -> None:
        """All comments so far; those that have changed since are answered again."""
        known = {comment.id: comment for comment in self.match.comments}
        new = [comment for comment in comments if known.get(comment.id) != comment]
        window, part = self._model.aligner.options.bucket_window, self.match.with_comments(new)
        for comment, bucket in zip(new, buckets(part, window), strict=True):
            self._base(comment, self._excerpt(bucket))
        self.match = self.match.with_comments(comments)
        self._waiting &= {comment.id for comment in comments}

    def answer_some(self) -> Iterator[CommentLinks]:
        """Answer one of the waiting comments, those before it again; what is new in that.

        The earliest that has no answer yet goes first, then the latest of the others.
        """
        ids = [comment.id for comment in self.match.comments]
        number = self._next(ids)
        first, last = max(number - AGAIN + 1, 0), number + 1
        for answer in self._answers(first, last):
            self._waiting.discard(answer.comment)
            if self._is_news(answer):
                yield self._give(answer)

    def finish(self) -> Iterator[CommentLinks]:
        """Answer everything once more, all comments together, as `touchline align` does."""
        self._waiting.clear()
        for answer in self._model.aligner.align(self.match):
            answer = _bare(answer)
            given = self._given.get(answer.comment)
            if given is None or answer != msgspec.structs.replace(given, revision=0):
                yield self._give(answer)

    def _base(self, comment: Comment, excerpt: object) -> None:
        """What a comment's answer is based on; where that has changed, another is due."""
        if self._seen.get(comment.id) != (comment, excerpt):
            self._seen[comment.id] = comment, excerpt
            self._waiting.add(comment.id)

    def _excerpt(self, bucket: np.ndarray) -> tuple[object, ...]:
        """The part of the log that a comment with this bucket depends on."""
        if not len(bucket):
            return ()
        near = slice(max(int(bucket[0]) - REACH, 0), int(bucket[-1]) + REACH + 1)
        ids = tuple(event.id for event in self.match.linkable[near])
        return ids, *(field[near].tobytes() for field in self._events)

    def _next(self, ids: Sequence[CommentId]) -> int:
        waiting = [i for i, name in enumerate(ids) if name in self._waiting]
        unanswered = [i for i in waiting if ids[i] not in self._given]
        return unanswered[0] if unanswered else waiting[-1]

    def _answers(self, first: int, last: int) -> list[CommentLinks]:
        """Answers for some comments, with those around them in view."""
        model, options = self._model, self._model.aligner.options
        begin = max(first - AROUND, 0)
        comments = self.match.comments[begin : last + AROUND]
        part = self.match.with_comments(comments)
        mentioned = [self._mentions(comment.text) for comment in comments]
        prepared = prepare_comments(
            part, self._events, model.language, mentioned, options.bucket_window, options.parts
        )
        found = answers(part, prepared, infer(prepared, model.parameters))
        return [_bare(answer) for answer in found][first - begin : last - begin]

    def _mentions(self, text: str) -> list[Mentioned]:
        if text not in self._mentioned:
            self._mentioned[text] = list(mentions_in(self._finder, text))
        return self._mentioned[text]

    def _is_news(self, answer: CommentLinks) -> bool:
        given = self._given.get(answer.comment)
        return given is None or _differ(given, answer)

    def _give(self, answer: CommentLinks) -> CommentLinks:
        given = self._given.get(answer.comment)
        revision = 0 if given is None else given.revision + 1
        self._given[answer.comment] = msgspec.structs.replace(answer, revision=revision)
        return self._given[answer.comment]


def _bare(answer: CommentLinks) -> CommentLinks:
    return msgspec.structs.replace(answer, candidates=None)


def _differ(one: CommentLinks, other: CommentLinks) -> bool:
    """Whether two answers give other events or phases, another time or another certainty."""
    if [link.id for link in one.events] != [link.id for link in other.events]:
        return True
    scores = [(a.score, b.score) for a, b in zip(one.events, other.events, strict=True)]
    scores.append((one.none, other.none))
    moved = any(abs(a - b) >= MATTERS for a, b in scores)
    placed = [(a.period, a.span, a.phase) for a in (one, other)]
    return moved or placed[0] != placed[1]
