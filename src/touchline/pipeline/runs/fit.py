"""Learning from the matches of corpora; an interrupted run is resumed.

A method that streams has each match condensed into a file of a work folder beside the model, once;
after each round it keeps there how far it has come. The names of these files are keys of all that
they depend on. When the model is written the folder goes.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from touchline.core.errors import InputError, TouchlineError
from touchline.core.records import CommentId, Match
from touchline.io.corpus.labels import MatchLabels, Said, listed_labels, read_match_labels
from touchline.io.corpus.layout import CorpusMatch
from touchline.io.corpus.segments import Segments
from touchline.io.files import remove_folder, write_whole
from touchline.io.npz import BROKEN, arrays_of
from touchline.io.storage import AnyPath, RemotePath
from touchline.io.storage.cached import forget, keep, read_cached
from touchline.methods.match_store import Arrays, Group, chosen
from touchline.methods.registry import Aligner
from touchline.methods.streaming import Streaming
from touchline.pipeline.runs.keys import code, key_of, sums
from touchline.pipeline.runs.workers import Here, LostError, Shown, Workers

R = TypeVar("R")

EXPECTED_LABELS = "<match>/gold.jsonl, <match>/labels/<annotator>.jsonl or <match>/segments.jsonl"


class Failure(msgspec.Struct, frozen=True):
    """A match that could not be learned from, or one line of its labels."""

    name: str
    problem: str
    label: bool = False

    def __str__(self) -> str:
        return self.problem if self.label else f"{self.name}: {self.problem}"


class LabelCount(NamedTuple):
    """How many comments people have labelled, and how many only machines."""

    people: int
    machine: int


class LabelledMatches(NamedTuple):
    """The matches with labels, under names that all differ, and the labels.

    `words` are the words that annotators have given to events, of some of the matches.
    """

    matches: list[Match]
    labels: dict[str, dict[CommentId, Said]]
    by_machine: dict[str, int]
    words: dict[str, Segments]

    @property
    def who_labelled(self) -> LabelCount:
        everything, machine = sum(map(len, self.labels.values())), sum(self.by_machine.values())
        return LabelCount(everything - machine, machine)


def fit_corpus(
    aligner: Aligner,
    matches: Sequence[CorpusMatch],
    clock: str,
    output: AnyPath,
    workers: Workers,
    shown: Shown,
    *,
    strict: bool = False,
    labels: bool = False,
    counted: Callable[[LabelCount], None] = lambda count: None,
) -> list[Failure]:
    """Learn from the matches that can be read and store the model; the others are given back.

    With `labels` the matches' labels are learned from as well, and each line that is none is given
    back too; `counted` is called with how many labels there are. With `strict` no model is stored
    where something cannot be read.
    """
    failures: list[Failure] = []
    labelled = read_labelled(matches, clock, failures) if labels else None
    if labelled:
        counted(labelled.who_labelled)
        if strict:  # before anything is written
            _check_any(matches, failures, strict)
    if isinstance(aligner, Streaming):
        work = output.with_name(f"{output.name}.work")
        aligner.kept_in = work if labels else None
        reading = _Reading(aligner, clock, work)
        keys = _stream(aligner, matches, reading, workers, shown, failures, strict, labelled)
        aligner.save(output)
        remove_folder(work)
        _forget(work, keys)
    else:
        with shown("learning", len(matches)) as move_on:
            read = _readable(matches, clock, move_on, failures)
            aligner.fit(read, labelled.labels if labelled else None)
        _check_any(matches, failures, strict)
        aligner.save(output)
    return failures


def read_labelled(
    matches: Sequence[CorpusMatch], clock: str, failures: list[Failure]
) -> LabelledMatches:
    """The matches that have labels; matches of several corpora may have the same name."""
    found = LabelledMatches([], {}, {}, {})
    for one in (one for one in matches if one.label_files):
        try:
            read = one.read(clock=clock, labels=False)
        except TouchlineError:
            continue  # it is among those that cannot be learned from
        match = read.match.named(_unique_name(one))
        if read.gold is not None and read.keys is not None:
            own = MatchLabels(listed_labels(match, read.gold, read.keys), [])
        else:
            own = read_match_labels(one.path, match)
        said, bad, machine, words = own
        failures += [Failure(one.name, str(line), label=True) for line in bad]
        if words:
            found.words[match.name] = words
        if said:
            found.labels[match.name] = said
            found.by_machine[match.name] = len(machine)
        if said or words:
            found.matches.append(match)
    if not found.matches:
        raise TouchlineError(f"no labels to learn from; expected {EXPECTED_LABELS}")
    return found


def _unique_name(one: CorpusMatch) -> str:
    return str(one.path)


def _stream(
    aligner: Streaming,
    matches: Sequence[CorpusMatch],
    reading: _Reading,
    workers: Workers,
    shown: Shown,
    failures: list[Failure],
    strict: bool,
    labelled: LabelledMatches | None,
) -> list[str]:
    """Condense all matches, then learn from what is on disk, last from labels; the keys."""
    with shown("reading", len(matches)) as move_on:
        found = list(_condensed(reading, matches, workers, move_on))
    failures += [one for one in found if isinstance(one, Failure)]
    keys = [one for one in found if isinstance(one, str)]
    _check_any(matches, failures, strict)
    number = len(labelled.labels) if labelled else 0
    with shown("learning", aligner.asks(len(keys), number)) as move_on:
        store = OnDisk(reading.folder, keys, workers, move_on)
        aligner.learn(store)
        if labelled:
            own = [match for match in labelled.matches if match.name in labelled.labels]
            aligner.learn_labels(store, own, labelled.labels)
            given = [match for match in labelled.matches if match.name in labelled.words]
            aligner.learn_words(given, labelled.labels, labelled.words)
    return keys


def _readable(
    matches: Sequence[CorpusMatch],
    clock: str,
    move_on: Callable[[], None],
    failures: list[Failure],
) -> Iterator[Match]:
    for one in matches:
        move_on()
        try:
            yield one.read(clock=clock, labels=False).match.named(_unique_name(one))
        except TouchlineError as error:
            failures.append(Failure(one.name, str(error)))


def _check_any(matches: Sequence[CorpusMatch], failures: Sequence[Failure], strict: bool) -> None:
    if strict and failures:
        refused = "; ".join(str(failure) for failure in failures)
        raise TouchlineError(f"no model is written because of --strict: {refused}")
    failures = [failure for failure in failures if not failure.label]
    if len(failures) == len(matches):
        more = f" (the first of {len(failures)} matches)" if len(failures) > 1 else ""
        raise TouchlineError(f"nothing to learn from: {failures[0].problem}{more}")


class _Reading(msgspec.Struct, frozen=True):
    """How matches are condensed, and where to."""

    aligner: Streaming
    clock: str
    folder: AnyPath

    @property
    def key(self) -> str:
        options = msgspec.to_builtins(self.aligner.options)
        return key_of(code(), self.aligner.name, options, self.clock)


def condensed(
    aligner: Streaming,
    matches: Sequence[CorpusMatch],
    clock: str,
    folder: AnyPath,
    move_on: Callable[[], None],
) -> Iterator[str | Failure]:
    """Condense matches into files of a folder, by this process; the key of each, or why none."""
    return _condensed(_Reading(aligner, clock, folder), matches, Here(), move_on)


def _condensed(
    reading: _Reading,
    matches: Sequence[CorpusMatch],
    workers: Workers,
    move_on: Callable[[], None],
) -> Iterator[str | Failure]:
    given = reading, reading.key
    for one, found in zip(matches, workers.map(_condense, given, matches), strict=True):
        move_on()
        yield Failure(one.name, str(found)) if isinstance(found, LostError) else found


def _condense(given: tuple[_Reading, str], one: CorpusMatch) -> str | Failure:
    reading, base = given
    try:
        columns = [list(one.columns)] if any(one.columns) else []
        contents = one.versions or sums(one.files)
        key = key_of(base, one.name, contents, *columns)
        path = _file(reading.folder, key)
        if path.exists():
            return key
        match = one.fetched().read(clock=reading.clock, labels=False).match
    except TouchlineError as error:
        return Failure(one.name, str(error))
    _write_arrays(path, reading.aligner.condense(match))
    return key


class OnDisk:
    """Condensed matches in the files of a folder; workers read the one that they are asked."""

    def __init__(
        self,
        folder: AnyPath,
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
        _write_arrays(self._progress, state, changes=True)

    def load_checkpoint(self) -> Arrays | None:
        return _read_arrays(self._progress, changes=True) if self._progress.exists() else None


def _ask(given: tuple[Callable[[Any, Arrays], R], Any], path: AnyPath) -> R:
    question, known = given
    return question(known, _read_arrays(path))


def _file(folder: AnyPath, key: str) -> AnyPath:
    return folder / f"{key}.npz"


def _write_arrays(path: AnyPath, arrays: Arrays, *, changes: bool = False) -> None:
    """Write arrays; a file that `changes` has not the content for ever that its name says."""
    packed = io.BytesIO()
    np.savez(packed, allow_pickle=False, **dict(arrays))
    with write_whole(path) as out:
        out.write(packed.getbuffer())
    if isinstance(path, RemotePath) and not changes:
        keep(path, packed.getvalue())


def _read_arrays(path: AnyPath, *, changes: bool = False) -> Arrays:
    try:
        return arrays_of(_content(path, changes), sys.maxsize)
    except BROKEN:
        problem = "missing or damaged; delete its folder and run again"
        raise InputError(path, problem) from None


def _content(path: AnyPath, changes: bool) -> bytes:
    return path.read_bytes() if changes or isinstance(path, Path) else read_cached(path)


def _forget(folder: AnyPath, keys: Sequence[str]) -> None:
    """Remove this machine's copies of condensed matches."""
    if isinstance(folder, RemotePath):
        forget(*(folder / f"{key}.npz" for key in keys))
