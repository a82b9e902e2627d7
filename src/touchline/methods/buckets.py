"""Buckets: which events a comment may describe (Section 2 of the paper).

The paper takes the events "in an interval of 150 seconds around" the comment; that is 75 s to
either side. Where only a minute is known the window lies around its middle, and it is never
shorter than what is known of the time itself. A bucket does not reach over a period's border.
Where the corpus lists the candidates itself, as RoboCup's does, those are the bucket.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from touchline.core.records import Comment, Match

Indices = NDArray[np.intp]


class Window(msgspec.Struct, frozen=True):
    """Seconds before and after a comment in which the events that it describes may lie."""

    before: float = 75.0
    after: float = 75.0

    @classmethod
    def parse(cls, text: str | float) -> Window:
        """`150` is the width in all, `120:30` are the seconds before and after."""
        before, colon, after = str(text).partition(":")
        try:
            window = cls(float(before), float(after)) if colon else cls(*[float(before) / 2] * 2)
        except ValueError:
            raise ValueError(f"window {text!r}; expected 150 or 120:30 (seconds)") from None
        if not (window.before >= 0 and window.after >= 0):
            raise ValueError(f"window {text!r}; seconds must not be negative")
        return window

    def interval(self, comment: Comment) -> tuple[float, float] | None:
        """The seconds of the comment's period that its bucket covers."""
        if comment.start is None or comment.end is None:
            return None
        middle = (comment.start + comment.end) / 2
        return min(middle - self.before, comment.start), max(middle + self.after, comment.end)


def buckets(match: Match, window: Window) -> Iterator[Indices]:
    """The bucket of each comment of a match, as indices into `match.linkable`."""
    log = _Log(match)
    return (log.bucket(comment, window) for comment in match.comments)


def bucket(match: Match, comment: Comment, window: Window) -> Indices:
    """The bucket of one comment, as indices into `match.linkable`."""
    return _Log(match).bucket(comment, window)


class _Log:
    """Periods and times of the linkable events as arrays."""

    def __init__(self, match: Match) -> None:
        self.periods = np.array([event.period for event in match.linkable], dtype=np.intp)
        self.times = np.array([event.time for event in match.linkable], dtype=float)
        self.index = {event.id: i for i, event in enumerate(match.linkable)}

    def bucket(self, comment: Comment, window: Window) -> Indices:
        if comment.candidates is not None:
            listed = [self.index[i] for i in comment.candidates if i in self.index]
            return np.array(sorted(listed), dtype=np.intp)
        interval = window.interval(comment)
        inside = np.ones(len(self.times), dtype=bool)
        if interval is not None:
            inside &= (self.times >= interval[0]) & (self.times <= interval[1])
        if comment.period is not None:
            inside &= self.periods == comment.period
        return np.flatnonzero(inside)
