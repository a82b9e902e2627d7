"""Training exemplar SVMs, compared with scikit-learn and liblinear.

    python -m benchmarks.models

The corpora are the bundled matches and an invented one of the paper's size (`paper_sized`). Ours
is PairModel end to end on one core: inner products, choosing negatives, instances, Gram blocks,
solving, weights. The references fit the same SVMs one by one, on instances that are already built:
scikit-learn's LinearSVC, most of whose time is Python around the solver, and liblinear's own
routine, called directly with the same instances, costs and tolerance. A second table compares like
with like: the solvers alone, each from the input that it wants (liblinear's instances, our numbers
of instances and matrices of inner products), and training from pairs, where liblinear's instances
are built with scipy from the negatives that we chose. The references get a part of the models,
drawn by chance. All run by turns, so that whatever else the machine does hits all. Times are
medians. Memory is the growth of a fresh process' peak, BLAS workspaces included.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is there: everything here is for one core

import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
from scipy import sparse

from benchmarks.measuring import (
    Ratio,
    Strict,
    Table,
    by_turns,
    goal,
    in_fresh_process,
    peak_memory,
    show,
)
from touchline import read_corpus
from touchline.core.arrays import Floats, Ints
from touchline.methods.pairrank.aligner import PairRankOptions
from touchline.methods.pairrank.pair_model._kernels import solve_all
from touchline.methods.pairrank.pair_model.model import PairModel, PairModels
from touchline.methods.pairs.features import inner_products
from touchline.methods.pairs.negatives import Negatives, choose_negatives
from touchline.methods.pairs.pairing import Pairs, pair_up
from touchline.sample import corpus_path

REPEATS = 3
SLICE = 60  # models that LinearSVC fits, pairs whose negatives are chosen by sorting
TURNS = 10  # liblinear fits the slice so often, to be long enough to time
RATE, FASTER, MEMORY = 3_000, 10, 1_000  # the goals: models/s, times LinearSVC, MB
TOLERANCE, ROUNDS = 1e-4, 100_000  # of LinearSVC and liblinear
DEFAULTS = PairRankOptions()

# ------------------------------------------------------------------------- a corpus of that size

MATCHES, SENTENCES, EVENTS = 8, 935, 14_845
WORDS, TYPES, PASSES = 2_147, 55, 0.58
BUCKET = 42  # events in a bucket: about 39,000 pairs in all
# Categorical arguments: how many values each has, and how often it is the type's usual one.
ARGUMENTS = {"zone": (18, 0.0), "outcome": (4, 0.7), "height": (4, 0.8), "play": (8, 0.9)}


def paper_sized(seed: int = 0) -> Pairs:
    """Pairs as those of the paper's corpus: sizes from its Section 4, the rest by chance.

    Words and event types follow Zipf's law. A sentence is about an event of its bucket: it names
    that event's player and perhaps others around, and a third of its words belong to the type.
    """
    chance = np.random.default_rng(seed)
    types = _skewed(chance, TYPES, EVENTS, PASSES)
    row, values, columns = _events(chance, types)
    match = np.sort(np.arange(EVENTS) % MATCHES)
    player = 28 * match + _runs(chance, EVENTS)
    bucket = _buckets(chance, match)
    described = bucket[np.arange(SENTENCES), chance.integers(BUCKET, size=SENTENCES)]
    mentioned = _mentioned(chance, player, bucket, described)
    there = (player[bucket][:, :, None] == mentioned[:, None, :]).any(axis=2)
    sentence, place = np.nonzero(there)
    event = bucket[sentence, place]
    around = _neighbours(player, match)
    matched = (mentioned[sentence][:, :, None] == around[event][:, None, :]).any(axis=2)
    return Pairs(
        vocabulary=[f"w{i}" for i in range(WORDS)],
        columns=columns,
        players=[f"p{i}" for i in range(28 * MATCHES)],
        words=_words(chance, types[described]),
        values=values,
        row=row,
        frequency=np.bincount(types)[types].astype(float),
        named=player[:, None],
        around=around,
        mentioned=mentioned,
        sentence=sentence,
        event=event,
        strings=matched.sum(axis=1, keepdims=True).astype(float),
        lag=3.0 * (bucket[sentence, BUCKET // 2] - event),
    )


def _zipf(count: int, power: float = 1.0) -> Floats:
    weights = 1.0 / np.arange(1, count + 1) ** power
    return weights / weights.sum()


def _skewed(chance: np.random.Generator, kinds: int, size: int, first: float) -> Ints:
    """Draws of which `first` are of kind 0, the others by Zipf's law."""
    odds = np.concatenate([[first], (1 - first) * _zipf(kinds - 1)])
    return chance.choice(kinds, size, p=odds)


