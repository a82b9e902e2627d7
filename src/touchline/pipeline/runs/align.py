"""Every match of a corpus into a links file of its own, with a manifest of all.

A match is finished when its links and then their origin are written; the origin contains the key of
all that the links depend on. So whatever ends a run, and whenever: the next one keeps the matches
whose origin has the key that they would get now, and does the others.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from touchline.core.batches import batched
from touchline.core.errors import OutputError, TouchlineError
from touchline.core.links import Counts, Links
from touchline.io.commentary.checks import reports
from touchline.io.corpus.layout import CorpusMatch
from touchline.io.files import sha256, sweep, write_text_whole
from touchline.io.links.jsonl import read_links, write_file
from touchline.io.links.origin import Origin, checksums, origin_path, read_origin
from touchline.methods.registry import Aligner
from touchline.pipeline.provenance import answered
from touchline.pipeline.runs.keys import code, key_of
from touchline.pipeline.runs.workers import LostError, Shown, Workers

FORMAT = 1
MANIFEST = "manifest.json"

State = Literal["waiting", "done", "failed"]


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A match of the manifest: its links with their checksum, or why there are none.

    `answered_by` is the model that the links are from, as in their origin.
    """

    name: str
    state: State = msgspec.field(default="waiting")
    inputs: dict[str, str | None] = {}
    links: str | None = None
    sha256: str | None = None
    problem: str | None = None
    answered_by: str | None = None


class Outcome(msgspec.Struct, frozen=True):
    """The outcome for a match, with messages for the user."""

    entry: Entry
    notes: list[str] = []
    warnings: tuple[str, ...] = ()
    counts: Counts = Counts()


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What is done with every match.

    `origin` is what all links come from alike; `finish` makes of an aligner's links those that
    are written.
    """

    aligner: Aligner
    origin: Origin
    clock: str
    finish: Callable[[Links], Links]
    folder: Path
    key: str

    @classmethod
    def of(
        cls,
        aligner: Aligner,
        origin: Origin,
        clock: str,
        finish: Callable[[Links], Links],
        folder: Path,
    ) -> Job:
        key = key_of(code(), msgspec.to_builtins(origin))
        return cls(
            aligner=aligner, origin=origin, clock=clock, finish=finish, folder=folder, key=key
        )


def align_corpus(
    matches: Sequence[CorpusMatch], job: Job, workers: Workers, shown: Shown
) -> Iterator[Outcome]:
    """Align what is not finished yet, and report the outcome of each match in order."""
    entries = {one.name: Entry(name=one.name) for one in matches}
    _write_manifest(job, entries)
    try:
        with shown("aligning", len(matches)) as move_on:
            for outcome in _outcomes(matches, job, workers):
                entries[outcome.entry.name] = outcome.entry
                move_on()
                yield outcome
    finally:
        sweep(job.folder)
        with contextlib.suppress(OutputError):  # a full disk has been reported already
            _write_manifest(job, entries)


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
    """Align a match, unless that has been done; the links come first, their origin last."""
    out = job.folder / f"{one.name}.jsonl"
    try:
        inputs = checksums(one.files)
        key = key_of(job.key, one.name, inputs)
        if (before := _finished(out, key)) is not None and not (one.strict and before.warnings):
            counts = Counts.of(read_links(out))
            return Outcome(_done(one, inputs, out), warnings=before.warnings, counts=counts)
        match = one.read(clock=job.clock).match
        alignment = job.aligner.infer(match)
        links = job.finish(alignment.links)
    except TouchlineError as error:
        return _failed(job, one, error)
    command = {**job.origin.command, "kickoffs": match.kickoffs or None}
    known = {name: value for name, value in command.items() if value is not None}
    origin = msgspec.structs.replace(job.origin, inputs=inputs, command=known, key=key)
    origin = answered(origin, alignment)
    origin_path(out).unlink(missing_ok=True)  # it speaks of the links that are there so far
    write_file(links, out, origin)
    return Outcome(_done(one, inputs, out), list(reports(match)), origin.warnings, links.counts)


def _finished(out: Path, key: str) -> Origin | None:
    """The origin of links that need not be made again."""
    origin = read_origin(out)
    return origin if origin is not None and origin.key == key and out.exists() else None


def _done(one: CorpusMatch, inputs: dict[str, str | None], out: Path) -> Entry:
    origin = read_origin(out)
    return Entry(
        name=one.name,
        state="done",
        inputs=inputs,
        links=out.name,
        sha256=sha256(out),
        answered_by=origin.answered_by if origin else None,
    )


def _failed(job: Job, one: CorpusMatch, error: TouchlineError) -> Outcome:
    """Links of an earlier run go: they are not of what the match's files say now."""
    out = job.folder / f"{one.name}.jsonl"
    for path in (origin_path(out), out):
        path.unlink(missing_ok=True)
    return Outcome(Entry(name=one.name, state="failed", problem=str(error)))


def _write_manifest(job: Job, entries: dict[str, Entry]) -> None:
    about: dict[str, Any] = msgspec.to_builtins(job.origin)
    manifest = {
        **{name: about[name] for name in _ABOUT},
        "format": FORMAT,
        "matches": list(entries.values()),
    }
    with write_text_whole(job.folder / MANIFEST) as out:
        out.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1).decode() + "\n")


_ABOUT = ("format", "touchline", "method", "options", "command", "model", "seed", "versions")
