"""Time and memory of the paper's whole system, stage by stage.

    python -m benchmarks.pairrank

The corpora are the bundled matches, the real ones where TOUCHLINE_DATA points to them, and an
invented one of the paper's size (without its texts, so without pairing them up). Each runs in a
fresh process on one core, kernels compiled before; times are medians of some runs (one of the
macro-events), memory is the process' peak after each stage. Then, side by side in the same run:
PairRank's fixed point and the power iteration, on a dense and on a sparse matrix; the efficient
search for macro-events, the literal one, and one that gives each merge a sparse PairRank of its
own, on one half of a bundled match. Last, the size of a fitted model.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is there: everything here is for one core

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
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
from benchmarks.models import (
    DEFAULTS,
    MEMORY,
    describe,
    paper_sized,
    sample_pairs,
    singles,
    train,
)
from touchline import Match, read_corpus
from touchline.core.arrays import Floats
from touchline.io.model_file import write_model
from touchline.methods.pairrank.ranking.graph import mutual_edges, rank_all
from touchline.methods.pairrank.ranking.literal import LiteralSearch
from touchline.methods.pairrank.ranking.macro_events import Group, Rivals, macro_events
from touchline.methods.pairrank.ranking.merging import Bordered, Graph, MacroNodes, macro_nodes
from touchline.methods.pairrank.ranking.pair_rank import pair_rank
from touchline.methods.pairrank.ranking.system import make_model, rank
from touchline.methods.pairs.pairing import Pairs, pair_up
from touchline.methods.pairs.storing import pack_pairs
from touchline.sample import corpus_path

REPEATS = 3
FILE = 50  # the goal: MB of a fitted model at the paper's size
OPTIONS = DEFAULTS.system()
STAGES = ("read", "pair up", "negatives", "train", "graph", "rank", "macro-events")


class Stage(NamedTuple):
    """What a stage took, and the peak of the process when it was done (MB)."""

    seconds: float
    peak: float


class Run(NamedTuple):
    """A corpus described, and its stages; those that do not apply are not there."""

    about: str
    base: float
    stages: dict[str, Stage]

    @property
    def seconds(self) -> float:
        return sum(stage.seconds for stage in self.stages.values())

    @property
    def peak(self) -> float:
        return max(stage.peak for stage in self.stages.values())


# -------------------------------------------------------------------------------- stage by stage


def folder(name: str) -> Path:
    return corpus_path() if name == SAMPLE else Path(os.environ["TOUCHLINE_DATA"]) / REAL


def matches(name: str) -> list[Match]:
    return [labelled.match for labelled in read_corpus(folder(name))]


def run(name: str) -> Run:
    """All stages on one corpus; made for a fresh process."""
    warm_up()
    base = peak_memory()
    stages: dict[str, Stage] = {}

    def stage(title: str, work: Callable[..., Any], *given: Any, repeats: int = REPEATS) -> Any:
        times, result = [], None
        for _ in range(repeats):
            result = None  # the one before does not count as memory of this one
            start = time.process_time()
            result = work(*given)
            times.append(time.process_time() - start)
        stages[title] = Stage(statistics.median(times), peak_memory())
        return result

    if name == PAPER:
        pairs = paper_sized()
        base = peak_memory()
    else:
        read = stage("read", matches, name)
        pairs = stage("pair up", pair_up, read, DEFAULTS.reading())
    model = stage("negatives", make_model, pairs, OPTIONS)
    models = stage("train", model.train, singles(pairs))
    graph = stage("graph", make_graph, pairs, model, models)
    rho = stage("rank", pair_rank, graph.edges, graph.own, graph.frequency, OPTIONS.rank)
    stage("macro-events", _grow, pairs, rho, model, graph, repeats=1)
    return Run(describe(name, pairs), base, stages)


def make_graph(pairs: Pairs, model: Any, models: Any) -> Graph:
    ranks, own = rank_all(model.confidences(models), len(pairs), OPTIONS.ties)
    return Graph(
        ranks=ranks.tocsc(),
        edges=mutual_edges(ranks, OPTIONS.power),
        own=own,
        frequency=pairs.frequency[pairs.event],
        ties=OPTIONS.ties,
        power=OPTIONS.power,
    )


def _grow(pairs: Pairs, rho: Floats, model: Any, graph: Graph) -> None:
    macro_events(pairs, rho, OPTIONS.k, Bordered(model, graph, OPTIONS.rank))


def warm_up() -> None:
    """Compile, or load, every kernel on half a match."""
    pairs = pair_up([half_a_match()], DEFAULTS.reading())
    model = make_model(pairs, OPTIONS)
    ranked = rank(pairs, model, model.train(singles(pairs)), OPTIONS)
    ranked.grown(range(pairs.words.shape[0]))


def half_a_match() -> Match:
    match = next(iter(read_corpus(corpus_path()))).match
    return msgspec.structs.replace(
        match,
        comments=tuple(c for c in match.comments if c.period == 1),
        events=tuple(e for e in match.events if e.period == 1),
    )


# ---------------------------------------------------------------------------------- side by side


class Ranked(NamedTuple):
    """Seconds of each, how many rounds the iteration took, how far the results are apart."""

    name: str
    ours: float
    sparse: float
    dense: float
    rounds: int
    difference: float


def power_iteration(
    edges: np.ndarray | sparse.csr_matrix, own: Floats, frequency: Floats
) -> tuple[Floats, int]:
    """Algorithm 3 as printed, until rho moves less than our fixed point may."""
    d, own = OPTIONS.rank.d, np.maximum(own, 0)
    own = own / own.sum()
    rho = np.full(len(own), 1 / len(own))
    change, rounds = np.inf, 0
    while change >= OPTIONS.rank.epsilon:
        new = ((1 - d) * own + d * (edges @ rho)) / frequency
        new /= new.sum()
        change, rho, rounds = float(np.abs(new - rho).sum()), new, rounds + 1
    return rho, rounds


def measure_ranking(name: str, make: Callable[[], Pairs]) -> Ranked:
    pairs = make()
    model = make_model(pairs, OPTIONS)
    graph = make_graph(pairs, model, model.train(singles(pairs)))
    given, dense = (graph.own, graph.frequency), graph.edges.toarray()
    ours, iterated, theirs = by_turns(
        1,  # the dense iteration is slow, and slower than ours by far more than times vary
        lambda: pair_rank(graph.edges, *given, OPTIONS.rank),
        lambda: power_iteration(graph.edges, *given),
        lambda: power_iteration(dense, *given),
    )
    rho, rounds = power_iteration(dense, *given)
    apart = float(np.abs(pair_rank(graph.edges, *given, OPTIONS.rank) - rho).max())
    return Ranked(name, ours, iterated, theirs, rounds, apart)


class OnePairRank:
    """A PairRank for each macro-event, on the sparse graph with the macro-event as a border."""

    def __init__(self, model: Any, graph: Graph) -> None:
        self.model, self.graph = model, graph

    def __call__(self, groups: Sequence[Group], rivals: Rivals | None = None) -> Floats:
        several = macro_nodes(self.model, self.graph, groups)
        return np.array([self._rho(n, g) for n in several for g in range(len(n.loop))])

    def _rho(self, nodes: MacroNodes, g: int) -> float:
        graph, here = self.graph, slice(*nodes.ends[g : g + 2])
        near = nodes.near[here]
        border = sparse.csr_matrix(
            (nodes.edges[here], (np.zeros_like(near), near)), (1, len(graph.own))
        )
        edges = sparse.bmat([[graph.edges, border.T], [border, [[nodes.loop[g]]]]], format="csr")
        own = np.append(graph.own, nodes.own[g])
        frequency = np.append(graph.frequency, nodes.frequency[g])
        return float(pair_rank(edges, own, frequency, OPTIONS.rank)[-1])


class Searched(NamedTuple):
    """Seconds of each search, how many macro-events, of several events, and are the same."""

    ours: float
    literal: float
    sparse: float
    found: int
    several: int
    same: int
    difference: float


def measure_search() -> Searched:
    """All searches on half a match; models and graph are given to them."""
    pairs = pair_up([half_a_match()], DEFAULTS.reading())
    model = make_model(pairs, OPTIONS)
    trained = model.train(singles(pairs))
    graph = make_graph(pairs, model, trained)
    rho = pair_rank(graph.edges, graph.own, graph.frequency, OPTIONS.rank)

    def efficient() -> Any:
        return macro_events(pairs, rho, OPTIONS.k, Bordered(model, graph, OPTIONS.rank))

    def as_printed() -> Any:
        merged = LiteralSearch(model, trained, graph.frequency, OPTIONS.rank, ties=OPTIONS.ties)
        return macro_events(pairs, rho, OPTIONS.k, merged)

    def one_by_one() -> Any:
        return macro_events(pairs, rho, OPTIONS.k, OnePairRank(model, graph))

    ours, literal, each = by_turns(1, efficient, as_printed, one_by_one)
    mine, theirs = efficient(), as_printed()
    same = [s for s in theirs if mine[s][-1].group == theirs[s][-1].group]
    apart = max(abs(mine[s][-1].rho / theirs[s][-1].rho - 1) for s in same)
    several = sum(len(steps) > 1 for steps in theirs.values())
    return Searched(ours, literal, each, len(theirs), several, len(same), apart)


def model_size(pairs: Pairs) -> float:
    """MB of the file that `fit` would write."""
    models = train(pairs)
    arrays = pack_pairs(pairs)
    arrays |= {f"models.{name}": getattr(models, name) for name in models.__struct_fields__}
    with tempfile.TemporaryDirectory() as somewhere:
        path = Path(somewhere) / "model.touchline"
        write_model(path, "pairrank", msgspec.to_builtins(DEFAULTS), arrays)
        return path.stat().st_size / 1e6


# ---------------------------------------------------------------------------------------- report

SAMPLE, REAL, PAPER = "bundled sample", "epl-2015", "the paper's size"


def corpora() -> list[str]:
    data = os.environ.get("TOUCHLINE_DATA")
    real = [REAL] if data and (Path(data) / REAL).is_dir() else []
    return [SAMPLE, *real, PAPER]


def tables() -> Iterator[Table]:
    runs = {name: in_fresh_process(run, name) for name in corpora()}
    yield _stages(runs)
    both = (SAMPLE, sample_pairs), (PAPER, paper_sized)
    yield _ranked([measure_ranking(name, make) for name, make in both])
    yield _searched(measure_search())


def _stages(runs: dict[str, Run]) -> Table:
    rows = [
        (title, *(f"{s.seconds:.3f} s, {s.peak:.0f} MB" if s else "-" for s in some))
        for title in STAGES
        for some in [[r.stages.get(title) for r in runs.values()]]
    ]
    rows.append(("in all", *(f"{r.seconds:.3f} s, {r.peak:.0f} MB" for r in runs.values())))
    rows.append(("before", *(f"{r.base:.0f} MB" for r in runs.values())))
    size, peak = model_size(paper_sized()), runs[PAPER].peak
    notes = (
        f"{'; '.join(r.about for r in runs.values())}. Goals at the paper's size: a model file of "
        f"{FILE} MB {goal(size < FILE)} ({size:.1f}), {MEMORY:,} MB {goal(peak < MEMORY)} "
        f"({peak:.0f})."
    )
    return Table("Stage by stage, and the peak so far", ["stage", *runs], rows, notes)


def _ranked(found: list[Ranked]) -> Table:
    rows = [
        (r.name, f"{1000 * r.ours:.1f}", f"{1000 * r.dense:.1f}", f"{r.dense / r.ours:,.0f}x",
         f"{1000 * r.sparse:.1f}", f"{r.sparse / r.ours:.1f}x", r.rounds, f"{r.difference:.1e}")
        for r in found
    ]  # fmt: skip
    head = ["corpus", "ours: ms", "iterated, dense: ms", "ratio", "iterated, sparse: ms", "ratio",
            "rounds", "apart"]  # fmt: skip
    ratios = [
        Ratio(f"PairRank, {r.name}", "dense iteration", r.dense / r.ours,
              strict=Strict("sparse iteration", r.sparse / r.ours))
        for r in found
    ]  # fmt: skip
    return Table("PairRank's fixed point", head, rows, ratios=ratios)


def _searched(s: Searched) -> Table:
    row = (f"{s.ours:.3f}", f"{s.literal:.3f}", f"{s.literal / s.ours:.1f}x",
           f"{s.sparse:.3f}", f"{s.sparse / s.ours:.1f}x", f"{s.same} of {s.found}", s.several,
           f"{s.difference:.0e}")  # fmt: skip
    head = ["ours: s", "literal: s", "ratio", "a sparse PairRank each: s", "ratio", "the same",
            "of several events", "rho apart"]  # fmt: skip
    strict = Strict("a sparse PairRank for each merge", s.sparse / s.ours)
    ratios = [Ratio("macro-events, half a match", "the literal search", s.literal / s.ours,
                    strict=strict)]  # fmt: skip
    return Table("Macro-events of half a match", head, [row], ratios=ratios)


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
