"""The records that everything else speaks in: players, events, comments, a match.

All of them are immutable. Times are seconds since the kick-off of their period. Places are on
one common pitch, 120 long and 80 wide, seen by the acting team: it attacks towards x = 120 and
y = 0 is its left touchline.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from touchline.core.clocks import live_clock

CommentId = int | str
_WORD = re.compile(r"\S+")


class Team(msgspec.Struct, frozen=True, kw_only=True):
    """A team under every name that the feed knows for it."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every distinct name, the official one first."""
        return _distinct([self.name, *self.aliases])

    def __repr__(self) -> str:
        return f"Team({self.name!r})"


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A player under every name that the feed knows for them."""

    id: str
    name: str
    team: Team | None = None
    nickname: str | None = None
    short: str | None = None
    shirt: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every distinct name, the one they go by first."""
        return _distinct([self.nickname, self.short, self.name])

    @property
    def label(self) -> str:
        """The name to show a reader."""
        return self.names[0] if self.names else self.id

    def __repr__(self) -> str:
        return f"Player({self.label!r}{f', {self.team.name}' if self.team else ''})"


class Role(msgspec.Struct, frozen=True, gc=False):
    """Another player of an event and their role in it: recipient, fouled, replacement ..."""

    role: str
    player: Player

    def __repr__(self) -> str:
        return f"Role({self.role}: {self.player.label})"


