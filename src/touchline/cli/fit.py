"""`touchline fit`: learn from corpora without labels."""

from __future__ import annotations

from pathlib import Path

import click

from touchline.cli.shared import (
    FILE,
    IN_PART,
    LeftOut,
    choose_aligner,
    clock_option,
    method_options,
    refuse_to_overwrite,
    shown,
    strict_option,
    workers_options,
)
from touchline.core.errors import UsageError
from touchline.io.corpus.layout import TRACKS, corpus_matches
from touchline.pipeline.runs.choice import workers
from touchline.pipeline.runs.fit import fit_corpus


@click.command("fit")
@click.argument("corpora", metavar="CORPUS...", type=FILE, nargs=-1, required=True)
@click.option("-o", "--output", type=FILE, required=True, help="The model file to write.")
@method_options
@clock_option("second")
@click.option("--track", type=click.Choice(TRACKS), default="comments",
              help="What to learn from: the commentary, or the templated text.")  # fmt: skip
@workers_options
@strict_option
def command(
    corpora: tuple[Path, ...],
    output: Path,
    method: str | None,
    model: Path | None,
    settings: tuple[str, ...],
    seed: int,
    clock: str,
    track: str,
    jobs: int | None,
    cluster: str | None,
    strict: bool,
) -> int:
    """Learn from the matches of corpus folders (or single match folders); labels are not read.

    An interrupted fit resumes where it stopped when the same command is run again.
    """
    if model is not None:
        raise UsageError("fit writes a model and does not accept --model")
    aligner = choose_aligner(method, None, settings, seed)
    matches = [
        match for corpus in corpora for match in corpus_matches(corpus, track, strict=strict)
    ]
    for match in matches:
        refuse_to_overwrite(output, [*match.files, match.labels])
    left_out = LeftOut(corpora, track)
    with workers(jobs, cluster, len(matches)) as team:
        failures = fit_corpus(aligner, matches, clock, output, team, shown,
                              strict=strict)  # fmt: skip
    for failure in failures:
        left_out(failure.name, failure.problem)
    learned = len(matches) - len(failures)
    click.echo(f"{output}: {aligner.name}, {learned} matches read", err=True)
    return IN_PART if left_out.count else 0
