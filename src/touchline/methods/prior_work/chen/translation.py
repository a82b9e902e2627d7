"""IBM Model 1 in both directions, and how likely events of each type are described (IGSL)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from touchline.core.arrays import Ints
from touchline.methods.prior_work._kernels import align_words, translate
from touchline.methods.prior_work.candidates import Candidates
from touchline.methods.prior_work.symbols import Floats, Ragged, event_symbols, frequent, numbered

ROUNDS = 5
SMOOTHING = 0.01


class Dictionary(msgspec.Struct, frozen=True):
    """The words and symbols that are translated, and p(word | symbol), p(symbol | word)."""

    words: list[str]
    symbols: list[str]
    to_words: Floats
    to_symbols: Floats


class Text(msgspec.Struct, frozen=True):
    """Sentences and events in a dictionary's numbers."""

    words: Ragged
    symbols: Ragged


def empty_dictionary(candidates: Candidates, min_count: int) -> Dictionary:
    """Every word of sentences and every symbol of events, nothing known of either."""
    words = frequent(candidates.said, min_count)
    symbols = frequent(map(event_symbols, candidates.events), 1)
    shape = len(symbols), len(words)
    return Dictionary(
        words,
        symbols,
        np.full((shape[0] + 1, shape[1]), 1 / max(shape[1], 1)),
        np.full((shape[1] + 1, shape[0]), 1 / max(shape[0], 1)),
    )


def in_numbers(candidates: Candidates, dictionary: Dictionary) -> Text:
    return Text(numbered(candidates.said, dictionary.words), candidates.symbols(dictionary.symbols))


def train(candidates: Candidates, text: Text, weight: Floats, dictionary: Dictionary) -> Dictionary:
    """Model 1 of the pairs with these weights, from an even start."""
    start = empty_like(dictionary)
    to_words, to_symbols = start.to_words, start.to_symbols
    for _ in range(ROUNDS):
        to_words = _round(candidates.sentence, candidates.event, weight, text.words, text.symbols,
                          to_words)  # fmt: skip
        to_symbols = _round(candidates.event, candidates.sentence, weight, text.symbols, text.words,
                            to_symbols)  # fmt: skip
    return Dictionary(dictionary.words, dictionary.symbols, to_words, to_symbols)


def empty_like(dictionary: Dictionary) -> Dictionary:
    tables = [np.full_like(t, 1 / max(t.shape[1], 1)) for t in
              (dictionary.to_words, dictionary.to_symbols)]  # fmt: skip
    return Dictionary(dictionary.words, dictionary.symbols, *tables)


def score(candidates: Candidates, text: Text, dictionary: Dictionary) -> Floats:
    """How well each pair's sentence and event translate into each other, in logarithms.

    The product of both directions' probabilities, as Model 1 gives them.
    """
    there = translate(candidates.sentence, candidates.event, *_flat(text.words, text.symbols),
                      dictionary.to_words)  # fmt: skip
    back = translate(candidates.event, candidates.sentence, *_flat(text.symbols, text.words),
                     dictionary.to_symbols)  # fmt: skip
    return np.asarray(there + back)


def mention_rates(candidates: Candidates, types: Sequence[str], rounds: int = 50) -> Floats:
    """IGSL: how likely an event of each type is described at all.

    Each comment describes one of its candidates, in proportion to the rates; a type's rate is the
    share of its events that are described that way. Repeated a fixed number of times.
    """
    number = {name: i for i, name in enumerate(types)}
    kind = np.array([number[candidates.events[e].type] for e in candidates.event], dtype=np.int64)
    seen = np.bincount([number[event.type] for event in candidates.events], minlength=len(types))
    rates = np.ones(len(types))
    for _ in range(rounds):
        weight = rates[kind]
        total = np.bincount(candidates.sentence, weight, minlength=len(candidates.said))
        described = np.bincount(kind, weight / total[candidates.sentence], minlength=len(types))
        rates = described / np.maximum(seen, 1)
    return np.asarray(rates)


def _flat(first: Ragged, second: Ragged) -> tuple[Ints, Ints, Ints, Ints]:
    return first.items, first.start, second.items, second.start


def _round(
    first: Ints, second: Ints, weight: Floats, made: Ragged, makers: Ragged, table: Floats
) -> Floats:
    counts = align_words(first, second, weight, *_flat(made, makers), table) + SMOOTHING
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), SMOOTHING))
