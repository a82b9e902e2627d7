"""What labels teach: python -m benchmarks.labels [OPTIONS].

    --models DIR   keep what is learned in this folder
    --sealed       with the two matches that are looked at only for reports
    --clock C      minute (default) or second

Needs TOUCHLINE_DATA. Matches of `epl-2015`, each answered by a model and a layer that have not seen
it; the layer learns from readings by models that have seen neither match. F1 and exact sets are
those after 0, 1, 2, 4 and 5 labelled matches, by a layer (the mean over all choices of them). After
1, 2 and 5, for one choice each (those that follow in the corpus), there are also those of each way
that `fit --labels` may choose, of what it chooses, and the log-likelihood of the labels. After all
five, the same for a layer with parts left out, and by how strongly weights are drawn to where they
start; F1 after 20 to 200 labelled comments of the other matches, in random order (the mean of ten)
and with those first of which the unlabelled model is least sure.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.left_out import DEV
from benchmarks.measuring import Table, real_data, show
from touchline import make_aligner, read_corpus
from touchline.evaluation import Score, score_comments
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.aligner import Chains
from touchline.methods.chains.inference.answers import answers
from touchline.methods.chains.labelled.features import Features, Inferred
from touchline.methods.chains.labelled.kinds import TEXT
from touchline.methods.chains.labelled.layer import (
    L2,
    NONE,
    START,
    Example,
    Judged,
    Layer,
    Mean,
    label_probabilities,
    learn,
    log_likelihood,
    probabilities,
)
from touchline.methods.chains.labelled.parts import PartModels
from touchline.methods.chains.labelled.set_features import LOG_POSTERIOR
from touchline.methods.chains.labelled.training import Labelled, Ways, best_way, example_of
from touchline.methods.match_store import InMemory

LABELLED = (0, 1, 2, 4, 5)
FEW, CHOSEN = (1, 2, 5), "as fit chooses"
LABELS, ORDERS = (20, 50, 100, 200), 10
STRENGTHS = (0.5, 1.0, 1.5, 3.0, 6.0)
SCORED = ("F1", "exact set", "log-likelihood")
# Parts of the layer, by the names of their features.
PARTS: dict[str, Callable[[str], bool]] = {
    "nothing": lambda name: False,
    "words": lambda name: ": " in name,
    "numbers of an event": lambda name: name in (
        "probability", "spread", "word gain", "player named first", "other player named"),
    "neighbours in a set": lambda name: name in (
        "same player", "same team", "other team", "mirror records", "events skipped",
        "seconds apart") or (", " in name and ": " not in name),
    "players covered": lambda name: name in (
        "players covered", "players left out", "first player covered"),
}  # fmt: skip


class LeftOut(NamedTuple):
    """A match, what a model makes of it that has not seen it, and the other matches' labels."""

    one: LabelledMatch
    known: Inferred
    own: Example
    others: list[Example]


def tables() -> Iterator[Table]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.labels")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--sealed", action="store_true")
    parser.add_argument("--clock", choices=("minute", "second"), default="minute")
    given = parser.parse_args()
    matches = list(read_corpus(real_data() / "epl-2015", clock=given.clock))
    scored = [m.match.name for m in matches] if given.sealed else DEV
    found = list(left_out(matches, scored, given.models))
    for part in (learning_curve, orders, ablation, strengths):
        yield part(found)
    yield ways(matches, scored, given.models)


def main() -> None:
    show(tables())


def unseen_reader(
    matches: Sequence[LabelledMatch], kept_in: Path | None
) -> Callable[..., Inferred]:
    """Infers a match with a model that has seen neither it nor the others that are named."""
    aligner = make_aligner("chains")
    assert isinstance(aligner, Chains)
    store = InMemory(aligner.condense(m.match) for m in matches)
    models = PartModels(store, aligner._learn, "benchmarks.labels", kept_in)

    def read(one: LabelledMatch, *more: LabelledMatch) -> Inferred:
        unseen = models.without([m.match for m in (one, *more)])
        assert unseen is not None
        return aligner._inferred(one.match, unseen)

    return read


