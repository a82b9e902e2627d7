"""Sentences and events as symbols, for systems that translate between the two.

A sentence is its words in order, with one symbol `@id` where it mentions a player or a team. An
event is its type, its arguments as `name=value`, its players as `player=@id` and `other=@id`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from touchline.core.arrays import Ints
from touchline.core.records import Event, Match, Player, Team
from touchline.methods.pairs.features import event_values
from touchline.text.names import MENTIONED, Mention, NameFinder
from touchline.text.tokens import tokenise

Floats = NDArray[np.floating[Any]]
# Which arguments are symbols: all but the end of a movement, which repeats its start's zones.
ARGUMENTS = ("*", "-end_zone")


def sentences(match: Match) -> list[list[str]]:
    """The symbols of every comment."""
    finder = NameFinder(match)
    return [_symbols(comment.text, finder.mentions(comment.text)) for comment in match.comments]


def mark(who: Player | Team) -> str:
    """The symbol of a player or team that a text mentions."""
    return f"@{who.id}"


def located_symbols(finder: NameFinder, text: str) -> list[tuple[str, int, int]]:
    """The symbols of a text with the characters that each stands for."""
    return _located(text, finder.mentions(text))


def _symbols(text: str, mentions: Iterable[Mention]) -> list[str]:
    return [symbol for symbol, _, _ in _located(text, mentions)]


def _located(text: str, mentions: Iterable[Mention]) -> list[tuple[str, int, int]]:
    """Words, and one mark for each span that most surely mentions somebody."""
    spans: dict[int, Mention] = {}
    for mention in mentions:
        best = spans.get(mention.start)
        if mention.weight >= MENTIONED and (best is None or mention.weight > best.weight):
            spans[mention.start] = mention
    symbols: list[tuple[str, int, int]] = []
    covered = -1
    for token in tokenise(text):
        if token.start in spans:
            covered = spans[token.start].end
            symbols.append((mark(spans[token.start].who), token.start, covered))
        elif token.start >= covered:
            symbols.append((token.key, token.start, token.end))
    return symbols


def event_symbols(event: Event) -> list[str]:
    """The symbols of an event, each once."""
    symbols = event_values(event, ARGUMENTS)
    symbols += [f"player={mark(event.player)}"] if event.player else []
    symbols += [f"other={mark(other.player)}" for other in event.others]
    return list(dict.fromkeys(symbols))


def ngrams(symbols: Sequence[str], max_length: int) -> list[str]:
    """The distinct runs of 1 to `max_length` symbols."""
    runs = [" ".join(symbols[i : i + n]) for n in range(1, max_length + 1)
            for i in range(len(symbols) - n + 1)]  # fmt: skip
    return list(dict.fromkeys(runs))


def frequent(rows: Iterable[Iterable[str]], min_count: int) -> list[str]:
    """The symbols that occur in at least `min_count` rows."""
    counts = Counter(symbol for row in rows for symbol in set(row))
    return sorted(symbol for symbol, n in counts.items() if n >= min_count)


class Ragged:
    """Rows of numbers of different lengths in one array, as kernels like them."""

    def __init__(self, rows: Iterable[Sequence[int]]) -> None:
        listed = list(rows)
        self.start: Ints = np.cumsum([0, *map(len, listed)], dtype=np.int64)
        self.items: Ints = np.array([i for row in listed for i in row], dtype=np.int64)

    def rows(self) -> Iterator[Ints]:
        return (self.items[a:b] for a, b in pairwise(self.start.tolist()))


def numbered(rows: Iterable[Iterable[str]], known: Sequence[str]) -> Ragged:
    """The rows as numbers of the known symbols; the others are dropped."""
    index = {symbol: i for i, symbol in enumerate(known)}
    return Ragged([[index[s] for s in row if s in index] for row in rows])
