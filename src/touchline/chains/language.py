"""What the model knows by name: words, kinds of events, words around a player's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec
import snowballstemmer

from touchline.match import Event, Match
from touchline.pairs.features import name_words
from touchline.words import FUNCTION_WORDS, Token, tokenise

# Arguments that make a different kind of event out of the same type, the most telling first.
DEFINING = ("card", "set_piece", "kind", "value", "outcome", "cross", "cut_back", "through_ball")
UNKNOWN = "?"
# How often a word must stand beside a name to be told from other such words.
LEAST_CONTEXTS = 5
stem = lru_cache(maxsize=2**18)(snowballstemmer.stemmer("english").stemWord)


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """The words and kinds that parameters are about; what is new to it is UNKNOWN or dropped.

    A kind is a type with some of its defining arguments, `Pass|set_piece=Corner`. Contexts are
    the words before (`<to`) and after (`plays>`) a player's name.
    """

    vocabulary: list[str]
    kinds: list[str]
    types: list[str]
    contexts: list[str]

    def type_numbers(self) -> list[int]:
        """The number of each kind's type."""
        number = {name: i for i, name in enumerate(self.types)}
        return [number[kind.partition("|")[0]] for kind in self.kinds]

    def causes(self) -> list[str]:
        """All that may bring a word: kinds, and of each type the part of an unnamed player."""
        return [*self.kinds, *(f"{name}~" for name in self.types)]


class Least(msgspec.Struct, frozen=True, kw_only=True):
    """How many comments must hold a word, how many matches, and how many events be of a kind."""

    comments: int = 2
    matches: int = 1
    events: int = 8


USUAL = Least()


def learn_language(
    matches: Sequence[Match], contexts: Iterable[str], least: Least = USUAL
) -> Language:
    """Words that occur in several comments, kinds that occur often enough to be learned."""
    names = name_words(matches)
    events = Counter(name for m in matches for e in m.tellable for name in _names(e))
    types = sorted({event.type for m in matches for event in m.tellable})
    kinds = sorted(k for k, n in events.items() if n >= least.events or "|" not in k)
    around = Counter(word for word in contexts if word.strip("<>") not in names)
    return Language(
        vocabulary=_vocabulary(matches, names, least),
        kinds=[UNKNOWN, *kinds],
        types=[UNKNOWN, *types],
        contexts=[UNKNOWN, *sorted(w for w, n in around.items() if n >= LEAST_CONTEXTS)],
    )


def _vocabulary(matches: Sequence[Match], names: set[str], least: Least) -> list[str]:
    """Words of the game: not names of the match, nor anybody's that is written with a capital."""
    comments: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    lower: Counter[str] = Counter()
    for match in matches:
        spread.update({w for comment in match.comments for w in content_words(comment.text)})
        for comment in match.comments:
            tokens = tokenise(comment.text)
            comments.update(set(_stems(tokens)))
            for token in tokens:
                if not token.starts_sentence:
                    (capital if token.capital else lower)[stem(token.key)] += 1
    cased = lower.total() > capital.total()
    known = {stem(name) for name in names} | names
    return sorted(
        word
        for word, n in comments.items()
        if n >= least.comments
        and spread[word] >= least.matches
        and word not in known
        and not (cased and capital[word] > lower[word])
    )


@lru_cache(maxsize=512)  # more than the comments of a match, which are asked for again and again
def content_words(text: str) -> tuple[str, ...]:
    """The stems of a text's words, without words of grammar."""
    return tuple(sorted(set(_stems(tokenise(text)))))


def _stems(tokens: Iterable[Token]) -> Iterable[str]:
    keys = (token.key for token in tokens)
    return (stem(key) for key in keys if len(key) > 1 and key not in FUNCTION_WORDS)


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
