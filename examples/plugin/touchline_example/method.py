"""A method: link each comment to the event that is nearest in time."""

from __future__ import annotations

from collections.abc import Iterator

from touchline import Aligner, Alignment, CommentLinks, Links, Match
from touchline.methods.base import answer
from touchline.methods.buckets import buckets


class Nearest(Aligner):
    """The event nearest in time, scored by how near it is."""

    name = "nearest"

    def infer(self, match: Match) -> Alignment:
        return Alignment(Links(match, self._answers(match)), self.name)

    def _answers(self, match: Match) -> Iterator[CommentLinks]:
        found = buckets(match, self.options.bucket_window)
        for comment, bucket in zip(match.comments, found, strict=True):
            time = comment.time or 0.0
            events = [match.linkable[i] for i in bucket]
            scored = [(event, 1 / (1 + abs(event.time - time))) for event in events]
            best = max(scored, key=lambda pair: pair[1], default=None)
            described = [] if best is None else [best[0].id]
            yield answer(match, comment, scored, described, none=0.0 if best else 1.0)
