"""The rows of a match in each table, and a table as the bytes of a Parquet file."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator
from typing import Any

from touchline.core.links import CommentLinks, Links
from touchline.core.records import Comment, label_of, name_of
from touchline.io.dataset.schema import arrow_schema

Row = dict[str, Any]


def parquet_bytes(table: str, rows: list[Row]) -> bytes:
    """The file of a table; equal rows give equal bytes."""
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    written = pyarrow.Table.from_pylist(rows, schema=arrow_schema(table))
    pyarrow.parquet.write_table(written, out, compression="zstd")
    return out.getvalue()


def checksum(data: bytes) -> str:
    """The checksum of a file, as the manifest has it."""
    return hashlib.sha256(data).hexdigest()


def rows_of(table: str, links: Links) -> list[Row]:
    """The rows of a match's links in a table."""
    return list(_ROWS[table](links))


def _answers(links: Links) -> Iterator[tuple[Comment, CommentLinks]]:
    by_id = {comment.id: comment for comment in links.match.comments}
    return ((by_id[answer.comment], answer) for answer in links)


def _comments(links: Links) -> Iterator[Row]:
    for place, (comment, answer) in enumerate(_answers(links)):
        yield {
            "comment": str(comment.id), "place": place, "text": comment.text,
            "clock": comment.clock, "period": comment.period, "start": comment.start,
            "end": comment.end, "state": answer.state, "none": answer.none,
        }  # fmt: skip


def _links(links: Links) -> Iterator[Row]:
    for answer in links:
        for link in answer.events:
            yield {"comment": str(answer.comment), "event": link.id, "score": link.score}


def _words(links: Links) -> Iterator[Row]:
    for comment, answer in _answers(links):
        for link in answer.events:
            for start, end in link.words or ():
                yield {
                    "comment": str(comment.id), "event": link.id, "start": start, "end": end,
                    "text": comment.text[start:end],
                }  # fmt: skip


def _phases(links: Links) -> Iterator[Row]:
    for answer in links:
        if (phase := answer.phase) is not None:
            first = links.match.event_by_id.get(phase.events[0]) if phase.events else None
            yield {
                "comment": str(answer.comment), "team": phase.team, "kind": phase.kind,
                "period": first.period if first else answer.period,
                "start": phase.span[0], "end": phase.span[1], "score": phase.score,
                "events": list(phase.events),
            }  # fmt: skip


def _events(links: Links) -> Iterator[Row]:
    for place, event in enumerate(links.match.events):
        x, y = event.location or (None, None)
        end_x, end_y = event.end_location or (None, None)
        yield {
            "event": event.id, "place": place, "type": event.type,
            "outcome": event.arguments.get("outcome"), "period": event.period, "time": event.time,
            "team": name_of(event.team), "player": label_of(event.player),
            "recipient": label_of(event.recipient),
            "others": [(other.role, other.player.label) for other in event.others],
            "x": x, "y": y, "end_x": end_x, "end_y": end_y,
            "linkable": event.linkable, "arguments": sorted(event.arguments.items()),
        }  # fmt: skip


_ROWS: dict[str, Callable[[Links], Iterator[Row]]] = {
    "comments": _comments, "links": _links, "words": _words, "phases": _phases, "events": _events,
}  # fmt: skip