class Event(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One record of the match log.

    `arguments` are the categorical ones of the paper (outcome, body part, set piece, zone ...);
    a flag of the feed ("cross") is a separate argument with the value "yes". `linkable` says
    whether a commentator could describe this event at all, according to the feed's table. `related`
    are ids of records about the same action. `end` is when it ended, for logs whose comments may
    follow the ends of events. `raw` is the provider's complete record.
    """

    id: str
    type: str
    period: int
    time: float
    team: Team | None = None
    player: Player | None = None
    others: tuple[Role, ...] = ()
    arguments: Mapping[str, str] = msgspec.field(default_factory=dict)
    location: tuple[float, float] | None = None
    end_location: tuple[float, float] | None = None
    related: tuple[str, ...] = ()
    linkable: bool = True
    end: float | None = None
    raw: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @property
    def clock(self) -> str:
        """The event's time as a live page would show it."""
        return live_clock(self.period, self.time)

    def __hash__(self) -> int:
        return hash((self.id, self.type, self.period, self.time))

    def __repr__(self) -> str:
        return f"Event({self.clock} {self.describe()}, id={self.id!r})"

    @property
    def recipient(self) -> Player | None:
        """The player who receives the ball, where known."""
        return next((other.player for other in self.others if other.role == "recipient"), None)

    def describe(self) -> str:
        """Describe the event in one readable line.

        Returns
        -------
        str
            Type, outcome, player or team, and recipient, as far as known.
        """
        words = [self.type]
        words += [f"({self.arguments['outcome']})"] if "outcome" in self.arguments else []
        words += [self.player.label] if self.player else [self.team.name] if self.team else []
        words += [f"→ {self.recipient.label}"] if self.recipient else []
        return " ".join(words)


class Comment(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a commentary and when it was made.

    Its time is known as the interval from `start` to `end`: a single second, a live page's minute,
    or a subtitle's span; None if it is unknown. `clock` is the clock that the page showed.
    `candidates` are the events it may describe if the corpus itself lists them (RoboCup); the list
    is empty if it was made outside play, before the match or at half-time. If a recording timed
    the comment, `kickoff` is the second of that recording at which the period kicks off, by the
    recording's clock around the comment.

    `spoken` lists the words whose time is known, in order: the offset of a word's first character
    in `text` and the second at which it is said, on the same clock as `start`. It is empty if the
    recogniser gave no times. `anywhere` means that the comment was made at some moment between
    `start` and `end`, as on a page that shows only the minute; without it, the comment takes that
    long to say. `repeated` marks a line that the recogniser wrote again, in a loop or because its
    windows overlap: it is answered like any other line, but is not further evidence.
    """

    id: CommentId
    text: str
    period: int | None = None
    start: float | None = None
    end: float | None = None
    clock: str | None = None
    candidates: tuple[str, ...] | None = None
    kickoff: float | None = None
    spoken: tuple[tuple[int, float], ...] = ()
    anywhere: bool = False
    repeated: bool = False

    def __repr__(self) -> str:
        clock = self.clock
        if clock is None and self.period is not None and self.start is not None:
            clock = live_clock(self.period, self.start)
        return f"Comment({self.id!r}, {f'{clock} ' if clock else ''}{shortened(self.text)!r})"

    @property
    def time(self) -> float | None:
        """The second, or the middle of the interval."""
        if self.start is None or self.end is None:
            return None
        return (self.start + self.end) / 2

    @property
    def exact(self) -> bool:
        """Whether the second is known."""
        return self.start is not None and self.start == self.end

    def second_at(self, offset: int) -> float | None:
        """Return the second at which a character of the text is said.

        Parameters
        ----------
        offset
            The character's offset in `text`.

        Returns
        -------
        float | None
            By the times of the words around it where they are known (`spoken`), else by the share
            of words before it. `time` where the comment does not take from `start` to `end` to say.
        """
        return self.seconds_at([offset])[0]

    def seconds_at(self, offsets: Sequence[int]) -> list[float | None]:
        """Return the seconds at which several characters of the text are said.

        Parameters
        ----------
        offsets
            The characters' offsets in `text`.

        Returns
        -------
        list[float | None]
            What `second_at` returns for each, at the cost of one: long texts have many words.
        """
        if self.start is None or self.end is None:
            return [None] * len(offsets)
        if self.spoken:
            return [self._between_words(offset) for offset in offsets]
        ends = [word.end() for word in _WORD.finditer(self.text)]
        if self.anywhere or self.end <= self.start or not ends:
            return [self.time] * len(offsets)
        length = (self.end - self.start) / len(ends)
        return [self.start + bisect_right(ends, offset) * length for offset in offsets]

    def _between_words(self, offset: int) -> float:
        """Time passes evenly between one known word and the next, or the comment's ends."""
        after = bisect_right(self.spoken, (offset, math.inf))
        # A first word may be timed before the start, and a last one after the end.
        begin = min(self.start or 0.0, self.spoken[0][1])
        at, second = self.spoken[after - 1] if after else (0, begin)
        if after < len(self.spoken):
            next_at, next_second = self.spoken[after]
        else:
            next_at, next_second = len(self.text), self.end or 0.0
        share = min(max((offset - at) / max(next_at - at, 1), 0.0), 1.0)
        return second + share * max(next_second - second, 0.0)

    def moved(self, seconds: float) -> Comment:
        """Return the comment at another time.

        Parameters
        ----------
        seconds
            How much later it is, with all of its words; negative for earlier.

        Returns
        -------
        Comment
            A copy, its times rounded to the microsecond; one without a time stays as it is.
        """
        if self.start is None or self.end is None:
            return self
        return msgspec.structs.replace(
            self,
            start=round(self.start + seconds, 6),
            end=round(self.end + seconds, 6),
            spoken=tuple((at, round(second + seconds, 6)) for at, second in self.spoken),
        )


class Kickoff(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a period kicks off in the recording that comments were timed by, in seconds.

    `certainty`, from 0 to 1, says how reliable an estimate is; None if the kick-off was given. A
    recording that is cut within a period has several, each from the second `since` of the recording
    on. One that is not `applied` is only suspected, from `since` to `until`: it is too uncertain to
    move comments.
    """

    SURE: ClassVar[float] = 0.8

    period: int
    seconds: float
    certainty: float | None = None
    since: float | None = None
    until: float | None = None
    applied: bool = True

    @property
    def given(self) -> bool:
        """Whether the user gave it; otherwise it is an estimate."""
        return self.certainty is None

    @property
    def sure(self) -> bool:
        """Whether it was given, or is estimated with enough certainty to be used."""
        return self.certainty is None or self.certainty >= self.SURE


class HalfByNames(msgspec.Struct, frozen=True, kw_only=True):
    """That a text counted from 1' is about the second half, by who is named when.

    `ratio` is how much better the second half explains the names than the first, as a log
    likelihood ratio. Where that is not sure, it is not `applied`: the comments stay in the first.
    """

    ratio: float
    applied: bool


class Match(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A match log and, once it has been read, the commentary on it.

    `kickoffs` say how comments from a recording were converted to the log's clock, `second_half`
    how a text that counts its half from 1' was read; `warnings` are doubts about the input,
    one sentence each. `date` is the day it was played (`2015-08-24`), where the feed says so.
    """

    name: str
    provider: str
    events: tuple[Event, ...]
    teams: tuple[Team, ...] = ()
    players: tuple[Player, ...] = ()
    comments: tuple[Comment, ...] = ()
    kickoffs: tuple[Kickoff, ...] = ()
    second_half: HalfByNames | None = None
    warnings: tuple[str, ...] = ()
    date: str | None = None

    def with_comments(
        self,
        comments: Iterable[Comment],
        kickoffs: Iterable[Kickoff] = (),
        second_half: HalfByNames | None = None,
    ) -> Match:
        """Return the match with other comments.

        Parameters
        ----------
        comments
            The comments, with times on the log's clock.
        kickoffs
            How comments from a recording were brought to the log's clock.
        second_half
            What was found out about a text that counts its half from 1'.

        Returns
        -------
        Match
            A copy; the match itself is immutable.
        """
        return msgspec.structs.replace(
            self, comments=tuple(comments), kickoffs=tuple(kickoffs), second_half=second_half
        )

    def with_warnings(self, warnings: Iterable[str]) -> Match:
        """Return the match with further warnings.

        Parameters
        ----------
        warnings
            Sentences to add; duplicates are dropped.

        Returns
        -------
        Match
            A copy; the match itself is immutable.
        """
        known = dict.fromkeys([*self.warnings, *warnings])
        return msgspec.structs.replace(self, warnings=tuple(known))

    def named(self, name: str) -> Match:
        """Return the match under another name.

        Parameters
        ----------
        name
            The new name, as it is written into links.

        Returns
        -------
        Match
            A copy; the match itself is immutable.
        """
        return msgspec.structs.replace(self, name=name)

    @cached_property
    def linkable(self) -> tuple[Event, ...]:
        """The events that a comment may be linked to, in match order."""
        return tuple(event for event in self.events if event.linkable)

    @cached_property
    def event_by_id(self) -> dict[str, Event]:
        """The events by their ids."""
        return {event.id: event for event in self.events}

    @cached_property
    def place_of(self) -> dict[str, int]:
        """The place of each event in the log, by its id."""
        return {event.id: place for place, event in enumerate(self.events)}

    @cached_property
    def periods(self) -> tuple[int, ...]:
        """The periods that have events, in order."""
        return tuple(sorted({event.period for event in self.events}))

    @cached_property
    def ends(self) -> dict[int, float]:
        """The second of each period's last event."""
        ends: dict[int, float] = {}
        for event in self.events:
            period, time = event.period, event.time
            if period not in ends or time > ends[period]:
                ends[period] = time
        return ends

    def __repr__(self) -> str:
        return (
            f"Match({self.name!r}, {' - '.join(team.name for team in self.teams)}, "
            f"{len(self.events)} events ({len(self.linkable)} linkable), "
            f"{len(self.comments)} comments)"
        )

    def _repr_html_(self) -> str:
        from touchline.core.notebook import match_html

        return match_html(self)


def _distinct(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def label_of(player: Player | None) -> str | None:
    return player.label if player else None


def name_of(team: Team | None) -> str | None:
    return team.name if team else None


def shortened(text: str, width: int = 60) -> str:
    """A text that fits into a line."""
    text = " ".join(text.split())
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"
