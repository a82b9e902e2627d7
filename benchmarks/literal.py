"""The paper's whole system at the paper's size, beside its algorithms as they are printed.

    python -m benchmarks.literal

Printed, every pair and every merge has its negatives sorted out, its SVM trained, all pairs ranked
by it, and PairRank iterated over all of them anew. That would take weeks: each step is timed
on a slice, drawn by chance, and multiplied by how often it is done; how many merges are tried is
counted in our own run. Ours is run whole, in a fresh process.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is there: everything here is for one core

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from benchmarks.measuring import Ratio, Table, in_fresh_process, peak_memory, seconds, show
from benchmarks.models import (
    SLICE,
    choose_by_sorting,
    fit_linear_svc,
    paper_sized,
    problem,
    singles,
    train,
)
from benchmarks.pairrank import OPTIONS, make_graph, power_iteration, warm_up
from touchline.pairs.pairing import Floats, Ints, Pairs
from touchline.ranking.graph import rank_liked
from touchline.ranking.macro_events import Group, macro_events
from touchline.ranking.merging import Bordered
from touchline.ranking.pair_rank import pair_rank
from touchline.ranking.system import make_model


class Ours(NamedTuple):
    """Seconds and MB of the whole run; how many merges were tried."""

    seconds: float
    peak: float
    merges: int


class Counted:
    """Asks another for the popularity of merges, and counts them."""

    def __init__(self, merged: Bordered) -> None:
        self.merged, self.count = merged, 0

    def __call__(self, groups: Sequence[Group]) -> Floats:
        self.count += len(groups)
        return self.merged(groups)


def run_ours() -> Ours:
    """From pairs to macro-events; made for a fresh process."""
    warm_up()
    pairs, merges = paper_sized(), []

    def whole() -> None:
        model = make_model(pairs, OPTIONS)
        graph = make_graph(pairs, model, model.train(singles(pairs)))
        rho = pair_rank(graph.edges, graph.own, graph.frequency, OPTIONS.rank)
        counted = Counted(Bordered(model, graph, OPTIONS.rank))
        macro_events(pairs, rho, OPTIONS.k, counted)
        merges.append(counted.count)

    took = seconds(whole)
    return Ours(took, peak_memory(), merges[0])


class Steps(NamedTuple):
    """Seconds of the printed steps: for one pair each, and of one PairRank."""

    negatives: float
    svm: float
    ranks: float
    pair_rank: float

    def total(self, pairs: int, merges: int) -> float:
        each = self.negatives + self.svm + self.ranks
        return pairs * each + self.pair_rank + merges * (each + self.pair_rank)


def literal(pairs: Pairs) -> Steps:
    """The printed steps, timed on a slice."""
    models = train(pairs)
    some = np.random.default_rng(0).choice(len(pairs), SLICE, replace=False)
    problems = [problem(pairs, models, int(m)) for m in some]
    every = vectors(pairs)
    fit_linear_svc(problems[:1])  # imports are nobody's time
    graph = make_graph(pairs, make_model(pairs, OPTIONS), models)
    dense = graph.edges.toarray()
    return Steps(
        seconds(choose_by_sorting, pairs, some) / SLICE,
        seconds(fit_linear_svc, problems) / SLICE,
        seconds(rank_each, every, [p.weights for p in problems]) / SLICE,
        seconds(power_iteration, dense, graph.own, graph.frequency),
    )


def vectors(pairs: Pairs) -> np.ndarray:
    """The features of every pair, written out."""
    rows: Ints = pairs.row[pairs.event]
    parts = [pairs.words[pairs.sentence], pairs.values[rows], sparse.csr_matrix(pairs.strings)]
    return np.asarray(sparse.hstack(parts).toarray(), dtype=float)


def rank_each(every: np.ndarray, weights: list[Floats]) -> None:
    for own in weights:
        rank_liked(every @ own)


def tables() -> Iterator[Table]:
    pairs = paper_sized()
    ours, steps = in_fresh_process(run_ours), literal(pairs)
    each = (("negatives", steps.negatives), ("an SVM", steps.svm), ("ranks", steps.ranks))
    done = len(pairs) + ours.merges
    rows = [(what, f"{1000 * s:.2f} ms", f"{done:,}", hours(s * done)) for what, s in each]
    rows.append(("PairRank", f"{steps.pair_rank:.2f} s", f"{ours.merges + 1:,}",
                 hours(steps.pair_rank * (ours.merges + 1))))  # fmt: skip
    total = steps.total(len(pairs), ours.merges)
    rows.append(("as printed, in all", "", "", hours(total)))
    rows.append(("ours, in all", "", "", f"{ours.seconds:.1f} s, {ours.peak:.0f} MB"))
    notes = f"{len(pairs):,} pairs, {ours.merges:,} merges tried; slices of {SLICE}."
    head = ["step as printed", "one", "times", "all"]
    ratio = Ratio("the paper's system", "as printed, from slices", total / ours.seconds, ours.peak)
    yield Table("", head, rows, notes, [ratio])


def hours(taken: float) -> str:
    return f"{taken:.0f} s" if taken < 3600 else f"{taken / 3600:,.1f} hours"


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
