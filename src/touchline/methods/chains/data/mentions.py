"""Who is mentioned in each comment of a match, and the words around the name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from touchline.core.records import Match, Player
from touchline.text.aliases import learn_aliases
from touchline.text.names import MENTIONED, NameFinder, finder_of
from touchline.text.speech import is_spoken
from touchline.text.tokens import Token, tokenise

EDGE = "."


class Mentioned(NamedTuple):
    """A mention of a player; `<to` and `plays>` are the words beside the name.

    `offset` is the name's first character in the text.
    """

    player: str
    before: str
    after: str
    offset: int

    @property
    def around(self) -> tuple[str, str]:
        return self.before, self.after


def mentions_of(match: Match, garbled: bool = True) -> list[list[Mentioned]]:
    """The mentions of players in each comment; see `mentions_by`."""
    return mentions_by(name_finder(match, garbled), match)


def name_finder(match: Match, garbled: bool = True) -> NameFinder:
    """Finds players by their names, and by the spellings that the commentary makes of them."""
    aliases = learn_aliases(match) if garbled else None
    return NameFinder(match, aliases) if aliases else finder_of(match)


def mentions_by(finder: NameFinder, match: Match) -> list[list[Mentioned]]:
    """Mentions in order: each one of a spoken comment, each player's first of a written one.

    Each mention of speech has a second of its own; all words of a written comment have the same.
    """
    keep = list if is_spoken(match.comments) else first_mentions
    return [keep(mentions_in(finder, comment.text)) for comment in match.comments]


def first_mentions(mentions: Iterable[Mentioned]) -> list[Mentioned]:
    """Each player's first mention."""
    first: dict[str, Mentioned] = {}
    for mention in mentions:
        first.setdefault(mention.player, mention)
    return list(first.values())


def mentions_in(finder: NameFinder, text: str) -> Iterator[Mentioned]:
    """The mentions of players in a text."""
    tokens = tokenise(text)
    first = {token.start: i for i, token in enumerate(tokens)}
    last = {token.end: i for i, token in enumerate(tokens)}
    for mention in finder.mentions(text):
        who = mention.who
        if isinstance(who, Player) and mention.weight >= MENTIONED:
            before = _word(tokens, first[mention.start] - 1, first[mention.start])
            after = _word(tokens, last[mention.end] + 1, last[mention.end] + 1)
            yield Mentioned(who.id, f"<{before}", f"{after}>", mention.start)


def _word(tokens: Sequence[Token], at: int, later: int) -> str:
    """The word at a place, or the edge if a sentence starts between it and the name."""
    if not 0 <= at < len(tokens) or tokens[later].starts_sentence:
        return EDGE
    return tokens[at].key
