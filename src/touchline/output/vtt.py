"""Links as WebVTT: each comment at the second of the action that it tells.

A player has one timeline, a match several periods: each period is laid at its nominal start (the
second half at 45:00), or later where the one before it ran longer. A note in the file says where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from touchline.clocks import STARTS
from touchline.match import Comment, CommentLinks, Links, Match
from touchline.output.origin import Origin

CUE_SECONDS = 4.0


def write(many: Sequence[Links], origin: Origin, out: IO[str]) -> None:
    """One cue a comment, in the order of the match."""
    out.write("WEBVTT\n\nNOTE touchline\n")
    out.write(_plain(origin.to_json().decode()) + "\n")
    for links in many:
        starts = period_starts(links.match)
        places = ", ".join(f"{p} at {_stamp(start)}" for p, start in starts.items())
        out.write(f"\nNOTE {_plain(links.match.name)}: periods {places}\n")
        for start, end, text in sorted(_cues(links, starts)):
            out.write(f"\n{_stamp(start)} --> {_stamp(end)}\n{text}\n")


def period_starts(match: Match) -> dict[int, float]:
    """Where each period lies on the file's one timeline."""
    starts: dict[int, float] = {}
    end = 0.0
    for period in match.periods:
        starts[period] = max(60.0 * STARTS.get(period, 0), end)
        end = starts[period] + max(e.time for e in match.events if e.period == period)
    return starts


def _cues(links: Links, starts: dict[int, float]) -> Iterator[tuple[float, float, str]]:
    comments = {comment.id: comment for comment in links.match.comments}
    for answer in links:
        comment = comments[answer.comment]
        placed = _placed(answer, comment)
        if placed is None or placed[0] not in starts:
            continue
        period, start, end = placed
        begin = max(starts[period] + start, 0.0)
        yield begin, max(starts[period] + end, begin) + CUE_SECONDS, _plain(comment.text)


def _placed(answer: CommentLinks, comment: Comment) -> tuple[int, float, float] | None:
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
