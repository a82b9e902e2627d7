"""What each part of `chains` brings: python -m benchmarks.ablations (needs TOUCHLINE_DATA).

The corpus `epl-2015`, minute clock, learned from all six matches without their labels: F1 in
percent with everything, then with each part left out, the difference, and its 95 % interval from
resampling comments (the same ones for both). Radio (second clock) beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.measuring import Table, real_data, show
from touchline import make_aligner, read_corpus
from touchline.evaluation.bootstrap import Floats, paired_difference, tallies
from touchline.evaluation.metrics import Score, score_each
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.model.ablation import Parts

TRACKS = (("EPL, minute", "epl-2015", "minute"), ("radio, second", "radio-2018", "second"))


def tables() -> Iterator[Table]:
    folder = real_data()
    corpora = {
        title: list(read_corpus(folder / corpus, clock=clock)) for title, corpus, clock in TRACKS
    }
    whole = {title: _tallies(matches, "") for title, matches in corpora.items()}
    rows = [["-", *(cell for own in whole.values() for cell in (f"{_f1(own):.1f}", ""))]]
    for part in Parts.__struct_fields__:
        row = [f"`{part}`"]
        for title, matches in corpora.items():
            less = _tallies(matches, part)
            row += [f"{_f1(less):.1f}", _change(less, whole[title])]
        rows.append(row)
        print(*row, flush=True)
    head = ["without", *(h for title in corpora for h in (f"{title}: F1", "difference"))]
    yield Table("", head, rows)


def _change(less: Floats, whole: Floats) -> str:
    found = paired_difference(less, whole, seed=0)
    low, high = (100 * bound for bound in found["interval"])
    return f"{100 * found['f1']:+.1f} [{low:+.1f}, {high:+.1f}]"


def main() -> None:
    show(tables())


def _tallies(matches: list[LabelledMatch], left_out: str) -> Floats:
    """Right, predicted and gold pairs of every labelled comment."""
    aligner = make_aligner("chains:unlabelled", {"without": left_out})
    aligner.fit([labelled.match for labelled in matches])
    scores: list[Score] = []
    for labelled in matches:
        if labelled.gold:
            scores += score_each(labelled, aligner.align(labelled.match)).values()
    return tallies(scores)


def _f1(counts: Floats) -> float:
    right, predicted, gold = np.sum(counts, axis=0)
    return float(200 * right / (predicted + gold))


if __name__ == "__main__":
    main()
