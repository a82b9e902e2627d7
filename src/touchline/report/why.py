"""Explanations as the page shows them: which words of a comment describe which event.

The words of the links become marks in the text; where a method does not know them, the evidence of
its explanation (`touchline.methods.explanation`) does. An explanation adds which of them are names,
words beside events and short notes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import msgspec

from touchline.core.links import Link
from touchline.methods.explanation import Claim, Explanation

NO_EVENT = -1  # for a name that no linked event explains


class Mark(msgspec.Struct, frozen=True, omit_defaults=True, array_like=True):
    """Part of the text, in UTF-16 units as browsers count, and the linked event it points to.

    `also` are other events that the same words describe.
    """

    start: int
    end: int
    event: int
    kind: str
    also: tuple[int, ...] = ()


Words = tuple[int, tuple[str, ...]]


class Why(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Marks in the text; the heaviest words of each linked event; notes as label and sentence."""

    marks: tuple[Mark, ...] = ()
    words: tuple[Words, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


def why(explained: Explanation, text: str, linked: Sequence[Link]) -> Why:
    """The explanation of a comment as marks, words and notes."""
    place = {link.id: number for number, link in enumerate(linked)}
    claims = [claim for claim in explained.claims() if claim.event in place or not claim.event]
    known = any(link.words for link in linked)
    marks = _worded(linked, claims) if known else _without_overlap(claims, place)
    return Why(
        marks=_utf16(text, marks),
        words=tuple((place[e], words) for e, words in explained.heaviest() if e in place),
        notes=tuple(explained.notes()),
    )


def unexplained(text: str, linked: Sequence[Link]) -> Why | None:
    """The words of the links by themselves; None where they are not known."""
    marks = _utf16(text, _worded(linked, ()))
    return Why(marks=marks) if marks else None


def _worded(linked: Sequence[Link], claims: Sequence[Claim]) -> list[Mark]:
    """The words of each link, cut where names and the words of other events start and end."""
    names = [claim for claim in claims if claim.kind in ("name", "garbled", "lost")]
    spans = [(*span, number) for number, link in enumerate(linked) for span in link.words or ()]
    places = sorted({p for start, end, _ in spans for p in (start, end)}
                    | {p for name in names for p in (name.start, name.end)})  # fmt: skip
    marks: list[Mark] = []
    for start, end in pairwise(places):
        events = tuple(number for a, b, number in spans if a <= start and end <= b)
        kind = next((n.kind for n in names if n.start <= start and end <= n.end), None)
        if events:
            own = "word" if kind in (None, "lost") else str(kind)
            _extend(marks, Mark(start, end, events[0], own, events[1:]))
        elif kind == "lost":
            _extend(marks, Mark(start, end, NO_EVENT, kind))
    return marks


def _extend(marks: list[Mark], more: Mark) -> None:
    """Add a mark, or let the last one go on."""
    last = marks[-1] if marks else None
    alike = last and (last.end, last.event, last.kind, last.also)
    if last and alike == (more.start, more.event, more.kind, more.also):
        marks[-1] = Mark(last.start, more.end, more.event, more.kind, more.also)
    else:
        marks.append(more)


def _without_overlap(claims: Iterable[Claim], place: dict[str, int]) -> list[Mark]:
    """The strongest claims that do not overlap, in the order of the text."""
    kept: list[Claim] = []
    starts, ends = list[int](), list[int]()  # of those kept, in the order of the text
    for claim in sorted(claims, key=lambda claim: -claim.weight):
        before = bisect_left(starts, claim.end)
        if claim.start < claim.end and (not before or ends[before - 1] <= claim.start):
            starts.insert(before, claim.start)
            ends.insert(before, claim.end)
            kept.append(claim)
    marked = sorted((claim for claim in kept if claim.kind), key=lambda claim: claim.start)
    return [Mark(c.start, c.end, place.get(c.event or "", NO_EVENT), c.kind) for c in marked]


def utf16(text: str) -> Callable[[int], int]:
    """Positions in characters as positions in UTF-16, where an emoji counts twice."""
    return lambda characters: len(text[:characters].encode("utf-16-le", "surrogatepass")) // 2


def _utf16(text: str, marks: Iterable[Mark]) -> tuple[Mark, ...]:
    units = utf16(text)
    return tuple(msgspec.structs.replace(m, start=units(m.start), end=units(m.end)) for m in marks)
