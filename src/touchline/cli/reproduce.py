"""`touchline reproduce`: the paper's tables and figures, every system run here."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import track

from touchline.cli.paths import LOCAL
from touchline.cli.shared import (
    IN_PART,
    busy,
    progress,
    say,
    write_json,
)
from touchline.cli.terminal import Terminal, print_sheet
from touchline.core.errors import TouchlineError, UsageError
from touchline.evaluation.sheets import Sheet, to_latex, to_markdown
from touchline.io.corpus.layout import read_corpus
from touchline.io.files import write_text_whole
from touchline.methods.registry import DEFAULT, make_aligner
from touchline.reproduce.examples import example_sheets
from touchline.reproduce.harness import PROTOCOLS, Task, assemble, finished, missing_corpora, tasks
from touchline.reproduce.runs import Run
from touchline.reproduce.systems import readings as readings_of_the_paper
from touchline.reproduce.systems import systems
from touchline.reproduce.tables import sheets

STORE = Path("touchline-reproduce")
EXAMPLES = "figures-2-and-3.md"
GENERATION, MATCHTIME = "generation", "matchtime"


@click.command("reproduce")
@click.argument("protocol", type=click.Choice([*PROTOCOLS, GENERATION, MATCHTIME]))
@click.argument("folder", type=LOCAL, required=False)
@click.option("--method", "methods", metavar="M", multiple=True,
              help="Run only this method, NAME or NAME:PRESET; repeatable.")  # fmt: skip
@click.option("--readings", is_flag=True,
              help="With robocup: run every reading of the paper's text as well.")  # fmt: skip
@click.option("--data", type=LOCAL, envvar="TOUCHLINE_DATA", metavar="FOLDER",
              help="Folder with the corpora (default: TOUCHLINE_DATA).")  # fmt: skip
@click.option(
    "--json", "json_path", type=LOCAL, metavar="OUT", help="Write JSON to this file; - prints it."
)
@click.option("--markdown", type=LOCAL, metavar="OUT", help="Write the tables as Markdown.")
@click.option("--latex", type=LOCAL, metavar="OUT", help="Write the tables as LaTeX.")
@click.option("--figures", type=LOCAL, metavar="DIR",
              help="Write the figures (SVG and PNG) to this folder; tables of examples, which "
              "quote the corpus, go to the folder of --store.")  # fmt: skip
@click.option("--store", type=LOCAL, default=STORE, metavar="DIR",
              help="Folder for finished runs, to resume from.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), metavar="N", default=min(os.cpu_count() or 1, 2),
              help="Number of parallel processes.")  # fmt: skip
@click.option("--seed", metavar="N", type=int, default=0, help="Random seed.")
def command(
    protocol: str,
    folder: Path | None,
    methods: tuple[str, ...],
    readings: bool,
    data: Path | None,
    json_path: Path | None,
    markdown: Path | None,
    latex: Path | None,
    figures: Path | None,
    store: Path,
    jobs: int,
    seed: int,
) -> int:
    """Run the systems of the paper's tables on real data, with published numbers next to ours.

    `robocup` is Table 2 on the four sportscasting games, `pro` Table 1 and Figures 2-5 on
    professional commentary. `generation` measures generated commentary: which events it describes,
    how close its words are to people's, which errors it makes in whole matches. `matchtime`
    compares the times of captions with those that MatchTime's authors corrected by hand: FOLDER
    has their release files (`Labels-caption_with_gt.json`) with the log of each match next to them.
    """
    if readings and protocol != "robocup":
        raise UsageError(f"`reproduce {protocol}` takes no --readings")
    if protocol == MATCHTIME:
        if figures or len(methods) > 1:
            raise UsageError("`reproduce matchtime` takes one --method and no --figures")
        return _matchtime(folder, methods, (json_path, markdown, latex))
    if folder is not None:
        raise UsageError(f"`reproduce {protocol}` takes no FOLDER; use --data")
    if data is None:
        raise UsageError(
            f"`reproduce {protocol}` needs real matches; set TOUCHLINE_DATA or give --data "
            "(docs/data.md says where to get them and how to lay them out)"
        )
    if protocol == GENERATION:
        if methods or figures:
            raise UsageError("`reproduce generation` takes no --method and no --figures")
        return _generation(data, seed, (json_path, markdown, latex))
    if figures is not None:  # to know before the long run that there is nothing to draw with
        from touchline.reproduce import figures as _  # noqa: F401
    started = time.perf_counter()
    chosen = systems(protocol, methods) + (readings_of_the_paper() if readings else [])
    todo = tasks(protocol, chosen, data, seed)
    for corpus in missing_corpora(protocol, data):
        click.echo(f"touchline: no corpus {corpus} in {data}; its columns are left empty", err=True)
    runs = list(_shown(finished(todo, store, jobs), len(todo)))
    order = {system.name: place for place, system in enumerate(chosen)}
    runs.sort(key=lambda run: order[run[0].system.name])
    found = assemble(protocol, runs, seed, time.perf_counter() - started)
    tables = sheets(found)
    if figures is not None:
        _draw(found, data, figures, store)
    _write_tables(tables, markdown, latex)
    if not write_json(found, json_path):
        _print(found, tables, Terminal(200))
    return 0


def _generation(data: Path, seed: int, outputs: tuple[Path | None, ...]) -> int:
    """Measure generated commentary, and print or write the tables."""
    from touchline.reproduce import generation

    json_path, markdown, latex = outputs
    with busy("measuring generated commentary"):
        found = generation.run(data, seed)
    tables = generation.sheets(found)
    _write_tables(tables, markdown, latex)
    if not write_json(found, json_path):
        console = Terminal(160)
        for sheet in tables:
            print_sheet(sheet, console)
        console.print(f"links by {found['links']}; seed {seed}; {found['seconds']:.0f} s")
    return 0


def _matchtime(
    folder: Path | None, methods: tuple[str, ...], outputs: tuple[Path | None, ...]
) -> int:
    """Compare the times of captions with corrected ones; a match that cannot be read is named."""
    from touchline.reproduce import matchtime

    if folder is None:
        raise UsageError("`reproduce matchtime` needs the FOLDER with the files of its release")
    timed, left_out = [], 0
    for match in progress(matchtime.match_folders(folder), "aligning"):
        try:
            timed.append(
                matchtime.score_match(match, make_aligner(methods[0] if methods else DEFAULT))
            )
        except TouchlineError as error:
            left_out += 1
            say(f"{error}; left out")
    if not timed:
        raise TouchlineError(f"{folder}: no match could be scored")
    json_path, markdown, latex = outputs
    found = matchtime.results(timed)
    tables = matchtime.sheets(found)
    _write_tables(tables, markdown, latex)
    if not write_json(found, json_path):
        for sheet in tables:
            print_sheet(sheet, Terminal(120))
        click.echo(f"A window of 10 s allows 5 s on either side. Published: {found['source']}.")
    return IN_PART if left_out else 0


def _write_tables(tables: list[Sheet], markdown: Path | None, latex: Path | None) -> None:
    for path, write in ((markdown, to_markdown), (latex, to_latex)):
        if path is not None:
            with write_text_whole(path) as out:
                out.write("\n".join(map(write, tables)))


def _draw(found: dict[str, Any], data: Path, folder: Path, store: Path) -> None:
    """The figures; for `pro` also the tables of examples.

    Those hold sentences of the corpus, which may not be passed on, while figures are often drawn
    into a document's folder. So they stay with the runs.
    """
    from touchline.reproduce.figures import draw_figures

    draw_figures(found, folder)
    if found["protocol"] == "pro":
        matches = [labelled.match for labelled in read_corpus(data / "epl-2015", clock="minute")]
        path = store / EXAMPLES
        with write_text_whole(path) as out:
            out.write("\n".join(map(to_markdown, example_sheets(matches))))
        click.echo(f"touchline: examples, which quote the corpus, are in {path}", err=True)


def _shown(runs: Iterator[tuple[Task, Run]], total: int) -> Iterator[tuple[Task, Run]]:
    """The runs with a progress bar on a terminal; silent in pipes."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from runs
        return
    yield from track(runs, "running", total=total, console=console, transient=True)


def _print(found: dict[str, Any], tables: list[Sheet], console: Terminal) -> None:
    for sheet in tables:
        print_sheet(sheet, console)
    run = found["run"]
    versions = ", ".join(f"{name} {number}" for name, number in run["versions"].items())
    console.print(f"Published numbers: {found['source']}", highlight=False)
    console.print(f"{versions}; seed {run['seed']}; {run['seconds']:.0f} s", highlight=False)
    for path, checksum in run["files"].items():
        console.print(f"sha256 {checksum[:16]}  {path}", highlight=False)
