"""How large a commentary may be: what has more is not the commentary of one match.

Time and memory of an alignment grow with the words of the comments and with the events that each
comment may describe. These limits lie well above any real match, and are checked before any work
is done (docs/reliability.md has the figures).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import Path

from touchline.core.errors import InputError
from touchline.core.records import Comment, Match
from touchline.io.commentary.entries import Entry

# A match has some thousand comments even line by line from a recording.
MAX_BYTES = 32 << 20
MAX_COMMENTS = 20_000
# The longest entries of live blogs have two or three thousand characters.
MAX_CHARACTERS = 5_000
# Two hours of speech have about 150,000.
MAX_TEXT = 500_000
# The log's events within so many seconds of a comment, over all comments: 200,000 in a recording
# of 2,600 lines.
REACH = 150.0
MAX_PAIRS = 500_000


def check_entries(path: Path, entries: Sequence[Entry]) -> None:
    """Refuse a file with too many comments, or with too long ones."""
    if len(entries) > MAX_COMMENTS:
        problem = f"{len(entries):,} comments; the limit for one match is {MAX_COMMENTS:,}"
        raise InputError(path, problem)
    for entry in entries:
        if len(entry.text) > MAX_CHARACTERS:
            problem = (
                f"a comment of {len(entry.text):,} characters; the limit is {MAX_CHARACTERS:,}"
            )
            raise InputError(path, f"{problem}; give one comment per line or row", entry.where)
    total = sum(len(entry.text) for entry in entries)
    if total > MAX_TEXT:
        problem = f"{total:,} characters in all; the limit for one match is {MAX_TEXT:,}"
        raise InputError(path, problem)


def check_pairs(path: Path, match: Match) -> None:
    """Refuse a commentary whose comments have too many events within reach."""
    times: dict[int, list[float]] = {}
    for event in match.linkable:
        times.setdefault(event.period, []).append(event.time)
    for own in times.values():
        own.sort()
    pairs = sum(_within_reach(comment, times) for comment in match.comments)
    if pairs > MAX_PAIRS:
        problem = (
            f"{len(match.comments):,} comments with {pairs:,} events within {REACH:.0f} s of them; "
            f"the limit for one match is {MAX_PAIRS:,}"
        )
        raise InputError(path, f"{problem}; give the comments' clocks, or fewer comments at a time")


def _within_reach(comment: Comment, times: dict[int, list[float]]) -> int:
    if comment.candidates is not None:
        return len(comment.candidates)
    periods = times.values() if comment.period is None else [times.get(comment.period, [])]
    if comment.start is None or comment.end is None:
        return sum(map(len, periods))
    first, last = comment.start - REACH, comment.end + REACH
    return sum(bisect_right(own, last) - bisect_left(own, first) for own in periods)
