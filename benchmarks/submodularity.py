"""How often PairRank's gains diminish, as the paper claims: python -m benchmarks.submodularity.

The paper calls its objective submodular (Section 3.3), which is what bounds the error of a greedy
search. Two forms of the claim are counted along the macro-events that Algorithm 4 grows, each half
of a match by itself:

- diminishing returns: an event adds no more to a macro-event than it adds to the part of it that
  came before, rho(A + x) - rho(A) >= rho(B + x) - rho(B) for A inside B;
- the inequality as printed, rho(E) + rho(e) >= rho(E + e) + rho(E - e), where E and e have no event
  in common, so that the last term is that of no event, 0.

The bundled matches, and `epl-2015` at the minute clock where TOUCHLINE_DATA points to it. No label
is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from benchmarks.measuring import Table, show
from benchmarks.models import DEFAULTS, singles
from benchmarks.pairrank import OPTIONS, REAL, SAMPLE, make_graph
from touchline import Match, read_corpus
from touchline.core.arrays import Floats
from touchline.methods.pairrank.ranking.macro_events import Step, macro_events
from touchline.methods.pairrank.ranking.merging import Bordered
from touchline.methods.pairrank.ranking.pair_rank import pair_rank
from touchline.methods.pairrank.ranking.system import make_model
from touchline.methods.pairs.pairing import Pairs, pair_up
from touchline.sample import corpus_path

ROUNDING = 1e-12  # rho sums to 1 over some hundred pairs


class Checks(NamedTuple):
    """How many were made, and how many of them failed, of either form."""

    returns: int = 0
    grow: int = 0
    printed: int = 0
    fails: int = 0

    def __add__(self, other: tuple[int, ...]) -> Checks:  # type: ignore[override]
        return Checks(*(a + b for a, b in zip(self, other, strict=True)))


def halves(match: Match) -> Iterator[Match]:
    for period in dict.fromkeys(comment.period for comment in match.comments):
        yield msgspec.structs.replace(
            match,
            comments=tuple(c for c in match.comments if c.period == period),
            events=tuple(e for e in match.events if e.period == period),
        )


def check(match: Match) -> Checks:
    """Both forms on one half."""
    pairs = pair_up([match], DEFAULTS.reading())
    if len(pairs) == 0:
        return Checks()
    model = make_model(pairs, OPTIONS)
    graph = make_graph(pairs, model, model.train(singles(pairs)))
    rho = pair_rank(graph.edges, graph.own, graph.frequency, OPTIONS.rank)
    merged = Bordered(model, graph, OPTIONS.rank)
    grown = macro_events(pairs, rho, OPTIONS.k, merged)
    found = Checks()
    for steps in grown.values():
        found += _of_one(pairs, rho, merged, steps)
    return found


def _of_one(pairs: Pairs, rho: Floats, merged: Bordered, steps: list[Step]) -> Checks:
    """Every event of the bucket that is not in the macro-event, at each of its steps."""
    bucket = np.flatnonzero(pairs.sentence == pairs.sentence[steps[0].group[0]]).tolist()
    gains = [_gains(merged, step, [p for p in bucket if p not in step.group]) for step in steps]
    diminish = [
        later <= before[pair] + ROUNDING
        for before, after in pairwise(gains)
        for pair, later in after.items()
    ]
    printed = [gain <= rho[pair] + ROUNDING for some in gains for pair, gain in some.items()]
    return Checks(len(diminish), diminish.count(False), len(printed), printed.count(False))


def _gains(merged: Bordered, step: Step, others: list[int]) -> dict[int, float]:
    """What each other event adds to the macro-event."""
    values = merged([(*step.group, pair) for pair in others])
    return {pair: float(value) - step.rho for pair, value in zip(others, values, strict=True)}


def tables() -> Iterator[Table]:
    rows = []
    for name, matches in corpora():
        found = Checks()
        for match in matches:
            for half in halves(match):
                found += check(half)
        rows.append(
            (name, *_counted(found.grow, found.returns), *_counted(found.fails, found.printed))
        )
    head = ["corpus", "gains that grow", "share", "printed inequality fails", "share"]
    yield Table("", head, rows, f"k = {OPTIONS.k}; each half of a match by itself.")


def corpora() -> Iterator[tuple[str, list[Match]]]:
    yield SAMPLE, [labelled.match for labelled in read_corpus(corpus_path())]
    data = os.environ.get("TOUCHLINE_DATA")
    if data and (Path(data) / REAL).is_dir():
        real = read_corpus(Path(data) / REAL, clock="minute")
        yield REAL, [labelled.match for labelled in real]


def _counted(some: int, of: int) -> tuple[str, str]:
    return f"{some:,} of {of:,}", f"{100 * some / max(of, 1):.1f} %"


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
