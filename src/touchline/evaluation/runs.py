"""One run of a system on a track: what is kept of it, and what every protocol does alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from touchline.aligners import Aligner, make_aligner
from touchline.evaluation.metrics import Score
from touchline.evaluation.systems import System


class Run(msgspec.Struct):
    """A finished run: its figures, and right, predicted and gold pairs of each comment."""

    report: dict[str, Any]
    tallies: list[list[float]] = []
    seconds: float = 0.0


def make(system: System, seed: int, **more: Any) -> Aligner:
    """A new aligner of the system."""
    return make_aligner(system.method, {"seed": seed, **system.settings, **more})


def add_up(scores: Iterable[Score]) -> Score:
    """Several scores as one."""
    total = Score(candidates=[])
    for score in scores:
        total.count(score)
    return total
