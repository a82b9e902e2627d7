"""Learn on all matches but one, answer that one: python -m benchmarks.leave_one_out [METHOD].

Needs TOUCHLINE_DATA. Beside it, the same match learned from by itself, and all matches at once;
F1 in percent, minute clock, on the corpus `epl-2015`.
"""

from __future__ import annotations

import sys

from benchmarks.measuring import real_data
from touchline import make_aligner, read_corpus
from touchline.evaluation import Score, score_comments
from touchline.io.corpus.layout import LabelledMatch


def main() -> None:
    folder = real_data()
    method = sys.argv[1] if len(sys.argv) > 1 else "chains"
    matches = list(read_corpus(folder / "epl-2015", clock="minute"))
    ways = {"alone": _alone, "left out": _left_out, "all": _all}
    totals = {way: Score(candidates=[]) for way in ways}
    print(f"{'match':26}" + "".join(f"{way:>12}" for way in ways))
    for one in matches:
        row = f"{one.match.name:26}"
        for way, learn_from in ways.items():
            aligner = make_aligner(method)
            aligner.fit([other.match for other in learn_from(matches, one)])
            score = score_comments(one, aligner.align(one.match))
            totals[way].count(score)
            row += f"{100 * score.metrics()['f1']:>12.1f}"
        print(row, flush=True)
    print(f"{'in all':26}" + "".join(f"{100 * t.metrics()['f1']:>12.1f}" for t in totals.values()))


def _alone(matches: list[LabelledMatch], one: LabelledMatch) -> list[LabelledMatch]:
    return [one]


def _left_out(matches: list[LabelledMatch], one: LabelledMatch) -> list[LabelledMatch]:
    return [other for other in matches if other is not one]


def _all(matches: list[LabelledMatch], one: LabelledMatch) -> list[LabelledMatch]:
    return matches


if __name__ == "__main__":
    main()
