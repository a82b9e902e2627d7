"""`touchline align`: a feed and a commentary in, links out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import click
import msgspec

from touchline.cli.paths import FILE, OUTPUT
from touchline.cli.shared import (
    LINEUPS_HELP,
    bom_option,
    busy,
    check_standard_input,
    choose_aligner,
    clock_option,
    column_options,
    match_options,
    method_options,
    or_standard_output,
    parse_kickoffs,
    refuse_doubts,
    refuse_to_overwrite,
    say_about_clocks,
    say_who_answers,
    share,
    strict_option,
    summarise,
    workers_options,
)
from touchline.core.errors import UsageError, warn_of
from touchline.core.links import CommentLinks, Links
from touchline.io.commentary.columns import Columns
from touchline.io.links.jsonl import to_lines
from touchline.io.links.origin import Origin
from touchline.io.storage import AnyPath
from touchline.methods.base import explain_by
from touchline.methods.explanation import Explain
from touchline.pipeline.align import at_least
from touchline.pipeline.provenance import answered, provenance
from touchline.pipeline.read import read_match
from touchline.report.formats import check_ending, is_report, write_links

UNKNOWN = "unknown"
LINKS, DATASET = "links", "dataset"
FORMS = (LINKS, DATASET, "huggingface")


@click.command("align")
@click.argument("events", type=FILE, required=False)
@click.argument("comments", type=FILE, nargs=-1)
@click.option("-o", "--output", type=OUTPUT, callback=or_standard_output,
              help="File to write (.jsonl .csv .xlsx .parquet .json "
              ".label-studio.json .vtt .chapters.vtt .html); default JSON Lines on standard "
              "output. With --corpus, a folder.")  # fmt: skip
@bom_option
@click.option("--corpus", type=FILE, help="Align every match of a corpus folder instead.")
@click.option("--format", "form", type=click.Choice(FORMS), default=FORMS[0],
              help="With --corpus: a file of links for each match; a partitioned Parquet data set "
              "(comments, links, words, phases, events), to which only what is new is added; or a "
              "data set for Hugging Face's `datasets` (rows, a card, and the links in a folder of "
              "their own).")  # fmt: skip
@click.option("--season", metavar="NAME", help="With --format dataset: the season of the corpus "
              "(default: the folder's name).")  # fmt: skip
@click.option("--competition", metavar="NAME", help="With --format dataset: the competition of the "
              f"corpus (default: {UNKNOWN}).")  # fmt: skip
@click.option("--lineups", type=FILE, multiple=True, help=LINEUPS_HELP)
@match_options
@column_options
@method_options
@clock_option("second")
@workers_options
@strict_option
@click.option("--min-score", type=float, default=0.0, metavar="X",
              help="Leave out events with a lower score.")  # fmt: skip
@click.option("--scores", is_flag=True, help="Also write every scored candidate.")
@click.option("--match", "name", metavar="NAME", help="Name of the match in the links; "
              "for a file with a whole season, the id of the match to read.")  # fmt: skip
def command(
    events: AnyPath | None,
    comments: tuple[AnyPath, ...],
    output: AnyPath | None,
    corpus: AnyPath | None,
    form: str,
    season: str | None,
    competition: str | None,
    lineups: tuple[AnyPath, ...],
    provider: str | None,
    kind: str | None,
    kickoffs: tuple[str, ...],
    sentences: bool,
    columns: Columns,
    bom: bool,
    method: str | None,
    model: AnyPath | None,
    settings: tuple[str, ...],
    seed: int,
    clock: str,
    jobs: int | None,
    cluster: str | None,
    strict: bool,
    min_score: float,
    scores: bool,
    name: str | None,
) -> int:
    """Link the comments on a match to the events of its log.

    EVENTS is the match log, COMMENTS the commentary: one file, or one per half, in order. Formats
    are recognised by content, files may be gzip-compressed, and - stands for standard input.

    Example: touchline align events.json live.txt -o match.html
    """
    aligner = choose_aligner(method, model, settings, seed)
    settings_used: dict[str, Any] = {
        "clock": clock,
        "min_score": share(min_score),
        "scores": scores,
        "provider": provider,
        "kind": kind,
        "sentences": sentences or None,
        "match": name,
        "text_column": columns.text,
        "clock_column": columns.clock,
    }
    if form != DATASET and (season or competition):
        raise UsageError("--season and --competition need --format dataset")
    given = parse_kickoffs(kickoffs)
    finish = _Finish(settings_used["min_score"], scores)
    if corpus is not None:
        of_one_match = (events, provider, kind, name, *lineups, *kickoffs)
        if any(of_one_match) or sentences or bom or output is None:
            raise UsageError(
                "--corpus FOLDER needs -o OUTDIR and takes no match files or options for them"
            )
        from touchline.cli.align_corpus import Run, align_all  # brings processes and clusters

        origin = provenance(aligner, [], model=model, command=settings_used)
        place = season or corpus.resolve().name, competition or UNKNOWN
        run = Run(corpus, output, form, place, columns, jobs, cluster, strict)
        return align_all(run, aligner, origin, clock, finish)
    if jobs or cluster or form != LINKS:
        raise UsageError("--jobs, --cluster and --format need --corpus")
    if events is None or not comments:
        raise click.UsageError(
            "give an EVENTS file and at least one COMMENTS file, or --corpus FOLDER"
        )
    if bom and output is None:
        raise UsageError("--bom needs -o FILE.csv")
    check_standard_input([events, *comments, *lineups])
    if output is not None:
        check_ending(output, bom)
        refuse_to_overwrite(output, [events, *comments, *lineups, model])
    match = read_match(events, comments, lineups=lineups, provider=provider, kind=kind,
                       kickoffs=given, sentences=sentences, clock=settings_used["clock"],
                       name=name, text_column=columns.text,
                       clock_column=columns.clock)  # fmt: skip
    say_about_clocks(match)
    refuse_doubts(strict)
    settings_used = {**settings_used, "kickoffs": match.kickoffs or None}
    origin = provenance(aligner, [events, *lineups, *comments], model=model, command=settings_used)
    with busy(f"aligning {len(match.comments)} comments"):
        alignment = aligner.infer(match)
    say_who_answers(alignment.model, model)
    warn_of(set(alignment.links.warnings) - set(match.warnings))
    refuse_doubts(strict)
    links, origin, who = finish(alignment.links), answered(origin, alignment), alignment.model.name
    explain = explain_by([alignment]) if output and is_report(output) else None
    del alignment  # the tables of the match are large, and only a report asks for more of them
    _write(links, output, origin, explain, bom)
    summarise(str(links.counts), who, output)
    return 0


def _write(
    links: Links, output: AnyPath | None, origin: Origin, explain: Explain | None, bom: bool
) -> None:
    if output is None:
        _print(to_lines(links))
        return
    with busy("writing"):
        write_links(links, output, origin, explain, bom)


class _Finish(msgspec.Struct, frozen=True):
    """What is done to every match's links before they are written."""

    min_score: float
    scores: bool

    def __call__(self, links: Links) -> Links:
        links = at_least(links, self.min_score)
        return links if self.scores else Links(links.match, map(_without_candidates, links))


def _without_candidates(answer: CommentLinks) -> CommentLinks:
    return msgspec.structs.replace(answer, candidates=None)


def _print(lines: Iterable[str]) -> None:
    """JSON is UTF-8 whatever the terminal's encoding."""
    sys.stdout.flush()
    for line in lines:
        sys.stdout.buffer.write(line.encode())
    sys.stdout.buffer.flush()
