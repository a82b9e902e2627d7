"""A comment and its events on a small pitch, as a notebook shows them; one SVG, no scripts."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING

from touchline.core.records import Event, Match

if TYPE_CHECKING:
    from touchline.core.links import CommentLinks

TINTS = ("#0b6e4f", "#b3541e", "#2f5fa7", "#8a3c86", "#7a6200", "#00707f")
LENGTH, WIDTH = 120.0, 80.0
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
        lines += [f"  {event.clock} {event.describe()}" for event in self.events] or ["  no event"]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        items = "".join(
            f'<li><b style="color:{tint}">{number}</b> {html.escape(event.describe())} '
            f"<small>{html.escape(event.clock)} · {link.score:.2f}</small></li>"
            for (number, event, tint), link in zip(
                self._numbered(), self.answer.events, strict=True
            )
        )
        return (
            f"<p><b>{html.escape(self.comment.clock or '')}</b> "
            f"{html.escape(self.comment.text)}</p>{self.svg()}"
            f'<ul style="list-style:none;padding:0">{items or "<li>no event</li>"}</ul>'
        )

    def svg(self, width: int = 420) -> str:
        """Draw the pitch alone; the first team attacks to the right, events are numbered in order.

        Parameters
        ----------
        width
            Width of the picture in pixels.

        Returns
        -------
        str
            An SVG document.
        """
        marks = [mark for numbered in self._numbered() for mark in _draw(*numbered, self.match)]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -3 126 86" width="{width}" '
            f'role="img" aria-label="The events on a pitch" font-family="sans-serif">'
            f"{_GROUND}{''.join(marks)}</svg>"
        )

    def _numbered(self) -> Iterator[tuple[int, Event, str]]:
        for number, event in enumerate(self.events):
            yield number + 1, event, TINTS[number % len(TINTS)]


def seen(match: Match, event: Event, place: tuple[float, float]) -> tuple[float, float]:
    """A place on the pitch on which the first team attacks to the right."""
    second = len(match.teams) > 1 and event.team == match.teams[1]
    return (LENGTH - place[0], WIDTH - place[1]) if second else place


def _draw(number: int, event: Event, tint: str, match: Match) -> Iterator[str]:
    if event.location is None:
        return
    x, y = seen(match, event, event.location)
    if event.end_location is not None:
        to_x, to_y = seen(match, event, event.end_location)
        yield (
            f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{tint}" stroke-width=".7"/>'
            f'<circle cx="{to_x:.1f}" cy="{to_y:.1f}" r=".9" fill="{tint}"/>'
        )
    who = html.escape(event.player.label if event.player else event.type)
    yield (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{tint}"/>'
        f'<text x="{x:.1f}" y="{y + 1:.1f}" font-size="2.8" fill="#fff" text-anchor="middle">'
        f"{number}</text>"
        f'<text x="{x:.1f}" y="{y - 3:.1f}" font-size="3" fill="#1b2530" text-anchor="middle">'
        f"{who}</text>"
    )
