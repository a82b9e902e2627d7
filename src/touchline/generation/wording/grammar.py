"""The small language in which phrases are written.

`{player}` is a slot: a word or more that facts give, and the phrase cannot be used without it.
`{player's}` is its possessive. `[, set up by {assist}]` is left out where a slot in it has nothing
to say. `<shoots>` agrees in number with `{player}`: where a log has no players, teams take their
place, and teams are plural.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

Condition = str | int | bool | tuple[Any, ...]
Fill = Callable[[str], str | None]

_PART = re.compile(r"\{([a-z_ ]+)('s)?\}|<([a-z' ]+)>|\[|\]")
_IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go", "isn't":
              "aren't", "doesn't": "don't", "hasn't": "haven't"}  # fmt: skip


class Slot(NamedTuple):
    """A place in a phrase that facts fill."""

    name: str
    possessive: bool = False


class Verb(NamedTuple):
    """A verb in the third person singular, which agrees with the player."""

    singular: str


class Optional(NamedTuple):
    """Parts that are left out together where one of their slots has nothing to say."""

    parts: tuple[Part, ...]


Part = str | Slot | Verb | Optional


class Phrase(msgspec.Struct, frozen=True, dict=True):
    """A text with slots, and the facts that must hold for it.

    A condition is a value that the fact must have, or a tuple of values of which it must have one;
    True asks for any value, and False for a fact that is unknown or does not hold.
    """

    text: str
    when: Mapping[str, Condition]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The text in parts."""
        return tuple(_parse(self.text))

    @cached_property
    def slots(self) -> frozenset[str]:
        """The names of all slots."""
        return frozenset(slot.name for slot in _slots(self.parts))

    @cached_property
    def required(self) -> frozenset[str]:
        """The names of the slots that the phrase cannot do without."""
        return frozenset(part.name for part in self.parts if isinstance(part, Slot))

    @cached_property
    def lead(self) -> str:
        """What the sentence begins with: a slot, or a word."""
        first = self.parts[0]
        if isinstance(first, Slot):
            return "player" if first.name == "player of" else first.name
        return first.split()[0] if isinstance(first, str) else ""

    def holds(self, known: Mapping[str, Any]) -> bool:
        """Whether the facts allow the phrase."""
        return all(_agrees(known.get(name), value) for name, value in self.when.items())

    def render(self, fill: Fill, plural: bool) -> tuple[str, frozenset[str]] | None:
        """The sentence and the slots in it; None where a slot that it needs has nothing to say."""
        used: set[str] = set()
        found = _render(self.parts, fill, plural, used)
        return None if found is None else (_tidy(found), frozenset(used))


def about(
    kind: str, outcome: Condition | None = None, **when: Condition
) -> Callable[..., list[Phrase]]:
    """Phrases about a kind of event, all under the same conditions."""
    conditions = {"kind": kind, **({"outcome": outcome} if outcome is not None else {}), **when}

    def phrases(*texts: str) -> list[Phrase]:
        return [Phrase(text, conditions) for text in texts]

    return phrases


def _agrees(value: Any, wanted: Condition) -> bool:
    if wanted is True:
        return value is not None and value is not False
    if wanted is False:
        return value is None or value is False
    return value in wanted if isinstance(wanted, tuple) else value == wanted


def plural_of(verb: str) -> str:
    """The plural of a verb: `shoots`, shoot; of several words, that of the first."""
    first, space, rest = verb.partition(" ")
    if first in _IRREGULAR:
        return _IRREGULAR[first] + space + rest
    if re.search(r"(sses|shes|ches|xes|zes)$", first):
        return first[:-2] + space + rest
    if first.endswith("ies") and len(first) > 4:
        return f"{first[:-3]}y{space}{rest}"
    return first.removesuffix("s") + space + rest


def possessive(name: str, plural: bool) -> str:
    """`Reis's`, and `Wolves'` of a team; a team in brackets comes after it."""
    if name.endswith(")") and " (" in name:
        person, _, team = name.partition(" (")
        return f"{person}'s ({team}"
    return f"{name}'" if plural and name.endswith("s") else f"{name}'s"


def _parse(text: str) -> Iterator[Part]:
    stack: list[list[Part]] = [[]]
    place = 0
    for found in _PART.finditer(text):
        if found.start() > place:
            stack[-1].append(text[place : found.start()])
        place = found.end()
        if found[0] == "[":
            stack.append([])
        elif found[0] == "]":
            inner = stack.pop()
            stack[-1].append(Optional(tuple(inner)))
        elif found[3]:
            stack[-1].append(Verb(found[3]))
        else:
            stack[-1].append(Slot(found[1], found[2] is not None))
    if len(stack) != 1:
        raise ValueError(f"brackets do not match in {text!r}")
    if place < len(text):
        stack[-1].append(text[place:])
    yield from stack[0]


def _slots(parts: tuple[Part, ...]) -> Iterator[Slot]:
    for part in parts:
        if isinstance(part, Slot):
            yield part
        elif isinstance(part, Optional):
            yield from _slots(part.parts)


def _render(parts: tuple[Part, ...], fill: Fill, plural: bool, used: set[str]) -> str | None:
    said: list[str] = []
    for part in parts:
        if isinstance(part, str):
            said.append(part)
        elif isinstance(part, Verb):
            said.append(plural_of(part.singular) if plural else part.singular)
        elif isinstance(part, Slot):
            value = fill(part.name)
            if value is None:
                return None
            used.add(part.name)
            team = plural if part.name == "player" else part.name in PLURAL
            said.append(possessive(value, team) if part.possessive else value)
        else:
            inner: set[str] = set()
            found = _render(part.parts, fill, plural, inner)
            if found is not None:
                said.append(found)
                used |= inner
    return "".join(said)


PLURAL = frozenset(["team", "opponents", "scoring", "conceding", "winner", "loser", "home", "away"])


def _tidy(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([,.;:!?])", r"\1", text)
    text = text.replace(",.", ".").replace(",,", ",")
    return text[:1].upper() + text[1:]
