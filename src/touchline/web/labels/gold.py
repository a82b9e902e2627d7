"""Export and import of labels: `gold.jsonl`, and links files with an annotator's labels."""

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
from touchline.io.corpus.gold import GoldLine, GoldLineError, parse_gold, write_gold
from touchline.io.corpus.segments import SegmentLine, write_segments
from touchline.io.links.origin import read_origin
from touchline.report.document import document
from touchline.report.formats import ENDINGS, write_links
from touchline.web.errors import ApiError
from touchline.web.library import Library
from touchline.web.records import Label, page_id
from touchline.web.store import index
from touchline.web.store.labels import AnnotationScope, LabelState, get_labels

FORMATS = tuple(ending.removeprefix(".") for ending in ENDINGS)
KINDS = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "chapters.vtt": "text/vtt; charset=utf-8",
    "vtt": "text/vtt; charset=utf-8",
    "label-studio.json": "application/json",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
BY_PERSON = 1.0  # the score of an event that a person linked


# gold.jsonl --------------------------------------------------------------------------------------


def lines(found: Iterable[Label]) -> Iterator[bytes]:
    """The finished labels as lines of `gold.jsonl`."""
    return write_gold(map(gold_line, (label for label in found if label.done)))


def segment_lines(found: Iterable[Label]) -> Iterator[bytes]:
    """The words that finished labels give to events, as lines of `segments.jsonl`."""
    return write_segments(
        SegmentLine(id=label.comment, event=event, spans=spans, sure=not label.unsure)
        for label in found
        if label.done
        for event in label.events
        if (spans := label.segments.get(event))
    )


def gold_line(label: Label) -> GoldLine:
    return GoldLine(
        id=label.comment, events=label.events, sure=not label.unsure, segments=label.segments
    )


def parse(db: sqlite3.Connection, match: str, text: bytes) -> list[tuple[CommentId, LabelState]]:
    """The labels of a `gold.jsonl` about a match, as states of finished labels."""
    comments = index.comments(db, match)
    found: list[tuple[CommentId, LabelState]] = []
    try:
        for number, label in parse_gold(text):
            comment = page_id(label.id)
            if comment not in comments:
                raise GoldLineError(number, f"comment {comment!r} is not in the commentary")
            found.append((comment, _labelled(db, match, number, comment, label)))
    except GoldLineError as error:
        raise ApiError("gold", str(error)) from None
    if not found:
        raise ApiError("gold", "the file has no labels")
    return found


def _labelled(
    db: sqlite3.Connection, match: str, number: int, comment: CommentId, label: GoldLine
) -> LabelState:
    for event in label.described:
        try:
            index.check_event(db, match, event)
        except ApiError as error:
            raise GoldLineError(number, str(error)) from None
    linked = index.links(db, index.comment_row(db, match, comment))
    return LabelState(
        events=index.in_match_order(db, match, label.described),
        rejected=tuple(event for event in linked if event not in label.described),
        none=not label.described,
        unsure=not label.sure,
        done=True,
    )


# Links -------------------------------------------------------------------------------------------


def download(library: Library, name: str, form: str, annotator: str | None) -> bytes:
    """The links of a match as a file; with an annotator, their finished labels replace them."""
    if form not in FORMATS:
        raise ApiError("query", f"unknown format {form[:20]!r}; use one of {', '.join(FORMATS)}")
    answer = library.answer(name)
    if form == "html" and annotator is None:  # the page as it is, with the words that decided
        report = library.report(answer)
        return document(report.matches[0].title, msgspec.json.encode(report).decode()).encode()
    match = library.log(answer).named(name)
    answers = [msgspec.structs.replace(one, match=name) for one in library.links(answer)]
    if annotator is not None:
        with library.store.read() as db:
            own = get_labels(db, AnnotationScope(name, annotator))
        answers = list(_with_labels(match, answers, own))
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
    match: MatchLog, answers: Iterable[CommentLinks], own: Iterable[Label]
) -> Iterator[CommentLinks]:
    done = {label.comment: label for label in own if label.done}
    for answer in answers:
        label = done.get(answer.comment)
        yield answer if label is None else _labelled_answer(match, answer, label)


def _labelled_answer(match: MatchLog, answer: CommentLinks, label: Label) -> CommentLinks:
    events = [match.event_by_id[event] for event in label.events if event in match.event_by_id]
    times = [event.time for event in events]
    own = {event.id: None for event in events} | {link.id: link.words for link in answer.events}
    return msgspec.structs.replace(
        answer,
        events=tuple(
            Link(id=event.id, score=BY_PERSON, words=label.segments.get(event.id, own[event.id]))
            for event in events
        ),
        none=0.0 if events else 1.0,
        period=events[0].period if events else None,
        time=times[0] if events else None,
        span=(min(times), max(times)) if events else None,
        candidates=None,
    )
