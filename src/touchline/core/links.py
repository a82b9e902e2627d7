"""The answer of a method: which events each comment of a match describes, and how surely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from touchline.core.clocks import running_minute
from touchline.core.errors import MissingExtraError
from touchline.core.records import Comment, CommentId, Event, Match, label_of, name_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from touchline.core.comment_view import CommentView


# A comment is linked to events, or describes none, or it is not sure which.
State = Literal["linked", "unsure", "none"]
# Characters of a text: start, and end (excluded), in Unicode code points.
Spans = tuple[tuple[int, int], ...]


class Link(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event that a comment describes, or may describe, and its score.

    `words` are the characters of the comment that describe the event, if the method knows them:
    spans of Unicode code points, end excluded.
    """

    id: str
    score: float
    words: Spans | None = None

    def __repr__(self) -> str:
        return f"Link({self.id!r}, {self.score:.2f})"

    def words_in(self, comment: Comment) -> str | None:
        """Return the words that describe the event, where the method knows them.

        Parameters
        ----------
        comment
            The comment that the link is of.

        Returns
        -------
        str | None
            The words; separate ones are joined by an ellipsis.
        """
        if self.words is None:
            return None
        return " … ".join(comment.text[start:end] for start, end in self.words)


class Phase(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A spell of a team that a comment is about: its span of time, its events and its score.

    `kind` is the kind of spell ("attack", "counter"), if the log shows it.
    """

    team: str
    span: tuple[float, float]
    events: tuple[str, ...]
    score: float
    kind: str | None = None


class CommentLinks(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer for one comment; the same fields as a line of a links file.

    `events` are in match order; `none` is the probability that the comment describes no event;
    `time` and `span` say when the described action happened by the log's clock; `candidates`, if
    requested, are all scored events, best first; `revision` counts the earlier answers that this
    one replaces, if a match is followed live; `phase` is the spell of a team that the comment is
    about, if there is one.
    """

    match: str
    comment: CommentId
    events: tuple[Link, ...]
    none: float
    period: int | None
    time: float | None
    span: tuple[float, float] | None
    candidates: tuple[Link, ...] | None = None
    revision: int = 0
    phase: Phase | None = None

    @property
    def state(self) -> State:
        """Whether the comment is `linked`, describes `none`, or is `unsure`: neither is likely."""
        if self.events:
            return "linked"
        return "none" if self.none >= 0.5 else "unsure"

    def with_words(self, words: Mapping[str, Spans]) -> CommentLinks:
        """Return the same answer with the words of its events.

        Parameters
        ----------
        words
            By event id, the characters that describe it; an event without any has None.

        Returns
        -------
        CommentLinks
            The answer with words.
        """
        events = (msgspec.structs.replace(e, words=words.get(e.id) or None) for e in self.events)
        return msgspec.structs.replace(self, events=tuple(events))

    def __repr__(self) -> str:
        events = ", ".join(f"{link.id} {link.score:.2f}" for link in self.events)
        return f"CommentLinks({self.comment!r}, {self.state}{f': {events}' if events else ''})"


class Counts(NamedTuple):
    """How many comments there are, how many of them are linked, and to how many events."""

    comments: int = 0
    linked: int = 0
    pairs: int = 0

    @classmethod
    def of(cls, answers: Iterable[CommentLinks]) -> Counts:
        sizes = [len(answer.events) for answer in answers]
        return cls(len(sizes), sum(map(bool, sizes)), sum(sizes))

    def __str__(self) -> str:
        return f"{self.linked} of {self.comments} comments linked, {self.pairs} pairs"


NOTHING_LINKED = "no comment is linked to any event; do the log and the text belong together?"


class Links(Sequence[CommentLinks]):
    """The links of a match's comments, in the order of the comments."""

    def __init__(
        self, match: Match, answers: Iterable[CommentLinks], method: str | None = None
    ) -> None:
        self.match = match
        self.method = method
        self._answers = tuple(answers)

    def __len__(self) -> int:
        return len(self._answers)

    def __getitem__(self, index: Any) -> Any:
        return self._answers[index]

    def __iter__(self) -> Iterator[CommentLinks]:
        return iter(self._answers)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The doubts about the match, and one where no comment is linked at all."""
        if any(answer.events for answer in self) or not self._answers:
            return self.match.warnings
        return (*self.match.warnings, NOTHING_LINKED)

    def __repr__(self) -> str:
        return f"Links({self.match.name!r}, {self.counts})"

    @property
    def counts(self) -> Counts:
        """How many comments there are, how many of them are linked, and to how many events."""
        return Counts.of(self)

    def events_of(self, comment: CommentId) -> tuple[Event, ...]:
        """Return the events that a comment describes.

        Parameters
        ----------
        comment
            The comment's id.

        Returns
        -------
        tuple[Event, ...]
            The events in match order; empty if the comment is not linked.

        Raises
        ------
        KeyError
            The match has no such comment.
        """
        return tuple(self.match.event_by_id[link.id] for link in self.answer_to(comment).events)

    def answer_to(self, comment: CommentId) -> CommentLinks:
        """Return the answer for a comment.

        Parameters
        ----------
        comment
            The comment's id.

        Returns
        -------
        CommentLinks
            The linked events with their scores, and when the action happened.

        Raises
        ------
        KeyError
            The match has no such comment.
        """
        answer = next((answer for answer in self if answer.comment == comment), None)
        if answer is None:
            raise KeyError(f"no comment {comment!r} in {self!r}")
        return answer

    def show(self, comment: CommentId) -> CommentView:
        """Show a comment with its events on a small pitch, for a notebook.

        Parameters
        ----------
        comment
            The comment's id.

        Returns
        -------
        CommentView
            A view with an HTML form and a text form.

        Raises
        ------
        KeyError
            The match has no such comment.
        """
        from touchline.core.comment_view import CommentView

        return CommentView(self.match, self.answer_to(comment))

    def rows(self) -> list[dict[str, Any]]:
        """Return the links as flat rows, one per pair of a comment and an event.

        Returns
        -------
        list[dict[str, Any]]
            Rows with the fields of `ROW_FIELDS`; a comment without events has one row as well.
        """
        text = {comment.id: comment for comment in self.match.comments}
        return [
            _row(answer, text[answer.comment], link, self.match.event_by_id)
            for answer in self
            for link in (answer.events or (None,))
        ]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per pair of a comment and an event.

        Raises
        ------
        MissingExtraError
            pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise MissingExtraError("Links.to_pandas()", "pandas") from None
        return pandas.DataFrame(self.rows(), columns=ROW_FIELDS)

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            One row per pair of a comment and an event; ids of comments are strings.

        Raises
        ------
        MissingExtraError
            polars is not installed.
        """
        try:
            import polars
        except ImportError:
            raise MissingExtraError("Links.to_polars()", "touchline[polars]") from None
        kinds = {"i": polars.Int64, "f": polars.Float64, "s": polars.String}
        schema = {name: kinds[kind] for name, kind in ROW_FIELDS.items()}
        return polars.DataFrame(self._typed_rows(), schema=schema)

    def to_arrow(self) -> pyarrow.Table:
        """Return the rows as a pyarrow Table.

        Returns
        -------
        pyarrow.Table
            One row per pair of a comment and an event; ids of comments are strings.

        Raises
        ------
        MissingExtraError
            pyarrow is not installed.
        """
        try:
            import pyarrow
        except ImportError:
            raise MissingExtraError("Links.to_arrow()", "touchline[parquet]") from None
        kinds = {"i": pyarrow.int64(), "f": pyarrow.float64(), "s": pyarrow.string()}
        schema = pyarrow.schema([(name, kinds[kind]) for name, kind in ROW_FIELDS.items()])
        return pyarrow.Table.from_pylist(self._typed_rows(), schema=schema)

    def _typed_rows(self) -> list[dict[str, Any]]:
        """The rows for tables whose columns have one type: ids of comments are strings."""
        return [{**row, "comment": str(row["comment"])} for row in self.rows()]

    def _repr_html_(self) -> str:
        from touchline.core.notebook import links_html

        return links_html(self)


# The flat form of links, in CSV, Parquet, pandas and Arrow; i = integer, f = number, s = text.
# `minute` is the match clock's, counted from 1; added time runs on, `period` makes it unambiguous.
# `words` is the text that describes the event, `word_spans` where it stands.
ROW_FIELDS = {
    "match": "s",
    "comment": "s",
    "clock": "s",
    "text": "s",
    "event": "s",
    "type": "s",
    "outcome": "s",
    "player": "s",
    "recipient": "s",
    "team": "s",
    "set_piece": "s",
    "card": "s",
    "period": "i",
    "time": "f",
    "minute": "i",
    "x": "f",
    "y": "f",
    "end_x": "f",
    "end_y": "f",
    "score": "f",
    "words": "s",
    "word_spans": "s",
    "none": "f",
    "state": "s",
    "phase_team": "s",
    "phase_kind": "s",
}


def _row(
    answer: CommentLinks, comment: Comment, link: Link | None, events: Mapping[str, Event]
) -> dict[str, Any]:
    event = events[link.id] if link else None
    period = event.period if event else answer.period
    time = event.time if event else answer.time
    return {
        "match": answer.match,
        "comment": answer.comment,
        "clock": comment.clock,
        "text": comment.text,
        **_event_cells(event),
        "period": period,
        "time": time,
        "minute": None if period is None or time is None else running_minute(period, time),
        **_place_cells(event),
        "score": link.score if link else None,
        "words": link.words_in(comment) if link else None,
        "word_spans": _spans(link),
        "none": answer.none,
        "state": answer.state,
        "phase_team": answer.phase.team if answer.phase else None,
        "phase_kind": answer.phase.kind if answer.phase else None,
    }


def _spans(link: Link | None) -> str | None:
    """The places of its words in the comment: `0-22;45-60`."""
    if link is None or link.words is None:
        return None
    return ";".join(f"{start}-{end}" for start, end in link.words)


def _event_cells(event: Event | None) -> dict[str, Any]:
    """What happened and who took part."""
    arguments = event.arguments if event else {}
    return {
        "event": event.id if event else None,
        "type": event.type if event else None,
        "outcome": arguments.get("outcome"),
        "player": label_of(event.player) if event else None,
        "recipient": label_of(event.recipient) if event else None,
        "team": name_of(event.team) if event else None,
        "set_piece": arguments.get("set_piece"),
        "card": arguments.get("card"),
    }


def _place_cells(event: Event | None) -> dict[str, Any]:
    x, y = (event.location if event else None) or (None, None)
    end_x, end_y = (event.end_location if event else None) or (None, None)
    return {"x": x, "y": y, "end_x": end_x, "end_y": end_y}
