"""Parts of a comment as characters of its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from touchline.core.links import Spans
from touchline.text.parts import Part, trimmed


def spans_of(text: str, cut: Sequence[Part], parts: Iterable[int]) -> Spans:
    """Parts as characters: neighbours together, without the connectors at either end."""
    runs: list[tuple[int, int]] = []
    for i in parts:
        joins = bool(runs) and i > 0 and cut[i - 1].end == runs[-1][1]
        start = runs.pop()[0] if joins else cut[i].start
        runs.append((start, cut[i].end))
    found = (trimmed(text, start, end) for start, end in runs)
    return tuple(span for span in found if span)
