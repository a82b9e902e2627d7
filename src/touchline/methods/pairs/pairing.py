"""The pairs of some matches as arrays: who is paired with what, and with which features.

Sentences and events are kept once each and pairs point to them. Events of equal features share a
row, because a log of thousands of events has only hundreds of different ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.core.records import Event, Match
from touchline.methods.buckets import Window, buckets
from touchline.methods.pairs.features import binary, event_values, sentence_words, vocabulary
from touchline.text.names import MENTIONED, NameFinder

if TYPE_CHECKING:
    from scipy import sparse


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """How Section 3.1 is read where the paper leaves it open.

    `arguments`: the event's arguments that count, besides its type; `*` is every categorical one,
    `-zone` takes one out, `team` is the acting team. `min_count`: how many sentences must hold a
    word of the vocabulary. `players`: the string arguments, the acting player's name or those of
    `all` players of the record. `strings`: the string-match part, `binary` with one element for
    each string argument as in Section 3.1, or the number of players matched over three consecutive
    events as in Section 4.1, either centred (`three`) or from the event on (`three-after`).
    `nodes`: pairs with a matching name, or `all`.
    """

    window: Window = Window()
    arguments: tuple[str, ...] = ("*", "-end_zone")
    min_count: int = 2
    players: Literal["actor", "all"] = "actor"
    strings: Literal["binary", "three", "three-after"] = "three"
    nodes: Literal["named", "all"] = "named"


class Pairs(msgspec.Struct, frozen=True, kw_only=True):
    """Sentences, events and the pairs between them.

    `words` (sentences x `vocabulary`) and `values` (different events x `columns`) are binary
    features; `row[e]` is the row of event e in `values`. `mentioned[s]` and `named[e]` are
    numbers of players in `players`, padded with -1: those whom the sentence mentions, and those
    whose names are string arguments of the event; `around[e]` are those of all events that count
    for the string part of event e. Pair p joins `sentence[p]` and `event[p]` and has the string
    part `strings[p]`. `frequency[e]` counts the events of event e's type; `lag[p]` is how long
    before the comment the event happened, in seconds.
    """

    vocabulary: list[str]
    columns: list[str]
    players: list[str]
    words: sparse.csr_matrix
    values: sparse.csr_matrix
    row: Ints
    frequency: Floats
    named: Ints
    around: Ints
    mentioned: Ints
    sentence: Ints
    event: Ints
    strings: Floats
    lag: Floats

    def __len__(self) -> int:
        return len(self.sentence)


def pair_up(matches: Sequence[Match], reading: Reading, known: Pairs | None = None) -> Pairs:
    """Pair every sentence with the events of its bucket (Section 2).

    With `known` pairs, features and players get the numbers they have there, so that the new
    pairs can be appended to them; words and values that are new are dropped.
    """
    events = [event for match in matches for event in match.linkable]
    described = [tuple(event_values(event, reading.arguments)) for event in events]
    rows = {values: number for number, values in enumerate(dict.fromkeys(described))}
    columns = known.columns if known else sorted({v for values in rows for v in values})
    words = known.vocabulary if known else vocabulary(matches, reading.min_count)
    comments = [comment for match in matches for comment in match.comments]
    players = _numbers(matches, known.players if known else ())
    types = Counter(event.type for event in events)
    mentioned = [numbers for match in matches for numbers in _mentioned(match, players)]
    named = [_named(event, reading.players, players) for event in events]
    around = _around(matches, reading.strings, named)
    sentence, event, strings, lag = _pairs(matches, reading, mentioned, named, around)
    return Pairs(
        vocabulary=words,
        columns=columns,
        players=list(players),
        words=binary([sentence_words(comment.text) for comment in comments], words),
        values=binary(rows, columns),
        row=np.array([rows[values] for values in described], dtype=np.int64),
        frequency=np.array([types[e.type] for e in events], dtype=float),
        named=padded(named),
        around=padded(around),
        mentioned=padded(mentioned),
        sentence=np.array(sentence, dtype=np.int64),
        event=np.array(event, dtype=np.int64),
        strings=_columns(strings, reading),
        lag=np.array(lag, dtype=float),
    )


def appended(first: Pairs, second: Pairs) -> Pairs:
    """Both as one, the first one's numbers unchanged; `second` was made with `known=first`."""
    from scipy import sparse  # slow to load, and not every method needs it

    sentences, events = first.words.shape[0], len(first.row)
    return Pairs(
        vocabulary=first.vocabulary,
        columns=first.columns,
        players=second.players,
        words=sparse.vstack([first.words, second.words]).tocsr(),
        values=sparse.vstack([first.values, second.values]).tocsr(),
        row=np.concatenate([first.row, second.row + first.values.shape[0]]),
        frequency=np.concatenate([first.frequency, second.frequency]),
        named=padded([*_rows(first.named), *_rows(second.named)]),
        around=padded([*_rows(first.around), *_rows(second.around)]),
        mentioned=padded([*_rows(first.mentioned), *_rows(second.mentioned)]),
        sentence=np.concatenate([first.sentence, second.sentence + sentences]),
        event=np.concatenate([first.event, second.event + events]),
        strings=np.concatenate([first.strings, second.strings]),
        lag=np.concatenate([first.lag, second.lag]),
    )


