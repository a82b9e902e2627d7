"""Links as one plain HTML page that opens offline; commentary in it is text, never markup."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import IO

from touchline.clocks import STARTS
from touchline.match import Comment, CommentLinks, Event, Links
from touchline.output.origin import Origin

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light dark; --ink: #1c2733; --soft: #5a6876; --line: #dbe1e7;
  --paper: #fff; --mark: #0b6e4f; --tint: #eef5f1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --soft: #9fadba; --line: #303a44;
  --paper: #12181e; --mark: #5fd0a5; --tint: #18251f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 2rem 0 .2rem; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; color: var(--soft); }
p.sum { color: var(--soft); margin: 0 0 1rem; }
ol { list-style: none; margin: 0; padding: 0; }
li.comment { display: grid; grid-template-columns: 4.2rem 1fr 1fr; gap: .3rem 1rem;
  padding: .6rem 0; border-top: 1px solid var(--line); }
.clock { font-variant-numeric: tabular-nums; color: var(--soft); }
.text { overflow-wrap: anywhere; }
.events li { background: var(--tint); border-left: 3px solid var(--mark); padding: .15rem .6rem;
  margin-bottom: .25rem; font-size: .92rem; overflow-wrap: anywhere; }
.events .when, .none { color: var(--soft); font-size: .85rem; margin: 0;
  font-variant-numeric: tabular-nums; }
footer { margin-top: 3rem; color: var(--soft); font-size: .8rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) { li.comment { grid-template-columns: 3.4rem 1fr; }
  .events, .none { grid-column: 2; } }
"""


def write(many: Sequence[Links], origin: Origin, out: IO[str]) -> None:
    """Write the page: a section a match, each comment beside the events that it tells."""
    title = " · ".join(_title(links) for links in many)
    out.write(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_safe(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
    for number, links in enumerate(many):
        out.writelines(_section(links, f"m{number}-"))
    made = f"touchline {origin.touchline}, method {origin.method}, format {origin.format}"
    out.write(f"</main>\n<footer>{_safe(made)}</footer>\n</body>\n</html>\n")


def _title(links: Links) -> str:
    return " – ".join(team.name for team in links.match.teams) or links.match.name


def _section(links: Links, prefix: str) -> Iterator[str]:
    linked = sum(bool(answer.events) for answer in links)
    pairs = sum(len(answer.events) for answer in links)
    match = links.match
    yield f"<section>\n<h1>{_safe(_title(links))}</h1>\n"
    yield (
        f'<p class="sum">{linked} of {len(links)} comments linked to {pairs} events, '
        f"out of {len(match.tellable)} that could be told</p>\n"
    )
    period: int | None = None
    opened = False
    for comment, answer in zip(match.comments, links, strict=True):
        if comment.period != period or not opened:
            yield "</ol>\n" if opened else ""
            yield f"<h2>{_safe(_period_name(comment.period))}</h2>\n<ol>\n"
            period, opened = comment.period, True
        yield _comment(comment, answer, links, prefix)
    yield "</ol>\n" if opened else ""
    yield "</section>\n"


def _period_name(period: int | None) -> str:
    names = {1: "First half", 2: "Second half", 3: "Extra time, first half",
             4: "Extra time, second half", 5: "Shoot-out"}  # fmt: skip
    return names.get(period or 0, "Time unknown")


def _comment(comment: Comment, answer: CommentLinks, links: Links, prefix: str) -> str:
    told = [(links.match.event_by_id[link.id], link.score) for link in answer.events]
    events = "".join(_event(event, score) for event, score in told)
    tells = f'<ol class="events">{events}</ol>' if told else '<p class="none">no event</p>'
    return (
        f'<li class="comment" id="{prefix}{_safe(str(comment.id))}">'
        f'<span class="clock">{_safe(comment.clock or "")}</span>'
        f'<span class="text" dir="auto">{_safe(comment.text)}</span>{tells}</li>\n'
    )


def _event(event: Event, score: float) -> str:
    seconds = int(event.time) + 60 * STARTS.get(event.period, 0)
    minute, second = divmod(abs(seconds), 60)
    sign = "-" if seconds < 0 else ""
    return (
        f'<li title="{_safe(event.id)}"><bdi>{_safe(event.describe())}</bdi> '
        f'<span class="when">{sign}{minute:02d}:{second:02d} · {score:.2f}</span></li>'
    )


def _safe(text: str) -> str:
    return html.escape(text, quote=True)
