"""The links of a live match.

A session has the log and the comments as they are so far. Whatever changes, it knows which
comments that concerns, and answers them in their surroundings: a fixed number of comments before
and after. An answer thus takes as long late in a match as early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from touchline.core.links import CommentLinks
from touchline.core.records import Comment, CommentId, Match
from touchline.methods.base import Aligner

# Of the comments before one that is answered, so many are answered again with it, and so many
# more, before and after those, are looked at.
AGAIN, AROUND = 8, 8
# An answer that says the same and is surer or less sure by less than this is not given again.
MATTERS = 0.05


class Session:
    """Takes the log and the comments as they come; gives answers and their revisions."""

    def __init__(self, aligner: Aligner, name: str) -> None:
        self.match = Match(name=name, provider="", events=())
        self._aligner, self._follower = aligner, aligner.follower()
        self._given: dict[CommentId, CommentLinks] = {}
        self._seen: dict[CommentId, object] = {}  # what an answer was based on
        self._waiting: set[CommentId] = set()

    @property
    def waiting(self) -> bool:
        """Whether there is something to answer."""
        return bool(self._waiting)

    @property
    def fits(self) -> bool:
        """Whether the model knows enough of the match's words and events."""
        return self._follower.fits(self.match)

    def choose_model(self) -> None:
        """Choose the model as `align` does, now that there are comments."""
        if self._follower.choose_model(self.match):
            self._seen.clear()  # every answer was based on the other model
            self.follow_log(self.match)

    def follow_log(self, match: Match) -> None:
        """The log as it is now, whatever it was before."""
        self.match = match.with_comments(self.match.comments).named(self.match.name)
        self._follower.follow_log(match)
        self._base(self.match)

    def follow_comments(self, comments: Sequence[Comment]) -> None:
        """All comments so far; those that have changed since are answered again."""
        known = {comment.id: comment for comment in self.match.comments}
        new = [comment for comment in comments if known.get(comment.id) != comment]
        self._base(self.match.with_comments(new))
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
        for answer in self._aligner.align(self.match):
            answer = _bare(answer)
            given = self._given.get(answer.comment)
            if given is None or answer != msgspec.structs.replace(given, revision=0):
                yield self._give(answer)

    def _base(self, match: Match) -> None:
        """What the answers for some comments are based on; if that has changed, others are due."""
        for comment, part in zip(match.comments, self._follower.depends_on(match), strict=True):
            if self._seen.get(comment.id) != (comment, part):
                self._seen[comment.id] = comment, part
                self._waiting.add(comment.id)

    def _next(self, ids: Sequence[CommentId]) -> int:
        waiting = [i for i, name in enumerate(ids) if name in self._waiting]
        unanswered = [i for i in waiting if ids[i] not in self._given]
        return unanswered[0] if unanswered else waiting[-1]

    def _answers(self, first: int, last: int) -> list[CommentLinks]:
        """Answers for some comments, with those around them in view."""
        begin = max(first - AROUND, 0)
        part = self.match.with_comments(self.match.comments[begin : last + AROUND])
        found = self._follower.answers(part)[first - begin : last - begin]
        return [_bare(answer) for answer in found]

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
