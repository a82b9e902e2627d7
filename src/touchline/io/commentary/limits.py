"""How large a commentary may be: what has more is not the commentary of one match.

Time and memory of an alignment grow with the words of the comments and with the events that each
comment may describe. These limits lie well above any real match, and are checked before any work
is done (docs/reliability.md has the figures).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import Path

import msgspec

from touchline.core.errors import InputError
from touchline.core.records import Comment, Match
from touchline.io.commentary.entries import Entry

# A recording has some thousand lines: 2,600 in the longest that was seen.
MAX_COMMENTS = 6_000
# So much of a comment is read. The longest entries of live blogs have two or three thousand
# characters; a longer one has the rest of the page in it.
MAX_CHARACTERS = 5_000
# A text is cut between words if one ends so many characters before.
MAX_WORD = 100
# A warning names so many comments.
NAMED = 5
# Two hours of speech have about 150,000.
MAX_TEXT = 500_000
# The log's events within so many seconds of a comment, over all comments: 200,000 in a recording
# of 2,600 lines.
REACH = 150.0
MAX_PAIRS = 400_000


def check_entries(path: Path, entries: Sequence[Entry]) -> None:
    """Refuse a file with too many comments, or with too much text."""
    if len(entries) > MAX_COMMENTS:
        problem = f"{len(entries):,} comments; the limit for one match is {MAX_COMMENTS:,}"
        raise InputError(path, problem)
    total = sum(len(entry.text) for entry in entries)
    if total > MAX_TEXT:
        problem = f"{total:,} characters in all; the limit for one match is {MAX_TEXT:,}"
        raise InputError(path, problem)


def overlong(comments: Sequence[Comment]) -> list[str]:
    """A warning if comments are longer than what is read of them."""
    found = [comment for comment in comments if len(comment.text) > MAX_CHARACTERS]
    if not found:
        return []
    read = f"only the first {MAX_CHARACTERS:,} are read"
    if len(found) == 1:
        what = f"comment {found[0].id} has {len(found[0].text):,} characters; {read}"
    else:
        names = ", ".join(str(comment.id) for comment in found[:NAMED])
        more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
        what = f"comments {names}{more} have over {MAX_CHARACTERS:,} characters; {read} of each"
    return [f"{what}; --sentences splits long comments"]


def trimmed(comment: Comment) -> Comment:
    """The comment with as much of its text as is read."""
    if len(comment.text) <= MAX_CHARACTERS:
        return comment
    space = comment.text.rfind(" ", MAX_CHARACTERS - MAX_WORD, MAX_CHARACTERS + 1)
    length = MAX_CHARACTERS if space < 0 else space
    return msgspec.structs.replace(
        comment,
        text=comment.text[:length],
        end=comment.end if comment.anywhere else comment.second_at(length),
        spoken=tuple(word for word in comment.spoken if word[0] < length),
    )


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