def _events(chance: np.random.Generator, types: Ints) -> tuple[Ints, sparse.csr_matrix, list[str]]:
    """The row of each event, the different rows, and the names of their columns."""
    parts, columns = [types], [f"type={i}" for i in range(TYPES)]
    for name, (kinds, share) in ARGUMENTS.items():
        usual = chance.random(EVENTS) < share
        drawn = np.where(usual, types % kinds, chance.choice(kinds, EVENTS, p=_zipf(kinds)))
        parts.append(len(columns) + drawn)
        columns += [f"{name}={i}" for i in range(kinds)]
    different, row = np.unique(np.stack(parts, axis=1), axis=0, return_inverse=True)
    return row.ravel(), _binary(different, len(columns)), columns


def _binary(rows: Ints, width: int) -> sparse.csr_matrix:
    """Padded rows of column numbers as a binary matrix."""
    where, place = np.nonzero(rows >= 0)
    matrix = sparse.csr_matrix(
        (np.ones(len(where), np.float32), (where, rows[where, place])), (len(rows), width)
    )
    matrix.data[:] = 1  # a column that was drawn twice counts once
    return matrix


def _runs(chance: np.random.Generator, size: int) -> Ints:
    """Acting players, 0-27 of a match: substitutes have few events, the next is often the same."""
    drawn = chance.choice(28, size, p=_zipf(28, 0.4))
    new = chance.random(size) < 0.75
    new[0] = True
    return drawn[np.maximum.accumulate(np.where(new, np.arange(size), 0))]


def _neighbours(player: Ints, match: Ints) -> Ints:
    """The players of each event and of those before and after it in its match; -1 for none."""
    places = np.arange(len(player))[:, None] + [0, -1, 1]
    inside = np.clip(places, 0, len(player) - 1)
    return np.where((places == inside) & (match[inside] == match[:, None]), player[inside], -1)


def _buckets(chance: np.random.Generator, match: Ints) -> Ints:
    """Consecutive events of one match for each sentence, in the order of time."""
    of = np.sort(np.arange(SENTENCES) % MATCHES)
    first, last = np.searchsorted(match, of), np.searchsorted(match, of, side="right")
    start = first + (chance.random(SENTENCES) * (last - first - BUCKET)).astype(np.int64)
    return np.sort(start)[:, None] + np.arange(BUCKET)


def _mentioned(chance: np.random.Generator, player: Ints, bucket: Ints, described: Ints) -> Ints:
    """The players whom each sentence names: the event's own, one or two others around or none."""
    others = player[
        bucket[np.arange(SENTENCES)[:, None], chance.integers(BUCKET, size=(SENTENCES, 2))]
    ]
    others[chance.random(others.shape) > 0.4] = -1
    others[others == player[described][:, None]] = -1
    others[others[:, 0] == others[:, 1], 1] = -1
    return np.concatenate([player[described][:, None], np.sort(others)[:, ::-1]], axis=1)


def _words(chance: np.random.Generator, types: Ints) -> sparse.csr_matrix:
    """About 12 different words a sentence, four of them from the 40 of the event's type."""
    plain = chance.choice(WORDS, (SENTENCES, 9), p=_zipf(WORDS))
    shift = 40 * (1 + types)[:, None] % (WORDS - 40)
    typical = shift + chance.choice(40, (SENTENCES, 4), p=_zipf(40))
    return _binary(np.concatenate([plain, typical], axis=1), WORDS)


# ------------------------------------------------------------------------------------- measuring


def sample_pairs() -> Pairs:
    """The pairs of the bundled matches."""
    return pair_up([labelled.match for labelled in read_corpus(corpus_path())], DEFAULTS.reading())


def singles(pairs: Pairs) -> list[tuple[int]]:
    """Groups of one pair each: every pair gets a model of its own."""
    return [(pair,) for pair in range(len(pairs))]


# --------------------------------------------------------------------------------- exemplar SVMs


class Trained(NamedTuple):
    """Models a second of each, objectives compared, MB that training adds to a process."""

    name: str
    models: int
    ours: float
    linear_svc: float
    liblinear: float
    worst: float
    memory: float


def pair_model(pairs: Pairs) -> PairModel:
    return PairModel(pairs, count=DEFAULTS.negatives, pairing=DEFAULTS.pairing,
                     cost=DEFAULTS.cost, seed=DEFAULTS.seed)  # fmt: skip


