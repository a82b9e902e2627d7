"""Labels: which events each comment describes, as lines of `gold.jsonl`.

`{"id", "events": [...]}` is a labelled comment; an empty list means that it describes no event.
`"sure": false` marks a label that its annotator doubts. An annotator's own file may have a `note`
on each line, `"machine": true` where a program and not a person is the annotator, and `segments`:
the characters that describe an event, by its id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec
from msgspec import UNSET, UnsetType

from touchline.core.errors import InputError, TouchlineError
from touchline.core.links import Spans
from touchline.core.records import CommentId, Match
from touchline.io.files import read_utf8
from touchline.io.storage import AnyPath

Gold = dict[CommentId, frozenset[str]]


class GoldLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of labels: the comment's events, or the one event of a templated line."""

    id: int | str
    events: tuple[str, ...] | UnsetType = UNSET
    event: str | UnsetType = UNSET
    sure: bool = True
    note: str = ""
    machine: bool = False
    segments: dict[str, Spans] = {}

    def __post_init__(self) -> None:
        if self.events is UNSET and self.event is UNSET:
            raise ValueError("it has no events")

    @property
    def described(self) -> tuple[str, ...]:
        """The ids of all events that the comment describes."""
        several = () if self.events is UNSET else self.events
        return several if self.event is UNSET else (*several, self.event)


class GoldLineError(TouchlineError):
    """A line that is not a label."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line, self.problem = line, problem


def parse_gold(
    text: bytes, skip: Callable[[GoldLineError], None] | None = None
) -> Iterator[tuple[int, GoldLine]]:
    """The labels with the numbers of their lines.

    `skip` is called with each line that is not a label, or a second one of its comment; without it,
    such a line is an error.

    Raises
    ------
    GoldLineError
        A line is not a label, or a second one of its comment, and there is no `skip`.
    """
    seen: set[CommentId] = set()
    for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            label = _label(number, line, seen)
        except GoldLineError as error:
            if skip is None:
                raise
            skip(error)
        else:
            seen.add(label.id)
            yield number, label


def _label(number: int, line: bytes, seen: set[CommentId]) -> GoldLine:
    try:
        label = msgspec.json.decode(line, type=GoldLine)
    except (msgspec.DecodeError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        expected = 'expected {"id": ..., "events": [...]}'
        raise GoldLineError(number, f"not a label ({why}); {expected}") from None
    if label.id in seen:
        raise GoldLineError(number, f"duplicate label for comment {label.id!r}")
    return label


def write_gold(labels: Iterable[GoldLine]) -> Iterator[bytes]:
    """The lines of `gold.jsonl`."""
    for label in labels:
        fields = {"id": label.id, "events": label.described, "sure": label.sure}
        yield msgspec.json.encode(fields) + b"\n"


def annotator_line(label: GoldLine) -> bytes:
    """A line of an annotator's own file: as in `gold.jsonl`, with note and kind of annotator."""
    fields = {"id": label.id, "events": label.described, "sure": label.sure, "note": label.note}
    words = {"segments": label.segments} if label.segments else {}
    return msgspec.json.encode(fields | {"machine": label.machine} | words) + b"\n"


def read_labels(path: AnyPath, match: Match) -> dict[CommentId, GoldLine] | None:
    """The labels of a match, checked against it; None if there is no such file."""
    if not path.exists():
        return None
    labels: dict[CommentId, GoldLine] = {}
    try:
        for number, label in parse_gold(read_utf8(path)):
            if unknown := sorted(e for e in label.described if e not in match.event_by_id):
                raise GoldLineError(number, f"the event {unknown[0]!r} is not in the log")
            labels[label.id] = label
    except GoldLineError as error:
        raise InputError(path, error.problem, f"line {error.line}") from None
    check_comments(path, labels, match)
    return labels


def as_gold(labels: Mapping[CommentId, GoldLine]) -> Gold:
    return {comment: frozenset(label.described) for comment, label in labels.items()}


def check_comments(path: AnyPath, ids: Iterable[CommentId], match: Match) -> None:
    """Labels of comments that are not there belong to another file, or the file is cut off."""
    known = {comment.id for comment in match.comments}
    for name in ids:
        if name not in known:
            raise InputError(path, f"the comment {name!r} is not in the commentary")
