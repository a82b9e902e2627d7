"""Learning from labelled matches, and choosing how labels answer.

A model is surer of the matches that it was learned from. A layer that learned from such readings
would trust them too much in matches that are new, so each match is read by a model that has not
seen it. The same readings say how probable labels are by a layer, by clamped EM, by both, or by
neither, when they are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from touchline.core.arrays import Floats
from touchline.core.records import CommentId, Match
from touchline.methods.base import Label
from touchline.methods.chains.inference.ensemble import Learned
from touchline.methods.chains.labelled.features import Inferred
from touchline.methods.chains.labelled.kinds import (
    MIN_CLAMPED,
    MIN_LABELS,
    MIN_MATCHES,
    SPEECH,
    kind_of,
)
from touchline.methods.chains.labelled.layer import (
    BOTH,
    CLAMPED,
    L2,
    LAYER,
    NONE,
    START,
    WAYS,
    Example,
    LabelChoice,
    Layer,
    features_of,
    label_probabilities,
    learn,
    log_likelihood,
    way_of,
)
from touchline.methods.chains.labelled.parts import PartModels
from touchline.methods.chains.labelled.targets import Said, target_of
from touchline.methods.chains.model.seen import Sketch
from touchline.methods.logs import log_sketch

# So many models at most are learned, each without some of the labelled matches.
FOLDS = 6
# So many rounds of clamped EM follow those without labels.
CLAMPED_ROUNDS = 3
# To so many digits weights are kept: the others differ from machine to machine.
DIGITS = 4


class Labelled(NamedTuple):
    """A match and what annotators say about some of its comments."""

    match: Match
    labels: Mapping[CommentId, Label]


Infer = Callable[[Match, Learned], Inferred]
# What a match is recognised by while labels are learned.
Mark = Callable[[Match], str]


class Taught(NamedTuple):
    """What labels have taught, as the fields of `Learned` of these names."""

    layers: tuple[Layer, ...]
    clamped: Mapping[str, Learned]
    choices: tuple[LabelChoice, ...]


class Fold(NamedTuple):
    """Labels that are held out, and those that are learned from meanwhile.

    `unseen` are the matches whose text is left out too.
    """

    held: Sequence[Labelled]
    others: Sequence[Labelled]
    unseen: Sequence[Match]


def learn_labels(
    labelled: Sequence[Labelled], whole: Learned, models: PartModels, infer: Infer, mark: Mark
) -> Taught:
    """What labels teach about each kind of text that has enough of them.

    `whole` is the model of all matches, without labels. Labels answer in the way by which labels
    that are left out are the most probable; of equals, the simplest.
    """
    layers, clamped, choices = [], {}, []
    for kind, minimum in MIN_MATCHES.items():
        own = [one for one in labelled if one.labels and kind_of(one.match) == kind]
        comments = sum(len(one.labels) for one in own)
        if comments < MIN_CLAMPED:
            continue
        ways = Ways(kind, own, whole, models, infer, mark)
        likely = ways.likelihoods(len(own) >= minimum and comments >= MIN_LABELS)
        way = best_way(likely)
        choices.append(LabelChoice(kind, way, len(own), comments, likely))
        if way != NONE:
            layers += ways.layers(way)
        if way in (CLAMPED, BOTH):
            clamped[kind] = ways.clamped(whole, (), own)
    return Taught(tuple(layers), clamped, tuple(choices))


def with_enough_labels(labelled: Sequence[Labelled]) -> Iterator[tuple[str, list[Labelled]]]:
    """The kinds of text that have enough labels for a layer, with those."""
    for kind, minimum in MIN_MATCHES.items():
        own = [one for one in labelled if one.labels and kind_of(one.match) == kind]
        if len(own) >= minimum and sum(len(one.labels) for one in own) >= MIN_LABELS:
            yield kind, own


def best_way(likely: Mapping[str, float]) -> str:
    """The way with the highest log-likelihood, to a whole number; of equals, the simplest."""
    return max(WAYS, key=lambda way: round(likely[way]) if way in likely else -math.inf)


def learn_more(
    kind: str,
    labelled: Sequence[Labelled],
    before: Layer | None,
    infer: Callable[[Match], Inferred],
) -> Layer:
    """What labels teach beside what a layer has learned from the labels of others.

    Weights are drawn to those of that layer. No match is known to the model of the layer, so that
    `infer` is as unsure of them as of any other.
    """
    known = before or Layer(kind, START)
    examples = [example_of(one, infer(one.match), kind) for one in labelled]
    layer = layer_of(kind, examples, [one.match for one in labelled], known.weights)
    return known._replace(weights=layer.weights, logs=(*known.logs, *layer.logs))


def choice_of(layers: Sequence[Layer], labelled: Sequence[Labelled]) -> LabelChoice:
    """What is said about layers between which nothing had to be chosen."""
    comments = sum(len(one.labels) for one in labelled)
    return LabelChoice(layers[0].kind, way_of(layers), len(labelled), comments, {})


class Ways:
    """The ways in which labels of a kind of text may answer."""

    def __init__(
        self,
        kind: str,
        labelled: Sequence[Labelled],
        whole: Learned,
        models: PartModels,
        infer: Infer,
        mark: Mark,
    ) -> None:
        self._kind, self._labelled, self._models, self._infer = kind, labelled, models, infer
        self._marks = {one.match.name: mark(one.match) for one in labelled}
        # What is read of each fold without labels, and by clamped EM.
        self._read: dict[bool, list[list[Example]]] = {False: [], True: []}
        for fold in folds(labelled):
            model = models.without(fold.unseen) if fold.unseen else whole
            if model is not None:
                self._read[False].append(self._examples(fold, model))
                clamped = self.clamped(model, fold.unseen, fold.others)
                self._read[True].append(self._examples(fold, clamped))

    def clamped(
        self, model: Learned, unseen: Sequence[Match], labelled: Sequence[Labelled]
    ) -> Learned:
        """A model after some rounds in which labelled comments describe what labels say."""
        clamps = {self._marks[one.match.name]: _likeliest(one) for one in labelled}
        return self._models.clamped(model, unseen, clamps)

    def likelihoods(self, with_layer: bool) -> dict[str, float]:
        """The log-likelihood of labels that were left out, for each way."""
        found = {NONE: self._held_out(False, START), CLAMPED: self._held_out(True, START)}
        if with_layer:
            found[LAYER], second = self._held_out(False), self._held_out(True)
            pairs = zip(found[LAYER], second, strict=True)
            found[BOTH] = [(one + two) / 2 for one, two in pairs]
        examples = [example for fold in self._read[False] for example in fold]
        return {
            way: round(sum(map(log_likelihood, examples, found[way])), 1)
            for way in WAYS
            if way in found
        }

    def layers(self, way: str) -> list[Layer]:
        """What answers in a way, learned from all labels."""
        matches = [one.match for one in self._labelled]
        if way == CLAMPED:
            return [Layer(self._kind, START, _logs(matches), clamped=True)]
        found = []
        for clamped in (False, True) if way == BOTH else (False,):
            examples = [example for fold in self._read[clamped] for example in fold]
            layer = layer_of(self._kind, examples, matches)
            found.append(layer._replace(clamped=clamped))
        return found

    def _examples(self, fold: Fold, model: Learned) -> list[Example]:
        return [example_of(one, self._infer(one.match, model), self._kind) for one in fold.held]

    def _held_out(self, clamped: bool, weights: Mapping[str, float] | None = None) -> list[Floats]:
        """Of each match the probabilities of its labels, by these weights or what others teach."""
        read, found = self._read[clamped], []
        for number, held in enumerate(read):
            others = [one for fold in (*read[:number], *read[number + 1 :]) for one in fold]
            own = learn(others, L2[self._kind]) if weights is None else weights
            found += [label_probabilities(one, own) for one in held]
        return found


def layer_of(
    kind: str,
    examples: Sequence[Example],
    matches: Sequence[Match],
    prior: Mapping[str, float] = START,
) -> Layer:
    """What examples of a kind teach, from the labels of some matches."""
    weights = learn(examples, L2[kind], prior)
    rounded = {name: round(weight, DIGITS) for name, weight in weights.items()}
    kept = {name: weight for name, weight in rounded.items() if weight}
    return Layer(kind, kept, _logs(matches))


def _logs(matches: Sequence[Match]) -> tuple[Sketch, ...]:
    return tuple(sorted(log_sketch(match) for match in matches))


def folds(labelled: Sequence[Labelled]) -> Iterator[Fold]:
    """The labelled matches in groups, of one match each while they are few.

    Of a single match each half of the labels is held out. Its text is not: all that there is to
    learn from may be this match.
    """
    if len(labelled) == 1:
        first, second = _halves(labelled[0])
        yield Fold([first], [second], ())
        yield Fold([second], [first], ())
        return
    for number in range(min(FOLDS, len(labelled))):
        held = labelled[number::FOLDS]
        others = [one for place, one in enumerate(labelled) if place % FOLDS != number]
        yield Fold(held, others, [one.match for one in held])


def _halves(one: Labelled) -> tuple[Labelled, Labelled]:
    """The labels of a match up to the middle one, and after it."""
    ids = [comment.id for comment in one.match.comments if comment.id in one.labels]
    parts = ids[: len(ids) // 2], ids[len(ids) // 2 :]
    first, second = ({name: one.labels[name] for name in part} for part in parts)
    return Labelled(one.match, first), Labelled(one.match, second)


def example_of(one: Labelled, known: Inferred, kind: str) -> Example:
    """The labels of a match, beside what a model has inferred of it."""
    features = features_of(known, speech=kind == SPEECH)
    return Example(features, target_of(features.sets, numbered(one)))


def _likeliest(one: Labelled) -> dict[int, frozenset[int]]:
    """What counts most of what annotators say about each comment."""
    return {
        comment: max(said, key=lambda events: (said[events], sorted(events)))
        for comment, said in numbered(one).items()
        if said
    }


def numbered(one: Labelled) -> dict[int, Said]:
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
