"""Every match of a corpus is aligned and written, with a manifest of all.

Whatever ends a run, and whenever: the next one keeps the matches whose origin has the key that they
would get now, and does the others. The key is a checksum of all that the links depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from touchline.core.batches import batched
from touchline.core.errors import TouchlineError
from touchline.core.links import Links
from touchline.io.commentary.checks import reports
from touchline.io.corpus.layout import CorpusMatch
from touchline.io.links.origin import Origin, checksums
from touchline.methods.registry import Aligner
from touchline.pipeline.provenance import answered
from touchline.pipeline.runs.keys import code, key_of
from touchline.pipeline.runs.manifest import Entry, Outcome, Output
from touchline.pipeline.runs.workers import LostError, Shown, Workers

# File systems allow names of so many bytes; object stores allow more.
MAX_NAME = 255


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What is done with every match.

    `origin` is what all links come from alike; `finish` makes of an aligner's links those that
    are written.
    """

    aligner: Aligner
    origin: Origin
    clock: str
    finish: Callable[[Links], Links]
    output: Output
    key: str

    @classmethod
    def of(
        cls,
        aligner: Aligner,
        origin: Origin,
        clock: str,
        finish: Callable[[Links], Links],
        output: Output,
    ) -> Job:
        key = key_of(code(), msgspec.to_builtins(origin))
        return cls(
            aligner=aligner, origin=origin, clock=clock, finish=finish, output=output, key=key
        )


def align_corpus(
    matches: Sequence[CorpusMatch], job: Job, workers: Workers, shown: Shown
) -> Iterator[Outcome]:
    """Align what is not finished yet, and report the outcome of each match in order."""
    entries = {one.name: Entry(name=one.name) for one in matches}
    job.output.begin(job.origin, entries)
    try:
        with shown("aligning", len(matches)) as move_on:
            for outcome in _outcomes(matches, job, workers):
                entries[outcome.entry.name] = outcome.entry
                move_on()
                yield outcome
    finally:
        job.output.commit(job.origin, entries)


def _outcomes(matches: Sequence[CorpusMatch], job: Job, workers: Workers) -> Iterator[Outcome]:
    batches = list(batched(matches, job.aligner.together))
    for batch, found in zip(batches, workers.map(_align_batch, job, batches), strict=True):
        if isinstance(found, LostError):
            yield from (_failed(job, one, found) for one in batch)
        else:
            yield from found


def _align_batch(job: Job, batch: list[CorpusMatch]) -> list[Outcome]:
    return [_align_one(job, one) for one in batch]


def _align_one(job: Job, one: CorpusMatch) -> Outcome:
    """Align a match, unless that has been done."""
    size = len(job.output.name_with_ending(one).encode())
    if size > MAX_NAME and isinstance(job.output.folder, Path):
        long = f"the folder's name is too long: what is written would have a name of {size} bytes"
        problem = f"{long}, more than {MAX_NAME}; rename the folder"
        return Outcome(Entry(name=one.name, state="failed", problem=problem))
    before, versions = job.output.before(one), one.versions
    try:
        if before is not None and versions is not None and before.origin.versions_read == versions:
            inputs = before.origin.inputs
        else:
            one = one.fetched()
            inputs = checksums(one.files)
        key = key_of(job.key, one.name, inputs)
        same = before is not None and before.origin.key == key
        kept = job.output.keep(one, before) if before is not None and same else None
        if kept is not None and not (one.strict and kept.warnings):
            return kept
        match = one.fetched().read(clock=job.clock).match
        alignment = job.aligner.infer(match)
        links = job.finish(alignment.links)
    except TouchlineError as error:
        return _failed(job, one, error)
    command = {**job.origin.command, "kickoffs": match.kickoffs or None}
    known = {name: value for name, value in command.items() if value is not None}
    origin = msgspec.structs.replace(
        job.origin, inputs=inputs, command=known, key=key, versions_read=versions or msgspec.UNSET
    )
    origin = answered(origin, alignment)
    entry = job.output.write(one, links, origin)
    return Outcome(entry, list(reports(match)), origin.warnings, links.counts)


def _failed(job: Job, one: CorpusMatch, error: TouchlineError) -> Outcome:
    job.output.drop(one)
    return Outcome(Entry(name=one.name, state="failed", problem=str(error)))
