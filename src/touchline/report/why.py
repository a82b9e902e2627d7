"""Explanations as the page shows them: which stretches of a comment spoke for which event.

Methods explain themselves in their own words (`touchline explain --json`). Here the ones that are
known become marks in the text, words beside events, and short notes; of any other nothing is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from touchline.core.links import Link

NOBODY = -1  # a name that no told event accounts for
MOST_WORDS = 6
WORTH_NAMING = 0.25  # words that spoke less for an event are not listed beside it
SHOWN = 0.01  # scores, and differences of scores, that are less are not told
_UNMARKED = ""  # what the comment says by itself is not marked


class Mark(msgspec.Struct, frozen=True, omit_defaults=True, array_like=True):
    """A stretch of the text, in UTF-16 units as browsers count, and the told event it spoke for."""

    start: int
    end: int
    event: int
    kind: str


Claim = tuple[float, Mark]
Words = tuple[int, tuple[str, ...]]


class Why(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Marks in the text; the heaviest words of each told event; notes as label and sentence."""

    marks: tuple[Mark, ...] = ()
    words: tuple[Words, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


def why(explained: dict[str, Any], text: str, told: Sequence[Link]) -> Why:
    """What a method says about a comment, as marks, words and notes."""
    place = {link.id: number for number, link in enumerate(told)}
    if "models" in explained:
        return Why(words=tuple(_heaviest(explained["models"], place)))
    events = [event for event in explained.get("events", ()) if event["id"] in place]
    return Why(
        marks=_in_browser(text, _apart([*_claims(events, place), *_unclaimed(explained)])),
        words=tuple(_deciding(events, place)),
        notes=tuple(_notes(explained)),
    )


def _heaviest(models: Iterable[dict[str, Any]], place: dict[str, int]) -> Iterator[Words]:
    for model in models:
        if model["event"] in place and model.get("weights"):
            words = tuple(word for word, _ in model["weights"][:MOST_WORDS])
            yield place[model["event"]], words


def _claims(events: Iterable[dict[str, Any]], place: dict[str, int]) -> Iterator[Claim]:
    """Every stretch that an event claims, with how strongly; a name is worth more than a word."""
    for event in events:
        number = place[event["id"]]
        for name in event.get("names", ()):
            yield 2.0, _mark(name, number, "garbled" if name.get("garbled") else "name")
        for word in event.get("words", ()):
            yield word["share"], _mark(word, number, "word")


def _unclaimed(explained: dict[str, Any]) -> Iterator[Claim]:
    """Names that belong to no told event, and words that the comment says by itself."""
    for name in explained.get("unexplained", ()):
        yield 1.0, _mark(name, NOBODY, "lost")
    for word in explained.get("by_itself", ()):
        yield word["share"], _mark(word, NOBODY, _UNMARKED)


def _mark(stretch: dict[str, Any], event: int, kind: str) -> Mark:
    return Mark(stretch["start"], stretch["end"], event, kind)


def _apart(claims: Iterable[Claim]) -> list[Mark]:
    """The strongest claims that do not overlap, in the order of the text."""
    kept: list[Mark] = []
    for _, mark in sorted(claims, key=lambda claim: -claim[0]):
        if mark.start < mark.end and all(
            mark.end <= other.start or other.end <= mark.start for other in kept
        ):
            kept.append(mark)
    return sorted((m for m in kept if m.kind != _UNMARKED), key=lambda mark: mark.start)


def _in_browser(text: str, marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Places counted in letters become places in UTF-16, where an emoji counts twice."""

    def units(letters: int) -> int:
        return len(text[:letters].encode("utf-16-le", "surrogatepass")) // 2

    return tuple(Mark(units(m.start), units(m.end), m.event, m.kind) for m in marks)


def _deciding(events: Iterable[dict[str, Any]], place: dict[str, int]) -> Iterator[Words]:
    for event in events:
        own = [word for word in event.get("words", ()) if word["share"] >= WORTH_NAMING]
        heaviest = sorted(own, key=lambda word: -word["share"])
        said = [*(n["text"] for n in event.get("names", ())), *(w["word"] for w in heaviest)]
        words = tuple(dict.fromkeys(said))[:MOST_WORDS]
        if words:
            yield place[event["id"]], words


def _notes(explained: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for_it = _against(explained.get("best"), explained.get("no_event"))
    if for_it:
        yield "For these events against none", for_it
    lost = [name["text"] for name in explained.get("unexplained", ())]
    if lost:
        yield "Named, but in no told event", ", ".join(lost)
    second = explained.get("runner_up")
    if second and second.get("score", 0.0) >= SHOWN:
        told = " + ".join(second["describe"]) or "no event"
        yield "Next best", f"{told} ({second['score']:.2f})"
    order = explained.get("order") or {}
    if order and abs(order["alone"] - order["together"]) >= SHOWN:
        scores = f"{order['alone']:.2f} → {order['together']:.2f}"
        yield "By itself, then among its neighbours", scores


def _against(best: dict[str, Any] | None, none: dict[str, Any] | None) -> str:
    """How much each part of the evidence speaks for a reading against none, the heaviest first."""
    if not best or not none or not best.get("events"):
        return ""
    less = none.get("parts", {})
    parts = {name: value - less.get(name, 0.0) for name, value in best.get("parts", {}).items()}
    heaviest = sorted(parts.items(), key=lambda part: -abs(part[1]))
    said = [f"{name} {value:+.1f}" for name, value in heaviest if abs(value) >= 0.05]
    return " · ".join(said).replace("-", "−")