def _numbers(matches: Iterable[Match], known: Iterable[str]) -> dict[str, int]:
    """A number for each player; the same id in two matches is the same player."""
    ids = (player.id for match in matches for player in match.players)
    return {who: number for number, who in enumerate(dict.fromkeys([*known, *ids]))}


def _mentioned(match: Match, players: dict[str, int]) -> Iterable[list[int]]:
    finder = NameFinder(match)
    for comment in match.comments:
        weights = finder.players(comment.text)
        yield [players[who] for who, weight in weights.items() if weight >= MENTIONED]


def _named(event: Event, which: str, players: dict[str, int]) -> list[int]:
    """The players whose names are string arguments of the event, the acting one first."""
    everybody = [event.player, *(other.player for other in event.others if which == "all")]
    return [players[who.id] for who in everybody if who is not None]


def _around(matches: Sequence[Match], strings: str, named: list[list[int]]) -> list[list[int]]:
    """For each event the players of the consecutive events that count for the string match."""
    before, after = {"binary": (0, 1), "three": (1, 2), "three-after": (0, 3)}[strings]
    around, first = [], 0
    for match in matches:
        last = first + len(match.linkable)
        for event in range(first, last):
            some = named[max(event - before, first) : min(event + after, last)]
            around.append(list(dict.fromkeys(who for players in some for who in players)))
        first = last
    return around


def _pairs(
    matches: Sequence[Match],
    reading: Reading,
    mentioned: list[list[int]],
    named: list[list[int]],
    around: list[list[int]],
) -> tuple[list[int], list[int], list[list[float]], list[float]]:
    """Sentence, event, string part and lag of every pair that is used."""
    pairs: tuple[list[int], list[int], list[list[float]], list[float]] = ([], [], [], [])
    first_sentence = first_event = 0
    for match in matches:
        for number, (comment, bucket) in enumerate(
            zip(match.comments, buckets(match, reading.window), strict=True), first_sentence
        ):
            names = set(mentioned[number])
            for e in (int(i) + first_event for i in bucket):
                if reading.nodes == "all" or not names.isdisjoint(named[e]):
                    happened = match.linkable[e - first_event].time
                    pairs[0].append(number)
                    pairs[1].append(e)
                    pairs[2].append(_string_part(named[e], around[e], names, reading))
                    pairs[3].append(0.0 if comment.time is None else comment.time - happened)
        first_sentence += len(match.comments)
        first_event += len(match.linkable)
    return pairs


def _string_part(
    named: list[int], around: list[int], names: set[int], reading: Reading
) -> list[float]:
    """The string-match part: elements for the arguments, or a count over consecutive events."""
    if reading.strings != "binary":
        return [float(len(names.intersection(around)))]
    first, others = named[:1], named[1:]
    elements = [float(not names.isdisjoint(first))]
    return (
        elements if reading.players == "actor" else [*elements, float(not names.isdisjoint(others))]
    )


def _columns(parts: list[list[float]], reading: Reading) -> Floats:
    width = 2 if reading.strings == "binary" and reading.players == "all" else 1
    return np.array(parts, dtype=float).reshape(len(parts), width)


def padded(rows: Sequence[Sequence[int]], width: int = 1) -> Ints:
    """Rows of numbers as a matrix, filled up with -1 to the longest or to `width`."""
    sizes = np.array([len(row) for row in rows], dtype=np.int64)
    matrix = np.full((len(rows), max(width, sizes.max(initial=0))), -1, dtype=np.int64)
    matrix[np.arange(matrix.shape[1]) < sizes[:, None]] = np.fromiter(
        chain.from_iterable(rows), np.int64
    )
    return matrix


def _rows(padded: Ints) -> list[list[int]]:
    return [[int(i) for i in row if i >= 0] for row in padded]
