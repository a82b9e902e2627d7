"""What every aligner is: options, fit, align, save; and how an answer is put together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec
import numpy as np

from touchline.core.arrays import Floats
from touchline.core.errors import TouchlineError, UsageError
from touchline.core.links import CommentLinks, Link, Links, Phase, Spans
from touchline.core.plugins import PluginError, failure
from touchline.core.records import Comment, CommentId, Event, Match
from touchline.io.model_file import write_model
from touchline.io.storage import AnyPath
from touchline.methods.buckets import Window
from touchline.methods.explanation import Explain, Explanation, ModelSummary
from touchline.methods.follower import Follower

# No bundled model fits a match, or one that has not seen it, or one that was learned from it too.
Bundled = Literal["none", "unseen", "seen"]
# Limits on options: larger values make no sense but would take unbounded time, be it by mistake or
# in a model file from elsewhere.
Rounds = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1000)]
MinCount = Annotated[int, msgspec.Meta(ge=0)]
Seed = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Cost = Annotated[float, msgspec.Meta(gt=0, le=1e6)]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options that every aligner has.

    `window` is the bucket's width in seconds (`150`), or the seconds before and after a comment
    (`120:30`).
    """

    window: float | str = 150.0
    seed: Seed = 0

    def __post_init__(self) -> None:
        Window.parse(self.window)

    @property
    def bucket_window(self) -> Window:
        """The seconds before and after a comment within which events are candidates."""
        return Window.parse(self.window)


class Model(NamedTuple):
    """What a match is answered with, and why; a method that learns nothing has no name for it.

    `labels` says whether labels were learned from for this answer, `labels_by` in which way, for a
    method that has several. `doubt` is a warning about the text that came up in choosing the model.
    """

    name: str = ""
    reason: str = ""
    labels: bool = False
    labels_by: str = ""
    doubt: str = ""


FITTED, ALONE = Model("fitted"), Model("this match alone")
# The ids of the events that a comment describes; where annotators disagree, what they say and how
# much each of it counts.
Label = frozenset[str] | Mapping[frozenset[str], float]
# Match name -> comment id -> label.
Labels = Mapping[str, Mapping[CommentId, Label]]
# Match name -> comment id -> event id -> the characters of the comment that describe the event.
WordLabels = Mapping[str, Mapping[CommentId, Mapping[str, Spans]]]
# Of each event, the characters of the comment that describe it: start, and end (excluded).
Words = Mapping[str, Sequence[tuple[int, int]]]


class Clock(NamedTuple):
    """By how many seconds each comment is late: the most probable lag, and its likely range.

    Not a number for a comment whose time is not known.
    """

    lag: Floats
    min_lag: Floats
    max_lag: Floats

    def plus(self, lag: Floats) -> Clock:
        """The clock of comments that were moved by so much before."""
        return Clock(*(own + lag for own in self))

    def farthest(self) -> float:
        """The largest lag, early or late."""
        known = self.lag[~np.isnan(self.lag)]
        return float(np.abs(known).max()) if len(known) else 0.0


class Alignment:
    """The result of a method for one match: the links, and the evidence for them.

    Everything is inferred once; explanations do not repeat the inference. A method that knows more
    than its links subclasses this.
    """

    clock: Clock | None = None

    def __init__(self, links: Links, method: str, model: Model | None = None) -> None:
        self.links = links
        self.method = method
        self.model = model or Model()

    def __repr__(self) -> str:
        by = f", answered by {self.model.name}" if self.model.name else ""
        return f"Alignment({self.links!r}, {self.method}{by})"

    def explain(self, comment: CommentId) -> Explanation:
        """Explain why a comment is linked as it is.

        Parameters
        ----------
        comment
            The comment's id.

        Returns
        -------
        Explanation
            The evidence, in a form that can be shown and stored as JSON.

        Raises
        ------
        UsageError
            The method has no explanations, or the match has no such comment.
        """
        raise UsageError(cannot_explain(self.method))

    def words(self, comment: CommentId, events: Sequence[str] | None = None) -> Words | None:
        """Find the characters of a comment that describe each event.

        Parameters
        ----------
        comment
            The comment's id.
        events
            Ids of the events; by default those that the comment is linked to.

        Returns
        -------
        Mapping[str, Sequence[tuple[int, int]]] or None
            By event id, spans of Unicode code points (end excluded); None where the method does
            not know.
        """
        return None

    def phase(self, comment: CommentId) -> Phase | None:
        """Return the phase of play that a comment is about.

        Parameters
        ----------
        comment
            The comment's id.

        Returns
        -------
        Phase or None
            The phase; None if the comment is not about one.

        Raises
        ------
        KeyError
            The match has no such comment.
        """
        return self.links.answer_to(comment).phase


