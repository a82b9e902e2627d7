"""Several methods side by side on any corpus with labels: a benchmark for those who have one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from touchline.core.errors import InputError, UsageError
from touchline.core.links import CommentLinks
from touchline.core.records import Match
from touchline.evaluation.bootstrap import intervals, paired_difference, share_interval, tallies
from touchline.evaluation.held_out import FITTED, HELD_OUT_LABELS, Answering
from touchline.evaluation.metrics import LineScore, add_up, score_each, score_each_line
from touchline.evaluation.protocol import (
    also_read,
    labelled_matches,
    labels_of,
    predicted,
    words_of,
)
from touchline.evaluation.segments import (
    BASELINES,
    SegmentScore,
    score_alignment,
    score_each_segment,
    summed,
)
from touchline.evaluation.sheets import Sheet, difference, percent, with_interval
from touchline.io.corpus.layout import Broken, LabelledMatch, read_corpus
from touchline.io.storage import AnyPath, as_path
from touchline.methods.base import Alignment, Labels, WordLabels
from touchline.methods.registry import Aligner

Answer = Callable[[Match], Iterable[CommentLinks]]

# Ends the names of aligners that learn from labels of the other matches.
LABELS = " (labels)"
_METRICS = {"precision": "P", "recall": "R", "exact": "exact", "none_accuracy": "no event"}


def compare(
    corpus: str | AnyPath,
    aligners: Mapping[str, Aligner],
    *,
    clock: str = "minute",
    track: str = "comments",
    also_fit: Iterable[str | AnyPath] = (),
    only: Iterable[str] = (),
    seed: int = 0,
    predictions: Iterable[str | AnyPath] = (),
    broken: Broken | None = None,
    text_column: str | None = None,
    clock_column: str | None = None,
) -> dict[str, Any]:
    """Score several aligners, each learning from the corpus without its labels.

    All of them learn, also those with a bundled model, so that they are compared on equal
    terms; `evaluate` scores one as its users get it. An aligner under a name that ends with
    ` (labels)` learns, for each match anew, from the other matches and their labels. The figures
    come with 95 % intervals over comments; every method but the first is compared with the first,
    comment by comment (`against_first`). `predictions` are links files that join as methods of
    their own, under the names of the files; they must answer every match.
    """
    read = partial(
        read_corpus, clock=clock, broken=broken, text_column=text_column, clock_column=clock_column
    )
    matches = list(read(corpus, track=track))
    more = [m for path in also_fit for m in also_read(path, read)]
    scored = labelled_matches(corpus, matches, only, track)
    methods: dict[str, Any] = {}
    first: np.ndarray | None = None
    own = [m.match for m in (*matches, *more)]
    labels = labels_of([*matches, *more])
    systems = {
        name: _leaving_out(aligner, own, labels)
        if name.endswith(LABELS)
        else _learning(aligner, own)
        for name, aligner in aligners.items()
    }
    predictions = list(predictions)
    if track == "segments" and predictions:
        raise UsageError("a links file cannot say which words describe the gold events")
    systems |= {as_path(path).name: _predicting(path, scored) for path in predictions}
    for name, make in systems.items():
        if track == "segments":
            aligner = aligners[name]
            taught = labels if name.endswith(LABELS) else None
            infer = _inferring(aligner, own, taught, words_of(matches))
            methods[name] = {**_segments(infer, scored, seed), "labels": name.endswith(LABELS)}
            continue
        answer = make()
        if track == "bbc":
            methods[name] = {**_lines(answer, scored, seed), "labels": False}
            continue
        report, each = _comments(answer, scored, seed)
        methods[name] = {**report, "labels": name.endswith(LABELS)}
        if first is None:
            first = each
        else:
            methods[name]["total"]["against_first"] = paired_difference(each, first, seed)
    if track == "segments":
        methods |= _segment_baselines(scored, seed)
    name = as_path(corpus).resolve().name
    about = {"corpus": name, "clock": clock, "track": track, "seed": seed}
    with_labels = any(method["labels"] for method in methods.values())
    return {**about, "answered": FITTED, "labels": with_labels, "methods": methods}


def _learning(aligner: Aligner, matches: Sequence[Match]) -> Callable[[], Answer]:
    """A method that learns when its turn comes."""

    def make() -> Answer:
        aligner.fit(matches)
        return aligner.align

    return make


def _inferring(
    aligner: Aligner, matches: Sequence[Match], labels: Labels | None, words: WordLabels
) -> Callable[[Match], Alignment]:
    """The whole answer of a method, for what links do not say."""
    if labels is None:
        aligner.fit(matches)
        return aligner.infer
    aligner.check_labels()
    answering = Answering(aligner, matches, labels, words=words)
    return lambda match: answering.left_out(match).infer(match)


def _segments(
    infer: Callable[[Match], Alignment], scored: Sequence[LabelledMatch], seed: int
) -> dict[str, Any]:
    by_match = {m.match.name: score_alignment(m, infer(m.match)) for m in scored}
    return _segment_report(by_match, seed)


def _segment_baselines(scored: Sequence[LabelledMatch], seed: int) -> dict[str, Any]:
    """The baselines, given the gold links; they have none of their own."""
    return {
        name: {
            **_segment_report(
                {
                    m.match.name: list(score_each_segment(m, baseline(m.match), ()).values())
                    for m in scored
                },
                seed,
            ),
            "labels": False,
        }
        for name, baseline in BASELINES.items()
    }


def _segment_report(by_match: Mapping[str, Sequence[SegmentScore]], seed: int) -> dict[str, Any]:
    every = [score for each in by_match.values() for score in each]
    return {
        "matches": {name: sum(each, SegmentScore()).metrics() for name, each in by_match.items()},
        "total": summed(every, seed),
    }


def _leaving_out(
    aligner: Aligner, matches: Sequence[Match], labels: Labels
) -> Callable[[], Answer]:
    """A method that learns from the labels of other matches than the one that it answers."""
    aligner.check_labels()
    answering = Answering(aligner, matches, labels)
    return lambda: lambda match: answering.left_out(match).align(match)


def _predicting(path: str | AnyPath, scored: Sequence[LabelledMatch]) -> Callable[[], Answer]:
    answers = predicted(path, scored)
    if lacking := [m.match.name for m in scored if m.match.name not in answers]:
        raise InputError(path, f"no prediction for {', '.join(lacking)}")
    return lambda: lambda match: answers[match.name]


def _comments(
    answer: Answer, scored: Sequence[LabelledMatch], seed: int
) -> tuple[dict[str, Any], np.ndarray]:
    by_match = {m.match.name: list(score_each(m, answer(m.match)).values()) for m in scored}
    every = [score for each in by_match.values() for score in each]
    report = {
        "matches": {name: add_up(each).metrics() for name, each in by_match.items()},
        "total": {**add_up(every).metrics(), "interval": intervals(every, seed)},
    }
    return report, tallies(every)


def _lines(answer: Answer, scored: Sequence[LabelledMatch], seed: int) -> dict[str, Any]:
    by_match = {m.match.name: list(score_each_line(m, answer(m.match)).values()) for m in scored}
    every = [hit for hits in by_match.values() for hit in hits]
    metrics = {
        name: LineScore(right=sum(hits), lines=len(hits)).metrics()
        for name, hits in [*by_match.items(), ("", every)]
    }
    total = metrics.pop("")
    interval = {"accuracy": share_interval(every, seed)}
    return {"matches": metrics, "total": {**total, "interval": interval}}


def comparison_sheet(found: dict[str, Any]) -> Sheet:
    """The comparison as a table."""
    about = f"{found['corpus']}, {found['clock']} clock, track {found['track']}"
    held_out = f"; those with{LABELS} {HELD_OUT_LABELS}" if found["labels"] else ""
    title = f"{about}, every method {found['answered']}{held_out}: percent"
    totals = {name: method["total"] for name, method in found["methods"].items()}
    if found["track"] == "bbc":
        rows = [[name, with_interval(total, "accuracy")] for name, total in totals.items()]
        return Sheet(title, ["method", "main event"], rows)
    if found["track"] == "segments":
        rows = [_segment_row(name, total) for name, total in totals.items()]
        columns = ["method", "F1 given the gold links", "P", "R", "F1 end to end", "P", "R"]
        return Sheet(title, columns, rows)
    rows = [
        [name, with_interval(total, "f1"), *(percent(total[metric]) for metric in _METRICS),
         with_interval(total, "pr_auc"), *difference(total.get("against_first"))]
        for name, total in totals.items()
    ]  # fmt: skip
    first = next(iter(totals))
    columns = ["method", "F1", *_METRICS.values(), "PR-AUC", f"F1 - {first}", "p"]
    return Sheet(title, columns, rows)


def _segment_row(name: str, total: dict[str, Any]) -> list[str]:
    ends = total["end_to_end"]
    given = [with_interval(total, "f1"), percent(total["precision"]), percent(total["recall"])]
    if name in BASELINES:
        return [name, *given, "", "", ""]
    own = {"end_to_end": ends["f1"], "interval": total["interval"]}
    return [name, *given, with_interval(own, "end_to_end"), percent(ends["precision"]),
            percent(ends["recall"])]  # fmt: skip
