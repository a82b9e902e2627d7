"""What the model knows by name: words, kinds of events, words around a player's name."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec
import snowballstemmer

from touchline.chains.restarts import restarts
from touchline.match import Event, Match
from touchline.pairs.features import name_words
from touchline.words import FUNCTION_WORDS, Token, tokenise

# Arguments that make a different kind of event out of the same type, the most telling first.
DEFINING = ("card", "set_piece", "kind", "value", "outcome", "cross", "cut_back", "through_ball")
UNKNOWN = "?"
# How often a word must stand beside a name to be told from other such words.
LEAST_CONTEXTS = 5
# How many events must have an argument for it to bring words of its own.
LEAST_ARGUMENTS = 30
# New words never end, and every kind of event has a number for each that is learned.
MOST_WORDS = 3000
stem = lru_cache(maxsize=2**18)(snowballstemmer.stemmer("english").stemWord)


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """The words and kinds that parameters are about; what is new to it is UNKNOWN or dropped.

    A kind is a type with some of its defining arguments, `Pass|set_piece=Corner`. Contexts are
    the words before (`<to`) and after (`plays>`) a player's name. Arguments are those that make no
    other kind, `body_part=Head`, whatever the event; `then=Corner` is how play goes on after it.
    """

    vocabulary: list[str]
    kinds: list[str]
    types: list[str]
    contexts: list[str]
    arguments: list[str] = []

    def type_numbers(self) -> list[int]:
        """The number of each kind's type."""
        number = {name: i for i, name in enumerate(self.types)}
        return [number[kind.partition("|")[0]] for kind in self.kinds]

    def check(self) -> None:
        """Raise where the lists, perhaps of a damaged file, do not go together."""
        for names in (self.vocabulary, self.kinds, self.types, self.contexts, self.arguments):
            if len(set(names)) < len(names):
                raise ValueError("a name is there twice")
        for names in (self.kinds, self.types, self.contexts):
            if names[:1] != [UNKNOWN]:
                raise ValueError("no name for what is unknown")
        self.type_numbers()

    def causes(self) -> list[str]:
        """All that may bring a word: kinds, arguments, of each type an unnamed player's part."""
        return [*self.kinds, *self.arguments, *(f"{name}~" for name in self.types)]

    @property
    def unnamed(self) -> int:
        """The place among the causes from which on they are parts of unnamed players."""
        return len(self.kinds) + len(self.arguments)


class Least(msgspec.Struct, frozen=True, kw_only=True):
    """How many comments must hold a word, how many matches, and how many events be of a kind."""

    comments: int = 2
    matches: int = 1
    events: int = 8


USUAL = Least()


class Survey(msgspec.Struct, frozen=True, kw_only=True):
    """What a match, or several, say about language: how often there is what, and all names.

    `read` are the digests of the commentaries that it is about.

    `matches` counts the matches that hold a word, `comments` the comments; `capital` and `lower`
    how it is written within sentences. `around` counts words beside players' names.
    """

    names: set[str]
    read: set[str]
    kinds: Counter[str]
    arguments: Counter[str]
    comments: Counter[str]
    matches: Counter[str]
    capital: Counter[str]
    lower: Counter[str]
    around: Counter[str]

    @classmethod
    def nothing(cls) -> Survey:
        counters: dict[str, Counter[str]] = {name: Counter() for name in cls.__struct_fields__[2:]}
        return cls(names=set(), read=set(), **counters)

    def add(self, other: Survey) -> None:
        for name in self.__struct_fields__:
            getattr(self, name).update(getattr(other, name))


def survey(match: Match, around: Iterable[str]) -> Survey:
    """What one match says, given the words beside the names in its comments."""
    found = Survey.nothing()
    found.names.update(name_words([match]))
    found.read.add(digest_of(match))
    found.kinds.update(name for event in match.tellable for name in names_of(event))
    found.arguments.update(name for own in arguments_in(match) for name in own)
    found.around.update(around)
    for comment in match.comments:
        tokens = tokenise(comment.text)
        found.comments.update(set(_stems(tokens)))
        for token in tokens:
            if not token.starts_sentence:
                (found.capital if token.capital else found.lower)[stem(token.key)] += 1
    found.matches.update(found.comments.keys())
    return found


def learn_language(
    matches: Sequence[Match], contexts: Iterable[str], least: Least = USUAL
) -> Language:
    """The language of matches, given the words beside the names in all their comments."""
    found = Survey.nothing()
    found.around.update(contexts)
    for match in matches:
        found.add(survey(match, ()))
    return language_of(found, least)


def language_of(found: Survey, least: Least = USUAL) -> Language:
    """Words that occur in several comments, kinds that occur often enough to be learned."""
    around = {word: n for word, n in found.around.items() if word.strip("<>") not in found.names}
    kinds = sorted(k for k, n in found.kinds.items() if n >= least.events or "|" not in k)
    return Language(
        vocabulary=_vocabulary(found, least),
        kinds=[UNKNOWN, *kinds],
        types=[UNKNOWN, *(kind for kind in kinds if "|" not in kind)],
        contexts=[UNKNOWN, *sorted(w for w, n in around.items() if n >= LEAST_CONTEXTS)],
        arguments=sorted(a for a, n in found.arguments.items() if n >= LEAST_ARGUMENTS),
    )


def _vocabulary(found: Survey, least: Least) -> list[str]:
    """Words of the game: not names of a match, nor anybody's that is written with a capital.

    The most common ones, where there are more than a model can hold: new words never end.
    """
    cased = found.lower.total() > found.capital.total()
    known = {stem(name) for name in found.names} | found.names
    words = [
        word
        for word, n in found.comments.items()
        if n >= least.comments
        and found.matches[word] >= least.matches
        and word not in known
        and not (cased and found.capital[word] > found.lower[word])
    ]
    common = sorted(words, key=lambda word: (-found.comments[word], word))
    return sorted(common[:MOST_WORDS])


def digest_of(match: Match) -> str:
    """A commentary by which it is known again, whatever its clock."""
    texts = msgspec.json.encode([comment.text for comment in match.comments])
    return hashlib.sha256(texts).hexdigest()[:16]


@lru_cache(maxsize=512)  # more than the comments of a match, which are asked for again and again
def content_words(text: str) -> tuple[str, ...]:
    """The stems of a text's words, without words of grammar."""
    return tuple(sorted(set(_stems(tokenise(text)))))


def _stems(tokens: Iterable[Token]) -> Iterable[str]:
    keys = (token.key for token in tokens)
    return (stem(key) for key in keys if len(key) > 1 and key not in FUNCTION_WORDS)


def finest_known(name: str, known: dict[str, int]) -> int:
    """The number of the finest known form of a kind; 0, UNKNOWN, for a type never seen."""
    while name not in known:
        name, finer, _ = name.rpartition("|")
        if not finer:
            return 0
    return known[name]


def names_of(event: Event) -> list[str]:
    """The event's kinds from coarse to fine."""
    names = [event.type]
    for argument in DEFINING:
        if argument in event.arguments:
            names.append(f"{names[-1]}|{argument}={event.arguments[argument]}")
    return names


def arguments_in(match: Match) -> list[list[str]]:
    """Of each tellable event the arguments that make no other kind of it, and how play goes on."""
    events = match.tellable
    return [
        _arguments(event) + ([f"then={restart}"] if restart else [])
        for event, restart in zip(events, restarts(events), strict=True)
    ]


def _arguments(event: Event) -> list[str]:
    return [f"{k}={value}" for k, value in sorted(event.arguments.items()) if k not in DEFINING]