def left_out(
    matches: Sequence[LabelledMatch], scored: Iterable[str], kept_in: Path | None
) -> Iterator[LeftOut]:
    read = unseen_reader(matches, kept_in)
    for one in (m for m in matches if m.match.name in scored):
        known = read(one)
        others = [_example(m, read(m, one)) for m in matches if m is not one and m.gold]
        yield LeftOut(one, known, _example(one, known), others)


def _example(one: LabelledMatch, known: Inferred) -> Example:
    return example_of(Labelled(one.match, one.gold or {}), known, "text")


def learning_curve(found: Sequence[LeftOut]) -> Table:
    rows = []
    for number in LABELLED:
        totals = []
        for choice in combinations(range(len(found[0].others)), number):
            total = Score(candidates=[])
            for one in found:
                weights = learn([one.others[i] for i in choice]) if choice else None
                total.count(answered(one, weights))
            totals.append(total.metrics())
        f1, exact = (float(np.mean([m[name] for m in totals])) for name in ("f1", "exact"))
        rows.append(_row(str(number), f1, exact))
    return Table("Labelled matches", ["labelled matches, layer alone", "F1", "exact set"], rows)


def ways(matches: Sequence[LabelledMatch], scored: Sequence[str], kept_in: Path | None) -> Table:
    rows, choices = [], []
    for number in FEW:
        found: dict[str, tuple[Score, list[float]]] = {}
        chosen: Counter[str] = Counter()
        for name in scored:
            way, each = answered_ways(matches, name, number, kept_in)
            chosen[way] += 1
            for answer, (score, likely) in {**each, CHOSEN: each[way]}.items():
                total, every = found.setdefault(answer, (Score(candidates=[]), []))
                total.count(score)
                every.append(likely)
        for answer, (total, every) in found.items():
            m = total.metrics()
            rows.append([*_row(f"{number}, {answer}", m["f1"], m["exact"]), f"{sum(every):.1f}"])
        listed = ", ".join(f"{way} for {n}" for way, n in chosen.items())
        choices.append(f"with {number} labelled: {listed}")
    head = ["labelled matches, way", "F1", "exact set", "log-likelihood"]
    return Table("Ways to use labels", head, rows, f"Chosen by `fit`, {'; '.join(choices)}.")


def answered_ways(
    matches: Sequence[LabelledMatch], name: str, number: int, kept_in: Path | None
) -> tuple[str, dict[str, tuple[Score, float]]]:
    """The way that labels of the next matches choose; score and likelihood by each way."""
    (place,) = (i for i, m in enumerate(matches) if m.match.name == name)
    one, others = matches[place], [*matches[place + 1 :], *matches[:place]]
    aligner = make_aligner("chains")
    assert isinstance(aligner, Chains)
    aligner.kept_in = kept_in
    models = aligner._parts(InMemory(aligner.condense(m.match) for m in others))
    whole, own = models.whole(), [Labelled(m.match, m.gold or {}) for m in others[:number]]
    known = aligner._inferred(one.match, whole)
    read = {False: LeftOut(one, known, _example(one, known), [])}
    by = Ways(TEXT, own, whole, models, aligner._inferred, aligner._mark)
    known = aligner._inferred(one.match, by.clamped(whole, (), own))
    read[True] = LeftOut(one, known, _example(one, known), [])
    likely = by.likelihoods(len(own) > 1)
    layers = {way: by.layers(way) for way in likely if way != NONE}
    found = {NONE: _judged(read[False], [Layer(TEXT, START)], [read[False]])}
    for way, own_layers in layers.items():
        some = [read[layer.clamped] for layer in own_layers]
        found[way] = _judged(some[0], own_layers, some)
    return best_way(likely), found


