"""The work of a job that learns from labels: a model, and how it does on what was labelled.

Everything that takes long is kept in the job's folder as it is done. A job that is run again after
a crash goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.records import CommentId, Match
from touchline.evaluation.learning import (
    LabelledText,
    LeftOut,
    builds_on_bundled,
    check_enough,
    learn,
    left_out,
    scored,
)
from touchline.evaluation.metrics import Score
from touchline.io import files
from touchline.io.corpus.gold import GoldLine
from touchline.io.corpus.labels import read_match_labels
from touchline.io.corpus.layout import CorpusMatch
from touchline.methods.registry import make_aligner
from touchline.methods.streaming import Streaming
from touchline.pipeline.runs.fit import Failure, OnDisk, condensed
from touchline.pipeline.runs.workers import Here
from touchline.web.jobs.tasks import LearnTask, Send, WorkerMessage
from touchline.web.records import Comparison, Figures, LearnedModel, now, page_id

MODEL, ABOUT = "model.npz", "about.json"
READING = 0.1  # of the work is to read the matches, about
CLOCK = "second"
NAME = "labels"  # what the worker reports in place of a match's name

# Of each match, by annotator: finished labels.
StoredLabels = dict[str, dict[str, list[GoldLine]]]


class Labelled(NamedTuple):
    """The matches with labels; how many labels there are, and how many were skipped."""

    matches: list[LabelledText]
    comments: int
    skipped: int


def learner(method: str) -> Streaming:
    """An aligner that can learn from labels, for the server's method."""
    aligner = make_aligner(method, registered=True)
    if not isinstance(aligner, Streaming) or not aligner.learns_from_labels:
        raise TouchlineError(f"{aligner.name} does not learn from labels")
    return aligner


def run_learn_task(task: LearnTask, send: Send) -> str:
    """Learn from a folder's labels, compare, and write the model with what it is about."""
    aligner, work, out = learner(task.method), Path(task.work), Path(task.out)
    aligner.kept_in = work / "models"
    with files.limit_size(task.max_file_bytes):
        keys, labelled = _read(aligner, task, work / "matches", send)
    check_enough(aligner, labelled.matches)
    chosen = scored(aligner, labelled.matches)
    steps = _Steps(send, len(chosen) + 1, aligner.asks(len(keys), len(labelled.matches)))
    store = OnDisk(work / "matches", keys, Here(), steps.tick)
    compared = []
    for one in chosen:
        compared.append(left_out(aligner, store, labelled.matches, one))
        steps.next()
    learned = learn(aligner, store, labelled.matches, builds_on_bundled(compared))
    send(WorkerMessage(stage="writing", done=0.99))
    out.mkdir(parents=True)
    learned.save(out / MODEL)
    about = _about(learned, task.id, len(keys), labelled, compared)
    with files.write_whole(out / ABOUT) as file:
        file.write(msgspec.json.encode(about))
    return NAME


class _Steps:
    """Reports how far learning has come: some steps of about as many questions each."""

    def __init__(self, send: Send, steps: int, ticks: int) -> None:
        self._send, self._steps, self._ticks = send, steps, max(ticks, 1)
        self._step, self._tick, self._sent = 0, 0, 0.0
        self._report()

    def tick(self) -> None:
        self._tick = min(self._tick + 1, self._ticks)
        self._report()

    def next(self) -> None:
        self._step, self._tick = self._step + 1, 0
        self._report()

    def _report(self) -> None:
        part = (self._step + self._tick / self._ticks) / self._steps
        done = READING + (0.98 - READING) * part
        if done >= self._sent + 0.005 or not self._sent:
            self._sent = done
            self._send(WorkerMessage(stage="learning", done=round(done, 3)))


# Reading -----------------------------------------------------------------------------------------


def _read(
    aligner: Streaming, task: LearnTask, folder: Path, send: Send
) -> tuple[list[str], Labelled]:
    """The keys of all matches that can be read, condensed, and those of them with labels."""
    matches = [CorpusMatch(name=name, path=Path(path)) for name, path in task.folders.items()]
    count = iter(range(len(matches)))

    def move_on() -> None:
        done = READING * next(count) / len(matches)
        send(WorkerMessage(stage="reading", done=round(done, 3)))

    found = list(condensed(aligner, matches, CLOCK, folder, move_on))
    readable = [m for m, key in zip(matches, found, strict=True) if not isinstance(key, Failure)]
    people = msgspec.json.decode(Path(task.labels).read_bytes(), type=StoredLabels)
    keys = [key for key in found if not isinstance(key, Failure)]
    return keys, _labelled(readable, people)


def _labelled(matches: Sequence[CorpusMatch], people: StoredLabels) -> Labelled:
    found, skipped = [], 0
    for number, one in enumerate(matches):
        own = people.get(one.name, {})
        if not own and not one.label_files:
            continue
        match = one.read(clock=CLOCK, labels=False).match.named(one.name)
        as_given = {name: list(_as_given(match, lines)) for name, lines in own.items()}
        said, bad, machine, words = read_match_labels(one.path, match, as_given)
        said = {comment: sets for comment, sets in said.items() if sets}
        skipped += len(bad)
        if said:
            found.append(LabelledText(number, match, said, machine, words))
    return Labelled(found, sum(len(one.said) for one in found), skipped)


def _as_given(match: Match, lines: Sequence[GoldLine]) -> Iterator[GoldLine]:
    """Labels under the ids of the commentary; the page has its own for long numbers."""
    given: dict[CommentId, CommentId] = {page_id(c.id): c.id for c in match.comments}
    for line in lines:
        yield msgspec.structs.replace(line, id=given.get(line.id, line.id))


# What is known about a model ---------------------------------------------------------------------


def _about(
    aligner: Streaming, name: str, matches: int, labelled: Labelled, compared: Sequence[LeftOut]
) -> LearnedModel:
    lines = {one.match.name: len(one.by_people) for one in labelled.matches}
    return LearnedModel(
        id=name,
        method=aligner.name,
        learned=now(),
        matches=matches,
        labelled=len(lines),
        comments=labelled.comments,
        skipped=labelled.skipped,
        left_out=[_comparison(one, lines[one.match]) for one in compared],
        total=_total(compared, sum(lines[one.match] for one in compared)),
        over_bundled=builds_on_bundled(compared),
        labels_by="; ".join(aligner.labels_learned()),
    )


def _total(compared: Sequence[LeftOut], comments: int) -> Comparison:
    bundled = [one.bundled for one in compared if one.bundled is not None]
    over = [one.over for one in compared if one.over is not None]
    every = LeftOut(
        match="",
        bundled=_sum(bundled) if len(bundled) == len(compared) else None,
        over=_sum(over) if len(over) == len(compared) else None,
        without=_sum([one.without for one in compared]),
        labels=_sum([one.labels for one in compared]),
    )
    return _comparison(every, comments)


def _sum(scores: Sequence[Score]) -> Score:
    return sum(scores, Score(candidates=[]))


def _comparison(one: LeftOut, comments: int) -> Comparison:
    return Comparison(
        match=one.match,
        comments=comments,
        bundled=_figures(one.bundled) if one.bundled is not None else None,
        without=_figures(one.without),
        labels=_figures(one.labels),
        over=_figures(one.over) if one.over is not None else None,
    )


def _figures(score: Score) -> Figures:
    metrics = score.metrics()
    return Figures(**{name: round(metrics[name], 4) for name in Figures.__struct_fields__})