def train(pairs: Pairs) -> PairModels:
    """PairModel end to end."""
    return pair_model(pairs).train(singles(pairs))


class Problem(NamedTuple):
    """One SVM as scikit-learn wants it, and our solution as a weight vector."""

    instances: sparse.csr_matrix
    labels: Floats
    weights: Floats

    @property
    def balance(self) -> float:
        """How much more a positive costs than a negative."""
        return float((self.labels < 0).sum() / (self.labels > 0).sum())


def drawn_problems(pairs: Pairs) -> list[Problem]:
    """Some of the SVMs, drawn by chance."""
    model = pair_model(pairs)
    models = model.train(singles(pairs))
    drawn = np.random.default_rng(0).choice(len(models), min(SLICE, len(models)), replace=False)
    return [problem(model, models, int(m)) for m in drawn]


def problem(model: PairModel, models: PairModels, m: int) -> Problem:
    """The SVM of a single pair."""
    pairs, there = model.pairs, model.negatives.sentences[m] >= 0
    used = models.sentences[m] >= 0
    labels = np.where(np.arange(used.sum()) < models.positives[m], 1.0, -1.0)
    strings = np.zeros((len(labels), pairs.strings.shape[1]))
    strings[0], strings[1:, 0] = pairs.strings[m], model.negatives.strings[m, there]
    instances = sparse.hstack(
        [pairs.words[models.sentences[m, used]], pairs.values[models.rows[m, used]], strings]
    )
    instances = instances.tocsr().astype(float)
    return Problem(instances, labels, models.weights[m, used] @ instances)


def fit_linear_svc(problems: list[Problem]) -> list[Floats]:
    """The weight vectors of LinearSVC; its tolerance is the loosest that comes near to ours."""
    from sklearn.svm import LinearSVC

    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in problems:
            svm = LinearSVC(C=DEFAULTS.cost, class_weight={1: each.balance, -1: 1.0},
                            loss="squared_hinge", fit_intercept=False, dual=True, tol=TOLERANCE,
                            max_iter=ROUNDS, random_state=0)  # fmt: skip
            found.append(svm.fit(each.instances, each.labels).coef_[0])
    return found


SQUARED_HINGE_DUAL, NO_BIAS, SEED, UNUSED = 1, -1.0, 0, 0.1


class Prepared(NamedTuple):
    """The arguments of liblinear's routine, in the order in which it wants them."""

    instances: sparse.csr_matrix
    classes: Floats
    is_sparse: bool
    solver: int
    tolerance: float
    bias: float
    cost: float
    class_weights: Floats
    rounds: int
    seed: int
    epsilon: float
    sample_weights: Floats


def prepared(each: Problem) -> Prepared:
    return Prepared(
        each.instances, (each.labels > 0).astype(float), True, SQUARED_HINGE_DUAL, TOLERANCE,
        NO_BIAS, DEFAULTS.cost, np.array([1.0, each.balance]), ROUNDS, SEED, UNUSED,
        np.ones(len(each.labels)),
    )  # fmt: skip


def fit_liblinear(given: list[Prepared]) -> list[Floats]:
    """The weight vectors of liblinear's routine, without anything of scikit-learn around it."""
    from sklearn.svm._liblinear import set_verbosity_wrap, train_wrap

    set_verbosity_wrap(0)  # otherwise it prints how each fit went
    return [np.asarray(train_wrap(*each)[0]).ravel() for each in given]


def objective(each: Problem, weights: Floats) -> float:
    """The primal objective: c for negatives, N-/N+ times as much for positives."""
    cost = DEFAULTS.cost * np.where(each.labels > 0, each.balance, 1.0)
    slack = np.maximum(1 - each.labels * (each.instances @ weights), 0)
    return float(weights @ weights / 2 + cost @ slack**2)


def measure_models(name: str, pairs: Pairs) -> Trained:
    """Train by turns with all three, and compare the objectives that they reach."""
    problems = drawn_problems(pairs)
    given = [prepared(each) for each in problems]
    ours, linear_svc, liblinear = by_turns(
        REPEATS,
        lambda: train(pairs),
        lambda: fit_linear_svc(problems),
        lambda: [fit_liblinear(given) for _ in range(TURNS)],
    )
    differences = [
        objective(p, weights) / objective(p, p.weights) - 1
        for found in (fit_linear_svc(problems), fit_liblinear(given))
        for p, weights in zip(problems, found, strict=True)
    ]
    rates = len(pairs) / ours, len(problems) / linear_svc, TURNS * len(problems) / liblinear
    memory = in_fresh_process(_memory_of_training, name)
    return Trained(name, len(pairs), *rates, max(differences, key=abs), memory)


