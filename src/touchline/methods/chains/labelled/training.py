"""Learning layers from labelled matches, each read by a model that has not seen it.

A model is surer of the matches that it was learned from. A layer that learned from such readings
would trust them too much in matches that are new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from touchline.core.records import CommentId, Match
from touchline.methods.base import Label
from touchline.methods.chains.inference.ensemble import Learned
from touchline.methods.chains.labelled.features import Inferred
from touchline.methods.chains.labelled.kinds import MIN_LABELS, MIN_MATCHES, SPEECH, kind_of
from touchline.methods.chains.labelled.layer import L2, Example, Layer, features_of, learn
from touchline.methods.chains.labelled.targets import Said, target_of
from touchline.methods.logs import log_sketch

# So many models at most are learned, each without some of the labelled matches.
FOLDS = 6
# To so many digits weights are kept: the others differ from machine to machine.
DIGITS = 4


class Labelled(NamedTuple):
    """A match and what annotators say about some of its comments."""

    match: Match
    labels: Mapping[CommentId, Label]


# Learns from all matches but these; None if no other is left.
LearnWithout = Callable[[Sequence[Match]], Learned | None]
Infer = Callable[[Match, Learned], Inferred]


def learn_layers(
    labelled: Sequence[Labelled], without: LearnWithout, infer: Infer
) -> tuple[Layer, ...]:
    """A layer for each kind of text that has enough labels."""
    layers = []
    for kind, minimum in MIN_MATCHES.items():
        own = [one for one in labelled if one.labels and kind_of(one.match) == kind]
        if len(own) < minimum or sum(len(one.labels) for one in own) < MIN_LABELS:
            continue
        examples = [
            example_of(one, infer(one.match, model), kind)
            for fold in folds(own)
            if (model := without([one.match for one in fold])) is not None
            for one in fold
        ]
        if not examples:
            continue
        layers.append(layer_of(kind, examples, [one.match for one in own]))
    return tuple(layers)


def layer_of(kind: str, examples: Sequence[Example], matches: Sequence[Match]) -> Layer:
    """What examples of a kind teach, from the labels of some matches."""
    weights = learn(examples, L2[kind])
    rounded = {name: round(weight, DIGITS) for name, weight in weights.items()}
    kept = {name: weight for name, weight in rounded.items() if weight}
    return Layer(kind, kept, tuple(sorted(log_sketch(match) for match in matches)))


def folds(labelled: Sequence[Labelled]) -> Iterator[Sequence[Labelled]]:
    """The labelled matches in groups, of one match each while they are few."""
    for number in range(min(FOLDS, len(labelled))):
        yield labelled[number::FOLDS]


def example_of(one: Labelled, known: Inferred, kind: str) -> Example:
    """The labels of a match, beside what a model has inferred of it."""
    features = features_of(known, speech=kind == SPEECH)
    return Example(features, target_of(features.sets, _numbered(one)))


def _numbered(one: Labelled) -> dict[int, Said]:
    """Labels by the numbers of comments and events; events that are no candidates are left out."""
    event = {e.id: i for i, e in enumerate(one.match.linkable)}

    def numbers(ids: frozenset[str]) -> frozenset[int]:
        return frozenset(event[name] for name in ids if name in event)

    found: dict[int, Said] = {}
    for place, comment in enumerate(one.match.comments):
        if (label := one.labels.get(comment.id)) is not None:
            said = label if isinstance(label, Mapping) else {label: 1.0}
            found[place] = {numbers(ids): counts for ids, counts in said.items()}
    return found
