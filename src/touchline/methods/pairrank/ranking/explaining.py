"""Why: the heaviest features of PairModels and the sentences nearest under them (Figure 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.pairrank.pair_model.model import PairModel, PairModels
from touchline.methods.pairs.pairing import Pairs

Weights = list[tuple[str, float]]


def heaviest(pairs: Pairs, models: PairModels, numbers: Iterable[int], count: int) -> Weights:
    """The features with most weight over some models: words, event values, matched names."""
    features = ["matching names"] * models.string_weights.shape[1]
    names = [*pairs.vocabulary, *pairs.columns, *features]
    total = sum((_weight_vector(pairs, models, m) for m in numbers), np.zeros(len(names)))
    order = np.argsort(-total, kind="stable")[:count]
    return [(names[i], round(float(total[i]), 4)) for i in order if total[i] > 0]


def heaviest_words(pairs: Pairs, models: PairModels, count: int) -> dict[str, Weights]:
    """For each event type the words that weigh most over the models of its pairs."""
    vocabulary = len(pairs.vocabulary)
    found = {}
    for column, name in enumerate(pairs.columns):
        if not name.startswith("type="):
            continue
        of_type = np.asarray(pairs.values[:, [column]].toarray()).ravel() > 0
        own = np.flatnonzero(of_type[pairs.row[pairs.event]])
        if len(own) == 0:
            continue
        total = sum(
            (_weight_vector(pairs, models, m)[:vocabulary] for m in own.tolist()), 0.0
        ) / len(own)
        order = np.argsort(-np.asarray(total), kind="stable")[:count]
        words = [(pairs.vocabulary[i], round(float(np.asarray(total)[i]), 4)) for i in order]
        found[name.removeprefix("type=")] = [(word, weight) for word, weight in words if weight > 0]
    return found


def nearest_sentences(
    pairs: Pairs, model: PairModel, models: PairModels, number: int, count: int
) -> list[tuple[int, float]]:
    """Sentences, other than the model's own, of the pairs on which it is most confident."""
    one = PairModels(**{name: getattr(models, name)[[number]] for name in models.__struct_fields__})
    ((_, confidences),) = list(model.confidences(one))
    best: dict[int, float] = {}
    for pair in np.argsort(-confidences[0], kind="stable").tolist():
        sentence = int(pairs.sentence[pair])
        if sentence != pairs.sentence[number]:
            best.setdefault(sentence, float(confidences[0][pair]))
        if len(best) == count:
            break
    return list(best.items())


def _weight_vector(pairs: Pairs, models: PairModels, number: int) -> Floats:
    """Θ of a model, written out: the weighted sum of its instances' vectors."""
    there = models.sentences[number] >= 0
    weights = models.weights[number][there]
    parts: Sequence[Floats] = [
        weights @ pairs.words[models.sentences[number][there]],
        weights @ pairs.values[models.rows[number][there]],
        models.string_weights[number],
    ]
    return np.concatenate([np.asarray(part).ravel() for part in parts])
