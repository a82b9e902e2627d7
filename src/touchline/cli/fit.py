"""`touchline fit`: learn from corpora without labels."""

from __future__ import annotations

from pathlib import Path

import click

from touchline.cli.shared import FILE, busy, choose_aligner, clock_option, method_options, progress
from touchline.corpus import read_corpus
from touchline.errors import UsageError


@click.command("fit")
@click.argument("corpora", metavar="CORPUS...", type=FILE, nargs=-1, required=True)
@click.option("-o", "--output", type=FILE, required=True, help="The model file to write.")
@method_options
@clock_option
def command(
    corpora: tuple[Path, ...],
    output: Path,
    method: str | None,
    model: Path | None,
    settings: tuple[str, ...],
    seed: int,
    clock: str | None,
) -> int:
    """Learn from the matches of corpus folders (or single match folders); labels are not read."""
    if model is not None:
        raise UsageError("fit makes a model, it does not take one")
    aligner = choose_aligner(method, None, settings, seed)
    matches = [
        labelled.match
        for corpus in progress(corpora, "reading")
        for labelled in read_corpus(corpus, clock=clock or "second")
    ]
    with busy(f"learning from {len(matches)} matches"):
        aligner.fit(matches)
    aligner.save(output)
    click.echo(f"{output}: {aligner.name}, {len(matches)} matches read", err=True)
    return 0
