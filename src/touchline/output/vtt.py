"""Links as WebVTT: each comment at the second of the action that it tells.

A player has one timeline, a match several periods. Comments that a recording timed come back on
that recording's clock. Otherwise each period is laid at its nominal start (the second half at
45:00), or later where the one before it ran longer. A note in the file says where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import IO

from touchline.clocks import STARTS
from touchline.match import Comment, CommentLinks, Links, Match
from touchline.output.origin import Origin

CUE_SECONDS = 4.0


def write(many: Sequence[Links], origin: Origin, out: IO[str]) -> None:
    """One cue a comment, in the order of the match."""
    head(origin, out)
    for links in many:
        starts = period_starts(links.match)
        note_periods(links.match, starts, out)
        for start, end, text in sorted(_cues(links, starts)):
            cue(start, end, text, out)


def head(origin: Origin, out: IO[str]) -> None:
    """The file's first lines, with where it comes from."""
    out.write("WEBVTT\n\nNOTE touchline\n")
    out.write(_plain(origin.to_json().decode()) + "\n")


def note_periods(match: Match, starts: dict[int, float], out: IO[str]) -> None:
    places = ", ".join(f"{period} at {_stamp(start)}" for period, start in starts.items())
    out.write(f"\nNOTE {_plain(match.name)}: periods {places}\n")


def cue(start: float, end: float, text: str, out: IO[str]) -> None:
    """A stretch of time and its text, which stays text whatever it says."""
    out.write(f"\n{_stamp(start)} --> {_stamp(end)}\n{_plain(text)}\n")


def period_starts(match: Match) -> dict[int, float]:
    """Where each period lies on the file's one timeline."""
    recorded = _in_recording(match)
    if recorded:
        return recorded
    starts: dict[int, float] = {}
    end = 0.0
    for period, length in sorted(match.ends.items()):
        starts[period] = max(60.0 * STARTS.get(period, 0), end)
        end = starts[period] + length
    return starts


def _in_recording(match: Match) -> dict[int, float]:
    """The kick-offs of the one recording that all periods are in; nothing when it was not one."""
    starts = {kickoff.period: kickoff.seconds for kickoff in match.kickoffs}
    if set(starts) != set(match.periods) or len(starts) != len(match.kickoffs):
        return {}
    in_turn = all(starts[a] + match.ends[a] <= starts[b] for a, b in pairwise(match.periods))
    return {period: starts[period] for period in match.periods} if in_turn else {}


def _cues(links: Links, starts: dict[int, float]) -> Iterator[tuple[float, float, str]]:
    comments = {comment.id: comment for comment in links.match.comments}
    for answer in links:
        comment = comments[answer.comment]
        placed = told_at(answer, comment)
        if placed is None or placed[0] not in starts:
            continue
        period, start, end = placed
        begin = max(starts[period] + start, 0.0)
        yield begin, max(starts[period] + end, begin) + CUE_SECONDS, comment.text


def told_at(answer: CommentLinks, comment: Comment) -> tuple[int, float, float] | None:
    """Period and seconds of the told action; of the comment itself where it tells none."""
    if answer.span is not None and answer.period is not None:
        return answer.period, *answer.span
    if comment.period is not None and comment.time is not None:
        return comment.period, comment.time, comment.time
    return None


def _plain(text: str) -> str:
    """Text that is no markup and ends no cue."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return " ".join(text.split()) if "\n\n" in text or "\r" in text else text.replace("\n", " ")


def _stamp(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d}.{rest % 1000:03d}"
