"""`touchline align`: a feed and a commentary in, links out."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from touchline.aligners import Aligner
from touchline.api import at_least, read_match
from touchline.cli.shared import (
    choose_aligner,
    clock_option,
    method_options,
    origin_of,
    progress,
)
from touchline.commentary import KINDS
from touchline.corpus import match_folders, read_match_folder
from touchline.errors import TouchlineError
from touchline.feeds import PROVIDERS
from touchline.match import CommentLinks, Links
from touchline.output import Origin, to_lines, write_links
from touchline.output.formats import check_ending

IN_PART = 3
FILE = click.Path(path_type=Path)


@click.command("align")
@click.argument("events", type=FILE, required=False)
@click.argument("comments", type=FILE, nargs=-1)
@click.option("-o", "--output", type=FILE, help="File to write (.jsonl .csv .parquet .vtt .html); "
              "default JSON Lines on standard output. With --corpus, a folder.")  # fmt: skip
@click.option("--corpus", type=FILE, help="Align every match of a corpus folder instead.")
@click.option("--lineups", type=FILE, multiple=True, help="Line-ups, for players' nicknames.")
@click.option("--provider", type=click.Choice(list(PROVIDERS)), help="Feed, if not recognised.")
@click.option("--kind", type=click.Choice(list(KINDS)), help="Commentary, if not recognised.")
@method_options
@clock_option
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, metavar="X",
              help="Leave out events that score less.")  # fmt: skip
@click.option("--scores", is_flag=True, help="Also write every scored candidate.")
@click.option("--match", "name", metavar="NAME", help="The match's name in the links.")
def command(
    events: Path | None,
    comments: tuple[Path, ...],
    output: Path | None,
    corpus: Path | None,
    lineups: tuple[Path, ...],
    provider: str | None,
    kind: str | None,
    method: str | None,
    model: Path | None,
    settings: tuple[str, ...],
    seed: int,
    clock: str | None,
    min_score: float,
    scores: bool,
    name: str | None,
) -> int:
    """Link the comments on a match to the events of its log.

    EVENTS is the provider's file, COMMENTS one file or several that follow each other (one a
    half). Both are recognised by content and may be packed with gzip.
    """
    aligner = choose_aligner(method, model, settings, seed)
    finish = _Finish(aligner, min_score, scores, model)
    if corpus is not None:
        if events is not None or output is None:
            raise click.UsageError("--corpus FOLDER goes with -o OUTDIR and no other files")
        return _align_corpus(corpus, output, aligner, clock or "second", finish)
    if events is None or not comments:
        raise click.UsageError("give an EVENTS file and at least one COMMENTS file")
    if output is not None:
        check_ending(output)
    match = read_match(events, comments, lineups=lineups, provider=provider, kind=kind,
                       clock=clock or "second", name=name)  # fmt: skip
    links = finish.links(aligner.align(match))
    if output is None:
        sys.stdout.writelines(to_lines(links))
    else:
        write_links(links, output, finish.origin([events, *lineups, *comments]))
    return 0


class _Finish:
    """What is done to every match's links before they are written."""

    def __init__(
        self, aligner: Aligner, min_score: float, scores: bool, model: Path | None
    ) -> None:
        self.aligner, self.min_score, self.scores, self.model = aligner, min_score, scores, model

    def links(self, links: Links) -> Links:
        links = at_least(links, self.min_score)
        return links if self.scores else Links(links.match, map(_without_candidates, links))

    def origin(self, inputs: list[Path]) -> Origin:
        return origin_of(self.aligner, inputs, self.model)


def _without_candidates(answer: CommentLinks) -> CommentLinks:
    fields = {name: getattr(answer, name) for name in answer.__struct_fields__}
    return CommentLinks(**{**fields, "candidates": None})


def _align_corpus(corpus: Path, outdir: Path, aligner: Aligner, clock: str, finish: _Finish) -> int:
    """Every match into a file of its own; a match that cannot be read does not stop the rest."""
    failed = 0
    for folder in progress(match_folders(corpus), "aligning"):
        try:
            match = read_match_folder(folder, clock=clock).match
            links = finish.links(aligner.align(match))
            inputs = sorted(p for p in folder.iterdir() if p.stem.split(".")[0] in _INPUTS)
            write_links(links, outdir / f"{folder.name}.jsonl", finish.origin(inputs))
        except TouchlineError as error:
            failed += 1
            click.echo(f"touchline: {folder.name} left out: {error}", err=True)
    return IN_PART if failed else 0


_INPUTS = frozenset(["events", "lineups", "comments"])
