"""The professional protocol: live text at two clocks, by half games, k, radio, main events.

Methods learn from all matches of a corpus without labels (`minute`, `second`, `radio`, `bbc`), from
all but the one that they answer (`left_out`), or, as in the paper's comparisons, from each half
game by itself (`alone`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any

import msgspec
import numpy as np

from touchline.core.records import Match
from touchline.evaluation.bootstrap import intervals, share_interval, tallies
from touchline.evaluation.metrics import Score, add_up, score_each, score_each_line
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.registry import DEFAULT
from touchline.reproduce.runs import Run, make
from touchline.reproduce.systems import ABLATIONS, PAPER, UNLABELLED, System

# Of all matches, those that are learned from to answer one.
Learned = Callable[[Sequence[Match], Match], list[Match]]

# Track -> the corpus it is read from, the clock, which commentary.
TRACKS = {
    "minute": ("epl-2015", "minute", "comments"),
    "second": ("epl-2015", "second", "comments"),
    "minute_left_out": ("epl-2015", "minute", "comments"),
    "second_left_out": ("epl-2015", "second", "comments"),
    "alone": ("epl-2015", "minute", "comments"),
    "k": ("epl-2015", "minute", "comments"),
    "radio": ("radio-2018", "minute", "comments"),
    "radio_second": ("radio-2018", "second", "comments"),
    "bbc": ("epl-2015", "minute", "bbc"),
}
# A clock's track -> the same with each match left out.
LEFT_OUT = {"minute": "minute_left_out", "second": "second_left_out"}
SIZES = range(1, 7)
CURVE_POINTS = 100
# What is kept of a half game.
_KEPT = ("precision", "recall", "f1", "pr_auc", "gold", "comments")


def tracks_of(system: System) -> list[str]:
    """The tracks that a system is run on.

    Figure 5 is about methods whose macro-events have a largest size. What is left of the paper's
    without one of its parts is compared on live text, as in Table 1. Matches are left out for the
    paper's and ours, the two that are compared most closely.
    """
    without = set() if hasattr(make(system, 0).options, "k") else {"k"}
    without |= {"radio", "radio_second", "bbc"} if system.method in ABLATIONS else set()
    without |= set() if system.method in (PAPER, UNLABELLED[DEFAULT]) else {*LEFT_OUT.values()}
    return [track for track in TRACKS if track not in without]


def run(system: System, track: str, matches: Sequence[LabelledMatch], seed: int) -> Run:
    """Score a system on a track."""
    if track == "bbc":
        return _run_lines(system, matches, seed)
    if track == "k":
        return Run({str(k): _f1_of(system, matches, seed, k) for k in SIZES})
    units = list(_halves(matches)) if track == "alone" else matches
    scores = _answer(system, units, seed, _LEARNED.get(track, _from_all))
    every = [score for each in scores.values() for score in each]
    halves = {name: _half(each) for name, each in scores.items()}
    report: dict[str, Any] = {**add_up(every).metrics(), "interval": intervals(every, seed)}
    if not track.startswith("radio"):
        report["halves"] = halves
        report["average_f1"] = fmean(half["f1"] for half in halves.values())
    if track == "minute":
        report["curve"] = _curve(every)
    return Run(report, tallies(every).tolist())


def _from_all(units: Sequence[Match], asked: Match) -> list[Match]:
    return list(units)


def _from_itself(units: Sequence[Match], asked: Match) -> list[Match]:
    return [asked]


def _from_the_others(units: Sequence[Match], asked: Match) -> list[Match]:
    return [unit for unit in units if unit is not asked]


_LEARNED = {"alone": _from_itself} | dict.fromkeys(LEFT_OUT.values(), _from_the_others)


def _answer(
    system: System, units: Sequence[LabelledMatch], seed: int, learned: Learned, **more: Any
) -> dict[str, list[Score]]:
    """The scores of each half game's comments, by what is learned from before it is asked."""
    matches = [unit.match for unit in units]
    aligner, before = make(system, seed, **more), None
    scores: dict[str, list[Score]] = {}
    for unit in units:
        if unit.gold is None:
            continue
        needed = learned(matches, unit.match)
        if needed != before:
            aligner, before = make(system, seed, **more), needed
            aligner.fit(needed)
        period = {comment.id: comment.period for comment in unit.match.comments}
        for comment, score in score_each(unit, aligner.align(unit.match)).items():
            scores.setdefault(f"{unit.match.name} {period[comment]}", []).append(score)
    return scores


def _f1_of(system: System, matches: Sequence[LabelledMatch], seed: int, k: int) -> dict[str, Any]:
    """The figures with macro-events of at most k, learned together and from halves alone."""
    together = _answer(system, matches, seed, _from_all, k=k)
    alone = _answer(system, list(_halves(matches)), seed, _from_itself, k=k)
    metrics = [
        add_up(s for each in way.values() for s in each).metrics() for way in (together, alone)
    ]
    return {**metrics[0], "alone": {name: metrics[1][name] for name in _KEPT}}


def _halves(matches: Sequence[LabelledMatch]) -> Iterator[LabelledMatch]:
    """Each half of each match as a match of its own."""
    for labelled in matches:
        match = labelled.match
        for period in sorted({c.period for c in match.comments if c.period is not None}):
            comments = tuple(c for c in match.comments if c.period == period)
            own = {comment.id for comment in comments}
            half = msgspec.structs.replace(
                match, comments=comments,
                events=tuple(e for e in match.events if e.period == period),
            )  # fmt: skip
            gold = {c: g for c, g in (labelled.gold or {}).items() if c in own}
            yield msgspec.structs.replace(labelled, match=half, gold=gold)


def _half(scores: Sequence[Score]) -> dict[str, float]:
    metrics = add_up(scores).metrics()
    return {name: metrics[name] for name in _KEPT}


def _run_lines(system: System, matches: Sequence[LabelledMatch], seed: int) -> Run:
    aligner = make(system, seed)
    aligner.fit([labelled.match for labelled in matches])
    right = [
        hit
        for labelled in matches
        if labelled.gold is not None
        for hit in score_each_line(labelled, aligner.align(labelled.match)).values()
    ]
    report = {
        "accuracy": fmean(right),
        "lines": len(right),
        "interval": {"accuracy": share_interval(right, seed)},
    }
    return Run(report)


def _curve(scores: Sequence[Score]) -> list[list[float]]:
    """Recall and precision as more and more candidates are taken, best first."""
    total = add_up(scores)
    if not total.candidates:
        return []
    value = np.array([score for score, _ in total.candidates])
    is_gold = np.array([gold for _, gold in total.candidates], dtype=float)
    order = np.argsort(-value, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(value[order])), len(order) - 1)
    right = np.cumsum(is_gold[order])[ends]
    recall, precision = right / max(total.gold, 1), right / (ends + 1)
    kept = np.unique(np.searchsorted(recall, np.linspace(0, recall[-1], CURVE_POINTS)))
    kept = kept[kept < len(recall)]
    return [[round(float(recall[i]), 4), round(float(precision[i]), 4)] for i in kept]