class Alike(NamedTuple):
    """Microseconds a model of ours and of liblinear: the solvers alone, and all from pairs."""

    name: str
    solver: float
    liblinear: float
    training: float
    from_pairs: float


def measure_alike(name: str, pairs: Pairs) -> Alike:
    """Our solver and liblinear's on what each wants; then both from pairs."""
    model = pair_model(pairs)
    models = model.train(singles(pairs))
    given = [prepared(each) for each in drawn_problems(pairs)]
    problems = (*model.instances(singles(pairs)), model.cost, *model.products)
    some = range(min(SLICE, len(models)))

    def from_pairs() -> list[Floats]:
        return fit_liblinear([prepared(problem(model, models, m)) for m in some])

    solver, liblinear, training, theirs, negatives = by_turns(
        REPEATS,
        lambda: solve_all(*problems),
        lambda: [fit_liblinear(given) for _ in range(TURNS)],
        lambda: train(pairs),
        from_pairs,
        lambda: pair_model(pairs),
    )
    each = 1e6 / len(pairs)
    return Alike(name, solver * each, 1e6 * liblinear / TURNS / len(given), training * each,
                 1e6 * theirs / len(some) + negatives * each)  # fmt: skip


def _memory_of_training(name: str) -> float:
    train(sample_pairs())  # the compiled kernels belong to the process, not to the corpus
    pairs = CORPORA[name]()
    before = peak_memory()
    train(pairs)
    return peak_memory() - before


# --------------------------------------------------------------------------------------- negatives


class Chosen(NamedTuple):
    """Pairs a second of either, and whether they chose the same."""

    name: str
    ours: float
    sorting: float
    same: bool


def choose(pairs: Pairs) -> Negatives:
    products = inner_products(pairs.words), inner_products(pairs.values)
    return choose_negatives(pairs, *products, DEFAULTS.negatives)


def choose_by_sorting(pairs: Pairs, some: Ints) -> tuple[Ints, Ints]:
    """Lines 3-6 of Algorithm 1 as they stand: sort all sentences and all events by distance."""
    words, values = pairs.words.toarray(), pairs.values.toarray()[pairs.row]
    squares = (words**2).sum(axis=1), (values**2).sum(axis=1)
    halves: list[tuple[list[int], list[int]]] = []
    for p in some:
        s, e = pairs.sentence[p], pairs.event[p]
        far_from_s = np.sqrt(np.maximum(squares[0] + squares[0][s] - 2 * (words @ words[s]), 0))
        far_from_e = np.sqrt(np.maximum(squares[1] + squares[1][e] - 2 * (values @ values[e]), 0))
        near_s, far_s = _sorted(far_from_s)
        near_e, far_e = _sorted(far_from_e)
        near, far = _zipped(pairs, near_s, far_e), _zipped(pairs, far_s, near_e)
        halves.append((near[0] + far[0], near[1] + far[1]))
    sentences, events = np.array(halves).swapaxes(0, 1)
    return sentences, events


def _sorted(distance: Floats) -> tuple[Ints, Ints]:
    """Who is near and who is far, in that order, without the identical ones."""
    near, far = np.argsort(distance, kind="stable"), np.argsort(-distance, kind="stable")
    return near[distance[near] > 0], far[distance[far] > 0]


def _zipped(pairs: Pairs, sentences: Ints, events: Ints) -> tuple[list[int], list[int]]:
    """The t-th sentence with the t-th event, or the next whose player it does not name."""
    count = DEFAULTS.negatives
    chosen = []
    for t, s in enumerate(sentences[:count].tolist()):
        mentioned = set(pairs.mentioned[s].tolist()) - {-1}
        later = (int(e) for e in events[t:] if mentioned.isdisjoint(pairs.named[e].tolist()))
        chosen.append((s, next(later)))
    return [s for s, _ in chosen], [e for _, e in chosen]


def measure_negatives(name: str, pairs: Pairs) -> Chosen:
    some = np.random.default_rng(0).choice(len(pairs), min(SLICE, len(pairs)), replace=False)
    ours, sorting = by_turns(REPEATS, lambda: choose(pairs), lambda: choose_by_sorting(pairs, some))
    mine, (sentences, events) = choose(pairs), choose_by_sorting(pairs, some)
    same = np.array_equal(mine.sentences[some], sentences) and np.array_equal(
        mine.events[some], events
    )
    return Chosen(name, len(pairs) / ours, len(some) / sorting, same)


