"""`touchline align`: a feed and a commentary in, links out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import msgspec

from touchline.aligners import Aligner
from touchline.api import at_least, read_match
from touchline.cli.shared import (
    FILE,
    LINEUPS_HELP,
    busy,
    choose_aligner,
    clock_option,
    match_options,
    method_options,
    origin_of,
    parse_kickoffs,
    progress,
    refuse_to_overwrite,
    say,
    say_about_clocks,
    share,
)
from touchline.corpus import corpus_matches
from touchline.errors import TouchlineError, UsageError
from touchline.match import CommentLinks, Links, Match
from touchline.output import Origin, to_lines, write_links
from touchline.output.formats import check_ending

NOTHING_DONE, IN_PART = 1, 3


@click.command("align")
@click.argument("events", type=FILE, required=False)
@click.argument("comments", type=FILE, nargs=-1)
@click.option("-o", "--output", type=FILE, help="File to write (.jsonl .csv .parquet .json .vtt "
              ".chapters.vtt .html); default JSON Lines on standard output. "
              "With --corpus, a folder.")  # fmt: skip
@click.option("--corpus", type=FILE, help="Align every match of a corpus folder instead.")
@click.option("--lineups", type=FILE, multiple=True, help=LINEUPS_HELP)
@match_options
@method_options
@clock_option
@click.option("--min-score", type=float, default=0.0, metavar="X",
              help="Leave out events that score less.")  # fmt: skip
@click.option("--scores", is_flag=True, help="Also write every scored candidate.")
@click.option("--match", "name", metavar="NAME", help="The match's name in the links; "
              "of a file with a whole season, the id of the match to read.")  # fmt: skip
def command(
    events: Path | None,
    comments: tuple[Path, ...],
    output: Path | None,
    corpus: Path | None,
    lineups: tuple[Path, ...],
    provider: str | None,
    kind: str | None,
    kickoffs: tuple[str, ...],
    sentences: bool,
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
    told: dict[str, Any] = {
        "clock": clock or "second",
        "min_score": share(min_score),
        "scores": scores,
        "provider": provider,
        "kind": kind,
        "sentences": sentences or None,
        "match": name,
    }
    given = parse_kickoffs(kickoffs)
    finish = _Finish(aligner, model, told)
    if corpus is not None:
        of_one_match = (events, provider, kind, name, *lineups, *kickoffs)
        if any(of_one_match) or sentences or output is None:
            raise UsageError("--corpus FOLDER goes with -o OUTDIR and no files or their options")
        return _align_corpus(corpus, output, finish)
    if events is None or not comments:
        raise click.UsageError("give an EVENTS file and at least one COMMENTS file")
    if output is not None:
        check_ending(output)
        refuse_to_overwrite(output, [events, *comments, *lineups, model])
    match = read_match(events, comments, lineups=lineups, provider=provider, kind=kind,
                       kickoffs=given, sentences=sentences, clock=told["clock"],
                       name=name)  # fmt: skip
    if match.players and not any(player.names for player in match.players):
        click.echo("touchline: the log names no players; give their names with --lineups", err=True)
    say_about_clocks(match)
    with busy(f"aligning {len(match.comments)} comments"):
        links = finish.links(aligner.align(match))
    if output is None:
        _print(to_lines(links))
    else:
        origin = finish.origin(match, [events, *lineups, *comments])
        with busy("writing"):
            write_links(links, output, origin, aligner.explain)
    return 0


class _Finish:
    """What is done to every match's links before they are written."""

    def __init__(self, aligner: Aligner, model: Path | None, told: dict[str, Any]) -> None:
        self.aligner, self.model, self.told = aligner, model, told

    def links(self, links: Links) -> Links:
        links = at_least(links, self.told["min_score"])
        return links if self.told["scores"] else Links(links.match, map(_without_candidates, links))

    def origin(self, match: Match, inputs: list[Path]) -> Origin:
        told = {**self.told, "kickoffs": match.kickoffs or None}
        return origin_of(self.aligner, inputs, self.model, told)


def _without_candidates(answer: CommentLinks) -> CommentLinks:
    return msgspec.structs.replace(answer, candidates=None)


def _print(lines: Iterable[str]) -> None:
    """JSON is UTF-8 whatever the terminal's encoding."""
    sys.stdout.flush()
    for line in lines:
        sys.stdout.buffer.write(line.encode())
    sys.stdout.buffer.flush()


def _align_corpus(corpus: Path, outdir: Path, finish: _Finish) -> int:
    """Every match into a file of its own; a match that cannot be read does not stop the rest."""
    if outdir.is_file():
        raise UsageError(f"{outdir}: is a file; with --corpus, -o names a folder")
    matches = corpus_matches(corpus)
    failed = 0
    for one in progress(matches, "aligning"):
        try:
            match = one.read(clock=finish.told["clock"]).match
            say_about_clocks(match, f"{one.name}: ")
            links = finish.links(finish.aligner.align(match))
            write_links(links, outdir / f"{one.name}.jsonl", finish.origin(match, one.files))
        except TouchlineError as error:
            failed += 1
            say(f"{one.name} left out: {error}")
    return 0 if not failed else NOTHING_DONE if failed == len(matches) else IN_PART
