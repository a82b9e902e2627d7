"""`touchline annotate`: labels from an outside annotator, such as a language model."""

from __future__ import annotations

from pathlib import Path

import click

from touchline.cli.paths import LOCAL
from touchline.cli.shared import (
    IN_PART,
    busy,
    clock_option,
    column_options,
    say,
    shown,
)
from touchline.cli.terminal import Terminal, print_sheet
from touchline.evaluation.sheets import Sheet, percent
from touchline.io.commentary.columns import Columns
from touchline.pipeline.annotate.comparing import Agreement
from touchline.pipeline.annotate.run import TIMEOUT, Annotation, Plan, annotate

MAX_TIMEOUT = 24 * 3600


@click.command("annotate")
@click.argument("folder", metavar="FOLDER", type=LOCAL)
@click.option("--with", "outside", metavar="CMD", required=True,
              help="The program and its arguments, run without a shell.")  # fmt: skip
@click.option("--annotator", metavar="NAME",
              help="Name of the labels, <match>/labels/NAME.jsonl (default: CMD's).")  # fmt: skip
@click.option("--limit", metavar="N", type=click.IntRange(1),
              help="Ask about at most N comments.")  # fmt: skip
@click.option("--match", "matches", metavar="NAME", multiple=True,
              help="Ask about this match only; may be repeated.")  # fmt: skip
@clock_option("second")
@column_options
@click.option("--timeout", metavar="SECONDS", default=TIMEOUT,
              type=click.FloatRange(0, MAX_TIMEOUT, min_open=True),
              help="Seconds to wait for each answer.")  # fmt: skip
@click.option("--jobs", metavar="N", type=click.IntRange(1, 64), default=1,
              help="Number of copies of CMD that run side by side.")  # fmt: skip
def command(
    folder: Path,
    outside: str,
    annotator: str | None,
    limit: int | None,
    matches: tuple[str, ...],
    clock: str,
    columns: Columns,
    timeout: float,
    jobs: int,
) -> int:
    """Label the comments of a corpus (or of one match folder) with a program of your own.

    CMD reads one line of JSON for each comment, with the events it may describe, and writes one
    line of JSON: {"comment": ..., "events": [ids], "sure": true, "note": ""}. Its answers are
    labels marked as made by a machine, in files of their own; gold.jsonl is never written.
    Comments that it has answered are not asked again, so an interrupted run continues where it
    stopped.
    """
    try:
        with busy("reading") as read:

            def announce(plan: Plan) -> None:
                read()
                _announce(plan)

            done = annotate(
                folder,
                outside,
                annotator=annotator,
                matches=matches,
                limit=limit,
                clock=clock,
                timeout=timeout,
                jobs=jobs,
                text_column=columns.text,
                clock_column=columns.clock,
                announce=announce,
                report=lambda problem: say(f"{problem}; skipped"),
                shown=shown,
            )
    except KeyboardInterrupt:
        say("answers so far are kept; run the same command again to continue")
        raise
    _summarise(done)
    return 0 if done.complete else IN_PART


def _announce(plan: Plan) -> None:
    """What the command gets, before it gets anything."""
    for name, problem in plan.broken:
        say(f"{name} left out: {problem}")
    if plan.unplaced:
        say(f"{plan.unplaced} comments without a time are not asked about")
    if plan.answered:
        say(f"{plan.answered} comments were answered by {plan.annotator} before and are skipped")
    if not plan.comments:
        say("nothing is left to ask")
        return
    # Only the program: its arguments may have a key in them, and this may be a log.
    say(
        f"the command {plan.command[0]!r} gets {_count(plan.comments, 'comment')} of "
        f"{_count(len(plan.matches), 'match')}, each with its neighbours and the events of the log "
        "around it, and may send them on; touchline itself sends nothing. "
        "Stop with Ctrl-C; answers so far are kept."
    )


def _count(number: int, noun: str) -> str:
    ending = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number} {noun}{ending}"


def _summarise(done: Annotation) -> None:
    """What came of it, and how far the labels can be trusted."""
    share = f" ({percent(done.none / done.answered)} % no event)" if done.answered else ""
    click.echo(
        f"{done.plan.annotator}: {done.asked} asked, {done.answered} answered{share}, "
        f"{done.unsure} unsure, {done.asked - done.answered} skipped"
    )
    if done.left:
        say(f"stopped early, {_count(done.left, 'comment')} not asked about; "
            "run the same command again to continue")  # fmt: skip
    if done.agreements:
        click.echo("agreement with other labels of the same comments:")
        print_sheet(_sheet(done), Terminal(100))
    else:
        click.echo("no other labels of these comments to compare with")


def _sheet(done: Annotation) -> Sheet:
    columns = ["with", "labels by", "comments", "pair F1", "exact set", "kappa"]
    rows = [_row(one) for one in done.agreements]
    return Sheet("", columns, rows)


def _row(one: Agreement) -> list[str]:
    kappa = "" if one.kappa is None else f"{one.kappa:.2f}"
    who = "machine" if one.machine else "people"
    figures = [percent(one.pair_f1), percent(one.exact), kappa]
    return [one.other, who, str(one.comments), *figures]
