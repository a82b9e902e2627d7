"""Words that hold only if the log has a certain fact, and what is said of a team.

The lexicon reads what people mean. A text that was made from the log is held to its words: an own
goal, a hat-trick or a volley must be one, and who leads must lead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from touchline.generation.facts import EventFacts, MatchFacts
from touchline.generation.findings import FindingKind
from touchline.text.names import Mention

LATE = 85  # minutes
Facts = Sequence[EventFacts]


class Unbound(NamedTuple):
    """Words that the facts do not bear out, and what the log has."""

    kind: FindingKind
    span: tuple[int, int]
    log: str


def _any(test: Callable[[EventFacts], bool]) -> Callable[[Facts], bool]:
    return lambda facts: any(test(one) for one in facts)


def _flag(one: EventFacts, *names: str) -> bool:
    """Whether the feed's own fields have one of these names or values."""
    arguments = one.event.arguments
    return any(
        name in arguments or name in arguments.get("technique", "").lower() for name in names
    )


# What a word needs; what no log knows is never borne out.
_WORDS: dict[str, Callable[[Facts], bool]] = {
    r"own goals?": _any(lambda one: one.kind in ("own goal", "own goal for")),
    r"hat[- ]trick": _any(lambda one: (one.tally or 0) >= 3),
    r"(?:late|last[- ](?:minute|gasp)) (?:winner|goal|equaliser|strike)": _any(
        lambda one: one.minute >= LATE
    ),
    r"(?:the|a|late) winner|winning goal": lambda facts: False,
    r"(?:stoppage|added)[- ]time": _any(lambda one: one.added or one.kind == "added time"),
    r"(?:hits?|hit|off|against|strikes|struck|rattles) the (?:\w+ )?"
    r"(?:post|(?:cross)?bar|woodwork|upright)": _any(
        lambda one: "post" in (one.outcome, *one.event.arguments.get("outcome", "").lower().split())
    ),
    r"(?:near|far|back) post": lambda facts: False,
    r"(?:half-)?volley(?:s|ed)?": _any(lambda one: one.technique in ("volley", "half-volley")),
    r"overhead kick|bicycle kick": _any(lambda one: one.technique == "overhead kick"),
    r"back[- ]?heel(?:s|ed)?": _any(
        lambda one: one.technique == "backheel" or _flag(one, "backheel")
    ),
    r"through[- ]ball": _any(
        lambda one: one.assist_kind == "through ball" or _flag(one, "through_ball", "through ball")
    ),
    r"cut[- ]?back": _any(lambda one: one.assist_kind == "cut-back" or _flag(one, "cut_back")),
    r"first[- ]time": _any(lambda one: bool(one.first_time)),
    r"counter(?:[- ]?attack)?|on the break": _any(lambda one: one.follows == "counter"),
}  # fmt: skip
_BOUND = [(re.compile(rf"\b(?:{words})\b", re.IGNORECASE), holds)
          for words, holds in _WORDS.items()]  # fmt: skip
_SCORES = re.compile(r"\s+(?:score|scores|scored|have scored|take the lead|go ahead|equalise)\b")
_LEADS = re.compile(r"\s+(?:now |still )?(?:lead|leads|(?:are|is|go) (?:\d-\d )?(?:ahead|in front))"
                    r"\b")  # fmt: skip
_TRAILS = re.compile(r"\s+(?:now |still )?(?:trail|trails|(?:are|is|go) (?:\d-\d )?(?:behind|down))"
                     r"\b")  # fmt: skip


def unbound(text: str, facts: Facts) -> Iterator[Unbound]:
    """Words of a text that need a fact which the events do not have."""
    for pattern, holds in _BOUND:
        hit = pattern.search(text)
        if hit and not holds(facts):
            yield Unbound("detail", hit.span(), "the log does not record this")


def wrong_teams(
    text: str, teams: Sequence[Mention], facts: Facts, every: MatchFacts
) -> Iterator[Unbound]:
    """Goals that are given to the wrong team, leads of a team that does not lead."""
    sides = {team.id: side for side, team in enumerate(every.match.teams)}
    goals = [one for one in facts if one.effect is not None]
    scored = {every.scoring.scoring_side(one.event) for one in goals}
    held = [one.after for one in goals or facts if one.after is not None]
    for team in teams:
        side = sides.get(team.who.id)
        if side is None or len(sides) != 2:
            continue
        span, rest = (team.start, team.end), text[team.end :]
        given = _SCORES.match(rest) or re.search(r"\bfor $", text[: team.start])
        if goals and given and side not in scored:
            yield Unbound("name", span, "the goal is the other team's")
        ahead = [score[side] - score[1 - side] for score in held]
        if held and _LEADS.match(rest) and not any(by > 0 for by in ahead):
            yield Unbound("score", span, "that team does not lead")
        if held and _TRAILS.match(rest) and not any(by < 0 for by in ahead):
            yield Unbound("score", span, "that team is not behind")
