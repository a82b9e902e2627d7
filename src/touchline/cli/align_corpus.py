"""`touchline align --corpus`: every match of a folder, on many processes or a cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from touchline.cli.shared import (
    IN_PART,
    NOTHING_DONE,
    LeftOut,
    busy,
    refuse_doubts,
    say,
    shown,
    summarise,
)
from touchline.core.errors import UsageError, need, warn_of
from touchline.core.links import Counts, Links
from touchline.io.commentary.columns import Columns
from touchline.io.corpus.layout import CorpusMatch, corpus_matches, listed_corpus
from touchline.io.links.origin import Origin
from touchline.io.storage import AnyPath
from touchline.methods.registry import Aligner
from touchline.pipeline.runs.align import Job, align_corpus
from touchline.pipeline.runs.choice import workers
from touchline.pipeline.runs.dataset_folder import DatasetFolder
from touchline.pipeline.runs.hugging_face import LINKS, write_dataset
from touchline.pipeline.runs.links_folder import LinksFolder
from touchline.pipeline.runs.manifest import Outcome, Output

DATASET = "dataset"
HUGGING_FACE = "huggingface"


class Run(NamedTuple):
    """Which corpus is aligned into which folder, in which format.

    `place` is the season and the competition of the corpus in a data set.
    """

    corpus: AnyPath
    output: AnyPath
    form: str
    place: tuple[str, str]
    columns: Columns
    jobs: int | None
    cluster: str | None
    strict: bool


def align_all(
    run: Run, aligner: Aligner, origin: Origin, clock: str, finish: Callable[[Links], Links]
) -> int:
    """Align every match into its own file; one that cannot be read does not stop the rest."""
    corpus = listed_corpus(run.corpus)
    matches = corpus_matches(corpus, strict=run.strict, columns=run.columns)
    if run.output.is_file():
        raise UsageError(f"{run.output}: is a file; with --corpus, -o must be a folder")
    job = Job.of(aligner, origin, clock, finish, _output(run))
    left_out = LeftOut([corpus])
    outcomes = _aligned(run, matches, job, left_out)
    refuse_doubts(run.strict)
    if run.form == HUGGING_FACE and outcomes:
        with busy("writing the data set"):
            write_dataset(matches, outcomes, job, run.output, run.corpus.resolve().name)
    total = Counts(*map(sum, zip(*(one.counts for one in outcomes), strict=True)))
    kept = sum(one.kept for one in outcomes)
    earlier = f" ({kept} finished earlier)" if kept else ""
    summarise(f"{len(outcomes)} of {len(matches)} matches{earlier}, {total}", "", run.output)
    if run.strict and left_out.count:
        return NOTHING_DONE
    return 0 if not left_out.count else IN_PART if outcomes else NOTHING_DONE


def _output(run: Run) -> Output:
    """Where links are written, by the format."""
    if run.form == DATASET:
        need("pyarrow", "Writing Parquet", "touchline[parquet]")
        return DatasetFolder(run.output, *run.place)
    return LinksFolder(run.output / LINKS if run.form == HUGGING_FACE else run.output)


def _aligned(
    run: Run, matches: Sequence[CorpusMatch], job: Job, left_out: LeftOut
) -> list[Outcome]:
    """What became of each match that could be aligned, said as it comes."""
    outcomes, models = list[Outcome](), Counter[str]()
    with workers(run.jobs, run.cluster, len(matches)) as team:
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
    return outcomes
