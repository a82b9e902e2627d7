"""How a notebook shows a match and its links; plain HTML without scripts, and text stays text."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from touchline.core.comment_view import NOT_LINKED, TINTS, CommentView

if TYPE_CHECKING:
    from touchline.core.links import CommentLinks, Links
    from touchline.core.records import Event, Match

MAX_COMMENTS = 12
MAX_EVENTS = 12
MAX_LINES = 60
_TOP = "vertical-align:top;text-align:left"
# Outcomes and types of events that decide a match.
_DECISIVE = ("Goal", "Own Goal", "Own Goal Against")


def links_html(links: Links) -> str:
    """The first linked comments: clock, text, events with outcome and score, a small pitch."""
    rows = [_row(links, answer) for answer in links[:MAX_COMMENTS]]
    more = len(links) - len(rows)
    note = f"{more} more comments; " if more > 0 else ""
    return (
        f"<p><b>{html.escape(repr(links))}</b></p>"
        f"{_table(('clock', 'comment', 'events', ''), rows)}"
        f"<p>{note}<code>links.show(ID)</code> draws one, <code>links.to_pandas()</code> has "
        "all.</p>"
    )


def _row(links: Links, answer: CommentLinks) -> list[str]:
    view = CommentView(links.match, answer)
    placed = any(event.location for event in view.events)
    return [
        f'<span title="comment {html.escape(str(answer.comment))}">'
        f"{html.escape(view.comment.clock or '')}</span>",
        html.escape(view.comment.text),
        _events(view, answer),
        view.image(width=120, names=False) if placed else "",
    ]


def _events(view: CommentView, answer: CommentLinks) -> str:
    if not view.events:
        return f"<i>{NOT_LINKED[answer.state]}</i>"
    return "<br>".join(
        f'<b style="color:{TINTS[number % len(TINTS)]}">{number + 1}</b> '
        f"{html.escape(event.describe())} <small>{link.score:.2f}</small>"
        for number, (event, link) in enumerate(zip(view.events, answer.events, strict=True))
    )


def match_html(match: Match) -> str:
    """What is in a match: its events by kind, those that say how it went, its first comments."""
    kinds = Counter(event.type for event in match.linkable)
    counts = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common(8))
    decisive = [event for event in match.events if _is_decisive(event)]
    events = [[_cell(e.clock), _cell(e.describe()), _cell(e.arguments.get("card"))]
              for e in decisive[:MAX_EVENTS]]  # fmt: skip
    comments = [[_cell(c.clock), _cell(c.text)] for c in match.comments[:3]]
    return (
        f"<p><b>{html.escape(repr(match))}</b></p><p>{html.escape(counts)}</p>"
        + (_table(("clock", "event", "card"), events) if events else "")
        + (_table(("clock", "comment"), comments) if comments else "")
    )


def _is_decisive(event: Event) -> bool:
    outcome = event.arguments.get("outcome", event.type)
    return event.linkable and (outcome in _DECISIVE or "card" in event.arguments)


def _cell(value: str | None) -> str:
    return html.escape(value or "")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    names = "".join(f'<th style="text-align:left">{name}</th>' for name in head)
    body = "".join(
        f"<tr>{''.join(f'<td style={_TOP!r}>{cell}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def lines_html(title: str, heads: Sequence[str], rows: Iterable[Sequence[str | None]]) -> str:
    """A titled table of plain texts, the first of them."""
    given = list(rows)
    cells = [[_cell(cell) for cell in row] for row in given[:MAX_LINES]]
    more = len(given) - len(cells)
    note = f"<p>{more} more</p>" if more > 0 else ""
    return f"<p><b>{html.escape(title)}</b></p>{_table(heads, cells)}{note}"
