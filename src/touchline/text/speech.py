"""When the lines of a spoken commentary were said, as far as their clocks leave that open.

A subtitle has a start and an end. A transcript often has only a start, and one that was put onto a
page only a minute. People speak without long breaks, so the words themselves say more: a line lasts
as long as its words take, at most until the next line, and the lines of a minute follow each other
through it. Written commentary is posted at one moment; its times stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

import msgspec

from touchline.core.records import Comment, Match

# Commentary with more words a minute than this is spoken: radio has about 150, a live page 30.
SPOKEN_PACE = 60.0


def laid_out(match: Match, spoken: bool | None = None) -> Match:
    """The match with the spans in which its lines were spoken; written comments are left alone.

    `spoken` says which they are, if that is known; a few lines of many do not show it.
    """
    return msgspec.structs.replace(match, comments=tuple(spans(match.comments, spoken)))


def spans(comments: Sequence[Comment], spoken: bool | None = None) -> Sequence[Comment]:
    """Comments with the times from which and to which they were spoken, if they were."""
    spoken = is_spoken(comments) if spoken is None else spoken
    return list(_lengths(_through_minutes(comments))) if spoken else comments


def is_spoken(comments: Sequence[Comment]) -> bool:
    """Whether a commentary was spoken and not written, by its pace."""
    return words_per_minute(comments) >= SPOKEN_PACE


def words_per_minute(comments: Sequence[Comment]) -> float:
    """How many words are said a minute, breaks between periods aside; 0 if that is not known."""
    words, minutes = 0, 0.0
    for _, group in groupby(comments, key=lambda comment: comment.period):
        own = [c for c in group if c.start is not None and c.end is not None]
        if len(own) > 1:
            words += sum(len(c.text.split()) for c in own)
            minutes += (max(c.end or 0 for c in own) - min(c.start or 0 for c in own)) / 60
    return words / minutes if minutes > 0 else 0.0


def _through_minutes(comments: Sequence[Comment]) -> Iterator[Comment]:
    """Lines of which only the minute is known, one after the other by how many words they have."""
    for known, group in groupby(comments, key=_interval):
        own = list(group)
        if known is None:
            yield from own
            continue
        _, start, end = known
        words = [max(1, len(comment.text.split())) for comment in own]
        second, per_word = start, (end - start) / sum(words)
        for comment, count in zip(own, words, strict=True):
            after = second + count * per_word
            yield msgspec.structs.replace(comment, start=second, end=after, anywhere=False)
            second = after


def _interval(comment: Comment) -> tuple[int | None, float, float] | None:
    """The interval in which a line lies somewhere; None if its time is known better, or not."""
    if not comment.anywhere or comment.start is None or comment.end is None:
        return None
    return comment.period, comment.start, comment.end


def _lengths(comments: Iterator[Comment]) -> Iterator[Comment]:
    """Lines of which only the start is known, with the time that their words take."""
    own = list(comments)
    gaps = [*(_gap(one, after) for one, after in pairwise(own)), 0.0]
    words = [len(comment.text.split()) for comment in own]
    timed = zip(own, gaps, words, strict=True)
    paces = [gap / count for c, gap, count in timed if c.exact and gap > 0 and count]
    per_word = _median(paces) if paces else 0.0
    for comment, gap, count in zip(own, gaps, words, strict=True):
        if comment.exact and comment.start is not None:
            end = comment.start + min(gap, count * per_word)
            comment = msgspec.structs.replace(comment, end=end)
        yield comment


def _median(values: Sequence[float]) -> float:
    """`statistics` takes 5 ms to load, and this is all that it would be used for."""
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _gap(comment: Comment, after: Comment) -> float:
    """Seconds until the next line of the period; 0 if there is none."""
    if comment.start is None or after.start is None or comment.period != after.period:
        return 0.0
    return max(0.0, after.start - comment.start)
