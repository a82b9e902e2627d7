"""What a text claims, by the lexicon, and the scores that it states."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from touchline.core.records import Match, Team
from touchline.generation.check.lexicon import (
    ANOTHER_MATCH,
    PATTERNS,
    STATISTIC,
    TAKEN_BACK,
    ClaimKind,
)
from touchline.text.names import Mention, NameFinder

_BEFORE = 40  # characters before a claim that may take it back

_NUMBERS = {"nil": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "zero": 0}
_NUMBER = rf"(?:\d{{1,2}}|{'|'.join(_NUMBERS)})"
# "1-0", "2:1", "two-one"; not a date, a clock or a formation.
_PAIR = re.compile(
    rf"(?<![\d:./-])(?P<a>{_NUMBER})\s?[-–:]\s?(?P<b>{_NUMBER})(?!\d|[:./–-]\d|\s?(?:am|pm)\b)\b",
    re.IGNORECASE,
)
# "Blackpool 1, Fulham 0": a team and its goals, twice.
_GOALS = re.compile(rf"\s*(?P<n>{_NUMBER})\b(?!\s*(?:min|yard|metre|')|[-–:]\d)", re.IGNORECASE)
_LEVEL = re.compile(r"\bequalis(?:es|ed|er)\b|\bequaliz(?:es|ed|er)\b|\blevels? (?:it|the score)\b|"
                    r"\bback on level terms\b", re.IGNORECASE)  # fmt: skip
MAX_GOALS = 15
_NO_SCORE = ("one-two", "one two", "one-one")  # passes and duels


class Claim(NamedTuple):
    """Characters of a text that claim something: `kind` of what, and `value` what."""

    kind: ClaimKind
    value: str
    start: int
    end: int


class ScoreClaim(NamedTuple):
    """A score that a text states, for each team in the order of the match where that is known.

    `ordered` says whether it is clear whose goals are whose; `level` claims only that both have
    the same number. `sure` says that it is stated as this match's score now.
    """

    goals: tuple[int, int]
    start: int
    end: int
    ordered: bool
    sure: bool
    level: bool = False


def claims_of(text: str) -> list[Claim]:
    """All claims of a text by the lexicon, in order; those that are taken back are left out."""
    found = []
    for kind, values in PATTERNS.items():
        for value, pattern in values.items():
            for hit in pattern.finditer(text):
                if not TAKEN_BACK.search(text[max(0, hit.start() - _BEFORE) : hit.start()]):
                    found.append(Claim(kind, value, hit.start(), hit.end()))
    return sorted(found, key=lambda claim: (claim.start, claim.end))


def values_of(claims: Iterable[Claim], kind: ClaimKind) -> dict[str, Claim]:
    """The first claim of each value of a kind."""
    found: dict[str, Claim] = {}
    for claim in claims:
        if claim.kind == kind:
            found.setdefault(claim.value, claim)
    return found


def scores_of(
    text: str, match: Match, finder: NameFinder, of_this_match: bool = False
) -> Iterator[ScoreClaim]:
    """The scores that a text states; if it is only `of_this_match`, results of others as well."""

    def is_other(start: int) -> bool:
        another = not of_this_match and ANOTHER_MATCH.search(text[:start])
        return bool(another or STATISTIC.search(text[:start]))

    teams = [m for m in finder.mentions(text) if isinstance(m.who, Team)]
    pair = _by_team(text, match, teams)
    if pair is not None:
        if not is_other(pair.start):
            yield pair
        return
    for hit in _PAIR.finditer(text):
        first, second = _number(hit["a"]), _number(hit["b"])
        is_clock = ":" in hit[0] and len(hit["b"]) > 1
        is_score = not is_clock and hit[0].lower() not in _NO_SCORE
        is_score = is_score and not is_other(hit.start())
        if max(first, second) <= MAX_GOALS and is_score:
            yield _stated(text, match, teams, hit, (first, second))
    for hit in _LEVEL.finditer(text):
        taken = TAKEN_BACK.search(text[max(0, hit.start() - _BEFORE) : hit.start()])
        if not taken:
            yield ScoreClaim((0, 0), hit.start(), hit.end(), False, False, level=True)


def _by_team(text: str, match: Match, teams: list[Mention]) -> ScoreClaim | None:
    """`Blackpool 1, Fulham 0`: the goals stand behind both teams' names."""
    found: dict[str, tuple[int, int, int]] = {}
    for mention in teams:
        hit = _GOALS.match(text, mention.end)
        if hit and mention.who.id not in found:
            found[mention.who.id] = _number(hit["n"]), mention.start, hit.end()
    ids = [team.id for team in match.teams]
    if len(ids) != 2 or set(found) != set(ids):
        return None
    (home, start, end), (away, other_start, other_end) = found[ids[0]], found[ids[1]]
    first, last = min(start, other_start), max(end, other_end)
    if last - first > 80 or max(home, away) > MAX_GOALS:
        return None
    return ScoreClaim((home, away), first, last, ordered=True, sure=True)


_SURE = re.compile(
    r"(?:\bscore (?:is|now|reads)[^.]{0,20}|\bmakes? it|\bgoal\s*[-–]|\bscoreline[^.]{0,20}"
    r"|\bit'?s(?: now)?|[.!]|\blead(?:s|ing)?|\bahead|^)\s*$",
    re.IGNORECASE,
)  # fmt: skip


def _stated(
    text: str, match: Match, teams: list[Mention], hit: re.Match[str], goals: tuple[int, int]
) -> ScoreClaim:
    """A pair of numbers; "2-1 to X" and "X lead 2-1" say whose goals are more."""
    after = text[hit.end() : hit.end() + 12]
    behind = [t for t in teams if t.start >= hit.end() and t.start - hit.end() < 12]
    to = bool(re.match(r"\s+(?:to|for|up)\b", after)) and bool(behind)
    ordered = False
    if to and len(match.teams) == 2:
        high, low = max(goals), min(goals)
        goals = (high, low) if behind[0].who.id == match.teams[0].id else (low, high)
        ordered = True
    sure = to or bool(_SURE.search(text[: hit.start()]))
    return ScoreClaim(goals, hit.start(), hit.end(), ordered, sure)


def _number(text: str) -> int:
    return _NUMBERS[text.lower()] if text.lower() in _NUMBERS else int(text)
