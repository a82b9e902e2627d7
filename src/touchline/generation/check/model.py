"""The weights that judge names and whole comments: two logistic regressions.

They were learned without labels, from human comments of which a third was altered on purpose
(`python -m benchmarks.check --weights` learns them again and prints this table).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from touchline.generation.check.features import EVENT_FEATURES, NAME_FEATURES

NAME_WEIGHTS: Mapping[str, float] = {
    "constant": -2.63, "odds against": 3.25, "own share": -1.25, "mate share": -0.53,
    "none": -1.54, "own act near": -1.37, "own act far": 1.22, "mate act near": 1.12,
    "no own act": 0.52, "not linked": 1.09, "rare act": -0.39, "goal or card": 0.4,
    "first name": -0.08, "named alone": 1.26,
}  # fmt: skip
EVENT_WEIGHTS: Mapping[str, float] = {
    "constant": -0.63, "none": 0.69, "best link": -0.49, "named act near": -1.44,
    "named act far": 1.55, "team act near": -1.69, "act elsewhere": 1.32, "no act at all": 0.12,
    "rare act": 1.55, "names": 1.32, "named in links": -1.56, "goal or card": -0.01,
}  # fmt: skip


class Weights:
    """The weights of both regressions; the defaults are the bundled ones."""

    def __init__(
        self,
        name: Mapping[str, float] = NAME_WEIGHTS,
        event: Mapping[str, float] = EVENT_WEIGHTS,
    ) -> None:
        self.name, self.event = name, event
        self._name = [name[feature] for feature in NAME_FEATURES]
        self._event = [event[feature] for feature in EVENT_FEATURES]

    def wrong_name(self, values: Sequence[float]) -> float:
        """How probably a name is wrong."""
        return _logistic(self._name, values)

    def no_event(self, values: Sequence[float]) -> float:
        """How probably a comment describes nothing that happened then."""
        return _logistic(self._event, values)


def _logistic(weights: Sequence[float], values: Sequence[float]) -> float:
    return 1 / (1 + math.exp(-sum(w * v for w, v in zip(weights, values, strict=True))))
