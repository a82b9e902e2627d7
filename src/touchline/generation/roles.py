"""Who does what in a text that was written for known events.

That everybody named takes part is not enough: a model may let the provider score. Here the player
next to a verb is held to the role that the log gives. Where that player has the wrong role, or it
cannot be seen from the order of the words, the text is refused: our own words are always there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from touchline.core.records import Player
from touchline.generation.facts.chains import Chain
from touchline.generation.facts.match import MatchFacts
from touchline.text.names import Mention, NameFinder

_SHOOTING = (
    r"scor(?:es|ed|ing)|heads?|headed|nets?|netted|shoots?|fires?|fired|finish(?:es|ed)|converts?|"
    r"slots?|strikes?|struck|volleys?|taps?|tapped|nods?|nodded|bur(?:y|ies|ied)|curls?|drills?|"
    r"smash(?:es|ed)|blasts?|lashes|pokes?|tucks?|rifles?|makes it|equalis(?:es|ed)|misses|hits"
)
_SAVING = r"saves?|denies|denied|parries|keeps? out|kept out|holds|tips|palms|smothers"
_FOULING = r"fouls|brings down|trips|is booked|is cautioned|is shown|is sent off|commits|concedes"
_CROSSING = r"crosses|crossed|sets up|set up|provides|provided|assists|picks out|feeds|releases"
# What a verb needs of the player before it: the head of a shot, the keeper ...
_VERBS: dict[str, tuple[str, tuple[str, ...]]] = {
    "shot": (_SHOOTING, ("player", "first")),
    "own goal": (_SHOOTING, ("player",)),
    "foul": (_FOULING, ("player",)),
    "booking": (_FOULING, ("player",)),
}
_NOUNS = r"goal|header|shot|effort|strike|finish|attempt|penalty|volley"
_BY = r"(?:by|from|of|for)"
_SUBJECT = r"(?:\s+\([^)]*\))?[\s,]*(?:\w+\s+){0,3}?"


def misplaced(facts: MatchFacts, chain: Chain, text: str) -> Iterator[str]:
    """What a text lets the wrong player do, one sentence each."""
    names = _names(facts, text)
    head = facts.names.player(chain.head.event.player)
    if head is not None and head not in {name for name, _ in names}:
        yield f"does not name {head}, whom the line is about"
    kind = str(chain.known["kind"])
    verbs, roles = _VERBS.get(kind, ("", ()))
    if not verbs:
        return
    known = {role: chain.known.get(role) for role in ("player", "first", "keeper", "assist")}
    may = {known.get(role) for role in roles}
    for name, mention in names:
        for pattern, people in _held(kind, verbs, may, known):
            if name not in people and _does(text, mention, pattern):
                yield _misplaced(name, people)
    if kind in ("shot", "own goal"):
        yield from _nouns(text, names, may)


def _held(
    kind: str, verbs: str, may: set[str | None], known: dict[str, str | None]
) -> Iterator[tuple[str, set[str | None]]]:
    yield verbs, may
    if kind == "shot":
        yield _SAVING, {known["keeper"]}
        if known["assist"] is not None:
            yield _CROSSING, {known["assist"]}


def _does(text: str, mention: Mention, verbs: str) -> bool:
    """Whether a verb follows a name with at most a few words between, none of them a possessive."""
    after = text[mention.end : mention.end + 60]
    return re.match(rf"{_SUBJECT}(?:{verbs})\b", after, re.IGNORECASE) is not None


def _nouns(text: str, names: Sequence[tuple[str, Mention]], may: set[str | None]) -> Iterator[str]:
    """ "Reis's header", "a goal by Reis"."""
    for name, mention in names:
        after, before = text[mention.end :], text[: mention.start]
        owns = re.match(rf"['’]s?\s+(?:\w+[\s-]+){{0,2}}?(?:{_NOUNS})\b", after, re.IGNORECASE)
        by = re.search(rf"\b(?:{_NOUNS})\s+{_BY}\s+$", before, re.IGNORECASE)
        if (owns or by) and name not in may:
            yield _misplaced(name, may)


def _misplaced(name: str, doers: set[str | None]) -> str:
    return f"credits {name} with what the log says {', '.join(one for one in doers if one)} did"


def _names(facts: MatchFacts, text: str) -> list[tuple[str, Mention]]:
    """The players named in a text, as they are shown, in the order of the text."""
    finder = NameFinder(facts.match.with_comments([]))
    found = [(facts.names.player(one.who), one) for one in finder.mentions(text)
             if isinstance(one.who, Player)]  # fmt: skip
    return sorted(((name, one) for name, one in found if name), key=lambda pair: pair[1].start)
