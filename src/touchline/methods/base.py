"""What every aligner is: options, fit, align, save; and how an answer is put together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec
import numpy as np

from touchline.core.errors import UsageError
from touchline.core.links import CommentLinks, Link, Links
from touchline.core.records import Comment, CommentId, Event, Match
from touchline.io.model_file import write_model
from touchline.methods.buckets import Window

# No bundled model fits a match, or one that has not seen it, or one that was learned from it too.
Bundled = Literal["none", "unseen", "seen"]
# What an aligner says about one comment; it raises UsageError where it has nothing to say.
Explain = Callable[[Match, CommentId], dict[str, Any]]
# Numbers of which more make no sense but cost without end, be it by mistake or in a model file
# of somebody else's.
Rounds = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Least = Annotated[int, msgspec.Meta(ge=0)]
Seed = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Cost = Annotated[float, msgspec.Meta(gt=0, le=1e6)]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What can be set of every aligner.

    `window` is the bucket's width in seconds (`150`), or the seconds before and after a comment
    (`120:30`).
    """

    window: float | str = 150.0
    seed: Seed = 0

    def __post_init__(self) -> None:
        Window.parse(self.window)

    @property
    def bucket_window(self) -> Window:
        return Window.parse(self.window)


class Model(NamedTuple):
    """What a match is answered with, and why; a method that learns nothing has no name for it."""

    name: str = ""
    reason: str = ""


FITTED, ALONE = Model("fitted"), Model("this match alone")


class Aligner(ABC):
    """Links comments to events; learns, where it does, from matches without labels.

    The same matches and the same seed give the same answers. An aligner answers for whatever a
    match holds: empty buckets, empty text, a single comment, words that it has never seen.
    """

    name: ClassVar[str]
    options_type: ClassVar[type[Options]] = Options
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or self.options_type()

    def fit(self, matches: Iterable[Match]) -> None:  # noqa: B027 (not learning is a way to fit)
        """Learn from unlabelled matches."""

    @abstractmethod
    def align(self, match: Match) -> Links:
        """Answer for every comment of a match."""

    def explain(self, match: Match, comment: CommentId) -> dict[str, Any]:
        """Why a comment is linked as it is, as JSON; its form is the method's own."""
        raise UsageError(_cannot_explain(self.name))

    def explain_model(self) -> dict[str, Any]:
        """What has been learned in all."""
        raise UsageError(_cannot_explain(self.name))

    def check_explains(self) -> None:
        """Raise if this method has no explanations, before anything is learned for them."""
        if type(self).explain is Aligner.explain:
            raise UsageError(_cannot_explain(self.name))

    def bundled_for(self, match: Match) -> Bundled:
        """Whether the method comes with a model for such a match, and whether that has seen it."""
        return "none"

    def bundled_models(self) -> dict[str, str]:
        """Checksums of the models that may answer where nothing was fitted, by name."""
        return {}

    def model_for(self, match: Match) -> Model:
        """What the method answers a match with."""
        return Model()

    @property
    def together(self) -> int:
        """How many neighbouring matches of a corpus are best answered by one worker."""
        return 1

    def parameters(self) -> dict[str, np.ndarray]:
        """What `fit` has learned, as arrays."""
        return {}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:  # noqa: B027
        """Take up what `parameters` once gave."""

    def save(self, path: str | Path) -> None:
        """Store the fitted aligner; `touchline.load_aligner` brings it back."""
        options = msgspec.to_builtins(self.options)
        write_model(path, self.name, options, self.parameters())


def _cannot_explain(name: str) -> str:
    return f"{name} has no explanations; --method chains and --method pairrank have"


def answer(
    match: Match,
    comment: Comment,
    scored: Sequence[tuple[Event, float]],
    told: Iterable[str],
    none: float,
) -> CommentLinks:
    """The answer for a comment from its scored candidates and the ids of those it tells."""
    told = set(told)
    order = {event.id: i for i, (event, _) in enumerate(scored)}
    links = {event.id: Link(id=event.id, score=_unit(score)) for event, score in scored}
    chosen = [event for event, _ in scored if event.id in told]
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
