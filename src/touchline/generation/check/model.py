"""The weights that judge names and whole comments: two logistic regressions.

They were learned without labels, from human comments of which a third was altered on purpose
(`python -m benchmarks.check --weights` learns them again and prints this table).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from touchline.generation.check.features import EVENT_FEATURES, NAME_FEATURES

NAME_WEIGHTS: Mapping[str, float] = {
    "constant": -2.82, "odds against": 2.84, "own share": -0.97, "mate share": 0.19,
    "none": -0.95, "own act near": -1.35, "own act far": 1.3, "mate act near": 1.02,
    "no own act": 0.4, "not linked": 1.46, "rare act": -0.39, "goal or card": 0.01,
    "first name": -0.06, "named alone": 1.09,
}  # fmt: skip
EVENT_WEIGHTS: Mapping[str, float] = {
    "constant": 0.09, "none": 0.18, "best link": -0.99, "named act near": -1.36,
    "named act far": 2.21, "team act near": -1.7, "act elsewhere": 1.23, "no act at all": -0.72,
    "rare act": 1.37, "names": 0.95, "named in links": -1.37, "goal or card": 0.05,
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
