"""Who is mentioned in each comment of a match, and the words around the name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from touchline.core.records import Match, Player
from touchline.text.aliases import learn_aliases
from touchline.text.names import MENTIONED, NameFinder
from touchline.text.tokens import Token, tokenise

EDGE = "."


class Mentioned(NamedTuple):
    """A player at the first mention; `<to` and `plays>` are the words beside the name."""

    player: str
    before: str
    after: str

    @property
    def around(self) -> tuple[str, str]:
        return self.before, self.after


def mentions_of(match: Match, garbled: bool = True) -> list[list[Mentioned]]:
    """The players mentioned in each comment, in order of first mention."""
    return mentions_by(name_finder(match, garbled), match)


def name_finder(match: Match, garbled: bool = True) -> NameFinder:
    """Finds players by their names, and by the spellings that the commentary makes of them."""
    return NameFinder(match, learn_aliases(match) if garbled else None)


def mentions_by(finder: NameFinder, match: Match) -> list[list[Mentioned]]:
    return [list(mentions_in(finder, comment.text)) for comment in match.comments]


def mentions_in(finder: NameFinder, text: str) -> Iterator[Mentioned]:
    """The players mentioned in a text."""
    tokens = tokenise(text)
    first = {token.start: i for i, token in enumerate(tokens)}
    last = {token.end: i for i, token in enumerate(tokens)}
    seen = set()
    for mention in finder.mentions(text):
        who = mention.who
        if isinstance(who, Player) and mention.weight >= MENTIONED and who.id not in seen:
            seen.add(who.id)
            before = _word(tokens, first[mention.start] - 1, first[mention.start])
            after = _word(tokens, last[mention.end] + 1, last[mention.end] + 1)
            yield Mentioned(who.id, f"<{before}", f"{after}>")


def _word(tokens: Sequence[Token], at: int, later: int) -> str:
    """The word at a place, or the edge if a sentence starts between it and the name."""
    if not 0 <= at < len(tokens) or tokens[later].starts_sentence:
        return EDGE
    return tokens[at].key
