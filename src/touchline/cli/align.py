"""`touchline align`: a feed and a commentary in, links out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import click
import msgspec

from touchline.cli.paths import FILE
from touchline.cli.shared import (
    IN_PART,
    LINEUPS_HELP,
    LeftOut,
    bom_option,
    busy,
    check_standard_input,
    choose_aligner,
    clock_option,
    column_options,
    match_options,
    method_options,
    parse_kickoffs,
    refuse_doubts,
    refuse_to_overwrite,
    say,
    say_about_clocks,
    say_who_answers,
    share,
    shown,
    strict_option,
    summarise,
    workers_options,
)
from touchline.core.errors import UsageError, need, warn_of
from touchline.core.links import CommentLinks, Counts, Links
from touchline.io.commentary.tables import Columns
from touchline.io.corpus.layout import CorpusMatch, corpus_matches, listed_corpus
from touchline.io.links.jsonl import to_lines
from touchline.io.links.origin import Origin
from touchline.io.storage import AnyPath
from touchline.methods.base import Alignment, explain_by
from touchline.pipeline.align import at_least
from touchline.pipeline.provenance import answered, provenance
from touchline.pipeline.read import read_match
from touchline.pipeline.runs.align import Job, align_corpus
from touchline.pipeline.runs.choice import workers
from touchline.pipeline.runs.dataset_folder import DatasetFolder
from touchline.pipeline.runs.hugging_face import LINKS, write_dataset
from touchline.pipeline.runs.links_folder import LinksFolder
from touchline.pipeline.runs.manifest import Outcome, Output
from touchline.report.formats import check_ending, write_links

NOTHING_DONE = 1
HUGGING_FACE = "huggingface"
UNKNOWN = "unknown"
DATASET = "dataset"
FORMS = ("links", DATASET, HUGGING_FACE)


@click.command("align")
@click.argument("events", type=FILE, required=False)
@click.argument("comments", type=FILE, nargs=-1)
@click.option("-o", "--output", type=FILE, help="File to write (.jsonl .csv .xlsx .parquet .json "
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

    EVENTS is the provider's file, COMMENTS one file or several that follow each other (one
    per half). Both are recognised by content and may be gzip-compressed; - is standard input.
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
        job = Job.of(
            aligner,
            provenance(aligner, [], model=model, command=settings_used),
            settings_used["clock"],
            finish,
            _output(output, form, season or corpus.resolve().name, competition or UNKNOWN),
        )
        corpus = listed_corpus(corpus)
        matches = corpus_matches(corpus, strict=strict, columns=columns)
        dataset = output if form == HUGGING_FACE else None
        return _align_corpus(corpus, matches, job, jobs, cluster, strict, dataset)
    if jobs or cluster or form != FORMS[0]:
        raise UsageError("--jobs, --cluster and --format need --corpus")
    if events is None or not comments:
        raise click.UsageError("give an EVENTS file and at least one COMMENTS file")
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
    links = finish(alignment.links)
    _write(alignment, links, output, answered(origin, alignment), bom)
    summarise(str(links.counts), alignment.model.name, output)
    return 0


def _output(output: AnyPath, form: str, season: str, competition: str) -> Output:
    """Where the links of a corpus are written, by the format."""
    if form == DATASET:
        need("pyarrow", "Writing Parquet", "touchline[parquet]")
        return DatasetFolder(output, season, competition)
    return LinksFolder(output / LINKS if form == HUGGING_FACE else output)


def _write(
    alignment: Alignment, links: Links, output: AnyPath | None, origin: Origin, bom: bool
) -> None:
    if output is None:
        _print(to_lines(links))
        return
    with busy("writing"):
        write_links(links, output, origin, explain_by([alignment]), bom)


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


def _align_corpus(
    corpus: AnyPath,
    matches: Sequence[CorpusMatch],
    job: Job,
    jobs: int | None,
    cluster: str | None,
    strict: bool,
    dataset: AnyPath | None,
) -> int:
    """Align every match into its own file; one that cannot be read does not stop the rest."""
    if (folder := dataset or job.output.folder).is_file():
        raise UsageError(f"{folder}: is a file; with --corpus, -o must be a folder")
    left_out, outcomes = LeftOut([corpus]), list[Outcome]()
    models: Counter[str] = Counter()
    with workers(jobs, cluster, len(matches)) as team:
        for outcome in align_corpus(matches, job, team, shown):
            entry = outcome.entry
            for note in outcome.notes:
                say(f"{entry.name}: {note}")
            warn_of(f"{entry.name}: {doubt}" for doubt in outcome.warnings)
            if entry.state == "failed":
                left_out(entry.name, str(entry.problem))
            else:
                outcomes.append(outcome)
                models[entry.answered_by or ""] += 1
    for model, number in sorted(models.items()):
        if model:
            say(f"{number} {'match' if number == 1 else 'matches'} answered by: {model}")
    refuse_doubts(strict)
    if dataset is not None and outcomes:
        with busy("writing the data set"):
            write_dataset(matches, outcomes, job, dataset, corpus.resolve().name)
    total = Counts(*map(sum, zip(*(one.counts for one in outcomes), strict=True)))
    summarise(
        f"{len(outcomes)} of {len(matches)} matches, {total}", "", dataset or job.output.folder
    )
    if strict and left_out.count:
        return NOTHING_DONE
    return 0 if not left_out.count else IN_PART if outcomes else NOTHING_DONE
