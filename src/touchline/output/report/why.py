"""Explanations as the page shows them: which stretches of a comment spoke for which event.

Methods explain themselves in their own words (`touchline explain --json`). Here the ones that are
known become marks in the text, words beside events, and short notes; of any other nothing is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from touchline.match import Link

NOBODY = -1  # a name that no told event accounts for
MOST_WORDS = 6


class Mark(msgspec.Struct, frozen=True, omit_defaults=True, array_like=True):
    """A stretch of the text, in UTF-16 units as browsers count, and the told event it spoke for."""

    start: int
    end: int
    event: int
    kind: str


class Why(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Marks in the text; the heaviest words of each told event; notes as label and sentence."""

    marks: tuple[Mark, ...] = ()
    words: tuple[tuple[int, tuple[str, ...]], ...] = ()
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


def _heaviest(models: Iterable[dict[str, Any]], place: dict[str, int]) -> Any:
    for model in models:
        if model["event"] in place and model.get("weights"):
            words = tuple(word for word, _ in model["weights"][:MOST_WORDS])
            yield place[model["event"]], words


def _claims(events: Iterable[dict[str, Any]], place: dict[str, int]) -> Iterable[Any]:
    """Every stretch that an event claims, with how strongly; a name is worth more than a word."""
    for event in events:
        number = place[event["id"]]
        for name in event.get("names", ()):
            kind = "garbled" if name.get("garbled") else "name"
            yield 1.0, Mark(name["start"], name["end"], number, kind)
        for word in event.get("words", ()):
            yield word["share"], Mark(word["start"], word["end"], number, "word")


def _unclaimed(explained: dict[str, Any]) -> Iterable[Any]:
    for name in explained.get("unexplained", ()):
        yield 0.0, Mark(name["start"], name["end"], NOBODY, "lost")


def _apart(claims: Iterable[tuple[float, Mark]]) -> list[Mark]:
    """The strongest claims that do not overlap, in the order of the text."""
    kept: list[Mark] = []
    for _, mark in sorted(claims, key=lambda claim: -claim[0]):
        if mark.start < mark.end and all(
            mark.end <= other.start or other.end <= mark.start for other in kept
        ):
            kept.append(mark)
    return sorted(kept, key=lambda mark: mark.start)


def _in_browser(text: str, marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Places counted in letters become places in UTF-16, where an emoji counts twice."""

    def units(letters: int) -> int:
        return len(text[:letters].encode("utf-16-le", "surrogatepass")) // 2

    return tuple(Mark(units(m.start), units(m.end), m.event, m.kind) for m in marks)


def _deciding(events: Iterable[dict[str, Any]], place: dict[str, int]) -> Any:
    for event in events:
        heaviest = sorted(event.get("words", ()), key=lambda word: -word["share"])
        said = [*(n["text"] for n in event.get("names", ())), *(w["word"] for w in heaviest)]
        words = tuple(dict.fromkeys(said))[:MOST_WORDS]
        if words:
            yield place[event["id"]], words


def _notes(explained: dict[str, Any]) -> Iterable[tuple[str, str]]:
    lost = [name["text"] for name in explained.get("unexplained", ())]
    if lost:
        yield "Named, but in no told event", ", ".join(lost)
    second = _group(explained.get("runner_up"))
    if second:
        yield "Next best", second
    order = explained.get("order") or {}
    if "alone" in order and "together" in order:
        yield (
            "By itself, then among its neighbours",
            f"{order['alone']:.2f} → {order['together']:.2f}",
        )


def _group(reading: Any) -> str:
    """A reading of the comment as a line: its events, or that there are none."""
    if not isinstance(reading, dict) or "events" not in reading:
        return ""
    names = (
        e.get("describe", e.get("id")) if isinstance(e, dict) else e for e in reading["events"]
    )
    return " + ".join(map(str, names)) or "no event"