def _judged(one: LeftOut, layers: Sequence[Layer], read: Sequence[LeftOut]) -> tuple[Score, float]:
    """Score and log-likelihood by the mean of some layers; by no layer if it changes nothing."""
    pairs = list(zip(layers, read, strict=True))
    likely = np.mean([label_probabilities(r.own, layer.weights) for layer, r in pairs], axis=0)
    judged = [
        Judged(layer, r.own.features, probabilities(r.own.features, layer.weights))
        for layer, r in pairs
    ]
    by = None if layers[0] == Layer(TEXT, START) else judged[0]
    mixed = Mean(judged[0], judged[1]) if len(judged) > 1 else by
    given = answers(one.one.match, one.known.tables, one.known.agreed, None, mixed)
    return score_comments(one.one, given), log_likelihood(one.own, likely)


def ablation(found: Sequence[LeftOut]) -> Table:
    rows = []
    for part, is_part in PARTS.items():
        weights = [learn([_without(other, is_part) for other in one.others]) for one in found]
        rows.append(_scored(part, found, weights))
    return Table("Layer with parts left out", ["left out", *SCORED], rows)


def strengths(found: Sequence[LeftOut]) -> Table:
    rows = []
    for strength in STRENGTHS:
        name = f"{strength}{' (used)' if strength == L2[TEXT] else ''}"
        rows.append(_scored(name, found, [learn(one.others, strength) for one in found]))
    return Table("Strength of regularisation", ["L2", *SCORED], rows)


def orders(found: Sequence[LeftOut]) -> Table:
    rows = []
    for number in LABELS:
        orders = {"random": range(ORDERS), "least sure first": [None]}
        for order, seeds in orders.items():
            total = Score(candidates=[])
            for one in found:
                for seed in seeds:
                    total.count(answered(one, learn(first_labels(one.others, number, seed))))
            metrics = total.metrics()
            rows.append(_row(f"{number}, {order}", metrics["f1"], metrics["exact"]))
    return Table("Labelled comments", ["labelled comments, order", "F1", "exact set"], rows)


def first_labels(others: Sequence[Example], number: int, seed: int | None) -> list[Example]:
    """Some labelled comments of all matches: at random, or where the posterior is flattest."""
    keys = [
        _entropy(one.features) if seed is None else np.random.default_rng([seed, i]).random(
            len(one.target.weight)
        )
        for i, one in enumerate(others)
    ]  # fmt: skip
    ranked = [np.where(o.target.weight > 0, k, -1.0) for o, k in zip(others, keys, strict=True)]
    least = np.sort(np.concatenate(ranked))[-number]
    return [
        Example(one.features, one.target._replace(weight=one.target.weight * (own >= least)))
        for one, own in zip(others, ranked, strict=True)
    ]


def _entropy(features: Features) -> np.ndarray:
    """How unsure the unlabelled model is of each comment."""
    share = probabilities(features, {LOG_POSTERIOR: 1.0})
    return np.add.reduceat(-share * np.log(np.maximum(share, 1e-12)), features.sets.start[:-1])


def _scored(name: str, found: Sequence[LeftOut], weights: Sequence[dict[str, float]]) -> list[str]:
    total, likely = Score(candidates=[]), 0.0
    for one, own in zip(found, weights, strict=True):
        total.count(answered(one, own))
        likely += log_likelihood(one.own, label_probabilities(one.own, own))
    metrics = total.metrics()
    return [*_row(name, metrics["f1"], metrics["exact"]), f"{likely:.1f}"]


def answered(one: LeftOut, weights: dict[str, float] | None) -> Score:
    """The score of a match by a layer; without weights, by no layer."""
    features = one.own.features
    judged = weights and Judged(Layer("text", weights), features, probabilities(features, weights))
    given = answers(one.one.match, one.known.tables, one.known.agreed, None, judged or None)
    return score_comments(one.one, given)


def _without(example: Example, is_part: Callable[[str], bool]) -> Example:
    features: Features = example.features
    kept = [name for name in features.names if not is_part(name)]
    return Example(features.only(kept), example.target)


def _row(name: str, f1: float, exact: float) -> list[str]:
    return [name, f"{100 * f1:.1f}", f"{100 * exact:.1f}"]


if __name__ == "__main__":
    main()
