"""What a search has found, as a file: a table for spreadsheets, or WebVTT for players."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from touchline.core.clocks import STARTS
from touchline.io.links import vtt
from touchline.io.links.tabular import write_rows
from touchline.web.records import Hit

FIELDS = (
    "match", "title", "comment", "clock", "match_time", "recording_time", "text", "events",
    "event_ids", "phase", "linked_by",
)  # fmt: skip
ON_RECORDING, ON_MATCH = "the recording's clock", "the match clock"


def as_csv(hits: Iterable[Hit]) -> bytes:
    """One row for each comment."""
    out = io.StringIO()
    write_rows(FIELDS, map(_row, hits), out)
    return out.getvalue().encode()


def _row(hit: Hit) -> dict[str, Any]:
    phase = f"{hit.phase.team}: {hit.phase.kind or 'phase'}" if hit.phase else None
    return {
        "match": hit.match,
        "title": hit.title,
        "comment": hit.comment,
        "clock": hit.clock,
        "match_time": hit.code,
        "recording_time": hit.recorded.code if hit.recorded else None,
        "text": hit.text,
        "events": " | ".join(event.what for event in hit.events),
        "event_ids": " ".join(event.id for event in hit.events),
        "phase": phase,
        "linked_by": hit.by,
    }


def as_vtt(hits: Sequence[Hit]) -> bytes:
    """A cue for each comment whose time is known, at the action that it describes.

    Each match is a part of the file, and a note above it says what its times mean: those of the
    recording where the commentary has one, else those of the match clock.
    """
    out = io.StringIO()
    out.write("WEBVTT\n")
    for match, own in groupby(hits, key=lambda hit: hit.match):
        of_match = list(own)
        recorded = any(hit.recorded for hit in of_match)
        cues = sorted(_cues(of_match, recorded=recorded))
        out.write(f"\nNOTE {_line(match)}: {ON_RECORDING if recorded else ON_MATCH}\n")
        for start, text in cues:
            vtt.cue(start, start + vtt.CUE_SECONDS, text, out)
    return out.getvalue().encode()


def _line(text: str) -> str:
    return " ".join(text.replace("-->", "→").split())


def _cues(hits: Iterable[Hit], *, recorded: bool) -> Iterator[tuple[float, str]]:
    for hit in hits:
        start = _in_recording(hit) if recorded else _in_match(hit)
        if start is not None:
            yield start, hit.text


def _in_recording(hit: Hit) -> float | None:
    places = [event.recorded.seconds for event in hit.events if event.recorded]
    return min(places) if places else hit.recorded.seconds if hit.recorded else None


def _in_match(hit: Hit) -> float | None:
    if hit.events:
        first = hit.events[0]
        return max(60.0 * STARTS.get(first.period, 0) + first.time, 0.0)
    return None if hit.minute is None else 60.0 * max(hit.minute - 1, 0)
