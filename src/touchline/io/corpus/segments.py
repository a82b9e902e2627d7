"""Segments: which characters of a comment describe which event, as lines of `segments.jsonl`.

`{"id", "event", "spans": [[start, end], ...], "sure"}` is one pair of a comment and an event. Spans
count Unicode code points, the end is excluded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from touchline.core.errors import InputError
from touchline.core.links import Spans
from touchline.core.records import CommentId, Match
from touchline.io.files import read_utf8
from touchline.io.storage import AnyPath

FILE = "segments.jsonl"
# Comment id -> event id -> the characters that describe it.
Segments = Mapping[CommentId, Mapping[str, Spans]]


class SegmentLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of segments."""

    id: int | str
    event: str
    spans: tuple[tuple[int, int], ...]
    sure: bool = True


def read_segments(
    path: AnyPath, match: Match, skip: Callable[[int, str], None] | None = None
) -> Segments | None:
    """The segments of a match, checked against it; None if there is no such file.

    `skip` is called with number and problem of each line that is wrong; without it, such a line is
    an error.
    """
    if not path.exists():
        return None
    texts = {comment.id: comment.text for comment in match.comments}
    found: dict[CommentId, dict[str, Spans]] = {}
    for number, line in enumerate(read_utf8(path).split(b"\n"), 1):
        if not line.strip():
            continue
        segment = _parse(line)
        problem = segment if isinstance(segment, str) else problem_of(segment, texts, match, found)
        if isinstance(segment, SegmentLine) and problem is None:
            found.setdefault(segment.id, {})[segment.event] = segment.spans
        elif skip is not None:
            skip(number, str(problem))
        else:
            raise InputError(path, str(problem), f"line {number}")
    return found


def _parse(line: bytes) -> SegmentLine | str:
    """A line, or what is wrong with it."""
    try:
        return msgspec.json.decode(line, type=SegmentLine)
    except (msgspec.DecodeError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        return f'{why}; expected {{"id", "event", "spans": [[start, end], ...]}}'


def problem_of(
    segment: SegmentLine,
    texts: Mapping[CommentId, str],
    match: Match,
    found: Mapping[CommentId, Mapping[str, Spans]],
) -> str | None:
    """What is wrong with a segment, if anything."""
    if segment.id not in texts:
        return f"the comment {segment.id!r} is not in the commentary"
    if segment.event not in match.event_by_id:
        return f"the event {segment.event!r} is not in the log"
    if segment.event in found.get(segment.id, {}):
        return f"a second line about comment {segment.id!r} and event {segment.event!r}"
    return problem_of_spans(segment.spans, texts[segment.id])


def problem_of_spans(spans: Spans, text: str) -> str | None:
    """What is wrong with the spans of a text, if anything."""
    last = 0
    for start, end in spans:
        if not last <= start < end <= len(text):
            length = f"the text has {len(text)} characters"
            return f"the span [{start}, {end}] is empty, out of order or out of range; {length}"
        last = end
    return None


def write_segments(lines: Iterable[SegmentLine]) -> Iterator[bytes]:
    """The lines of `segments.jsonl`."""
    for line in lines:
        yield msgspec.json.encode(line) + b"\n"
