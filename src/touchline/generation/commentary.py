"""Generated commentary: its lines, and the forms in which it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from touchline.core.links import CommentLinks, Link, Links
from touchline.core.notebook import lines_html
from touchline.core.records import Comment, Match

# What worded a line: one of our phrases, a template of the user's style, the user's own command.
PHRASE, COMMAND = "phrase", "command"
METHOD = "generate"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of generated commentary.

    `events` are the ids of the events that it describes, `score` is the probability that people
    describe them;
    `wording` says where the words come from: `phrase`, `template:<match>/<comment>` or `command`.
    `checks` are doubts of `touchline check` about words that are not our own.
    """

    period: int
    time: float
    clock: str
    text: str
    events: tuple[str, ...]
    score: float
    wording: str = PHRASE
    checks: tuple[Any, ...] = ()


class OutsideUse(msgspec.Struct, frozen=True, kw_only=True):
    """How the user's own wording did: how often it was asked, and what became of its answers.

    `repaired` lines passed at the second attempt. `dropped` lines failed twice, or had no answer:
    they have our own words. `problems` are the reasons, the latest last.
    """

    asked: int = 0
    kept: int = 0
    repaired: int = 0
    dropped: int = 0
    problems: tuple[str, ...] = ()

    @property
    def drop_rate(self) -> float:
        """The share of lines whose outside wording was not used."""
        return self.dropped / self.asked if self.asked else 0.0


class Commentary(Sequence[Line]):
    """The generated lines of a match, in the order of the match.

    Attributes
    ----------
    match
        The match that they describe.
    lines
        The lines.
    outside
        How the answers of the user's own wording were used; None without such a wording.
    thin
        How many lines say no more than who did what, and how it ended.
    """

    def __init__(
        self,
        match: Match,
        lines: Iterable[Line],
        outside: OutsideUse | None = None,
        thin: int = 0,
    ) -> None:
        self.match = match
        self.lines = tuple(lines)
        self.outside = outside
        self.thin = thin

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, index: Any) -> Any:
        return self.lines[index]

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def __repr__(self) -> str:
        return f"Commentary({self.match.name!r}, {len(self)} lines)"

    def _repr_html_(self) -> str:
        rows = [[line.clock, line.text, line.wording] for line in self]
        return lines_html(repr(self), ["clock", "text", "wording"], rows)

    def to_text(self) -> str:
        """Return the commentary as a live page would show it.

        Returns
        -------
        str
            A line of text for each line: the clock and the words.
        """
        return "".join(text_line(line) for line in self)

    def to_jsonl(self) -> str:
        """Return the commentary as JSON Lines.

        Returns
        -------
        str
            An object for each line, with the fields of `Line`.
        """
        return "".join(json_line(line) for line in self)

    def to_comments(self) -> tuple[Comment, ...]:
        """Return the lines as comments of the match, which can be aligned or checked.

        Returns
        -------
        tuple[Comment, ...]
            Comments with the second of what they describe; their ids count from 1.
        """
        return tuple(
            Comment(id=number, text=line.text, period=line.period, start=line.time,
                    end=line.time, clock=line.clock)
            for number, line in enumerate(self, 1)
        )  # fmt: skip

    def to_links(self) -> Links:
        """Return the match with the lines as its comments, each linked to its events.

        Returns
        -------
        Links
            What the report and the subtitles are made from.
        """
        match = self.match.with_comments(self.to_comments())
        return Links(match, [_answer(match, n, line) for n, line in enumerate(self, 1)], METHOD)


def text_line(line: Line) -> str:
    """A line of plain text."""
    return f"{line.clock} {line.text}\n"


def json_line(line: Line) -> str:
    """A line of JSON."""
    return msgspec.json.encode(line).decode() + "\n"


def _answer(match: Match, number: int, line: Line) -> CommentLinks:
    events = [match.event_by_id[key] for key in line.events]
    times = [event.time for event in events if event.period == line.period]
    return CommentLinks(
        match=match.name,
        comment=number,
        events=tuple(Link(id=key, score=line.score) for key in line.events),
        none=0.0,
        period=line.period,
        time=line.time,
        span=(min(times), max(times)) if times else None,
    )
