"""Learning a layer from the words that annotators have given to events.

As with links, labels that are left out decide: a layer that makes them less probable is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from touchline.core.links import Spans
from touchline.core.records import CommentId, Match
from touchline.methods.base import Label
from touchline.methods.chains.labelled.kinds import MIN_MATCHES, kind_of
from touchline.methods.chains.words.finder import WordFinder
from touchline.methods.chains.words.layer import Example, WordLayer, learn, log_likelihood
from touchline.methods.logs import log_sketch

# So many comments with labelled words of a kind of text are needed.
MIN_COMMENTS = 20
# To so many digits weights are kept: the others differ from machine to machine.
DIGITS = 4


class LabelledWords(NamedTuple):
    """A match, the words of some events of its comments, and the links of the same comments."""

    match: Match
    words: Mapping[CommentId, Mapping[str, Spans]]
    links: Mapping[CommentId, Label]


def learn_word_layers(
    labelled: Sequence[LabelledWords],
    before: Sequence[WordLayer],
    finder_of: Callable[[Match], WordFinder],
) -> tuple[WordLayer, ...]:
    """A layer for each kind of text that has enough labelled words.

    Weights are drawn to those of the layers that were there `before`, which stay where there are
    too few labels.
    """
    known = {layer.kind: layer for layer in before}
    for kind in MIN_MATCHES:
        own = [one for one in labelled if one.words and kind_of(one.match) == kind]
        if sum(len(one.words) for one in own) >= MIN_COMMENTS:
            known[kind] = _learn_layer(kind, own, known.get(kind, WordLayer(kind, {})), finder_of)
    return tuple(known.values())


def _learn_layer(
    kind: str,
    labelled: Sequence[LabelledWords],
    before: WordLayer,
    finder_of: Callable[[Match], WordFinder],
) -> WordLayer:
    folds = [examples for one in labelled for examples in _folds(one, len(labelled), finder_of)]
    likely = [0.0, 0.0]
    for number, held in enumerate(folds):
        others = [example for fold in (*folds[:number], *folds[number + 1 :]) for example in fold]
        likely[0] += log_likelihood(held, before.weights)
        likely[1] += log_likelihood(held, learn(others, before.weights))
    without, with_layer = (round(value, 1) for value in likely)
    weights = before.weights
    if with_layer > without:
        learned = learn([example for fold in folds for example in fold], before.weights)
        weights = {name: w for name, v in learned.items() if (w := round(v, DIGITS))}
    logs = sorted({tuple(log) for log in (*before.logs, *(log_sketch(m.match) for m in labelled))})
    comments = sum(len(one.words) for one in labelled)
    return WordLayer(kind, weights, len(labelled), comments, (without, with_layer), tuple(logs))


def _folds(
    one: LabelledWords, matches: int, finder_of: Callable[[Match], WordFinder]
) -> Iterator[list[Example]]:
    """The labels of a match; of a single one, each half of them."""
    finder, ids = finder_of(one.match), list(one.words)
    links = {comment: _likeliest(label) for comment, label in one.links.items()}
    parts = [ids] if matches > 1 else [ids[: len(ids) // 2], ids[len(ids) // 2 :]]
    for part in parts:
        yield finder.examples({comment: one.words[comment] for comment in part}, links)


def _likeliest(label: Label) -> frozenset[str]:
    """What counts most of what annotators say about a comment."""
    if not isinstance(label, Mapping):
        return label
    return max(label, key=lambda events: (label[events], sorted(events)), default=frozenset())
