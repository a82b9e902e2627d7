"""Learn on all matches but one, answer that one: python -m benchmarks.leave_one_out [METHOD].

Needs TOUCHLINE_DATA. Beside it, the same match learned from by itself, and all matches at once;
F1 in percent, minute clock, on the corpus `epl-2015`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks.measuring import Table, real_data, show
from touchline import make_aligner, read_corpus
from touchline.evaluation import Score, score_comments
from touchline.io.corpus.layout import LabelledMatch


def tables() -> Iterator[Table]:
    folder = real_data()
    method = sys.argv[1] if sys.argv[1:] and not sys.argv[1].startswith("-") else "chains"
    matches = list(read_corpus(folder / "epl-2015", clock="minute"))
    ways = {"alone": _alone, "left out": _left_out, "all": _all}
    totals = {way: Score(candidates=[]) for way in ways}
    rows = []
    for one in matches:
        row = [one.match.name]
        for way, learn_from in ways.items():
            aligner = make_aligner(method)
            aligner.fit([other.match for other in learn_from(matches, one)])
            score = score_comments(one, aligner.align(one.match))
            totals[way].count(score)
            row.append(f"{100 * score.metrics()['f1']:.1f}")
        rows.append(row)
        print(*row, flush=True)
    rows.append(["total", *(f"{100 * total.metrics()['f1']:.1f}" for total in totals.values())])
    yield Table("", ["match", *ways], rows)


def main() -> None:
    show(tables())


def _alone(matches: list[LabelledMatch], one: LabelledMatch) -> list[LabelledMatch]:
    return [one]


def _left_out(matches: list[LabelledMatch], one: LabelledMatch) -> list[LabelledMatch]:
    return [other for other in matches if other is not one]


def _all(matches: list[LabelledMatch], one: LabelledMatch) -> list[LabelledMatch]:
    return matches


if __name__ == "__main__":
    main()
