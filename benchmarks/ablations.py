"""What each part of `chains` brings: python -m benchmarks.ablations (needs TOUCHLINE_DATA).

The corpus `epl-2015`, minute clock, learned from all six matches without their labels: F1 in
percent with everything, then with each part left out, the difference, and its 95 % interval from
resampling comments (the same ones for both). Radio (second clock) beside it.
"""

from __future__ import annotations

import numpy as np

from benchmarks.measuring import real_data
from touchline import make_aligner, read_corpus
from touchline.evaluation.bootstrap import Floats, paired_difference, tallies
from touchline.evaluation.metrics import Score, score_each
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.model.ablation import Parts

TRACKS = (("EPL, minute", "epl-2015", "minute"), ("radio, second", "radio-2018", "second"))


def main() -> None:
    folder = real_data()
    corpora = {
        title: list(read_corpus(folder / corpus, clock=clock)) for title, corpus, clock in TRACKS
    }
    print(f"{'without':12}" + "".join(f"{title:>32}" for title in corpora))
    whole = {title: _tallies(matches, "") for title, matches in corpora.items()}
    print(f"{'-':12}" + "".join(f"{_f1(own):>12.1f}{'':20}" for own in whole.values()))
    for part in Parts.__struct_fields__:
        row = f"{part:12}"
        for title, matches in corpora.items():
            less = _tallies(matches, part)
            change = paired_difference(less, whole[title], seed=0)
            low, high = (100 * bound for bound in change["interval"])
            row += f"{_f1(less):>12.1f}{100 * change['f1']:>+7.1f} [{low:+.1f}, {high:+.1f}]".ljust(
                32
            )
        print(row, flush=True)


def _tallies(matches: list[LabelledMatch], left_out: str) -> Floats:
    """Right, predicted and gold pairs of every labelled comment."""
    aligner = make_aligner("chains", {"without": left_out})
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
