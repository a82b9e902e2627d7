"""Learning from the matches of corpora; an interrupted run is resumed.

A method that streams has each match condensed into a file of a work folder beside the model, once;
after each round it keeps there how far it has come. The names of these files are keys of all that
they depend on. When the model is written the folder goes.
"""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np

from touchline.core.errors import InputError, TouchlineError
from touchline.core.records import Match
from touchline.io.corpus.layout import CorpusMatch
from touchline.io.files import write_whole
from touchline.methods.match_store import Arrays, Group, chosen
from touchline.methods.registry import Aligner
from touchline.methods.streaming import Streaming
from touchline.pipeline.runs.keys import code, key_of, sums
from touchline.pipeline.runs.workers import LostError, Shown, Workers

R = TypeVar("R")


class Failure(msgspec.Struct, frozen=True):
    """A match that could not be learned from."""

    name: str
    problem: str


def fit_corpus(
    aligner: Aligner,
    matches: Sequence[CorpusMatch],
    clock: str,
    output: Path,
    workers: Workers,
    shown: Shown,
    *,
    strict: bool = False,
) -> list[Failure]:
    """Learn from the matches that can be read and store the model; the others are given back.

    With `strict` no model is stored where one of them cannot be read.
    """
    failures: list[Failure] = []
    if isinstance(aligner, Streaming):
        work = output.with_name(f"{output.name}.work")
        _stream(aligner, matches, _Reading(aligner, clock, work), workers, shown, failures, strict)
        aligner.save(output)
        shutil.rmtree(work, ignore_errors=True)
    else:
        with shown("learning", len(matches)) as move_on:
            aligner.fit(_readable(matches, clock, move_on, failures))
        _check_any(matches, failures, strict)
        aligner.save(output)
    return failures


def _stream(
    aligner: Streaming,
    matches: Sequence[CorpusMatch],
    reading: _Reading,
    workers: Workers,
    shown: Shown,
    failures: list[Failure],
    strict: bool,
) -> None:
    """Condense all matches, then learn from what is on disk."""
    keys: list[str] = []
    with shown("reading", len(matches)) as move_on:
        for found in _condensed(reading, matches, workers):
            move_on()
            if isinstance(found, Failure):
                failures.append(found)
            else:
                keys.append(found)
    _check_any(matches, failures, strict)
    with shown("learning", aligner.asks(len(keys))) as move_on:
        aligner.learn(OnDisk(reading.folder, keys, workers, move_on))


def _readable(
    matches: Sequence[CorpusMatch],
    clock: str,
    move_on: Callable[[], None],
    failures: list[Failure],
) -> Iterator[Match]:
    for one in matches:
        move_on()
        try:
            yield one.read(clock=clock).match
        except TouchlineError as error:
            failures.append(Failure(one.name, str(error)))


def _check_any(matches: Sequence[CorpusMatch], failures: Sequence[Failure], strict: bool) -> None:
    if strict and failures:
        refused = "; ".join(f"{failure.name}: {failure.problem}" for failure in failures)
        raise TouchlineError(f"no model is written because of --strict: {refused}")
    if len(failures) == len(matches):
        more = f" (the first of {len(failures)} matches)" if len(failures) > 1 else ""
        raise TouchlineError(f"nothing to learn from: {failures[0].problem}{more}")


class _Reading(msgspec.Struct, frozen=True):
    """How matches are condensed, and where to."""

    aligner: Streaming
    clock: str
    folder: Path

    @property
    def key(self) -> str:
        options = msgspec.to_builtins(self.aligner.options)
        return key_of(code(), self.aligner.name, options, self.clock)


def _condensed(
    reading: _Reading, matches: Sequence[CorpusMatch], workers: Workers
) -> Iterator[str | Failure]:
    """The key of each condensed match, or why there is none."""
    given = reading, reading.key
    for one, found in zip(matches, workers.map(_condense, given, matches), strict=True):
        yield Failure(one.name, str(found)) if isinstance(found, LostError) else found


def _condense(given: tuple[_Reading, str], one: CorpusMatch) -> str | Failure:
    reading, base = given
    try:
        key = key_of(base, one.name, sums(one.files))
        path = _file(reading.folder, key)
        if path.exists():
            return key
        match = one.read(clock=reading.clock).match
    except TouchlineError as error:
        return Failure(one.name, str(error))
    _write_arrays(path, reading.aligner.condense(match))
    return key


class OnDisk:
    """Condensed matches in the files of a folder; workers read the one that they are asked."""

    def __init__(
        self,
        folder: Path,
        keys: Sequence[str],
        workers: Workers,
        move_on: Callable[[], None],
    ) -> None:
        self._files = [_file(folder, key) for key in keys]
        self._progress = _file(folder, f"progress-{key_of(list(keys))}")
        self._workers, self._move_on = workers, move_on

    def __len__(self) -> int:
        return len(self._files)

    def map(
        self, question: Callable[[Any, Arrays], R], given: Any, of: Group = None
    ) -> Iterator[R]:
        for answer in self._workers.map(_ask, (question, given), chosen(self._files, of)):
            self._move_on()
            if isinstance(answer, LostError):
                raise answer
            yield answer

    def save_checkpoint(self, state: Arrays) -> None:
        _write_arrays(self._progress, state)

    def load_checkpoint(self) -> Arrays | None:
        return _read_arrays(self._progress) if self._progress.exists() else None


def _ask(given: tuple[Callable[[Any, Arrays], R], Any], path: Path) -> R:
    question, known = given
    return question(known, _read_arrays(path))


def _file(folder: Path, key: str) -> Path:
    return folder / f"{key}.npz"


def _write_arrays(path: Path, arrays: Arrays) -> None:
    packed = io.BytesIO()
    np.savez(packed, allow_pickle=False, **dict(arrays))
    with write_whole(path) as out:
        out.write(packed.getbuffer())


def _read_arrays(path: Path) -> Arrays:
    try:
        with np.load(path, allow_pickle=False) as packed:
            return {name: packed[name] for name in packed.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        problem = "missing or damaged; delete its folder and run again"
        raise InputError(path, problem) from None