class Aligner(ABC):
    """Links comments to events; a subclass needs a `name` and `infer`.

    The same matches and the same seed give the same answers. An aligner accepts any match:
    empty buckets, empty text, a single comment, unknown words.
    `touchline.testing.check_aligner` checks all of this.
    """

    name: ClassVar[str]
    options_type: ClassVar[type[Options]] = Options
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    bundled_files: ClassVar[Sequence[AnyPath]] = ()  # the model files that come with the method

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "infer" in cls.__dict__ and not cls.__module__.startswith("touchline."):
            setattr(cls, "infer", _guarded(cls.infer))  # noqa: B010 (a method, to mypy, stays one)

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or self.options_type()

    def fit(self, matches: Iterable[Match], labels: Labels | None = None) -> None:
        """Learn from matches, and from labels of some of their comments where a method can.

        Parameters
        ----------
        matches
            The matches to learn from.
        labels
            For some matches, by name: the ids of the events that each labelled comment describes,
            or what several annotators say, each with its weight.

        Raises
        ------
        UsageError
            Labels are given and the method does not learn from labels.
        """
        if labels:
            self.check_labels()

    @property
    def learns_from_labels(self) -> bool:
        """Whether `fit` takes labels."""
        return False

    def labelled_matches(self) -> dict[str, int]:
        """Count the matches whose labels `fit` has learned from.

        Returns
        -------
        dict[str, int]
            By kind of text.
        """
        return {}

    def labels_learned(self) -> list[str]:
        """Say what `fit` has made of labels.

        Returns
        -------
        list[str]
            A sentence for each kind of text; empty where there are too few labels.
        """
        return []

    def label_group(self, match: Match) -> str | None:
        """Name the kind of text whose labels teach about a match.

        Parameters
        ----------
        match
            A match with its comments.

        Returns
        -------
        str or None
            One of `min_labelled`; None if `fit` does not learn from labels of such a match.
        """
        return None

    @property
    def min_labelled(self) -> Mapping[str, int]:
        """How many labelled matches `fit` needs before it learns from labels, by kind of text."""
        return {}

    def check_labels(self) -> None:
        """Refuse to learn from labels where the method cannot.

        Raises
        ------
        UsageError
            The method does not learn from labels.
        """
        if not self.learns_from_labels:
            raise UsageError(f"{self.name} does not learn from labels")

    @abstractmethod
    def infer(self, match: Match) -> Alignment:
        """Find out what every comment of a match describes.

        Parameters
        ----------
        match
            A match with its comments.

        Returns
        -------
        Alignment
            The links, and what they rest on.
        """

    def align(self, match: Match) -> Links:
        """Link the comments of a match; short for `infer(match).links`.

        Parameters
        ----------
        match
            A match with its comments.

        Returns
        -------
        Links
            An answer for each comment, in their order.
        """
        return self.infer(match).links

    def explain_model(self) -> ModelSummary:
        """Summarise what has been learned.

        Returns
        -------
        ModelSummary
            A record that can be shown and stored as JSON.

        Raises
        ------
        UsageError
            The method has no explanations, or has learned nothing to summarise.
        """
        raise UsageError(cannot_explain(self.name))

    @property
    def explains(self) -> bool:
        """Whether the method can say why; asked before anything is learned for that."""
        return type(self).explain_model is not Aligner.explain_model

    def bundled_for(self, match: Match) -> Bundled:
        """Whether the method has a bundled model for a match, and whether that has seen it.

        Parameters
        ----------
        match
            A match with its comments.

        Returns
        -------
        {"none", "unseen", "seen"}
            `none` if no bundled model fits the match; otherwise whether the model that would
            answer has learned from it.
        """
        return "none"

    def bundled_models(self) -> dict[str, str]:
        """List the models that may answer where nothing was fitted.

        Returns
        -------
        dict[str, str]
            Checksums of the models, by name.
        """
        return {}

    def follower(self) -> Follower:
        """Prepare for a live match, whose comments are answered a few at a time.

        Returns
        -------
        Follower
            Answers comments with what has been learned, or with a bundled model.

        Raises
        ------
        UsageError
            The method cannot follow live matches.
        """
        raise UsageError(f"{self.name} cannot follow live matches; use a model of chains")

    @property
    def together(self) -> int:
        """How many neighbouring matches of a corpus are best answered by one worker."""
        return 1

    def parameters(self) -> dict[str, np.ndarray]:
        """Return what `fit` has learned, as arrays for a model file.

        Returns
        -------
        dict[str, numpy.ndarray]
            Arrays by name; object arrays are not allowed.
        """
        return {}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:  # noqa: B027
        """Restore what `parameters` returned.

        Parameters
        ----------
        arrays
            The arrays of a model file, by name.

        Raises
        ------
        ValueError, KeyError
            The arrays are not those of a model of this method.
        """

    def save(self, path: str | AnyPath) -> None:
        """Store the fitted aligner; `touchline.load_aligner` loads it again.

        Parameters
        ----------
        path
            The model file to write.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        options = msgspec.to_builtins(self.options)
        write_model(path, self.name, options, self.parameters())


def _guarded(infer: Callable[[Any, Match], Any]) -> Callable[[Any, Match], Alignment]:
    """The `infer` of another package's method, with its failures in one sentence."""

    @wraps(infer)
    def guarded(self: Aligner, match: Match) -> Alignment:
        try:
            found = infer(self, match)
        except TouchlineError:
            raise
        except Exception as error:
            what = f"the method {self.name!r} failed on the match {match.name!r}"
            raise PluginError(f"{what}: {failure(error)}") from error
        if not isinstance(found, Alignment):
            given = type(found).__name__
            raise PluginError(f"the method {self.name!r} returned {given}; expected an Alignment")
        return found

    return guarded


