"""`touchline evaluate`: how well a method, or a links file, does against labels."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from touchline import __version__
from touchline.cli.shared import choose_aligner, clock_option, method_options, progress
from touchline.corpus import TRACKS
from touchline.errors import TouchlineError
from touchline.evaluation import Report, evaluate, evaluate_predictions
from touchline.files import write_text_whole

FOLDER = click.Path(path_type=Path)
PERCENT = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "pr_auc": "PR-AUC",
    "exact": "exact set",
    "none_accuracy": "no event",
    "accuracy": "main event",
}
COUNTS = ("predicted", "gold", "comments", "lines")


@click.command("evaluate")
@click.argument("corpus", type=FOLDER)
@method_options
@clock_option
@click.option("--track", type=click.Choice(TRACKS), default="comments",
              help="The commentary, or the templated one and its main events.")  # fmt: skip
@click.option("--also-fit", type=FOLDER, multiple=True, metavar="CORPUS",
              help="More matches to learn from, unlabelled.")  # fmt: skip
@click.option("--predictions", type=FOLDER, metavar="LINKS",
              help="Score this links file instead of a method.")  # fmt: skip
@click.option("--match", "only", multiple=True, metavar="NAME", help="Score this match only.")
@click.option("--json", "json_path", type=FOLDER, metavar="OUT", help="Write JSON; - to print it.")
@click.option("--log", type=FOLDER, metavar="FILE", envvar="TOUCHLINE_SCORE_LOG",
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
        if method is not None or model is not None:
            raise click.UsageError("--predictions is scored instead of a method; give one of them")
        report = evaluate_predictions(corpus, predictions, clock=clock, track=track, only=only)
    else:
        report = evaluate(
            corpus,
            choose_aligner(method, model, settings, seed),
            clock=clock,
            track=track,
            fitted=model is not None,
            also_fit=also_fit,
            only=only,
            progress=lambda matches: progress(matches, "aligning"),
        )
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
    print_report(report, Console())


def print_report(report: Report, console: Console) -> None:
    """The scores as a table, in percent; in a pipe as wide as it needs to be."""
    rows = {name: score.metrics() for name, score in report.scores.items()}
    total = report.total.metrics()
    title = f"{report.corpus}: {report.method}, {report.clock} clock, track {report.track}"
    table = Table(title=title, title_justify="left", show_footer=True)
    table.add_column("match", footer="all", overflow="fold")
    for name, value in total.items():
        footer = f"{value:.0f}" if name in COUNTS else f"{100 * value:.1f}"
        table.add_column(PERCENT.get(name, name), footer=footer, justify="right")
    for name, metrics in rows.items():
        cells = [f"{v:.0f}" if k in COUNTS else f"{100 * v:.1f}" for k, v in metrics.items()]
        table.add_row(name, *cells)
    if not console.is_terminal:
        console.width = 160
    console.print(table)
