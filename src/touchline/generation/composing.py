"""From picked chains to the lines of a commentary."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

from touchline.core.errors import TouchlineError, UsageError
from touchline.core.records import Match
from touchline.generation.commentary import PHRASE, Commentary, Line, OutsideUse
from touchline.generation.facts.match import MatchFacts
from touchline.generation.selection.choice import Choice, Picked, in_order
from touchline.generation.selection.model import SelectionModel
from touchline.generation.wording.writer import Writer

# Chains for which no phrase is free are replaced by the next likely ones so many times.
_ROUNDS = 4
# The number of lines a minute is never lower than this, whatever the corpus had.
_MIN_RATE = 0.5


class Draft(NamedTuple):
    """A line, and whether it says no more than who did what."""

    line: Line
    thin: bool


class Worder:
    """Words the picked chains of a match one after the other, in our own phrases."""

    def __init__(self, facts: MatchFacts, seed: int) -> None:
        self.facts = facts
        self.writer = Writer(facts, seed)

    def draft(self, picked: Picked) -> Draft | None:
        """The line of a chain; None where every fitting phrase was used lately."""
        found = self.writer.write(picked.chain, picked.needed)
        if found is None:
            return None
        return Draft(line_of(self.facts, picked, found.text, PHRASE), found.thin)

    def look_at(self, facts: MatchFacts) -> None:
        """Take the facts of a log that has grown."""
        self.facts = self.writer.facts = facts

    def use(self) -> OutsideUse | None:
        """What became of outside wordings."""
        return None


def compose(
    facts: MatchFacts,
    choice: Choice,
    worder: Callable[[], Worder],
    lines: int | None,
    min_score: float | None,
    outside: Callable[[Worder], Worder] | None = None,
) -> Commentary:
    """Pick chains and word them; where words run out, pick others.

    What words lines from outside is asked once, when it is settled what gets a line.
    """
    if all("period" in one.chain.more for one in choice.candidates):
        raise TouchlineError(f"{facts.match.name}: the log has no events that can be described")
    if lines is None and min_score is None:
        lines, min_score = default_amount(facts.match, choice.model)
    ranking = choice.ranked(min_score)
    needed = sum(one.needed for one in choice.candidates)
    picked = list(islice(ranking, None if lines is None else max(lines, needed)))
    for _ in range(_ROUNDS):
        worded = worder()
        drafts = [(one, worded.draft(one)) for one in in_order(picked, facts)]
        good = [one for one, draft in drafts if draft is not None]
        more = list(islice(ranking, len(drafts) - len(good))) if lines is not None else []
        if not more:
            break
        picked = [*good, *more]
    if outside is not None:
        worded = outside(worder())
        drafts = [(one, worded.draft(one)) for one in in_order(good, facts)]
    found = [draft for _, draft in drafts if draft is not None]
    thin = sum(draft.thin for draft in found)
    return Commentary(facts.match, [draft.line for draft in found], worded.use(), thin)


def default_amount(match: Match, model: SelectionModel) -> tuple[int | None, float | None]:
    """As many lines a minute as the corpus had; RoboCup's events have no pace but their own."""
    if match.provider == "robocup":
        return None, model.threshold
    minutes = sum(match.ends.values()) / 60
    return max(math.ceil(max(model.rate, _MIN_RATE) * minutes), 1), None


def check_amount(lines: int | None, min_score: float | None) -> None:
    """Refuse what cannot be."""
    if lines is not None and min_score is not None:
        raise UsageError("lines and min_score cannot be combined; give one of them")
    if lines is not None and lines < 1:
        raise UsageError(f"lines {lines}; expected at least 1")
    if min_score is not None and not 0 <= min_score <= 1:
        raise UsageError(f"min_score {min_score}; expected a number from 0 to 1")


def line_of(
    facts: MatchFacts, picked: Picked, text: str, wording: str, events: Sequence[str] = ()
) -> Line:
    """A line about a chain, or about those of its events that are named."""
    head = picked.chain.head
    return Line(
        period=head.event.period,
        time=round(head.event.time, 3),
        clock=clock_of(facts, picked),
        text=text,
        events=tuple(events) or picked.chain.ids,
        score=round(picked.score, 3),
        wording=wording,
    )


def clock_of(facts: MatchFacts, picked: Picked) -> str:
    """What a live page shows; RoboCup counts the simulator's steps."""
    head = picked.chain.head
    return f"{head.event.time:g}" if facts.match.provider == "robocup" else head.clock
