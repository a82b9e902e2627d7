"""The choice of a phrase for each line."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from touchline.generation.facts.chains import Chain
from touchline.generation.facts.match import MatchFacts
from touchline.generation.wording.grammar import Phrase
from touchline.generation.wording.phrases import by_kind
from touchline.generation.wording.slots import SLOTS, View

# A phrase does not come again within so many lines.
WINDOW = 15
# How much chance counts beside what a phrase says: facts are worth one each.
_NOISE = 2.2
# How much a phrase counts less that begins like the last line, and like the one before.
_SAME_LEAD = (1.2, 0.6)
# Slots that every line has; a line with nothing else is thin.
_WHO = frozenset(["player", "player of", "team"])
# Conditions that say no more than kind and outcome do.
_PLAIN = frozenset(["kind", "outcome", "foot", "effect", "named", "robocup", "period", "ended"])
# What a line may not leave out where it is so.
_MUST = {"shot": {"set_piece": ("penalty", "free kick"), "body": ("head",)}}
# How much more a phrase counts that says a header or a volley: people rarely leave that out.
_STRUCK = 2.0
# What is said after a goal.
_TAIL = "goal tail"


class Wording(NamedTuple):
    """The text of a line, the phrases in it, and whether it says no more than who did what."""

    text: str
    phrases: tuple[str, ...]
    thin: bool


class _Said(NamedTuple):
    """A phrase in words; the more it says, the higher its weight."""

    phrase: Phrase
    text: str
    slots: frozenset[str]
    weight: float

    @property
    def thin(self) -> bool:
        return not (_details(self.phrase) or self.slots - _WHO)


class Writer:
    """Writes the lines of a match, one after the other.

    Parameters
    ----------
    facts
        What the log knows.
    seed
        Another number gives other words for the same facts.
    """

    def __init__(self, facts: MatchFacts, seed: int = 0) -> None:
        self.facts, self.seed = facts, seed
        self._recent: deque[tuple[str, ...]] = deque(maxlen=WINDOW)
        self._leads: deque[str] = deque(maxlen=len(_SAME_LEAD))

    def write(self, chain: Chain, needed: bool = False) -> Wording | None:
        """Word a chain of events.

        Parameters
        ----------
        chain
            What to describe.
        needed
            Whether the line must be written even if every phrase for it was used lately.

        Returns
        -------
        Wording | None
            None where no phrase fits, or only ones that were used in the last 15 lines.
        """
        view = View(self.facts, chain, self.seed)
        kind = str(view.known["kind"])
        main = self._choose(view, kind, needed)
        if main is None:
            return None
        tail = self._choose(view, _TAIL, needed) if chain.head.effect is not None else None
        said = [one for one in (main, tail) if one is not None]
        phrases = tuple(one.phrase.text for one in said)
        self._recent.append(phrases)
        self._leads.appendleft(main.phrase.lead)
        text = " ".join(one.text for one in said)
        return Wording(text, phrases, all(one.thin for one in said))

    def took(self) -> None:
        """Count a line that somebody else worded."""
        self._recent.append(())
        self._leads.appendleft("")

    def _choose(self, view: View, kind: str, needed: bool) -> _Said | None:
        recent = {text for line in self._recent for text in line}
        said = sorted(self._fitting(view, kind), key=lambda one: -one.weight)
        said = _with_what_must_be_said(view, kind, said)
        fresh = [one for one in said if one.phrase.text not in recent]
        if fresh or not needed:
            return fresh[0] if fresh else None
        order = [text for line in self._recent for text in line]
        return min(said, key=lambda one: _last(order, one.phrase.text), default=None)

    def _fitting(self, view: View, kind: str) -> Iterator[_Said]:
        known = {**view.known, "kind": kind}
        for phrase in by_kind().get(kind, ()):
            if not phrase.holds(known) or (view.plural and _names_team_twice(phrase)):
                continue
            found = phrase.render(_for_tail(view) if kind == _TAIL else view.fill, view.plural)
            if found is not None:
                text, slots = found
                yield _Said(phrase, text, slots, self._weight(view, phrase, slots))

    def _weight(self, view: View, phrase: Phrase, slots: frozenset[str]) -> float:
        claims = len(slots - _WHO) + 1.5 * len(_details(phrase))
        mark = f"{self.seed}|{view.chain.head.id}|{phrase.text}"
        chance = zlib.crc32(mark.encode()) / 2**32
        same = sum(cost for cost, lead in zip(_SAME_LEAD, self._leads, strict=False)
                   if lead == phrase.lead)  # fmt: skip
        thin = 0.0 if claims else _NOISE  # never by chance before one that says more
        struck = _STRUCK if phrase.when.get("body") == "head" or "technique" in phrase.when else 0.0
        return min(claims, 4.0) + _NOISE * chance - same - thin + struck


def _names_team_twice(phrase: Phrase) -> bool:
    """Whether the team would stand beside itself where the log does not know the player."""
    return "team" in phrase.slots and not phrase.slots.isdisjoint(("player", "player of"))


def _details(phrase: Phrase) -> list[str]:
    """The conditions by which a phrase says more than kind and outcome."""
    return [name for name, value in phrase.when.items() if value is not False and name not in _PLAIN
            and not (name == "set_piece" and "open play" in str(value))]  # fmt: skip


def _with_what_must_be_said(view: View, kind: str, said: list[_Said]) -> list[_Said]:
    for name, values in _MUST.get(kind, {}).items():
        if view.known.get(name) in values:
            those = [one for one in said if one.phrase.when.get(name) == view.known[name]]
            said = those or said
    return said


def _last(order: list[str], text: str) -> int:
    """When a phrase was said last, counted from the oldest line; -1 if it was not."""
    return max((place for place, other in enumerate(order) if other == text), default=-1)


def _for_tail(view: View):  # type: ignore[no-untyped-def]
    """A player who was just named in full goes by the surname."""

    def fill(name: str) -> str | None:
        if name == "player" and view.known.get("player"):
            return view.facts.names.surname(view.chain.head.event.player)
        return view.fill(name)

    return fill


def slots_of(phrase: Phrase) -> frozenset[str]:
    """The facts that the slots of a phrase claim."""
    return frozenset(claim for slot in phrase.slots for claim in SLOTS[slot].claims)