# ------------------------------------------------------------------------------------------ report

CORPORA: dict[str, Callable[[], Pairs]] = {
    "bundled sample": sample_pairs,
    "the paper's size": paper_sized,
}


def describe(name: str, pairs: Pairs) -> str:
    rows, words = pairs.values.shape[0], len(pairs.vocabulary)
    return (
        f"{name}: {pairs.words.shape[0]:,} sentences, {words:,} words, {len(pairs.row):,} events "
        f"({rows:,} different), {len(pairs):,} pairs with a matching name"
    )


def tables() -> Iterator[Table]:
    corpora = {name: make() for name, make in CORPORA.items()}
    about = "; ".join(describe(name, pairs) for name, pairs in corpora.items())
    yield _trained([measure_models(name, pairs) for name, pairs in corpora.items()], about)
    yield _alike([measure_alike(name, pairs) for name, pairs in corpora.items()])
    yield _chosen([measure_negatives(name, pairs) for name, pairs in corpora.items()])


def _trained(found: list[Trained], about: str) -> Table:
    rows = [
        (t.name, f"{t.models:,}", f"{t.ours:,.0f}", f"{t.linear_svc:,.0f}",
         f"{t.ours / t.linear_svc:.1f}x", f"{t.liblinear:,.0f}", f"{t.ours / t.liblinear:.2f}x",
         f"{t.worst:+.1e}", f"{t.memory:.0f}")
        for t in found
    ]  # fmt: skip
    slowest, least = min(t.ours for t in found), min(t.ours / t.linear_svc for t in found)
    notes = (
        f"{about}. Ours includes choosing negatives and building the problems; the others "
        f"are given both. Their objective: relative to ours, minus 1; worst of {SLICE} of each "
        f"(tol {TOLERANCE:g}). Goals: {RATE:,} models/s on a core {goal(slowest >= RATE)}, "
        f"{FASTER} times LinearSVC {goal(least >= FASTER)}, {MEMORY:,} MB at the paper's size "
        f"{goal(found[-1].memory <= MEMORY)}."
    )
    head = ["corpus", "models", "ours/s", "LinearSVC/s", "ratio", "liblinear's routine/s", "ratio",
            "their objective", "MB"]  # fmt: skip
    ratios = [
        Ratio(f"exemplar SVMs, {t.name}", "a loop of LinearSVC", t.ours / t.linear_svc, t.memory,
              Strict("liblinear's routine, called directly", t.ours / t.liblinear))
        for t in found
    ]  # fmt: skip
    return Table("Exemplar SVMs", head, rows, notes, ratios)


def _alike(found: list[Alike]) -> Table:
    rows = [
        (a.name, f"{a.solver:.1f}", f"{a.liblinear:.1f}", f"{a.liblinear / a.solver:.2f}x",
         f"{a.training:.1f}", f"{a.from_pairs:.1f}", f"{a.from_pairs / a.training:.1f}x")
        for a in found
    ]  # fmt: skip
    head = ["corpus", "our solver: us", "liblinear's: us", "ratio", "from pairs, ours: us",
            "with liblinear: us", "ratio"]  # fmt: skip
    ratios = [
        Ratio(f"{what}, {a.name}", against, theirs / ours)
        for what, against, pick in (
            ("the SVM solver alone", "liblinear's routine", lambda a: (a.liblinear, a.solver)),
            ("SVMs from pairs", "liblinear, instances by scipy",
             lambda a: (a.from_pairs, a.training)),
        )
        for a in found
        for theirs, ours in [pick(a)]
    ]  # fmt: skip
    notes = (
        f"Times per model. liblinear as in scikit-learn {version('scikit-learn')} (`train_wrap`, "
        f"tol {TOLERANCE:g}); our solutions are exact up to rounding. Both train on our negatives."
    )
    return Table("Like with like", head, rows, notes, ratios)


def _chosen(found: list[Chosen]) -> Table:
    rows = [
        (c.name, f"{c.ours:,.0f}", f"{c.sorting:,.0f}", f"{c.ours / c.sorting:.1f}x",
         "yes" if c.same else "NO")
        for c in found
    ]  # fmt: skip
    head = ["corpus", "ours: pairs/s", "sorting: pairs/s", "ratio", "the same negatives"]
    ratios = [Ratio(f"negatives, {c.name}", "argsort", c.ours / c.sorting) for c in found]
    return Table("Choosing negatives", head, rows, ratios=ratios)


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
