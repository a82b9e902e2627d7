"""`touchline fit`: learn from corpora, without labels or with them."""

from __future__ import annotations

from collections.abc import Mapping

import click

from touchline.cli.paths import FILE, OUTPUT
from touchline.cli.shared import (
    IN_PART,
    LeftOut,
    choose_aligner,
    clock_option,
    column_options,
    method_options,
    progress,
    refuse_to_overwrite,
    say,
    shown,
    strict_option,
    workers_options,
)
from touchline.core.errors import TouchlineError, UsageError
from touchline.generation.style.file import write_style
from touchline.generation.style.learning import fit_style
from touchline.io.commentary.columns import Columns
from touchline.io.corpus.layout import TEXTS, corpus_matches, listed_corpus
from touchline.io.storage import AnyPath
from touchline.methods.registry import Aligner
from touchline.pipeline.runs.choice import workers
from touchline.pipeline.runs.fit import LabelCount, fit_corpus

# What links the comments that a style is learned from, where no method is given.
UNLABELLED = "chains:unlabelled"


@click.command("fit")
@click.argument("corpora", metavar="CORPUS...", type=FILE, nargs=-1, required=True)
@click.option("-o", "--output", type=OUTPUT, required=True, help="The model file to write.")
@method_options
@clock_option("second")
@click.option("--track", type=click.Choice(TEXTS), default="comments",
              help="What to learn from: the commentary, or the templated text.")  # fmt: skip
@click.option("--labels", is_flag=True,
              help="Learn from labels too: <match>/gold.jsonl, and those of each annotator in "
              "<match>/labels/, words of events in <match>/segments.jsonl. Lines that do "
              "not fit the match are skipped.")  # fmt: skip
@click.option("--style", is_flag=True,
              help="Learn a style for `touchline generate` instead of a model: which events are "
              "described, and in which words. The file contains sentences of the corpus. "
              "Only here, --model chooses the model that links the comments.")  # fmt: skip
@column_options
@workers_options
@strict_option
def command(
    corpora: tuple[AnyPath, ...],
    output: AnyPath,
    method: str | None,
    model: AnyPath | None,
    settings: tuple[str, ...],
    seed: int,
    clock: str,
    track: str,
    labels: bool,
    style: bool,
    columns: Columns,
    jobs: int | None,
    cluster: str | None,
    strict: bool,
) -> int:
    """Learn from the matches of corpus folders (or single match folders).

    Labels are not read unless you ask for it with --labels. An interrupted fit resumes where it
    stopped when the same command is run again.
    """
    if style:
        if labels or jobs or cluster:
            raise UsageError("--style takes no --labels, --jobs or --cluster")
        linking = method or (None if model else UNLABELLED)
        aligner = choose_aligner(linking, model, settings, seed)
        return _fit_style(corpora, output, aligner, clock, track, columns)
    if model is not None:
        raise UsageError("fit writes a model and does not accept --model")
    aligner = choose_aligner(method, None, settings, seed)
    if labels:
        aligner.check_labels()
        if track != "comments":
            raise UsageError("--labels needs --track comments: the main events of templated text "
                             "are not labels but found by patterns")  # fmt: skip
    corpora = tuple(map(listed_corpus, corpora))
    matches = [
        match
        for corpus in corpora
        for match in corpus_matches(corpus, track, strict=strict, columns=columns)
    ]
    for match in matches:
        refuse_to_overwrite(output, [*match.files, match.labels, *match.label_files])
    left_out = LeftOut(corpora, track)
    with workers(jobs, cluster, len(matches)) as team:
        failures = fit_corpus(aligner, matches, clock, output, team, shown,
                              strict=strict, labels=labels, counted=_say_who_labelled)  # fmt: skip
    for failure in failures:
        if failure.label:
            say(f"{failure.problem}; skipped")
        else:
            left_out(failure.name, failure.problem)
    learned = len(matches) - sum(not failure.label for failure in failures)
    read = "1 match" if learned == 1 else f"{learned} matches"
    click.echo(f"{output}: {aligner.name}, {read} read", err=True)
    if labels:
        for line in aligner.labels_learned() or [_labels_learned(aligner.labelled_matches())]:
            say(line)
    return IN_PART if failures or left_out.count else 0


def _fit_style(
    corpora: tuple[AnyPath, ...],
    output: AnyPath,
    aligner: Aligner,
    clock: str,
    track: str,
    columns: Columns,
) -> int:
    """Link every match and keep the words; no labels are read."""
    matches = [
        match for corpus in corpora for match in corpus_matches(corpus, track, columns=columns)
    ]
    for match in matches:
        refuse_to_overwrite(output, match.files)
    left_out = LeftOut(corpora, track)
    links = []
    for match in progress(matches, "linking"):
        try:
            read = match.read(clock=clock, labels=False).match
        except TouchlineError as error:
            left_out(match.name, str(error))
            continue
        links.append(aligner.infer(read).links)
    learned = fit_style(links)
    write_style(learned, output)
    say(f"{output}: {len(learned.templates)} templates of {len(links)} matches")
    say("the file contains sentences of your corpus; share it only if you may share those")
    return IN_PART if left_out.count else 0


def _say_who_labelled(count: LabelCount) -> None:
    say(f"{count.people + count.machine} labelled comments: {count.people} by people, "
        f"{count.machine} by machines alone")  # fmt: skip


def _labels_learned(labelled: Mapping[str, int]) -> str:
    """How many labelled matches of which kind have taught something."""
    if not labelled:
        return (
            "too few labels to learn from: at least 20 comments of one kind, written or spoken, "
            "must be labelled"
        )
    return "; ".join(f"labels of {n} matches learned from ({kind})" for kind, n in labelled.items())
