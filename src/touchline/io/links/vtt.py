"""Links as WebVTT: each comment at the second of the action that it describes.

A player has one timeline, a match several periods. Comments that a recording timed come back on
that recording's clock, over its cuts; where each half has a recording of its own, each has a part
of the file. Otherwise each period is laid at its nominal start (the second half at 45:00), or later
where the one before it ran longer. A note above each part says so. The words that describe an event
are class spans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import IO, NamedTuple

from touchline.core.clocks import STARTS
from touchline.core.links import CommentLinks, Links
from touchline.core.records import Comment, CommentId, Kickoff, Match
from touchline.io.links.origin import Origin

CUE_SECONDS = 4.0


def write(many: Sequence[Links], origin: Origin, out: IO[str]) -> None:
    """One cue a comment, in the order of the match."""
    head(origin, out)
    for links in many:
        for timeline in timelines(links.match):
            note(links.match, timeline, out)
            for start, end, text in sorted(_cues(links, timeline)):
                _write_cue(start, end, text, out)


def head(origin: Origin, out: IO[str]) -> None:
    """The file's first lines, with where it comes from."""
    out.write("WEBVTT\n\nNOTE touchline\n")
    out.write(_plain(origin.to_json().decode()) + "\n")


def note(match: Match, timeline: Timeline, out: IO[str]) -> None:
    """What the times of a part of the file mean."""
    out.write(f"\nNOTE {_plain(match.name)}: {timeline.note}\n")


def cue(start: float, end: float, text: str, out: IO[str]) -> None:
    """A stretch of time and its text, which stays text whatever it says."""
    _write_cue(start, end, _plain(text), out)


def _write_cue(start: float, end: float, payload: str, out: IO[str]) -> None:
    out.write(f"\n{time_code(start)} --> {time_code(end)}\n{payload}\n")


class Timeline(NamedTuple):
    """The clock of a part of the file: what is added to times since the kick-off of a period.

    A recording that is cut has not one such number a period, so each comment has its own.
    """

    note: str
    starts: Mapping[int, float]
    kickoffs: Mapping[CommentId, float] = {}

    def start(self, period: int | None, comment: CommentId) -> float | None:
        """Where the period kicks off for a comment; None if it lies in another part."""
        if period is None or period not in self.starts:
            return None
        return self.kickoffs.get(comment, self.starts[period])

    def end(self, match: Match) -> float:
        """Where the last period ends."""
        last = {p: [self.starts[p]] for p in self.starts}
        for comment in match.comments:
            if comment.period in last and comment.id in self.kickoffs:
                last[comment.period].append(self.kickoffs[comment.id])
        return max(max(last[p]) + match.ends.get(p, 0.0) for p in last)


def timelines(match: Match) -> list[Timeline]:
    """The parts of the file: one, or one for each recording."""
    kickoffs = [kickoff for kickoff in match.kickoffs if kickoff.applied]
    for comment in match.comments:
        known = comment.period is None or any(k.period == comment.period for k in kickoffs)
        if comment.kickoff is not None and not known:  # read without the log
            kickoffs.append(Kickoff(period=comment.period or 0, seconds=comment.kickoff))
    if not kickoffs:
        return [_nominal(match)]
    periods = sorted({kickoff.period for kickoff in kickoffs})
    if _is_one_recording(match, periods):
        return [_recorded(match, kickoffs)]
    return [_recorded(match, [k for k in kickoffs if k.period == period]) for period in periods]


def _nominal(match: Match) -> Timeline:
    """Every period at its nominal start, or later where the one before it ran longer."""
    starts: dict[int, float] = {}
    end = 0.0
    for period, length in sorted(match.ends.items()):
        starts[period] = max(60.0 * STARTS.get(period, 0), end)
        end = starts[period] + length
    places = ", ".join(f"{period} at {time_code(start)}" for period, start in starts.items())
    return Timeline(f"periods {places}", starts)


def _is_one_recording(match: Match, periods: Sequence[int]) -> bool:
    """Whether the comments of each period were made after those of the one before it."""
    said: dict[int | None, list[float]] = {period: [] for period in periods}
    for comment in match.comments:
        if comment.period in said and comment.start is not None and comment.kickoff is not None:
            said[comment.period].append(comment.start + comment.kickoff)
    recorded = [(min(times), max(times)) for times in said.values() if times]
    return all(before[1] <= after[0] for before, after in pairwise(recorded))


def _recorded(match: Match, kickoffs: Sequence[Kickoff]) -> Timeline:
    """The periods on the clock of the recording that timed their comments."""
    starts = {kickoff.period: kickoff.seconds for kickoff in kickoffs if kickoff.since is None}
    own = {c.id: c.kickoff for c in match.comments if c.kickoff is not None}
    places = ", ".join(map(_place, kickoffs))
    return Timeline(f"the recording's clock, periods {places}", starts, own)


def _place(kickoff: Kickoff) -> str:
    at = time_code(kickoff.seconds) if kickoff.seconds >= 0 else f"-{time_code(-kickoff.seconds)}"
    since = "" if kickoff.since is None else f" after a cut at {time_code(kickoff.since)}"
    return f"{kickoff.period} at {at}{since}"


def _cues(links: Links, timeline: Timeline) -> Iterator[tuple[float, float, str]]:
    comments = {comment.id: comment for comment in links.match.comments}
    for answer in links:
        comment = comments[answer.comment]
        placed = described_at(answer, comment)
        kickoff = timeline.start(placed[0], comment.id) if placed else None
        if placed is None or kickoff is None:
            continue
        _, start, end = placed
        begin = max(kickoff + start, 0.0)
        text = _tagged(comment.text, answer, links.match)
        yield begin, max(kickoff + end, begin) + CUE_SECONDS, text


def described_at(answer: CommentLinks, comment: Comment) -> tuple[int, float, float] | None:
    """Period and seconds of the described action; of the comment itself where it describes none."""
    if answer.span is not None and answer.period is not None:
        return answer.period, *answer.span
    if comment.period is not None and comment.time is not None:
        return comment.period, comment.time, comment.time
    return None


def _tagged(text: str, answer: CommentLinks, match: Match) -> str:
    """The text with the words of each event in a class span: `<c.event1.Shot>shoots</c>`.

    Events are numbered in match order. Words that describe several events have all their classes.
    """
    classes = [
        (start, end, f"event{number}.{_class(match.event_by_id[link.id].type)}")
        for number, link in enumerate(answer.events, 1)
        for start, end in link.words or ()
    ]
    places = sorted({0, len(text), *(p for start, end, _ in classes for p in (start, end))})
    found = []
    for a, b in pairwise(places):
        own = [name for start, end, name in classes if start <= a and b <= end]
        piece = _escaped(text[a:b])
        found.append(f"<c.{'.'.join(own)}>{piece}</c>" if own else piece)
    return _one_paragraph("".join(found))


def _class(kind: str) -> str:
    """A type of event as the name of a class: `Goal-Keeper`."""
    return "-".join(re.findall(r"\w+", kind)) or "event"


def _plain(text: str) -> str:
    """Text that is no markup and ends no cue."""
    return _one_paragraph(_escaped(text))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _one_paragraph(text: str) -> str:
    return " ".join(text.split()) if "\n\n" in text or "\r" in text else text.replace("\n", " ")


def time_code(seconds: float) -> str:
    """Seconds as WebVTT writes them, `01:02:03.500`."""
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d}.{rest % 1000:03d}"