def explain_by(alignments: Iterable[Alignment]) -> Explain:
    """Explains the comments of the matches that were inferred."""
    by_match = {alignment.links.match.name: alignment for alignment in alignments}
    return lambda match, comment: by_match[match.name].explain(comment)


def cannot_explain(name: str) -> str:
    return f"{name} has no explanations; use --method chains or --method pairrank"


def answer(
    match: Match,
    comment: Comment,
    scored: Sequence[tuple[Event, float]],
    described: Iterable[str],
    none: float,
) -> CommentLinks:
    """The answer for a comment from its scored candidates and the ids of those it describes."""
    described = set(described)
    order = {event.id: i for i, (event, _) in enumerate(scored)}
    links = {event.id: Link(id=event.id, score=_unit(score)) for event, score in scored}
    chosen = [event for event, _ in scored if event.id in described]
    chosen.sort(key=lambda event: match.place_of[event.id])
    times = [event.time for event in chosen]
    best_first = sorted(links.values(), key=lambda link: (-link.score, order[link.id]))
    return CommentLinks(
        match=match.name,
        comment=comment.id,
        events=tuple(links[event.id] for event in chosen),
        none=_unit(none),
        period=chosen[0].period if chosen else None,
        time=times[0] if times else None,
        span=(min(times), max(times)) if times else None,
        candidates=tuple(best_first),
    )


def _unit(value: float) -> float:
    """Rounded, so that the last bit of a sum does not decide about bytes on disk."""
    return round(min(max(float(value), 0.0), 1.0), 6)
