"""One run of a system on a track: what is kept of it, and what every protocol does alike."""

from __future__ import annotations

from typing import Any

import msgspec

from touchline.methods.registry import Aligner, make_aligner
from touchline.reproduce.systems import System


class Run(msgspec.Struct):
    """A finished run: its figures, and right, predicted and gold pairs of each comment."""

    report: dict[str, Any]
    tallies: list[list[float]] = []
    seconds: float = 0.0


def make(system: System, seed: int, **more: Any) -> Aligner:
    """A new aligner of the system."""
    return make_aligner(system.method, {"seed": seed, **system.settings, **more})
