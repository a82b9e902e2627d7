"""What each reading of the paper does to the score: python -m benchmarks.readings.

Needs TOUCHLINE_DATA. One option of `pairrank` at a time, the others at their defaults; F1 in
percent at the minute clock on `epl-2015` with one event (k = 1) and with macro-events (k = 4), and
on `robocup` with one event.
"""

from __future__ import annotations

from typing import Any

from benchmarks.measuring import real_data
from touchline import TouchlineError, make_aligner, read_corpus
from touchline.evaluation import Score, score_comments
from touchline.io.corpus.layout import LabelledMatch

READINGS: list[dict[str, Any]] = [
    {},
    {"window": 120},
    {"window": 300},
    {"nodes": "all"},
    {"players": "all"},
    {"strings": "binary"},
    {"strings": "three-after"},
    {"arguments": ""},
    {"arguments": "zone"},
    {"arguments": "*"},
    {"arguments": "*,team"},
    {"min_count": 1},
    {"min_count": 5},
    {"negatives": 25},
    {"negatives": 100},
    {"pairing": "block"},
    {"cost": 1.0},
    {"cost": 0.01},
    {"ties": "min"},
    {"ties": "average"},
    {"ties": "ordinal"},
    {"normalise": False},
    {"discount": "once"},
    {"discount": "root"},
    {"discount": "none"},
    {"d": 0.2},
    {"d": 0.85},
    {"scope": "match"},
    {"scope": "half"},
]


def f1(matches: list[LabelledMatch], settings: dict[str, Any]) -> str:
    aligner = make_aligner("pairrank", settings)
    total = Score(candidates=[])
    try:
        aligner.fit([labelled.match for labelled in matches])
        for labelled in matches:
            total.count(score_comments(labelled, aligner.align(labelled.match)))
    except TouchlineError:  # a reading with more pairs than one graph may have
        return "too many pairs"
    return f"{100 * total.metrics()['f1']:.1f}"


def main() -> None:
    folder = real_data()
    epl = list(read_corpus(folder / "epl-2015", clock="minute"))
    robocup = list(read_corpus(folder / "robocup"))
    print("| reading | EPL, k = 1 | EPL, k = 4 | RoboCup |\n|---|---|---|---|")
    for reading in READINGS:
        name = ", ".join(f"`{key}={value}`" for key, value in reading.items()) or "the default"
        single, grown = (f1(epl, {**reading, "k": k}) for k in (1, 4))
        one = f1(robocup, {**reading, "k": 1})
        print(f"| {name} | {single} | {grown} | {one} |", flush=True)


if __name__ == "__main__":
    main()
