"""Generate the commentary of a match, in our own words or in those of a user's program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from touchline.core.records import Match
from touchline.generation.commentary import Commentary
from touchline.generation.composing import Worder
from touchline.generation.facts.match import MatchFacts
from touchline.generation.outside import TIMEOUT, OutsideWorder, Wording, source_of
from touchline.generation.own_words import COLOURS, Outside, write_commentary
from touchline.generation.style.file import Style
from touchline.io.storage import AnyPath

__all__ = ["COLOURS", "generate"]


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
        a line, and in which words. Our own phrases are used if no template fits.
    wording
        Your own words: a function that gets the facts of a line and returns its text, or a command
        that does the same in lines of JSON, run without a shell. Each answer is checked against the
        log, sent back once with what is wrong, and then replaced by our own words.
    lines
        How many lines to write; by default as many per minute as live pages have. Goals, cards,
        penalties, substitutions, kick-off and the ends of periods are always written.
    min_score
        Instead of `lines`: write what people describe with at least this probability.
    colour
        `none` keeps out words of a style that the log cannot confirm; `style` lets them in.
    seed
        A different seed gives different wording of the same facts.
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
    with ExitStack() as stack:
        outside = _outside(wording, timeout, stack) if wording is not None else None
        return write_commentary(match, style, lines=lines, min_score=min_score, colour=colour,
                                seed=seed, outside=outside)  # fmt: skip


def _outside(wording: Wording | str | Sequence[str], timeout: float, stack: ExitStack) -> Outside:
    """Makes the user's worder when it is first needed; the stack ends its command."""

    def worder(facts: MatchFacts, own: Worder) -> Worder:
        source = source_of(wording, timeout)
        stack.callback(source.close)
        return OutsideWorder(facts, own, source)

    return worder
