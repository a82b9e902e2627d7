"""What the model knows by name: words, kinds of events, types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import snowballstemmer

from touchline.match import Event, Match
from touchline.pairs.features import name_words
from touchline.words import FUNCTION_WORDS, tokenise

# Arguments that make a different kind of event out of the same type, the most telling first.
DEFINING = ("set_piece", "kind", "value", "outcome", "card", "cross", "cut_back", "through_ball")
UNKNOWN = "?"
_stem = snowballstemmer.stemmer("english").stemWord


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """The words and kinds that parameters are about; what is new to it is UNKNOWN or dropped.

    A kind is a type with some of its defining arguments, `Pass|set_piece=Corner`.
    """

    vocabulary: list[str]
    kinds: list[str]
    types: list[str]

    def type_numbers(self) -> list[int]:
        """The number of each kind's type."""
        number = {name: i for i, name in enumerate(self.types)}
        return [number[kind.partition("|")[0]] for kind in self.kinds]


def learn_language(matches: Sequence[Match], least_words: int, least_events: int) -> Language:
    """Words that occur in several comments, kinds that occur often enough to be learned."""
    words = Counter(w for m in matches for c in m.comments for w in set(content_words(c.text)))
    names = name_words(matches)
    stems_of_names = {_stem(name) for name in names} | names
    events = Counter(name for m in matches for e in m.tellable for name in _names(e))
    types = sorted({event.type for m in matches for event in m.tellable})
    kinds = sorted(k for k, n in events.items() if n >= least_events or "|" not in k)
    return Language(
        vocabulary=sorted(
            w for w, n in words.items() if n >= least_words and w not in stems_of_names
        ),
        kinds=[UNKNOWN, *kinds],
        types=[UNKNOWN, *types],
    )


def content_words(text: str) -> list[str]:
    """The stems of a comment's words, without words of grammar."""
    keys = (token.key for token in tokenise(text))
    return sorted({_stem(key) for key in keys if len(key) > 1 and key not in FUNCTION_WORDS})


def kind_of(event: Event, known: dict[str, int]) -> int:
    """The number of the finest known kind of an event; 0, UNKNOWN, for a type never seen."""
    return next((known[name] for name in reversed(_names(event)) if name in known), 0)


def _names(event: Event) -> list[str]:
    """The event's kinds from coarse to fine."""
    names = [event.type]
    for argument in DEFINING:
        if argument in event.arguments:
            names.append(f"{names[-1]}|{argument}={event.arguments[argument]}")
    return names
