"""`chains`: explain each comment by a run of neighbouring events, or by none.

`docs/model.md` has the model's formulas, `touchline.chains` its parts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np

from touchline.aligners.base import Options, answer
from touchline.aligners.streaming import Arrays, Everyone, InMemory, Streaming
from touchline.chains.counting import Counts
from touchline.chains.explaining import Explainer
from touchline.chains.hypotheses import Prepared, condense, prepare
from touchline.chains.inference import Posterior, infer
from touchline.chains.language import Language, Least, survey
from touchline.chains.learning import adapt
from touchline.chains.mentions import Mentioned, mentions_of
from touchline.chains.overview import overview
from touchline.chains.packing import pack_match
from touchline.chains.parameters import Parameters, maximise
from touchline.chains.parts import Parts, without
from touchline.chains.shipped import fits, shipped_model
from touchline.chains.streaming import LOOKS, learn_from
from touchline.errors import UsageError
from touchline.match import CommentId, CommentLinks, Links, Match

TOLD = 0.5
# Candidates that are less probable are not worth writing down.
NEGLIGIBLE = 1e-6
_LANGUAGE = "language"


class ChainsOptions(Options, frozen=True, kw_only=True):
    """`rounds` of learning, and `adapt` of them for each match that is answered.

    `least` comments must hold a word, in `least_matches` matches, and `least_events` be of a kind;
    `shipped` says whether a match that nothing was fitted for may be answered with the model that
    comes with touchline; `without` are parts of the model to leave out (`lag,order`), see
    `touchline.chains.parts`.
    """

    window: float | str = 300.0
    rounds: int = 10
    adapt: int = 3
    least: int = 2
    least_matches: int = 1
    least_events: int = 8
    shipped: bool = True
    without: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        without(self.without)

    @property
    def parts(self) -> Parts:
        return without(self.without)

    @property
    def language(self) -> Least:
        events = self.least_events if self.parts.kinds else sys.maxsize
        return Least(comments=self.least, matches=self.least_matches, events=events)


class _Learned(NamedTuple):
    language: Language
    counts: Counts


class _Reading(NamedTuple):
    """The links of a match and what they were made with."""

    links: Links
    language: Language
    prepared: Prepared
    parameters: Parameters


class Chains(Streaming):
    """Learned without labels by expectation-maximisation, from as many matches as there are.

    What was learned is then adapted to each match that is answered, with a few more rounds on its
    own comments. Without any fit a match is answered with the model that comes with touchline,
    or, if that knows too little of its words or events, learned from by itself.
    """

    name = "chains"
    options_type = ChainsOptions
    options: ChainsOptions

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self._learned: _Learned | None = None
        self._explainer: Explainer | None = None

    @property
    def passes(self) -> int:
        return self.options.rounds + LOOKS

    def condense(self, match: Match) -> Arrays:
        mentioned = self._mentions(match)
        around = [word for some in mentioned for m in some for word in m.around]
        own = condense(match, mentioned, self.options.bucket_window, self.options.parts)
        return pack_match(*own, survey(match, around))

    def learn(self, everyone: Everyone) -> None:
        self._learned, self._explainer = self._learn(everyone), None

    def align(self, match: Match) -> Links:
        return self._read(match).links

    def explain(self, match: Match, comment: CommentId) -> dict[str, Any]:
        """What speaks for the events of a comment, and for the runner-up and "no event"."""
        if comment not in (told.id for told in match.comments):
            raise UsageError(f"no comment {comment!r} in {match.name}")
        if self._explainer is None or self._explainer.match is not match:
            self._explainer = Explainer(*self._read(match), self.options.parts)
        return self._explainer.explain(comment)

    def explain_model(self) -> dict[str, Any]:
        """The words of each kind of event and how often it is told; steps, lags, order."""
        if self._learned is None:
            raise UsageError(f"{self.name} has learned nothing yet")
        language, counts = self._learned
        return overview(language, counts, self.options.parts.neutral(maximise(counts, language)))

    def parameters(self) -> dict[str, np.ndarray]:
        if self._learned is None:
            return {}
        language, counts = self._learned
        described = np.frombuffer(msgspec.json.encode(language), dtype=np.uint8)
        return {**counts._asdict(), _LANGUAGE: described}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if _LANGUAGE in arrays:
            language = msgspec.json.decode(arrays[_LANGUAGE].tobytes(), type=Language)
            self._learned = _Learned(language, Counts(*(arrays[name] for name in Counts._fields)))

    def _known(self, match: Match) -> _Learned:
        """What a match is answered with."""
        if self._learned:
            return self._learned
        model = shipped_model() if self.options.shipped and not self.options.without else None
        return _Learned(*model) if model and fits(model[0], match) else self._learn_alone(match)

    def _learn_alone(self, match: Match) -> _Learned:
        return self._learn(InMemory([self.condense(match)]))

    def _learn(self, everyone: Everyone) -> _Learned:
        options = self.options
        return _Learned(*learn_from(everyone, options.language, options.rounds, options.parts))

    def _read(self, match: Match) -> _Reading:
        learned = self._known(match)
        prepared = self._prepare(match, learned.language, self._mentions(match))
        parameters = adapt(prepared, *learned, self.options.adapt, self.options.parts)
        links = Links(match, answers(match, prepared, infer(prepared, parameters)))
        return _Reading(links, learned.language, prepared, parameters)

    def _mentions(self, match: Match) -> list[list[Mentioned]]:
        if not self.options.parts.names:
            return [[] for _ in match.comments]
        return mentions_of(match, self.options.parts.garbled)

    def _prepare(
        self, match: Match, language: Language, mentioned: list[list[Mentioned]]
    ) -> Prepared:
        window, parts = self.options.bucket_window, self.options.parts
        return prepare(match, language, mentioned, window, parts)


def answers(match: Match, prepared: Prepared, posterior: Posterior) -> Iterator[CommentLinks]:
    """Events whose probability over all hypotheses is more than a half are told."""
    for number, comment in enumerate(match.comments):
        own = slice(prepared.start[number], prepared.start[number + 1])
        chains, shares = prepared.chains[own], posterior.chains[own]
        heads = _sums(chains[np.arange(len(chains)), prepared.head[own]], shares)
        probability = _sums(chains, shares[:, None])
        # Of equally sure events the head comes first: it is what the comment is about.
        best_first = sorted(probability, key=lambda event: (-heads.get(event, 0.0), event))
        scored = [(match.tellable[event], probability[event]) for event in best_first]
        told = [event.id for event, share in scored if share > TOLD]
        yield answer(match, comment, scored, told, float(posterior.none[number]))


def _sums(events: np.ndarray, shares: np.ndarray) -> dict[int, float]:
    """The probability of each event that is not negligible."""
    known = events >= 0
    total = np.bincount(events[known], weights=np.broadcast_to(shares, events.shape)[known])
    return {int(event): float(total[event]) for event in np.flatnonzero(total >= NEGLIGIBLE)}
