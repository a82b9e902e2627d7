"""What each reading of the paper does to the score: python -m benchmarks.readings.

Needs TOUCHLINE_DATA. One option of `pairrank` at a time, the others at their defaults; F1 in
percent at the minute clock on `epl-2015` with one event (k = 1) and with macro-events (k = 4), and
on `robocup` with one event.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measuring import Table, real_data, show
from touchline import TouchlineError, make_aligner, read_corpus
from touchline.evaluation import Score, score_comments
from touchline.io.corpus.layout import LabelledMatch
from touchline.reproduce.readings import LETTER, ONE_AT_A_TIME, WINDOWS, Settings, named

HALF: Settings = {"scope": "half"}
# All pairs of all matches are too many for one graph; those of half a match are not.
READINGS: list[Settings] = [
    {}, *WINDOWS, *ONE_AT_A_TIME, HALF, {"nodes": "all", **HALF}, {**LETTER, **HALF},
]  # fmt: skip


def f1(matches: list[LabelledMatch], settings: Settings) -> str:
    aligner = make_aligner("pairrank", settings)
    total = Score(candidates=[])
    try:
        aligner.fit([labelled.match for labelled in matches])
        for labelled in matches:
            total.count(score_comments(labelled, aligner.align(labelled.match)))
    except TouchlineError as error:
        if "pairs are too many" not in str(error):
            raise
        return "too many pairs"
    return f"{100 * total.metrics()['f1']:.1f}"


def tables() -> Iterator[Table]:
    folder = real_data()
    epl = list(read_corpus(folder / "epl-2015", clock="minute"))
    robocup = list(read_corpus(folder / "robocup"))
    rows = []
    for reading in READINGS:
        figures = [f1(epl, {**reading, "k": k}) for k in (1, 4)]
        rows.append([f"`{named(reading)}`", *figures, f1(robocup, {**reading, "k": 1})])
        print(*rows[-1], flush=True)
    yield Table("", ["reading", "EPL, k = 1", "EPL, k = 4", "RoboCup"], rows)


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
