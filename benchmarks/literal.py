"""The paper's whole system at the paper's size, compared with its algorithms as printed.

    python -m benchmarks.literal

As printed, for every pair and every merge negatives are chosen, an SVM is trained, all pairs are
ranked by it, and PairRank is iterated over all of them again. That would take days, so each step is
timed on a random slice and multiplied by the number of times it is done; the number of merges tried
is counted in our own run. Ours is run in full, in a fresh process. Both references take the same
steps: the plain one with scikit-learn's LinearSVC and a dense matrix, the strict one with
liblinear's routine called directly, sparse vectors and a sparse matrix.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is there: everything here is for one core

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from benchmarks.measuring import Ratio, Strict, Table, in_fresh_process, peak_memory, seconds, show
from benchmarks.models import (
    SLICE,
    choose_by_sorting,
    drawn_problems,
    fit_liblinear,
    fit_linear_svc,
    paper_sized,
    prepared,
    singles,
)
from benchmarks.pairrank import OPTIONS, make_graph, power_iteration, warm_up
from touchline.core.arrays import Floats, Ints
from touchline.methods.pairrank.ranking.graph import rank_liked
from touchline.methods.pairrank.ranking.macro_events import Group, Rivals, macro_events
from touchline.methods.pairrank.ranking.merging import Bordered
from touchline.methods.pairrank.ranking.pair_rank import pair_rank
from touchline.methods.pairrank.ranking.system import make_model
from touchline.methods.pairs.pairing import Pairs


class Ours(NamedTuple):
    """Seconds and MB of the whole run; how many merges were tried."""

    seconds: float
    peak: float
    merges: int


class Counted:
    """Asks another for the popularity of merges, and counts them."""

    def __init__(self, merged: Bordered) -> None:
        self.merged, self.count = merged, 0

    def __call__(self, groups: Sequence[Group], rivals: Rivals) -> Floats:
        self.count += len(groups)
        return self.merged(groups, rivals)


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


def literal(pairs: Pairs) -> tuple[Steps, Steps]:
    """The printed steps, timed on a slice: the plain way and the strict one."""
    some: Ints = np.random.default_rng(0).choice(len(pairs), SLICE, replace=False)
    problems = drawn_problems(pairs)
    given, weights = [prepared(p) for p in problems], [p.weights for p in problems]
    every = vectors(pairs)
    written_out = every.toarray()
    fit_linear_svc(problems[:1])  # imports are nobody's time
    model = make_model(pairs, OPTIONS)
    graph = make_graph(pairs, model, model.train(singles(pairs)))
    dense, rest = graph.edges.toarray(), (graph.own, graph.frequency)
    negatives = seconds(choose_by_sorting, pairs, some) / SLICE
    plain = Steps(
        negatives,
        seconds(fit_linear_svc, problems) / SLICE,
        seconds(rank_each, written_out, weights) / SLICE,
        seconds(power_iteration, dense, *rest),
    )
    strict = Steps(
        negatives,
        seconds(fit_liblinear, given) / SLICE,
        seconds(rank_each, every, weights) / SLICE,
        seconds(power_iteration, graph.edges, *rest),
    )
    return plain, strict


def vectors(pairs: Pairs) -> sparse.csr_matrix:
    """The features of every pair."""
    rows: Ints = pairs.row[pairs.event]
    parts = [pairs.words[pairs.sentence], pairs.values[rows], sparse.csr_matrix(pairs.strings)]
    return sparse.hstack(parts).tocsr().astype(float)


def rank_each(every: np.ndarray | sparse.csr_matrix, weights: list[Floats]) -> None:
    for own in weights:
        rank_liked((every @ own)[None])


def tables() -> Iterator[Table]:
    pairs = paper_sized()
    ours, both = in_fresh_process(run_ours), literal(pairs)
    done, ranked = len(pairs) + ours.merges, ours.merges + 1
    rows = [
        (what, f"{times:,}", *(text for took in each for text in (one(took), hours(took * times))))
        for what, times, each in (
            ("negatives", done, [steps.negatives for steps in both]),
            ("an SVM", done, [steps.svm for steps in both]),
            ("ranks", done, [steps.ranks for steps in both]),
            ("PairRank", ranked, [steps.pair_rank for steps in both]),
        )
    ]
    plain, strict = (steps.total(len(pairs), ours.merges) for steps in both)
    rows.append(("as printed, in all", "", "", hours(plain), "", hours(strict)))
    rows.append(("ours, in all", "", "", f"{ours.seconds:.1f} s", "", f"{ours.seconds:.1f} s"))
    rows.append(("ratio", "", "", f"{plain / ours.seconds:,.0f}x", "",
                 f"{strict / ours.seconds:,.0f}x"))  # fmt: skip
    notes = (
        f"{len(pairs):,} pairs, {ours.merges:,} merges tried; slices of {SLICE}, extrapolated. "
        f"Our peak: {ours.peak:.0f} MB. Plain: LinearSVC, dense. Strict: liblinear's routine, "
        "sparse."
    )
    head = ["step as printed", "times", "plain: one", "all", "strict: one", "all"]
    sparsely = Strict("the same, sparse, extrapolated", strict / ours.seconds)
    ratio = Ratio("the paper's system", "as printed, dense, extrapolated", plain / ours.seconds,
                  ours.peak, sparsely)  # fmt: skip
    yield Table("", head, rows, notes, [ratio])


def one(taken: float) -> str:
    return f"{taken:.2f} s" if taken >= 1 else f"{1000 * taken:.3f} ms"


def hours(taken: float) -> str:
    return f"{taken:.0f} s" if taken < 3600 else f"{taken / 3600:,.1f} hours"


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
