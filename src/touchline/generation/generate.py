"""Generate the commentary of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from touchline.core.errors import UsageError
from touchline.core.records import Match
from touchline.generation.commentary import Commentary
from touchline.generation.composing import Worder, check_amount, compose
from touchline.generation.facts.match import MatchFacts
from touchline.generation.outside import TIMEOUT, OutsideWorder, source_of
from touchline.generation.selection.choice import Choice
from touchline.generation.selection.model import bundled_selection
from touchline.generation.style.file import Style, read_style
from touchline.generation.style.worder import StyleWorder
from touchline.io.storage import AnyPath, RemotePath

COLOURS = ("none", "style")


def generate(
    match: Match,
    style: Style | str | AnyPath | None = None,
    wording: Callable[[dict[str, Any]], str | None] | str | Sequence[str] | None = None,
    *,
    lines: int | None = None,
    min_score: float | None = None,
    colour: str = "none",
    seed: int = 0,
    timeout: float = TIMEOUT,
) -> Commentary:
    """Generate commentary from the log of a match.

    Parameters
    ----------
    match
        The match; its comments are not read.
    style
        A style of your own corpus, or the file that `touchline fit --style` wrote: which events get
        a line, and in which words. Our own phrases stand in where no template fits.
    wording
        Your own words: a function that gets the facts of a line and returns its text, or a command
        that does the same in lines of JSON, run without a shell. Each answer is checked against the
        log, sent back once with what is wrong, and then dropped for our own words.
    lines
        How many lines to write; by default as many a minute as live pages have. Goals, cards,
        penalties, substitutions, kick-off and the ends of periods are always written.
    min_score
        Instead of `lines`: write what people describe with at least this probability.
    colour
        `none` keeps out words of a style that the log cannot confirm; `style` lets them in.
    seed
        Another seed gives other words for the same facts.
    timeout
        Seconds in which a command must answer.

    Returns
    -------
    Commentary
        The lines in the order of the match; the same for the same match, style and seed.

    Raises
    ------
    UsageError
        `lines`, `min_score` or `colour` is invalid.
    InputError
        The style cannot be read.
    TouchlineError
        The log has no events that can be described, or the command cannot be started.
    """
    check_amount(lines, min_score)
    if colour not in COLOURS:
        raise UsageError(f"colour {colour!r}; expected one of {', '.join(COLOURS)}")
    learned = read_style(style) if isinstance(style, str | Path | RemotePath) else style
    facts = MatchFacts(match)
    model = bundled_selection(match.provider) if learned is None else learned.selection
    choice = Choice(facts, model)

    def worder() -> Worder:
        if learned is None:
            return Worder(facts, seed)
        return StyleWorder(facts, seed, learned, free=colour == "style")

    if wording is None:
        return compose(facts, choice, worder, lines, min_score)
    source = source_of(wording, timeout)
    try:
        return compose(facts, choice, worder, lines, min_score,
                       lambda own: OutsideWorder(facts, own, source))  # fmt: skip
    finally:
        source.close()
