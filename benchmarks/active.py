"""Which lines to label first: python -m benchmarks.active [OPTIONS].

    --models DIR   keep what is learned in this folder
    --sealed       with the two matches that are looked at only for reports
    --seeds N      how often each order is tried (default 8)

Needs TOUCHLINE_DATA; some five minutes of a core, half with models that were kept. Each match of
`epl-2015` is scored (minute clock) by a layer that was learned from 20, 50 or 100 labelled lines of
the other matches. Nobody has labelled anything before: the pool are all their lines, each read by a
model that has seen neither its match nor the one that is scored. Each time four fifths of it, by
chance, can be chosen from, and figures are means over that; the orders are

    random
    match by match      from the first line on, each time another match first
    most uncertain      by how many decisions are expected to be wrong
    teaches most        `touchline.methods.active`, as at the desk

made once, as those at the desk are until a match is aligned again.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.labels import LeftOut as Scored
from benchmarks.labels import _example, answered, unseen_reader
from benchmarks.left_out import DEV
from benchmarks.measuring import real_data
from touchline import read_corpus
from touchline.evaluation import Score
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.active import Line, doubts, teaching_order
from touchline.methods.chains.inference.answers import answers
from touchline.methods.chains.labelled.features import Inferred
from touchline.methods.chains.labelled.layer import L2, Example, learn

LABELLED = (20, 50, 100)
PART = 0.8


class Pool(NamedTuple):
    """A match to score, and the lines of the others in match order, by their examples' numbers."""

    scored: Scored
    lines: list[tuple[int, int, Line]]


Order = list[tuple[int, int, Line]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.active")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--sealed", action="store_true")
    parser.add_argument("--seeds", type=int, default=8)
    given = parser.parse_args()
    matches = list(read_corpus(real_data() / "epl-2015", clock="minute"))
    names = [m.match.name for m in matches] if given.sealed else DEV
    pools = list(read_pools(matches, names, given.models))
    print(f"minute clock, {len(pools)} matches, each left out; F1 and exact sets")
    print(f"{'labelled lines':20}" + "".join(f"{number:>14}" for number in LABELLED))
    none = [answered(pool.scored, None) for pool in pools]
    print(f"{'none':20}{_figures([_total(none)]):>14}", flush=True)
    for name, orders in ORDERS.items():
        found = [
            [_learned(pools, orders, number, seed) for seed in range(given.seeds)]
            for number in LABELLED
        ]
        print(f"{name:20}" + "".join(f"{_figures(one):>14}" for one in found), flush=True)


def read_pools(
    matches: Sequence[LabelledMatch], names: Sequence[str], kept_in: Path | None
) -> Iterator[Pool]:
    read = unseen_reader(matches, kept_in)
    for one in (m for m in matches if m.match.name in names):
        known, examples, lines = read(one), [], []
        for other in (m for m in matches if m is not one and m.gold):
            own = read(other, one)
            lines += [(len(examples), place, line) for place, line in _lines(other, own)]
            examples.append(_example(other, own))
        yield Pool(Scored(one, known, _example(one, known), examples), lines)


def _lines(one: LabelledMatch, known: Inferred) -> Iterator[tuple[int, Line]]:
    """The labelled comments of a match, with doubts about what is answered without labels."""
    kinds = one.match.event_by_id
    for place, answer in enumerate(answers(one.match, known.tables, known.agreed)):
        if answer.comment in (one.gold or {}):
            kinds_of = doubts(answer, lambda event: kinds[event].type)
            yield place, Line(one.match.name, answer.comment, kinds_of)


def _at_random(pool: Pool, seed: int) -> Order:
    return random.Random(seed).sample(pool.lines, len(pool.lines))


def _by_match(pool: Pool, seed: int) -> Order:
    count = len(pool.scored.others)
    return sorted(pool.lines, key=lambda one: ((one[0] - seed) % count, one[1]))


def _uncertain(pool: Pool, seed: int) -> Order:
    return sorted(pool.lines, key=lambda one: -sum(one[2].doubts.values()))


def _teaches(pool: Pool, seed: int) -> Order:
    found = {(line.match, line.comment): (e, p, line) for e, p, line in pool.lines}
    ranked = teaching_order([line for _, _, line in pool.lines])
    return [found[one.line.match, one.line.comment] for one in ranked]


ORDERS: dict[str, Callable[[Pool, int], Order]] = {
    "random": _at_random,
    "match by match": _by_match,
    "most uncertain": _uncertain,
    "teaches most": _teaches,
}


def _learned(
    pools: Sequence[Pool], order: Callable[[Pool, int], Order], number: int, seed: int
) -> dict[str, float]:
    return _total([_answered(pool, order(_part(pool, seed), seed)[:number]) for pool in pools])


def _part(pool: Pool, seed: int) -> Pool:
    """The part of a pool that can be chosen from."""
    chance = random.Random(f"part {seed}")
    return pool._replace(lines=[one for one in pool.lines if chance.random() < PART])


def _answered(pool: Pool, chosen: Order) -> Score:
    examples = []
    for number, example in enumerate(pool.scored.others):
        places = [place for other, place, _ in chosen if other == number]
        if places:
            examples.append(_only(example, places))
    return answered(pool.scored, learn(examples, L2["text"]))


def _only(example: Example, places: Sequence[int]) -> Example:
    """An example of which only some comments are labelled."""
    weight = np.zeros_like(example.target.weight)
    weight[list(places)] = example.target.weight[list(places)]
    return Example(example.features, example.target._replace(weight=weight))


def _total(scores: Sequence[Score]) -> dict[str, float]:
    total = Score(candidates=[])
    for score in scores:
        total.count(score)
    return total.metrics()


def _figures(found: Sequence[dict[str, float]]) -> str:
    f1, exact = (100 * np.mean([one[name] for one in found]) for name in ("f1", "exact"))
    return f"{f1:.1f} {exact:.1f}"


if __name__ == "__main__":
    main()
