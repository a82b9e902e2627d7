"""A comment and its events on a small pitch, as a notebook shows them; one SVG, no scripts."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from touchline.core.links import CommentLinks
    from touchline.core.records import Event, Match

TINTS = ("#0b6e4f", "#b3541e", "#2f5fa7", "#8a3c86", "#7a6200", "#00707f")
LENGTH, WIDTH = 120.0, 80.0
# What stands in place of the events of a comment that has none, by its state.
NOT_LINKED = {"none": "no event", "unsure": "describes something, unsure what"}
_GROUND = (
    '<rect width="120" height="80" fill="#f0f5f1"/>'
    '<path d="M0 0H120V80H0ZM60 0V80M50 40a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M0 18H18V62H0'
    'M0 30H6V50H0M120 18H102V62H120M120 30H114V50H120" fill="none" stroke="#b4c4bb"'
    ' stroke-width=".5"/>'
)


class CommentView:
    """One comment of a match and what it describes."""

    def __init__(self, match: Match, answer: CommentLinks) -> None:
        self.match = match
        self.answer = answer
        self.comment = next(c for c in match.comments if c.id == answer.comment)
        self.events = tuple(match.event_by_id[link.id] for link in answer.events)

    def __repr__(self) -> str:
        lines = [f"{self.comment.clock or ''} {self.comment.text}".strip()]
        lines += [f"  {event.clock} {event.describe()}" for event in self.events]
        lines += [] if self.events else [f"  {NOT_LINKED[self.answer.state]}"]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        items = "".join(
            f'<li><b style="color:{tint}">{number}</b> {html.escape(event.describe())} '
            f"<small>{html.escape(event.clock)} · {link.score:.2f}</small></li>"
            for (number, event, tint), link in zip(
                self._numbered(), self.answer.events, strict=True
            )
        )
        nothing = f"<li>{NOT_LINKED.get(self.answer.state)}</li>"
        return (
            f"<p><b>{html.escape(self.comment.clock or '')}</b> "
            f"{html.escape(self.comment.text)}</p>{self.image()}"
            f'<ul style="list-style:none;padding:0">{items or nothing}</ul>'
        )

    def svg(self, width: int = 420, names: bool = True) -> str:
        """Draw the pitch alone; the first team attacks to the right, events are numbered in order.

        Parameters
        ----------
        width
            Width of the picture in pixels.
        names
            Whether to write the players' names beside the events.

        Returns
        -------
        str
            An SVG document.
        """
        marks = [
            mark for numbered in self._numbered() for mark in _draw(*numbered, self.match, names)
        ]
        marks += self._labels() if names else []
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -3 126 86" width="{width}" '
            f'role="img" aria-label="The events on a pitch" font-family="sans-serif">'
            f"{_GROUND}{''.join(marks)}</svg>"
        )

    def image(self, width: int = 420, names: bool = True) -> str:
        """Put the pitch into an `img` element.

        Jupyter and GitHub remove SVG from the stored output of a notebook, but not images.

        Parameters
        ----------
        width
            Width of the picture in pixels.
        names
            Whether to write the players' names beside the events.

        Returns
        -------
        str
            An HTML element that contains the picture.
        """
        data = base64.b64encode(self.svg(width, names).encode()).decode()
        return (
            f'<img src="data:image/svg+xml;base64,{data}" width="{width}" '
            f'style="min-width:{width}px" alt="The events on a pitch">'
        )

    def _labels(self) -> Iterator[str]:
        """The players' names above or below their events, but for those without room for them."""
        taken: list[tuple[float, float, str]] = []
        for event in self.events:
            if event.location is None:
                continue
            who = event.player.label if event.player else event.type
            x, y = seen(self.match, event, event.location)
            for at in (y - 3, y + 5):
                label = (_inside(x, who), at, who)
                if 0 < at < WIDTH and not any(_overlap(label, other) for other in taken):
                    taken.append(label)
                    yield (
                        f'<text x="{label[0]:.1f}" y="{at:.1f}" font-size="3" fill="#1b2530" '
                        f'text-anchor="middle">{html.escape(who)}</text>'
                    )
                    break

    def _numbered(self) -> Iterator[tuple[int, Event, str]]:
        for number, event in enumerate(self.events):
            yield number + 1, event, TINTS[number % len(TINTS)]


def seen(match: Match, event: Event, place: tuple[float, float]) -> tuple[float, float]:
    """A place on the pitch on which the first team attacks to the right."""
    second = len(match.teams) > 1 and event.team == match.teams[1]
    return (LENGTH - place[0], WIDTH - place[1]) if second else place


def _draw(number: int, event: Event, tint: str, match: Match, names: bool) -> Iterator[str]:
    if event.location is None:
        return
    x, y = seen(match, event, event.location)
    if event.end_location is not None:
        to_x, to_y = seen(match, event, event.end_location)
        yield (
            f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{tint}" stroke-width=".7"/>'
            f'<circle cx="{to_x:.1f}" cy="{to_y:.1f}" r=".9" fill="{tint}"/>'
        )
    yield (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2.2 if names else 4}" fill="{tint}"/>'
        f'<text x="{x:.1f}" y="{y + (1 if names else 2):.1f}" font-size="{2.8 if names else 5.5}" '
        f'fill="#fff" text-anchor="middle">{number}</text>'
    )


def _inside(x: float, text: str) -> float:
    """Where a centred name stays on the picture; a letter is about half as wide as high."""
    half = _half(text)
    return min(max(x, half - 3), LENGTH + 3 - half)


def _half(text: str) -> float:
    return 0.95 * len(text)


def _overlap(one: tuple[float, float, str], other: tuple[float, float, str]) -> bool:
    """Whether two centred labels, each with its place, cover each other."""
    apart = abs(one[0] - other[0]), abs(one[1] - other[1])
    return apart[0] < _half(one[2]) + _half(other[2]) and apart[1] < 3
