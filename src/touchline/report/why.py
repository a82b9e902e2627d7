"""Explanations as the page shows them: which words of a comment point to which event.

The explanation of a method (`touchline.methods.explanation`) becomes marks in the text, words
beside events and short notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from touchline.core.links import Link
from touchline.methods.explanation import Claim, Explanation

NO_EVENT = -1  # for a name that no linked event explains


class Mark(msgspec.Struct, frozen=True, omit_defaults=True, array_like=True):
    """Part of the text, in UTF-16 units as browsers count, and the linked event it points to."""

    start: int
    end: int
    event: int
    kind: str


Words = tuple[int, tuple[str, ...]]


class Why(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Marks in the text; the heaviest words of each linked event; notes as label and sentence."""

    marks: tuple[Mark, ...] = ()
    words: tuple[Words, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


def why(explained: Explanation, text: str, linked: Sequence[Link]) -> Why:
    """The explanation of a comment as marks, words and notes."""
    place = {link.id: number for number, link in enumerate(linked)}
    claims = (claim for claim in explained.claims() if claim.event in place or not claim.event)
    return Why(
        marks=_utf16(text, _without_overlap(claims, place)),
        words=tuple((place[e], words) for e, words in explained.heaviest() if e in place),
        notes=tuple(explained.notes()),
    )


def _without_overlap(claims: Iterable[Claim], place: dict[str, int]) -> list[Mark]:
    """The strongest claims that do not overlap, in the order of the text."""
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda claim: -claim.weight):
        if claim.start < claim.end and all(
            claim.end <= other.start or other.end <= claim.start for other in kept
        ):
            kept.append(claim)
    marked = sorted((claim for claim in kept if claim.kind), key=lambda claim: claim.start)
    return [Mark(c.start, c.end, place.get(c.event or "", NO_EVENT), c.kind) for c in marked]


def _utf16(text: str, marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Positions in characters become positions in UTF-16, where an emoji counts twice."""

    def units(characters: int) -> int:
        return len(text[:characters].encode("utf-16-le", "surrogatepass")) // 2

    return tuple(Mark(units(m.start), units(m.end), m.event, m.kind) for m in marks)
