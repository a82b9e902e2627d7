"""Explanations as the page shows them: which stretches of a comment spoke for which event.

What a method says (`touchline.methods.explanation`) becomes marks in the text, words beside events
and short notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from touchline.core.links import Link
from touchline.methods.explanation import Claim, Explanation

NOBODY = -1  # a name that no linked event accounts for


class Mark(msgspec.Struct, frozen=True, omit_defaults=True, array_like=True):
    """A stretch of the text, in UTF-16 units as browsers count, and the told event it spoke for."""

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
    """What a method says about a comment, as marks, words and notes."""
    place = {link.id: number for number, link in enumerate(linked)}
    claims = (claim for claim in explained.claims() if claim.event in place or not claim.event)
    return Why(
        marks=_in_browser(text, _apart(claims, place)),
        words=tuple((place[e], words) for e, words in explained.heaviest() if e in place),
        notes=tuple(explained.notes()),
    )


def _apart(claims: Iterable[Claim], place: dict[str, int]) -> list[Mark]:
    """The strongest claims that do not overlap, in the order of the text."""
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda claim: -claim.weight):
        if claim.start < claim.end and all(
            claim.end <= other.start or other.end <= claim.start for other in kept
        ):
            kept.append(claim)
    marked = sorted((claim for claim in kept if claim.kind), key=lambda claim: claim.start)
    return [Mark(c.start, c.end, place.get(c.event or "", NOBODY), c.kind) for c in marked]


def _in_browser(text: str, marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Places counted in letters become places in UTF-16, where an emoji counts twice."""

    def units(letters: int) -> int:
        return len(text[:letters].encode("utf-16-le", "surrogatepass")) // 2

    return tuple(Mark(units(m.start), units(m.end), m.event, m.kind) for m in marks)
