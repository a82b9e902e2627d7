"""Models that were learned from the labels of the served folder.

A finished one is offered; once somebody has seen what it would change and uses it, it answers
alignments until it is deleted. Models are stored in `.touchline/learned/` under the names of the
jobs that made them. A new one is complete before a transaction makes it the one that is offered.
"""

from __future__ import annotations

import shutil
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from touchline.core.errors import TouchlineError
from touchline.evaluation.learning import MIN_COMMENTS, missing
from touchline.io.corpus.labels import label_files
from touchline.io.files import write_whole
from touchline.methods.registry import DEFAULT
from touchline.web.errors import ApiError
from touchline.web.jobs.job_queue import Jobs
from touchline.web.jobs.learn_task import ABOUT, MODEL, learner
from touchline.web.jobs.tasks import AnyTask, LearnTask, Task
from touchline.web.jobs.worker_process import FailedError
from touchline.web.labels.gold import gold_line
from touchline.web.library import Library, sync
from touchline.web.records import Job, LabelCount, LearnedModel, Learning
from touchline.web.records import Match as MatchRecord
from touchline.web.store import learned as stored
from touchline.web.store.labels import finished_labels

LABELS = "labels.json"


class Handler(NamedTuple):
    """What the queue does with jobs: those of matches, and those that learn."""

    library: Library
    learned: LearnedModels

    def task(self, job: Job, out: Path) -> AnyTask:
        if job.kind == "learn":
            return self.learned.task(job, out)
        return self.learned.with_model(self.library.task(job, out))

    def finish(self, job: Job, name: str, out: Path) -> None:
        if job.kind == "learn":
            self.learned.finish(job, out)
        else:
            self.library.finish(job, name, out)

    def fail(self, job: Job, problem: str) -> None:
        if job.kind != "learn":
            self.library.fail(job, problem)


class LearnedModels:
    """The models of one folder."""

    def __init__(self, library: Library, method: str) -> None:
        self.library, self.store = library, library.store
        self.jobs: Jobs = library.jobs
        self.home = self.store.home / "learned"
        self.home.mkdir(exist_ok=True)
        self._server_method = method
        self._groups: dict[str, str | None] = {}  # kind of text by answer, which never changes

    @cached_property
    def method(self) -> str:
        """The server's method if it learns from labels, else the default one."""
        try:
            return learner(self._server_method).name
        except TouchlineError:
            return DEFAULT

    # Reading -------------------------------------------------------------------------------------

    @property
    def used(self) -> LearnedModel | None:
        return self._models()[1]

    def state(self) -> Learning:
        job = self.jobs.learning()  # first: if it ends meanwhile, its model is there
        offered, used = self._models()
        matches = self._labelled()
        return Learning(
            labelled=[count for _, count in matches],
            missing=self._missing(matches),
            job=job,
            offered=offered,
            used=used,
        )

    def _models(self) -> tuple[LearnedModel | None, LearnedModel | None]:
        with self.store.read() as db:
            models = stored.get_models(db)
        return self._about(models.get("offered")), self._about(models.get("used"))

    def _about(self, model: str | None) -> LearnedModel | None:
        if model is None:
            return None
        try:
            return msgspec.json.decode((self.home / model / ABOUT).read_bytes(), type=LearnedModel)
        except (OSError, msgspec.DecodeError):  # deleted just now, or by hand
            return None

    def _labelled(self) -> list[tuple[MatchRecord, LabelCount]]:
        """The matches with labels, with how many comments of each have one."""
        with self.store.read() as db:
            people = finished_labels(db)
        found = []
        for match in self.library.matches():
            own = {label.comment for some in people.get(match.name, {}).values() for label in some}
            comments = max(len(own), _lines(self.library.folders().get(match.name)))
            if comments:
                count = LabelCount(match=match.name, title=match.title, comments=comments)
                found.append((match, count))
        return found

    def _missing(self, labelled: list[tuple[MatchRecord, LabelCount]]) -> str | None:
        enough = [match for match, count in labelled if count.comments >= MIN_COMMENTS]
        return missing(learner(self.method), map(self._group, enough))

    def _group(self, match: MatchRecord) -> str | None:
        """The kind of text of a match; None also while it is not aligned."""
        if match.answer is None:
            return None
        if match.answer not in self._groups:
            log = self.library.log(match.answer)
            self._groups[match.answer] = learner(self.method).label_group(log)
        return self._groups[match.answer]

    # Learning ------------------------------------------------------------------------------------

    def start(self) -> Job:
        """Queue a job, unless there is too little to learn from."""
        labelled = self._labelled()
        problem = self._missing(labelled)
        if problem is not None:
            raise ApiError("too_few", problem)
        self.jobs.check_room()
        title = f"Learning from {len(labelled)} labelled matches"
        return self.jobs.add("learn", title=title, method=self.method)

    def task(self, job: Job, out: Path) -> LearnTask:
        """The task, with the labels as they are now."""
        with self.store.read() as db:
            people = finished_labels(db)
        lines = {
            match: {name: list(map(gold_line, labels)) for name, labels in own.items()}
            for match, own in people.items()
        }
        work = self.jobs.work / job.id
        work.mkdir(exist_ok=True)
        with write_whole(work / LABELS) as file:
            file.write(msgspec.json.encode(lines))
        folders = {name: str(path) for name, path in self.library.folders().items()}
        return LearnTask(
            id=job.id, folders=folders, labels=str(work / LABELS), work=str(work), out=str(out),
            method=job.method, max_file_bytes=self.library.max_file_bytes,
        )  # fmt: skip

    def finish(self, job: Job, out: Path) -> None:
        """Offer the model that a job has made."""
        self.jobs.settle(job, None)
        target = self.home / job.id
        shutil.rmtree(target, ignore_errors=True)
        try:
            out.rename(target)
            sync(self.home)
            with self.store.write() as db:
                stored.put_models(db, {**stored.get_models(db), "offered": job.id})
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            raise
        self._clean_up()

    # Using ---------------------------------------------------------------------------------------

    def with_model(self, task: Task) -> Task:
        """The task of an alignment, with the model that is used for its method."""
        used = self.used
        if used is None or used.method != task.method:
            return task
        model = self.home / used.id / MODEL
        if not model.is_file():
            raise FailedError("the learned model is missing; use the bundled models or learn again")
        return msgspec.structs.replace(task, model=str(model))

    def use(self, model: str) -> Learning:
        with self.store.write() as db:
            if stored.get_models(db).get("offered") != model:
                raise ApiError("no_model", "this model is no longer offered")
            stored.put_models(db, {"used": model})
        self._clean_up()
        return self.state()

    def delete(self) -> Learning:
        with self.store.write() as db:
            stored.put_models(db, {})
        self._clean_up()
        return self.state()

    def recover(self) -> None:
        """Make files and database agree after a crash, or after a backup was restored."""
        with self.store.write() as db:
            models = stored.get_models(db)
            there = {role: name for role, name in models.items() if self._about(name)}
            stored.put_models(db, there)
        self._clean_up()

    def _clean_up(self) -> None:
        """Delete the files of models that are neither offered nor used."""
        with self.store.read() as db:
            known = set(stored.get_models(db).values())
        for path in self.home.iterdir():
            if path.name not in known:
                shutil.rmtree(path, ignore_errors=True)


def _lines(folder: Path | None) -> int:
    """How many lines the longest file of labels in a match folder has; the job reads them."""
    paths = label_files(folder) if folder else []
    texts = (path.read_bytes() for path in paths)
    return max((sum(map(bool, text.split(b"\n"))) for text in texts), default=0)
