"""`touchline evaluate`: how well a method, or a links file, does against labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click
import msgspec
from rich.table import Table

from touchline.cli.paths import FILE, OUTPUT
from touchline.cli.shared import (
    IN_PART,
    LeftOut,
    busy,
    choose_aligner,
    clock_option,
    column_options,
    method_options,
    parse_settings,
    progress,
    refuse_doubts,
    strict_option,
    write_json,
)
from touchline.cli.terminal import Terminal, print_sheet
from touchline.core.errors import TouchlineError, UsageError
from touchline.core.version import __version__
from touchline.evaluation import Evaluation, evaluate, evaluate_predictions
from touchline.evaluation import compare as comparison
from touchline.evaluation.calibration import Calibration
from touchline.evaluation.comparison import LABELS, comparison_sheet
from touchline.evaluation.segments import SegmentReport
from touchline.io.commentary.columns import Columns
from touchline.io.corpus.layout import TRACKS, LabelledMatch
from touchline.io.storage import AnyPath, local_path
from touchline.methods.registry import DEFAULT, Aligner, make_aligner

# Metric -> its heading; the figures of the first kind are shown in percent.
PERCENT = {
    "precision": "P",
    "recall": "R",
    "f1": "F1",
    "pr_auc": "PR-AUC",
    "exact": "exact",
    "none_accuracy": "no event",
    "accuracy": "main event",
    "overlap": "overlap",
    "end_to_end_precision": "end to end P",
    "end_to_end_recall": "R",
    "end_to_end_f1": "F1",
}
COUNTS = {
    "predicted": "pairs",
    "gold": "gold",
    "comments": "comments",
    "lines": "lines",
    "pairs": "pairs",
}
# Below these widths there is no room for counts, then for anything but the first three figures.
NARROW, VERY_NARROW = 90, 70
FIRST = ("precision", "recall", "f1", "accuracy")


@click.command("evaluate")
@click.argument("corpus", type=FILE)
@click.argument("others", nargs=-1, metavar="")
@method_options
@clock_option("minute")
@column_options
@click.option("--track", type=click.Choice(TRACKS), default="comments",
              help="Score the commentary; the templated text and its main events (bbc); the words "
              "of each event (segments); or the phases that comments are about.")  # fmt: skip
@click.option("--also-fit", type=FILE, multiple=True, metavar="CORPUS",
              help="Further matches to learn from. A method that learns from labels learns from "
              "theirs too; each scored match is then left out.")  # fmt: skip
@click.option("--predictions", type=FILE, multiple=True, metavar="LINKS",
              help="Score links of any system (a JSON Lines or CSV file, or a folder written by "
              "`align --corpus`) instead of a method; with --compare, in addition to the "
              "methods.")  # fmt: skip
@click.option("--compare", multiple=True, metavar="M...",
              help="Compare these methods, each against the first; all of them learn from "
              "CORPUS, and none uses its bundled model. None learns from labels except "
              "chains:labels, which learns from those of the other matches.")  # fmt: skip
@click.option("--calibration", is_flag=True,
              help="Also report how well scores are calibrated: of links scored .8, about eight in "
              "ten should be right.")  # fmt: skip
@click.option("--match", "only", multiple=True, metavar="NAME", help="Score this match only.")
@click.option(
    "--json", "json_path", type=OUTPUT, metavar="OUT", help="Write JSON to this file; - prints it."
)
@strict_option
@click.option("--log", type=FILE, metavar="FILE", envvar="TOUCHLINE_SCORE_LOG",
              help="Append a line about this run to FILE.")  # fmt: skip
def command(
    corpus: AnyPath,
    others: tuple[str, ...],
    method: str | None,
    model: AnyPath | None,
    settings: tuple[str, ...],
    seed: int,
    clock: str,
    columns: Columns,
    track: str,
    also_fit: tuple[AnyPath, ...],
    predictions: tuple[AnyPath, ...],
    compare: tuple[str, ...],
    calibration: bool,
    only: tuple[str, ...],
    json_path: AnyPath | None,
    strict: bool,
    log: AnyPath | None,
) -> int:
    """Score links against the labels of a CORPUS.

    No match is linked by a model that has seen its labels.
    """
    left_out = LeftOut([corpus, *also_fit], track)
    named = {"text_column": columns.text, "clock_column": columns.clock}
    if others and not compare:
        raise UsageError(f"got {others[0]!r} after the corpus; pass several methods with --compare")
    if calibration and (compare or predictions or track != "comments"):
        raise UsageError("--calibration needs a single method and --track comments")
    if compare and track == "phases":
        raise UsageError("--track phases does not support --compare; score one method at a time")
    if compare:
        if method is not None or model is not None:
            raise UsageError("--compare takes the methods; use it without --method and --model")
        options = {"seed": seed, **parse_settings(settings)}
        aligners = dict(_compared(name, options) for name in (*compare, *others))
        if track == "bbc" and any(name.endswith(LABELS) for name in aligners):
            raise UsageError("chains:labels does not support --track bbc: its main events are "
                             "found by patterns, not labelled")  # fmt: skip
        with busy("reading, learning and aligning"):
            found = comparison(corpus, aligners, clock=clock, track=track, also_fit=also_fit,
                               only=only, seed=seed, predictions=predictions,
                               broken=left_out, **named)  # fmt: skip
        refuse_doubts(strict)
        _show_comparison(found, json_path)
        if log is not None:
            _log_comparison(found, settings, only, log)
        return IN_PART if left_out.count else 0
    if predictions:
        if len(predictions) > 1:
            raise UsageError("more than one --predictions needs --compare")
        if method is not None or model is not None or settings or also_fit:
            raise UsageError(
                "--predictions replaces --method, --model, --set and --also-fit; leave them out"
            )
        report = evaluate_predictions(corpus, predictions[0], clock=clock, track=track, only=only,
                                      broken=left_out, **named)  # fmt: skip
    else:
        aligner = choose_aligner(method, model, settings, seed)
        with busy("reading and learning") as done:

            def aligning(matches: Sequence[LabelledMatch]) -> Iterable[LabelledMatch]:
                done()
                return progress(matches, "aligning")

            report = evaluate(corpus, aligner, method=method, clock=clock, track=track,
                              fitted=model is not None, also_fit=also_fit, only=only,
                              progress=aligning, broken=left_out,
                              calibration=calibration, **named)  # fmt: skip
    refuse_doubts(strict)
    if log is not None:
        _log(report, settings, only, log)
    _show(report, json_path)
    return IN_PART if left_out.count else 0


def _compared(method: str, options: dict[str, Any]) -> tuple[str, Aligner]:
    """A method as it is compared, under its name: without labels unless they are asked for."""
    if method == DEFAULT:
        return method, make_aligner(f"{method}:unlabelled", options)
    name = method.removesuffix(":labels")
    return name if name == method else name + LABELS, make_aligner(method, options)


def _log(
    report: Evaluation, settings: tuple[str, ...], only: tuple[str, ...], path: AnyPath
) -> None:
    scored = report.to_json()
    what = {key: scored[key] for key in ("corpus", "method", "clock", "track", "labels")}
    _append(what, scored["total"], settings, only, path)


def _log_comparison(
    found: dict[str, Any], settings: tuple[str, ...], only: tuple[str, ...], path: AnyPath
) -> None:
    for name, method in found["methods"].items():
        what = {"method": name, **{key: found[key] for key in ("corpus", "clock", "track")}}
        what["labels"] = method["labels"]
        total = {key: value for key, value in method["total"].items() if key in (*PERCENT, *COUNTS)}
        _append(what, total, settings, only, path)


def _append(
    what: dict[str, Any],
    total: dict[str, float],
    settings: tuple[str, ...],
    only: tuple[str, ...],
    path: AnyPath,
) -> None:
    """Log one line per scored run, as a record of how many configurations were tried."""
    run = {
        "touchline": __version__,
        **what,
        "set": list(settings),
        "matches": sorted(only),
        "total": {name: round(value, 4) for name, value in _flat(total).items()},
    }
    try:
        with open(local_path(path), "ab") as out:
            out.write(msgspec.json.encode(run) + b"\n")
    except OSError as error:
        raise TouchlineError(f"{path}: cannot be written ({error.strerror})") from None


def _show(report: Evaluation, json_path: AnyPath | None) -> None:
    if not write_json(report.to_json(), json_path):
        print_report(report, Terminal(160))


def _show_comparison(found: dict[str, Any], json_path: AnyPath | None) -> None:
    if not write_json(found, json_path):
        print_sheet(comparison_sheet(found), Terminal(160))


def print_report(report: Evaluation, console: Terminal) -> None:
    """The scores as a table, in percent; a narrow terminal shows fewer columns."""
    total = _flat(report.total.metrics())
    known = {**PERCENT, **({} if console.width < NARROW else COUNTS)}
    shown = [name for name in total if name in known]
    if console.width < VERY_NARROW:
        shown = [name for name in shown if name in FIRST]
    made = "a links file" if report.method == "predictions" else f"{report.clock} clock"
    track = f"track {report.track}, {'with' if report.labels else 'without'} labels"
    title = f"{report.corpus}: {report.method}, {made}, {track}"
    table = Table(title=title, title_justify="left", show_footer=True)
    table.add_column("match", footer="all", overflow="fold")
    for name in shown:
        footer = _figure(name, total[name])
        table.add_column(known[name], footer=footer, justify="right", no_wrap=True)
    for match, score in report.scores.items():
        metrics = _flat(score.metrics())
        table.add_row(match, *[_figure(name, metrics[name]) for name in shown])
    if report.segments is not None:
        table.add_section()
        for name, metrics in report.segments.baselines().items():
            flat = _flat(metrics)
            table.add_row(f"baseline: {name}", *[_figure(key, flat[key]) for key in shown])
    table.caption = _how_answered(report)
    table.caption_justify = "left"
    console.print(table)
    if report.interval:
        console.print(_interval(report.interval))
    if report.segments is not None:
        console.print(_intervals(report.segments))
    if report.calibration is not None:
        console.print("\n".join(_judged(report.calibration)))


def _flat(metrics: dict[str, Any]) -> dict[str, Any]:
    """The metrics of a track in one row; those end to end under names of their own."""
    ends = metrics.get("end_to_end", {})
    own = {name: value for name, value in metrics.items() if not isinstance(value, dict)}
    return {**own, **{f"end_to_end_{name}": value for name, value in ends.items()}}


def _interval(interval: dict[str, list[float]]) -> str:
    name = "f1" if "f1" in interval else "accuracy"
    low, high = interval[name]
    return f"95 % interval of {PERCENT[name]} over comments: {100 * low:.1f} to {100 * high:.1f}"


def _intervals(segments: SegmentReport) -> str:
    bounds = segments.to_json()["interval"]
    given, ends = (f"{100 * low:.1f} to {100 * high:.1f}" for low, high in bounds.values())
    return f"95 % intervals of F1 over comments: given the gold links {given}, end to end {ends}"


def _judged(calibration: Calibration) -> Iterator[str]:
    """How far scores and shares of right answers lie apart, bin by bin."""
    for what, found in calibration.to_json().items():
        name = {"none": "no event"}.get(what, what)
        yield f"{name}: expected calibration error {found['ece']:.3f} of {found['answers']}"
        for row in ("score", "right"):
            yield f"  {row}" + "".join(f"{bin_[row]:>7.3f}" for bin_ in found["bins"])


def _how_answered(report: Evaluation) -> str | None:
    """How many matches were answered by which model."""
    ways = Counter(report.answered.values())
    if len(ways) == 1:
        return f"answered by: {next(iter(ways))}"
    return "answered by: " + "; ".join(f"{how} ({n})" for how, n in ways.items()) if ways else None


def _figure(name: str, value: float) -> str:
    return f"{value:.0f}" if name in COUNTS else f"{100 * value:.1f}"
