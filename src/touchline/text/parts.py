"""A comment cut into small parts: names, and the phrases between them.

A part starts where a sentence or a clause starts, at a name and after one, and at a word of
grammar that follows another word. What somebody describes in several steps changes from one
event to the next at such places, and hardly ever elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from touchline.core.records import Player, Team
from touchline.text.names import MENTIONED, Mention
from touchline.text.tokens import FUNCTION_WORDS, PARTICLES, Token, fold, tokenise

# Words of grammar that join clauses and belong to neither.
CONNECTORS = frozenset(
    "after although and as because before but so then though until when which while".split()
)
# What a part starts with: a mark of the text before it, what it is, and a word of grammar.
Edge = tuple[str, str, str]
START, SENTENCE, CLAUSE = "^", ".", ","
NAME, AFTER, PHRASE = "name", "after a name", "phrase"
OTHER_WORD = "*"
_SENTENCE = re.compile(r"[.!?;:…]")
_CLAUSE = re.compile(r"[,()–—]|\s-\s")
_REST = re.compile(r"(?:['’]\w+)*")


class Part(NamedTuple):
    """Characters `start` to `end` (excluded) of a text.

    `edge` says what the part starts with: the mark before it (`.` for a sentence, `,` for a
    clause), whether it is a name or follows one, and its first word, if that is of grammar.
    `words` are its words but for names, folded; `players` the ids of those whom its name may
    mean. An `outsider` is somebody who is not in the match: a referee, a manager.
    """

    start: int
    end: int
    edge: Edge
    words: tuple[str, ...]
    players: tuple[str, ...] = ()
    outsider: bool = False

    @property
    def starts_sentence(self) -> bool:
        return self.edge[0] == SENTENCE


class _Names(NamedTuple):
    """The names of a text: by where they start, where each ends and whom it may mean.

    A name starts with its particles: "de Marsac", though "Marsac" would do.
    """

    players: dict[int, tuple[int, tuple[str, ...]]]
    teams: frozenset[int]

    @classmethod
    def of(cls, tokens: Sequence[Token], mentions: Iterable[Mention]) -> _Names:
        place = {token.start: i for i, token in enumerate(tokens)}
        players: dict[int, tuple[int, tuple[str, ...]]] = {}
        teams = set()
        for mention in mentions:
            if isinstance(mention.who, Team):
                teams.add(mention.start)
            elif mention.weight >= MENTIONED:
                start = tokens[_first(tokens, place[mention.start], mention.who)].start
                end, who = players.get(start, (0, ()))
                players[start] = max(end, mention.end), (*who, mention.who.id)
        return cls(players, frozenset(teams))


def _first(tokens: Sequence[Token], i: int, player: Player) -> int:
    """The first word of a name, with the particles before it that the player's name has."""
    while i > 0 and tokens[i].glued and tokens[i - 1].key in PARTICLES:
        if tokens[i - 1].key not in {fold(word) for name in player.names for word in name.split()}:
            break
        i -= 1
    return i


def parts_of(text: str, mentions: Iterable[Mention]) -> list[Part]:
    """Cut a text into parts, given the names in it; a name keeps the team in brackets after it."""
    tokens = tokenise(text)
    names = _Names.of(tokens, mentions)
    found: list[Part] = []
    i = 0
    while i < len(tokens):
        edge = _edge(text, tokens, i, found, names)
        if tokens[i].start in names.players:
            end, who = names.players[tokens[i].start]
            end = _with_team(text, end)
            found.append(Part(tokens[i].start, end, edge, (), who))
            i = _after(tokens, i, end)
        else:
            last = _phrase_end(text, tokens, i, names)
            found.append(_phrase(text, tokens[i:last], edge, names))
            i = last
    return found


def trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Characters without the connectors at either end; None if nothing is left."""
    tokens = tokenise(text[start:end])
    kept = [i for i, token in enumerate(tokens) if token.key not in CONNECTORS]
    if not kept:
        return None
    first = start + tokens[kept[0]].start
    return first, end if kept[-1] == len(tokens) - 1 else start + tokens[kept[-1]].end


def _edge(text: str, tokens: Sequence[Token], i: int, found: Sequence[Part], names: _Names) -> Edge:
    """The mark before a part, what comes there, and the word that it starts with."""
    word = tokens[i].key if tokens[i].key in FUNCTION_WORDS else OTHER_WORD
    if not found:
        return START, "", word
    mark = _mark(text, tokens, i, found[-1].end)
    if tokens[i].start in names.players:
        return mark, NAME, OTHER_WORD
    return mark, AFTER if found[-1].players else PHRASE, word


def _mark(text: str, tokens: Sequence[Token], i: int, end: int) -> str:
    gap = text[end : tokens[i].start]
    if _SENTENCE.search(gap):
        return SENTENCE
    return CLAUSE if _CLAUSE.search(gap) else ""


def _with_team(text: str, end: int) -> int:
    """The end of a name and of what stands in brackets after it."""
    end = _REST.match(text, end).end()  # type: ignore[union-attr]  # it matches nothing as well
    if text[end : end + 2] == " (" and (close := text.find(")", end)) > 0:
        return close + 1
    return end


def _after(tokens: Sequence[Token], i: int, end: int) -> int:
    return next((k for k in range(i + 1, len(tokens)) if tokens[k].start >= end), len(tokens))


def _phrase_end(text: str, tokens: Sequence[Token], i: int, names: _Names) -> int:
    """The first word after a phrase that starts at a word."""
    for k in range(i + 1, len(tokens)):
        new = tokens[k].key in FUNCTION_WORDS and tokens[k - 1].key not in FUNCTION_WORDS
        end = _REST.match(text, tokens[k - 1].end).end()  # type: ignore[union-attr]
        if new or tokens[k].start in names.players or _mark(text, tokens, k, end):
            return k
    return len(tokens)


def _phrase(text: str, tokens: Sequence[Token], edge: Edge, names: _Names) -> Part:
    end = _REST.match(text, tokens[-1].end).end()  # type: ignore[union-attr]
    words = tuple(token.key for token in tokens if not _is_outsider(token, names))
    return Part(tokens[0].start, end, edge, words, (), len(words) < len(tokens))


def _is_outsider(token: Token, names: _Names) -> bool:
    """Whether a word with a capital inside a sentence names neither player nor team."""
    if not token.capital or token.starts_sentence or token.start in names.teams:
        return False
    return token.key not in FUNCTION_WORDS and len(token.key) > 1
