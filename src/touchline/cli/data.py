"""`touchline data`: where to get real matches, and a check of corpus folders."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from touchline.cli.paths import LOCAL
from touchline.cli.shared import IN_PART, NOTHING_DONE, busy, say
from touchline.cli.terminal import Terminal
from touchline.core.errors import InputError
from touchline.datasets.catalogue import CATALOGUE
from touchline.datasets.checking import Checked, check_corpus
from touchline.datasets.download import COMPETITIONS, STATSBOMB_COMMIT, get_statsbomb, get_wyscout
from touchline.io.corpus.label_studio import import_labels

NARROW = 70  # a terminal on which a table has no room for all columns


@click.group("data", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> int:
    """List data sets, where to get them and their terms; fetch and check them."""
    if context.invoked_subcommand is None:
        _list()
    return 0


def _list() -> None:
    console = Terminal(100)
    for one in CATALOGUE:
        console.print(Text(one.name, style="bold"))
        for what, said in (("", one.contents), ("where", one.where), ("terms", one.terms),
                           ("get", one.get)):  # fmt: skip
            if said:
                console.print(Text(f"  {what + ': ' if what else ''}{said}"), soft_wrap=True)
    console.print(
        "\nNone of this data is part of touchline. Terms are listed as far as known.",
        soft_wrap=True,
    )


@command.group("get")
def get() -> None:
    """Download public match logs."""


output_option = click.option("-o", "--output", type=LOCAL, default=Path("."),
                             help="The folder to write to.")  # fmt: skip


@get.command("statsbomb")
@click.argument("matches", metavar="MATCH_ID...", nargs=-1, required=True)
@output_option
@click.option("--commit", metavar="SHA", default=STATSBOMB_COMMIT,
              help="Commit of the open data repository; fixed by default.")  # fmt: skip
def statsbomb(matches: tuple[str, ...], output: Path, commit: str) -> int:
    """Download matches of StatsBomb's open data.

    Events and line-ups of each go to OUTPUT/MATCH_ID/.
    """
    with busy("downloading"):
        written = get_statsbomb(matches, output, commit=commit)
    _say_written(written, "statsbomb")
    return 0


@get.command("wyscout")
@click.argument("competition", type=click.Choice(COMPETITIONS))
@click.argument("matches", metavar="[MATCH_ID...]", nargs=-1)
@output_option
def wyscout(competition: str, matches: tuple[str, ...], output: Path) -> int:
    """Download matches of Wyscout's public data.

    Without MATCH_ID, all matches of the COMPETITION.
    """
    with busy("downloading"):
        written = get_wyscout(competition, matches, output)
    _say_written(written, "wyscout")
    return 0


def _say_written(folders: list[Path], name: str) -> None:
    terms = next(one.terms for one in CATALOGUE if one.name == name)
    for folder in folders:
        click.echo(str(folder))
    say(f"terms of {name}: {terms}")


@command.command("check")
@click.argument("folder", type=LOCAL)
def check(folder: Path) -> int:
    """Report what a corpus FOLDER contains and lacks.

    Every match is read.
    """
    checked = list(check_corpus(folder))
    if not checked:
        raise InputError(
            folder, "contains no match folder; expected <match>/events.* and comments.*"
        )
    _show(checked)
    broken = sum(one.broken is not None for one in checked)
    return 0 if not broken else NOTHING_DONE if broken == len(checked) else IN_PART


@command.command("import-labels")
@click.argument("export", type=LOCAL)
@click.argument("folder", type=LOCAL)
@click.option("--annotator", metavar="NAME",
              help="Name of the label file (default: label-studio-USER).")  # fmt: skip
def import_labels_command(export: Path, folder: Path, annotator: str | None) -> int:
    """Import annotations from Label Studio into a corpus FOLDER.

    EXPORT is Label Studio's export (JSON or JSON-MIN) of tasks that touchline wrote (-o
    NAME.label-studio.json). The labels go to <match>/labels/<annotator>.jsonl.
    """
    found = import_labels(export, folder, annotator)
    for path, number in found.files.items():
        click.echo(f"{path}: {number} labels")
    for problem in found.bad:
        say(f"{problem}; skipped")
    if not found.files:
        raise InputError(export, "contains no annotations of these matches")
    return IN_PART if found.bad else 0


def _show(checked: list[Checked]) -> None:
    table = Table()
    table.add_column("match", overflow="fold")
    console = Terminal(100)
    shown = ["events", "linkable", "players", "comments", "labelled"]
    if console.width < NARROW:
        shown = ["events", "comments"]
    for name in shown:
        table.add_column(name, justify="right", no_wrap=True)
    for one in checked:
        if (match := one.match) is not None:
            found = {name: len(getattr(match, name)) for name in shown if name != "labelled"}
            counts = {**found, "labelled": one.labels}
            table.add_row(one.name, *(str(counts[name]) for name in shown))
    if table.rows:
        console.print(table)
    for one in checked:
        if one.broken is not None:
            console.print(Text(f"{one.name}: cannot be used: {one.broken}"), soft_wrap=True)
        for lack in one.lacks:
            console.print(Text(f"{one.name}: {lack}"), soft_wrap=True)
