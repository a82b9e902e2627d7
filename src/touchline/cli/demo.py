"""`touchline demo`: the main job on the two bundled matches."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from touchline.cli.paths import LOCAL
from touchline.cli.terminal import Terminal
from touchline.core.errors import UsageError
from touchline.core.links import Links
from touchline.evaluation import Score, score_comments
from touchline.generation.generate import generate
from touchline.io.corpus.layout import LabelledMatch, match_folders, read_match_folder
from touchline.io.files import write_whole
from touchline.io.storage import AnyPath, named_like
from touchline.methods.base import explain_by
from touchline.methods.registry import DEFAULT, make_aligner
from touchline.pipeline.provenance import provenance
from touchline.report.formats import write_links
from touchline.sample import corpus_path

# Lines of generated commentary that are shown.
GENERATED = 10
MATCHES = "matches"


@click.command("demo")
@click.option("-o", "--output", type=LOCAL, default=Path("touchline-demo"),
              help="The folder to write to.")  # fmt: skip
@click.option("--rows", metavar="N", type=click.IntRange(0), default=12,
              help="How many comments of each match to print.")  # fmt: skip
def command(output: Path, rows: int) -> int:
    """Align the two bundled matches of a fictional league and show the result."""
    if output.is_file():
        raise UsageError(f"{output}: is a file; -o must be a folder")
    aligner = make_aligner(DEFAULT)
    folders = match_folders(corpus_path())
    labelled = [read_match_folder(folder, clock="minute") for folder in folders]
    aligner.fit([one.match for one in labelled])
    alignments = [aligner.infer(one.match) for one in labelled]
    many = [alignment.links for alignment in alignments]
    inputs = [p for folder in folders for p in named_like(folder, "[elc]*.json*")]
    origin = provenance(aligner, inputs, command={"clock": "minute"})
    for name in ("links.jsonl", "index.html"):
        write_links(many, output / name, origin, explain_by(alignments))
    for folder in folders:
        _copy(folder, output / MATCHES / folder.name)
    console = Terminal(100)
    for links in many:
        console.print(_table(links, rows))
    _show_generated(console, many[0])
    _say_what_next(console, output, labelled, many)
    return 0


def _copy(folder: AnyPath, target: Path) -> None:
    """The files of a match, for the examples of the documentation."""
    for path in folder.iterdir():
        if path.is_file():
            with write_whole(target / path.name) as out:
                out.write(path.read_bytes())


def _table(links: Links, rows: int) -> Table:
    teams = " – ".join(team.name for team in links.match.teams)
    linked = sum(bool(answer.events) for answer in links)
    title = f"{teams}: {linked} of {len(links)} comments linked"
    table = Table(title=title, title_justify="left", show_lines=True)
    table.add_column("clock", justify="right", no_wrap=True)
    table.add_column("comment", ratio=5, overflow="fold")
    table.add_column("events it describes", ratio=4, overflow="fold")
    for comment, answer in list(zip(links.match.comments, links, strict=True))[:rows]:
        described = [links.match.event_by_id[link.id] for link in answer.events]
        events = "\n".join(f"{event.clock} {event.describe()}" for event in described)
        # Text, not markup: commentary is full of [brackets].
        table.add_row(comment.clock or "", Text(comment.text), Text(events or "– no event"))
    return table


def _show_generated(console: Terminal, links: Links) -> None:
    """Some lines that are written from the log alone."""
    teams = " – ".join(team.name for team in links.match.teams)
    console.print(f"{teams}: {GENERATED} lines written from the log alone", style="bold")
    for line in generate(links.match)[:GENERATED]:
        console.print(Text(f"{line.clock:>4} {line.text}"), soft_wrap=True)
    console.print()


def _say_what_next(
    console: Terminal, output: Path, labelled: list[LabelledMatch], many: list[Links]
) -> None:
    score = Score(candidates=[])
    for one, links in zip(labelled, many, strict=True):
        score += score_comments(one, links)
    metrics = score.metrics()
    console.print(
        f"Against the sample's own labels: precision {metrics['precision']:.2f}, "
        f"recall {metrics['recall']:.2f}, F1 {metrics['f1']:.2f} ({DEFAULT}, minute clock).",
        f"\nWritten: {output / 'links.jsonl'} (every link) and {output / 'index.html'} "
        f"(open it in a browser); the matches' own files are in {output / MATCHES}.",
        "\nYour own match: touchline align EVENTS COMMENTS -o links.jsonl  "
        "(touchline align --help)",
        "\nCommentary from a log: touchline generate EVENTS  (touchline generate --help)",
        soft_wrap=True,
        highlight=False,
    )
