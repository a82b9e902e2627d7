"""Labels out of the server and into it: `gold.jsonl`, and links with people's labels in them."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.links import CommentLinks, Link, Links
from touchline.core.records import CommentId
from touchline.core.records import Match as MatchLog
from touchline.io.links.origin import read_origin
from touchline.report.document import document
from touchline.report.formats import ENDINGS, write_links
from touchline.web.api.errors import ApiError
from touchline.web.jobs.align_worker import page_id
from touchline.web.labels import labels
from touchline.web.labels.labels import Desk, State
from touchline.web.records import Label
from touchline.web.store import index
from touchline.web.store.library import Library

FORMATS = tuple(ending.removeprefix(".") for ending in ENDINGS)
KINDS = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "chapters.vtt": "text/vtt; charset=utf-8",
    "vtt": "text/vtt; charset=utf-8",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
BY_PERSON = 1.0  # the score of an event that a person says is told


class GoldLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `gold.jsonl`."""

    id: int | str
    events: tuple[str, ...]
    sure: bool = True


# gold.jsonl --------------------------------------------------------------------------------------


def lines(found: Iterable[Label]) -> Iterator[bytes]:
    """The finished labels as lines of `gold.jsonl`."""
    for label in found:
        if label.done:
            line = GoldLine(id=label.comment, events=label.events, sure=not label.unsure)
            yield msgspec.json.encode(line) + b"\n"


def parse(db: sqlite3.Connection, match: str, text: bytes) -> list[tuple[CommentId, State]]:
    """The labels of a `gold.jsonl` about a match, as states of finished labels."""
    comments = index.comments(db, match)
    found: dict[CommentId, State] = {}
    for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        label = _line(number, line)
        if label.id in found or label.id not in comments:
            problem = "has a label already" if label.id in found else "is not in the commentary"
            raise _wrong(number, f"the comment {label.id!r} {problem}")
        found[label.id] = _labelled(db, match, number, label)
    if not found:
        raise ApiError("gold", "there is no label in the file")
    return list(found.items())


def _line(number: int, line: bytes) -> GoldLine:
    try:
        label = msgspec.json.decode(line, type=GoldLine)
        return msgspec.structs.replace(label, id=page_id(label.id))
    except (msgspec.DecodeError, RecursionError):
        expected = 'expected {"id": ..., "events": [...]}'
        raise _wrong(number, f"not a label; {expected}") from None


def _labelled(db: sqlite3.Connection, match: str, number: int, label: GoldLine) -> State:
    for event in label.events:
        try:
            index.check_event(db, match, event)
        except ApiError as refusal:
            raise _wrong(number, str(refusal)) from None
    linked = index.links(db, index.comment_row(db, match, label.id))
    return State(
        events=index.in_match_order(db, match, label.events),
        rejected=tuple(event for event in linked if event not in label.events),
        none=not label.events,
        unsure=not label.sure,
        done=True,
    )


def _wrong(number: int, problem: str) -> ApiError:
    return ApiError("gold", f"line {number}: {problem}")


# Links -------------------------------------------------------------------------------------------


def download(library: Library, name: str, form: str, annotator: str | None) -> bytes:
    """The links of a match as a file; with an annotator, his finished labels in place of them."""
    if form not in FORMATS:
        raise ApiError("query", f"no format {form[:20]!r}; one of {', '.join(FORMATS)}")
    answer = library.answer(name)
    if form == "html" and annotator is None:  # the page as it is, with the words that decided
        report = library.report(answer)
        return document(report.matches[0].title, msgspec.json.encode(report).decode()).encode()
    match = library.log(answer).named(name)
    answers = [msgspec.structs.replace(one, match=name) for one in library.links(answer)]
    if annotator is not None:
        with library.store.read() as db:
            said = labels.labels(db, Desk(name, annotator)).labels
        answers = list(_with_labels(match, answers, said))
    return _written(Links(match, answers), library.links_path(answer), form)


def _written(links: Links, source: Path, form: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="touchline-") as folder:
        path = Path(folder) / f"links.{form}"
        try:
            write_links(links, path, read_origin(source))
        except TouchlineError as error:  # a format whose package is not installed
            raise ApiError("query", str(error)) from None
        return path.read_bytes()


def _with_labels(
    match: MatchLog, answers: Iterable[CommentLinks], said: Iterable[Label]
) -> Iterator[CommentLinks]:
    done = {label.comment: label for label in said if label.done}
    for answer in answers:
        label = done.get(answer.comment)
        yield answer if label is None else _labelled_answer(match, answer, label)


def _labelled_answer(match: MatchLog, answer: CommentLinks, label: Label) -> CommentLinks:
    told = [match.event_by_id[event] for event in label.events if event in match.event_by_id]
    times = [event.time for event in told]
    return msgspec.structs.replace(
        answer,
        events=tuple(Link(id=event.id, score=BY_PERSON) for event in told),
        none=0.0 if told else 1.0,
        period=told[0].period if told else None,
        time=times[0] if told else None,
        span=(min(times), max(times)) if told else None,
        candidates=None,
    )
