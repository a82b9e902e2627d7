"""Commentary in our own phrases or in the templates of a style.

Nothing here can start a command: what words lines from outside is handed in by `generate`. So the
server and the report may use this module.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from touchline.core.errors import UsageError
from touchline.core.records import Match
from touchline.generation.commentary import Commentary
from touchline.generation.composing import Worder, check_amount, compose
from touchline.generation.facts.match import MatchFacts
from touchline.generation.selection.choice import Choice
from touchline.generation.selection.model import bundled_selection
from touchline.generation.style.file import Style, read_style
from touchline.generation.style.worder import StyleWorder
from touchline.io.storage import AnyPath, RemotePath

COLOURS = ("none", "style")
Outside = Callable[[MatchFacts, Worder], Worder]


def write_commentary(
    match: Match,
    style: Style | str | AnyPath | None = None,
    *,
    lines: int | None = None,
    min_score: float | None = None,
    colour: str = "none",
    seed: int = 0,
    outside: Outside | None = None,
) -> Commentary:
    """Generate commentary; the parameters are those of `touchline.generate`.

    `outside` makes a worder that replaces our own words, where the user has one.
    """
    check_amount(lines, min_score)
    if colour not in COLOURS:
        raise UsageError(f"colour {colour!r}; expected one of {', '.join(COLOURS)}")
    learned = read_style(style) if isinstance(style, str | Path | RemotePath) else style
    facts = MatchFacts(match)
    model = bundled_selection(match.provider) if learned is None else learned.selection

    def worder() -> Worder:
        if learned is None:
            return Worder(facts, seed)
        return StyleWorder(facts, seed, learned, free=colour == "style")

    reworded = (lambda own: outside(facts, own)) if outside is not None else None
    return compose(facts, Choice(facts, model), worder, lines, min_score, reworded)
