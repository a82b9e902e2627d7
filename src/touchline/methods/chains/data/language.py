"""What the model knows by name: words, kinds of events, words around a player's name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from touchline.core.records import Event, Match
from touchline.methods.chains.data.set_piece_context import restarts
from touchline.methods.chains.model.seen import sketch_of
from touchline.methods.pairs.features import name_words
from touchline.text.aliases import resemble
from touchline.text.stemmer import english_stemmer
from touchline.text.tokens import FUNCTION_WORDS, Token, tokenise

# Arguments that make a different kind of event out of the same type, the most important first.
DEFINING = ("card", "set_piece", "kind", "value", "outcome", "cross", "cut_back", "through_ball")
UNKNOWN = "?"
# How often a word must stand beside a name to be distinguished from others.
MIN_CONTEXTS = 5
# How many events must have an argument for it to bring words of its own.
MIN_ARGUMENTS = 30
# New words never end, and every kind of event has a number for each that is learned.
MAX_WORDS = 3000
stem = lru_cache(maxsize=2**18)(english_stemmer().stemWord)


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
                raise ValueError("a name occurs twice")
        for names in (self.kinds, self.types, self.contexts):
            if names[:1] != [UNKNOWN]:
                raise ValueError("the first name must stand for unknown values")
        self.type_numbers()

    def causes(self) -> list[str]:
        """All that may bring a word: kinds, arguments, of each type an unnamed player's part."""
        return [*self.kinds, *self.arguments, *(f"{name}~" for name in self.types)]

    @property
    def unnamed(self) -> int:
        """The place among the causes from which on they are parts of unnamed players."""
        return len(self.kinds) + len(self.arguments)


class MinCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many comments must hold a word, how many matches, and how many events be of a kind."""

    comments: int = 2
    matches: int = 1
    events: int = 8


USUAL = MinCounts()


class Survey(msgspec.Struct, frozen=True, kw_only=True):
    """What a match, or several, say about language: how often there is what, and all names.

    `seen` holds a sketch of each commentary (see `chains.model.seen`), `paces` how many
    comments come a minute, 0 where that is not known. `comments` counts the
    comments that hold a word. The others count matches that hold it: `ordinary`, where it is mostly
    written in lower case; `apart`, where besides no player or team has a name like it; `initial`,
    where only capitals at the start of sentences show it, and nobody has a name like it; `proper`,
    where it is mostly written with a capital. `around` counts words beside players' names.
    """

    names: set[str]
    seen: list[list[int]]
    paces: list[float]
    kinds: Counter[str]
    arguments: Counter[str]
    comments: Counter[str]
    ordinary: Counter[str]
    apart: Counter[str]
    initial: Counter[str]
    proper: Counter[str]
    around: Counter[str]

    @classmethod
    def nothing(cls) -> Survey:
        counters: dict[str, Counter[str]] = {name: Counter() for name in cls.__struct_fields__[3:]}
        return cls(names=set(), seen=[], paces=[], **counters)

    def add(self, other: Survey) -> None:
        for name in self.__struct_fields__:
            mine, more = getattr(self, name), getattr(other, name)
            (mine.extend if isinstance(mine, list) else mine.update)(more)


def survey(match: Match, around: Iterable[str]) -> Survey:
    """What one match says, given the words beside the names in its comments."""
    found = Survey.nothing()
    found.names.update(name_words([match]))
    found.seen.append(sketch_of(match))
    found.paces.append(pace_of(match))
    found.kinds.update(name for event in match.linkable for name in names_of(event))
    found.arguments.update(name for own in arguments_in(match) for name in own)
    found.around.update(around)
    for comment in match.comments:
        found.comments.update(set(_stems(tokenise(comment.text))))
    case, near = _case(match), _near_names(match, found.names)
    found.ordinary.update(word for word, written in case.items() if written == "lower")
    found.apart.update(word for word in found.ordinary if word not in near)
    found.proper.update(word for word, written in case.items() if written == "capital")
    found.initial.update(w for w, written in case.items() if written == "initial" and w not in near)
    return found


def pace_of(match: Match) -> float:
    """How many comments come a minute, breaks aside; 0 if they have no times."""
    times: Mapping[int, list[float]] = defaultdict(list)
    for comment in match.comments:
        if comment.period is not None and comment.start is not None:
            times[comment.period].append(comment.start)
    minutes = sum(max(own) - min(own) for own in times.values()) / 60
    return sum(len(own) - 1 for own in times.values()) / minutes if minutes else 0.0


def _case(match: Match) -> dict[str, str]:
    """How each stem of a commentary is mostly written: `lower`, `capital`, or `initial`.

    The last is for words that only start sentences, with a capital. Where most words have capitals,
    case says nothing and all are taken for lower case.
    """
    lower, capital, initial = Counter[str](), Counter[str](), set[str]()
    for token in (token for comment in match.comments for token in tokenise(comment.text)):
        word = stem(token.key)
        if not token.capital:
            lower[word] += 1
        elif not token.starts_sentence:
            capital[word] += 1
        else:
            initial.add(word)
    if lower.total() <= capital.total():
        return dict.fromkeys([*lower, *capital, *initial], "lower")
    seen = {word: "lower" if n > capital[word] else "capital" for word, n in lower.items()}
    return dict.fromkeys(initial, "initial") | dict.fromkeys(capital, "capital") | seen


def _near_names(match: Match, names: Iterable[str]) -> set[str]:
    """Stems with a form that is spelled or sounds like a name of the match."""
    forms: Mapping[str, set[str]] = defaultdict(set)
    for token in (token for comment in match.comments for token in tokenise(comment.text)):
        forms[token.key].add(stem(token.key))
        forms[stem(token.key)].add(stem(token.key))
    return {word for form in resemble(forms, names) for word in forms[form]}


def learn_language(
    matches: Sequence[Match], contexts: Iterable[str], minimum: MinCounts = USUAL
) -> Language:
    """The language of matches, given the words beside the names in all their comments."""
    found = Survey.nothing()
    found.around.update(contexts)
    for match in matches:
        found.add(survey(match, ()))
    return language_of(found, minimum)


def language_of(found: Survey, minimum: MinCounts = USUAL) -> Language:
    """Words that occur in several comments, kinds that occur often enough to be learned."""
    is_plain = plain_words(found, minimum)
    around = {word for word, n in found.around.items() if n >= MIN_CONTEXTS and is_plain(word)}
    kinds = sorted(k for k, n in found.kinds.items() if n >= minimum.events or "|" not in k)
    return Language(
        vocabulary=_vocabulary(found, minimum),
        kinds=[UNKNOWN, *kinds],
        types=[UNKNOWN, *(kind for kind in kinds if "|" not in kind)],
        contexts=[UNKNOWN, *sorted(around)],
        arguments=sorted(a for a, n in found.arguments.items() if n >= MIN_ARGUMENTS),
    )


def _vocabulary(found: Survey, minimum: MinCounts) -> list[str]:
    """Words of the game: no numbers, no names of a match, nothing that may be anybody's name.

    The most common ones, where there are more than a model can hold: new words never end.
    """
    is_plain = plain_words(found, minimum)
    words = [word for word, n in found.comments.items() if n >= minimum.comments and is_plain(word)]
    common = sorted(words, key=lambda word: (-found.comments[word], word))
    return sorted(common[:MAX_WORDS])


def plain_words(found: Survey, minimum: MinCounts = USUAL) -> Callable[[str], bool]:
    """Decide whether a stem, or a word beside a name (`<to`, `plays>`), is neither number nor name.

    A garbled name turns up where its player plays. A word is ordinary if enough matches write it
    in lower case though nobody there has a name like it, or if more than two thirds of all matches
    do, whoever plays; and if no more matches write it with a capital. Words that only ever start
    sentences must occur in most matches.
    """
    names = {stem(name) for name in found.names} | found.names
    matches = len(found.seen)

    def is_plain(context: str) -> bool:
        key = context.strip("<>")
        word = stem(key) if key != context else key
        if key in names or word in names or any(c.isdigit() for c in key):
            return False
        if key in FUNCTION_WORDS or not key.isalnum():
            return True
        ordinary, apart = found.ordinary[word], found.apart[word]
        if found.proper[word] > ordinary:
            return False
        if apart >= minimum.matches or 3 * ordinary > 2 * matches:
            return ordinary >= minimum.matches
        return 2 * (apart + found.initial[word]) > matches

    return is_plain


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
    """Of each linkable event the arguments that make no other kind of it, and how play goes on."""
    events = match.linkable
    return [
        _arguments(event) + ([f"then={restart}"] if restart else [])
        for event, restart in zip(events, restarts(events), strict=True)
    ]


def _arguments(event: Event) -> list[str]:
    return [f"{k}={value}" for k, value in sorted(event.arguments.items()) if k not in DEFINING]
