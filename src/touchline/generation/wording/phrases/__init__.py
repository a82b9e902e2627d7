"""All phrases, by the kind of event that a line is about.

Every claim in the words of a phrase is one of its conditions, or of the slots it is in: a test
reads the words and asks for the facts behind them. To add a phrase, write what is always true under
the conditions, and put the rest into slots.
"""

from __future__ import annotations

from functools import cache

from touchline.generation.wording.grammar import Phrase
from touchline.generation.wording.phrases import (
    defending,
    fouls,
    goals,
    periods,
    play,
    robocup,
    shots,
)

TABLES = (goals, shots, fouls, play, defending, periods, robocup)
ALL: tuple[Phrase, ...] = tuple(phrase for table in TABLES for phrase in table.PHRASES)


@cache
def by_kind() -> dict[str, tuple[Phrase, ...]]:
    """The phrases of each kind of event."""
    kinds = dict.fromkeys(str(phrase.when["kind"]) for phrase in ALL)
    return {kind: tuple(p for p in ALL if p.when["kind"] == kind) for kind in kinds}
