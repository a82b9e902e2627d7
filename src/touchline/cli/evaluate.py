"""`touchline evaluate`: how well a method, or a links file, does against labels."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import msgspec
from rich.table import Table

from touchline import __version__
from touchline.cli.shared import (
    FILE,
    Terminal,
    busy,
    choose_aligner,
    clock_option,
    method_options,
    progress,
)
from touchline.corpus import TRACKS, LabelledMatch
from touchline.errors import TouchlineError, UsageError
from touchline.evaluation import Report, evaluate, evaluate_predictions
from touchline.files import write_text_whole

# Metric -> its heading; the figures of the first kind are shown in percent.
PERCENT = {
    "precision": "P",
    "recall": "R",
    "f1": "F1",
    "pr_auc": "PR-AUC",
    "exact": "exact",
    "none_accuracy": "no event",
    "accuracy": "main event",
}
COUNTS = {"predicted": "pairs", "gold": "gold", "comments": "comments", "lines": "lines"}
NARROW = 90


@click.command("evaluate")
@click.argument("corpus", type=FILE)
@method_options
@clock_option
@click.option("--track", type=click.Choice(TRACKS), default="comments",
              help="The commentary, or the templated one and its main events.")  # fmt: skip
@click.option("--also-fit", type=FILE, multiple=True, metavar="CORPUS",
              help="More matches to learn from, unlabelled.")  # fmt: skip
@click.option("--predictions", type=FILE, metavar="LINKS",
              help="Score this links file instead of a method.")  # fmt: skip
@click.option("--match", "only", multiple=True, metavar="NAME", help="Score this match only.")
@click.option("--json", "json_path", type=FILE, metavar="OUT", help="Write JSON; - to print it.")
@click.option("--log", type=FILE, metavar="FILE", envvar="TOUCHLINE_SCORE_LOG",
              help="Append a line about this run to FILE.")  # fmt: skip
def command(
    corpus: Path,
    method: str | None,
    model: Path | None,
    settings: tuple[str, ...],
    seed: int,
    clock: str | None,
    track: str,
    also_fit: tuple[Path, ...],
    predictions: Path | None,
    only: tuple[str, ...],
    json_path: Path | None,
    log: Path | None,
) -> int:
    """Score against the labels of CORPUS; a method learns from its texts, never its labels."""
    clock = clock or "minute"
    if predictions is not None:
        if method is not None or model is not None or settings or also_fit:
            raise UsageError("--predictions is scored instead of a method; give one of them")
        report = evaluate_predictions(corpus, predictions, clock=clock, track=track, only=only)
    else:
        aligner = choose_aligner(method, model, settings, seed)
        with busy("reading and learning") as done:

            def aligning(matches: Sequence[LabelledMatch]) -> Iterable[LabelledMatch]:
                done()
                return progress(matches, "aligning")

            report = evaluate(corpus, aligner, method=method, clock=clock, track=track,
                              fitted=model is not None, also_fit=also_fit, only=only,
                              progress=aligning)  # fmt: skip
    if log is not None:
        _log(report, settings, only, log)
    _show(report, json_path)
    return 0


def _log(report: Report, settings: tuple[str, ...], only: tuple[str, ...], path: Path) -> None:
    """One line a scored run, so that nobody can forget how many configurations were tried."""
    scored = report.to_json()
    run = {
        "touchline": __version__,
        **{key: scored[key] for key in ("corpus", "method", "clock", "track")},
        "set": list(settings),
        "matches": sorted(only),
        "total": {name: round(value, 4) for name, value in scored["total"].items()},
    }
    try:
        with open(path, "ab") as out:
            out.write(msgspec.json.encode(run) + b"\n")
    except OSError as error:
        raise TouchlineError(f"{path}: cannot be written ({error.strerror})") from None


def _show(report: Report, json_path: Path | None) -> None:
    encoded = msgspec.json.format(msgspec.json.encode(report.to_json()), indent=1).decode() + "\n"
    if json_path is not None and str(json_path) == "-":
        sys.stdout.write(encoded)
        return
    if json_path is not None:
        with write_text_whole(json_path) as out:
            out.write(encoded)
    print_report(report, Terminal(160))


def print_report(report: Report, console: Terminal) -> None:
    """The scores as a table, in percent; a narrow terminal gets no counts."""
    total = report.total.metrics()
    known = {**PERCENT, **({} if console.width < NARROW else COUNTS)}
    shown = [name for name in total if name in known]
    made = "a links file" if report.method == "predictions" else f"{report.clock} clock"
    title = f"{report.corpus}: {report.method}, {made}, track {report.track}"
    table = Table(title=title, title_justify="left", show_footer=True)
    table.add_column("match", footer="all", overflow="fold")
    for name in shown:
        footer = _figure(name, total[name])
        table.add_column(known[name], footer=footer, justify="right", no_wrap=True)
    for match, score in report.scores.items():
        metrics = score.metrics()
        table.add_row(match, *[_figure(name, metrics[name]) for name in shown])
    console.print(table)


def _figure(name: str, value: float) -> str:
    return f"{value:.0f}" if name in COUNTS else f"{100 * value:.1f}"
