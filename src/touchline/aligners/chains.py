"""`chains`: explain each comment by a run of neighbouring events, or by none.

`docs/model.md` has the model's formulas, `touchline.chains` its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from touchline.aligners.base import Aligner, Options, answer
from touchline.chains.hypotheses import Prepared, prepare
from touchline.chains.inference import Posterior, infer
from touchline.chains.language import Language, learn_language
from touchline.chains.learning import learn
from touchline.chains.parameters import Parameters, type_array
from touchline.match import CommentLinks, Links, Match

TOLD = 0.5
# Candidates that are less probable are not worth writing down.
NEGLIGIBLE = 1e-6
_LANGUAGE, _NUMBERS = "language", ("chance", "unexplained", "first", "none")


class ChainsOptions(Options, frozen=True, kw_only=True):
    """`rounds` of learning; `least` comments must hold a word, and `least_events` be of a kind."""

    rounds: int = 9
    least: int = 2
    least_events: int = 8


class Chains(Aligner):
    """Learned without labels by expectation-maximisation, from as many matches as there are.

    A match that was not learned from is answered with what was learned; without any fit, a match
    is learned from by itself.
    """

    name = "chains"
    options_type = ChainsOptions
    options: ChainsOptions

    def __init__(self, options: Options | None = None) -> None:
        super().__init__(options)
        self._learned: tuple[Language, Parameters] | None = None

    def fit(self, matches: Iterable[Match]) -> None:
        self._learned = self._learn(list(matches))

    def align(self, match: Match) -> Links:
        language, parameters = self._learned or self._learn([match])
        prepared = prepare(match, language, self.options.bucket_window)
        posterior = infer(prepared, type_array(language), parameters, ordered=True)
        return Links(match, _answers(match, prepared, posterior))

    def parameters(self) -> dict[str, np.ndarray]:
        if self._learned is None:
            return {}
        language, learned = self._learned
        arrays = {name: np.asarray(getattr(learned, name)) for name in learned.__struct_fields__}
        return {**arrays, _LANGUAGE: np.frombuffer(msgspec.json.encode(language), dtype=np.uint8)}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if _LANGUAGE not in arrays:
            return
        language = msgspec.json.decode(arrays[_LANGUAGE].tobytes(), type=Language)
        fields: dict[str, Any] = {
            name: float(arrays[name]) if name in _NUMBERS else arrays[name]
            for name in Parameters.__struct_fields__
        }
        self._learned = language, Parameters(**fields)

    def _learn(self, matches: list[Match]) -> tuple[Language, Parameters]:
        language = learn_language(matches, self.options.least, self.options.least_events)
        window = self.options.bucket_window
        prepared = [prepare(match, language, window) for match in matches]
        return language, learn(prepared, language, self.options.rounds)


def _answers(match: Match, prepared: Prepared, posterior: Posterior) -> Iterator[CommentLinks]:
    """Events whose probability over all hypotheses is more than a half are told."""
    for number, comment in enumerate(match.comments):
        probability: dict[int, float] = {}
        for h in range(prepared.start[number], prepared.start[number + 1]):
            for event in prepared.chains[h].tolist():
                if event >= 0:
                    share = float(posterior.chains[h])
                    probability[event] = probability.get(event, 0.0) + share
        scored = [
            (match.tellable[event], share)
            for event, share in sorted(probability.items())
            if share >= NEGLIGIBLE
        ]
        told = [event.id for event, share in scored if share > TOLD]
        yield answer(match, comment, scored, told, float(posterior.none[number]))
