"""The queue of alignments, stored in the database; each worker is a thread and a process.

Jobs survive the server: those that waited or ran when it stopped are run again at the next start.
Uploads and requests of users run before matches that are aligned in the background.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import shutil
import sqlite3
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from touchline.web.errors import ApiError
from touchline.web.jobs.tasks import AnyTask, WorkerMessage
from touchline.web.jobs.worker_process import FailedError, StoppedError, Worker
from touchline.web.notifications import MatchNotification, Notifications
from touchline.web.records import Job, JobState, Stage, now
from touchline.web.store import disk
from touchline.web.store import jobs as stored
from touchline.web.store.database import Store

LOG = logging.getLogger("touchline.web")
SAVE_AGAIN = 2.0  # seconds until the end of a job that could not be saved is saved again


class JobHandler(Protocol):
    """What the queue needs to know about matches: the task of a job, and where results go."""

    def task(self, job: Job, out: Path) -> AnyTask:
        """The task of a job that is about to run; `FailedError` if its files are missing."""

    def finish(self, job: Job, name: str, out: Path) -> None:
        """Store the result; `name` is the preferred name of a new match."""

    def fail(self, job: Job, problem: str) -> None:
        """Record why there is no result."""


class Jobs:
    """The queue and the threads that work on it."""

    def __init__(
        self,
        store: Store,
        notifications: Notifications,
        *,
        workers: int,
        max_waiting: int,
        max_seconds: float,
        max_learn_seconds: float,
        max_memory: int,
    ) -> None:
        self.store, self.notifications = store, notifications
        self.max_waiting, self.max_seconds = max_waiting, max_seconds
        self.max_learn_seconds = max_learn_seconds
        self.work = store.home / "work"
        self.work.mkdir(exist_ok=True)
        self._changed = threading.Condition()
        self._jobs: dict[str, Job] = {}  # those that wait or run, the next one first
        self._background: set[str] = set()
        self._settled: set[str] = set()
        self._unsaved: dict[str, Job] = {}  # ended, but not saved yet: the disk was full
        self._running: dict[str, Worker] = {}
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, args=(Worker(max_memory),), daemon=True)
            for _ in range(workers)
        ]

    def start(self, handler: JobHandler) -> None:
        self._handler = handler
        for job in self._unfinished():
            self._jobs[job.id] = job
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop the workers; unfinished jobs stay in the queue for the next start."""
        with self._changed:
            self._closed = True
            running = list(self._running.values())
            self._changed.notify_all()
        for worker in running:
            worker.kill()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(5)

    # Reading -------------------------------------------------------------------------------------

    def of_match(self) -> dict[str, Job]:
        """The waiting or running job of each match that has one."""
        with self._changed:
            return {job.match: job for job in self._jobs.values() if job.match is not None}

    def learning(self) -> Job | None:
        """The waiting or running job that learns from labels."""
        with self._changed:
            return next((job for job in self._jobs.values() if job.kind == "learn"), None)

    def get(self, name: str) -> Job:
        with self._changed:
            known = self._jobs.get(name) or self._unsaved.get(name)
        if known is not None:
            return known
        with self.store.read() as db:
            job = stored.get_job(db, name)
        if job is None:
            raise ApiError("no_job", "there is no such job")
        return job

    def all(self) -> list[Job]:
        with self._changed:
            active = [*self._unsaved.values(), *self._jobs.values()]
        with self.store.read() as db:
            ended = stored.ended_jobs(db)
        return [*reversed(active), *ended]

    # Changing ------------------------------------------------------------------------------------

    def new_id(self) -> str:
        return secrets.token_hex(8)

    def check_room(self, coming: int = 0) -> None:
        """Raise if too many jobs wait or are about to be added; background jobs do not count."""
        with self._changed:
            asked = len(self._jobs.keys() - self._background)
        if asked + coming >= self.max_waiting:
            raise ApiError("too_many", "too many alignments are queued; try again later")

    def add(
        self,
        kind: Literal["upload", "align", "learn"],
        *,
        title: str,
        method: str,
        match: str | None = None,
        job_id: str | None = None,
        background: bool = False,
        files: Mapping[str, str] | None = None,
        upload: str | None = None,
    ) -> Job:
        """Queue a job; it is on the disk when this returns.

        A background job is not stored: the next start finds unaligned matches by itself.
        """
        job = Job(
            id=job_id or self.new_id(), kind=kind, match=match, title=title, method=method,
            state="waiting", created=now(), files=dict(files or {}), upload=upload,
        )  # fmt: skip
        with self._changed:
            if match is not None and any(other.match == match for other in self._jobs.values()):
                raise ApiError("busy", "an alignment of this match is already queued or running")
            if kind == "learn" and any(other.kind == "learn" for other in self._jobs.values()):
                raise ApiError("busy", "learning from labels is already queued or running")
            if background:
                self._background.add(job.id)
            else:
                self._store(job)
            self._jobs[job.id] = job
            self._changed.notify()
            self.notifications.publish(job)  # before a worker can start it
        return job

    def cancel(self, name: str) -> Job:
        job = self.get(name)
        with self._changed:
            if name not in self._jobs or name in self._settled:
                raise ApiError("ended", "the job has already ended")
            worker = self._running.get(name)
            job = self._end(self._jobs[name], "cancelled", None)
            if worker is not None:
                worker.kill()  # under the lock, so that it cannot have started another job
        if worker is None:
            self.discard(name)
        return job

    def dismiss(self, jobs: Iterable[str]) -> list[Job]:
        """Forget failed jobs, for everybody; gives the jobs that are left."""
        with self.store.write() as db:
            stored.delete_failed(db, jobs)
        return self.all()

    def forget_failed(self, upload: str) -> None:
        """Forget the failed jobs of an upload that is tried again."""
        failed = [job for job in self.all() if job.state == "failed" and job.upload == upload]
        with self.store.write() as db:
            stored.delete_failed(db, [job.id for job in failed])

    def settle(self, job: Job, match: str | None) -> None:
        """Store which match a job is about to change, if any; it can no longer be cancelled."""
        with self._changed:
            if job.id not in self._jobs:
                raise StoppedError("cancelled")
            self._settled.add(job.id)
            job = msgspec.structs.replace(self._jobs[job.id], match=match)
            self._jobs[job.id] = job
            self._store(job)

    # Running -------------------------------------------------------------------------------------

    def _work(self, worker: Worker) -> None:
        while (job := self._next(worker)) is not None:
            problem = self._run(job, worker)
            with self._changed:
                self._running.pop(job.id, None)
                if self._closed:
                    break
            self.discard(job.id)  # before subscribers hear that it ended
            with self._changed:
                if job.id in self._jobs:  # else it was cancelled
                    self._finished(self._jobs[job.id], problem)
        worker.kill()

    def _run(self, job: Job, worker: Worker) -> str | None:
        """Run a job; gives the problem as a sentence for the user, or None."""
        try:
            self._align(job, worker)
        except FailedError as error:
            return str(error)
        except StoppedError:
            what = "learning" if job.kind == "learn" else "the alignment"
            return f"{what} was stopped: it ran out of time or memory, or its process was killed"
        except Exception as error:
            if disk.is_full(error):
                return disk.NOT_ALIGNED
            LOG.exception("job %s failed", job.id)
            return "internal error; see the server's log"
        return None

    def _finished(self, job: Job, problem: str | None) -> None:
        self._end(job, "failed" if problem else "done", problem)
        if problem is None and job.match is not None:
            # Last, so that a client that now reads the match finds it without a job.
            change = "added" if job.kind == "upload" else "aligned"
            self.notifications.publish(MatchNotification(name=job.match, change=change))

    def _next(self, worker: Worker) -> Job | None:
        with self._changed:
            while not self._closed:
                waiting = [job for job in self._jobs.values() if job.state == "waiting"]
                waiting.sort(key=lambda job: job.id in self._background)
                if waiting:
                    self._running[waiting[0].id] = worker
                    return self._change(waiting[0], state="running")
                self._changed.wait(SAVE_AGAIN if self._unsaved else None)
                self._save_ended()
        return None

    def _align(self, job: Job, worker: Worker) -> None:
        out = (
            self.work / f"{job.id}-{secrets.token_hex(4)}"
        )  # a killed process may still write to an older one
        task = self._handler.task(job, out)
        with self._changed:
            if job.id not in self._jobs or self._closed:
                raise StoppedError("cancelled")
            worker.start()
        try:
            seconds = self.max_learn_seconds if job.kind == "learn" else self.max_seconds
            name = worker.run(task, lambda sent: self._progress(job.id, sent), seconds)
            self._handler.finish(job, name, out)
        finally:
            shutil.rmtree(out, ignore_errors=True)

    def _progress(self, name: str, sent: WorkerMessage) -> None:
        with self._changed:
            if name in self._jobs:
                stage: Stage = sent.stage  # type: ignore[assignment]
                self._change(self._jobs[name], stage=stage, done=sent.done)

    def _change(self, job: Job, **changes: object) -> Job:
        job = msgspec.structs.replace(job, **changes)
        self._jobs[job.id] = job
        self.notifications.publish(job)
        return job

    def _end(self, job: Job, state: JobState, problem: str | None) -> Job:
        done = 1.0 if state == "done" else job.done
        job = self._change(job, state=state, problem=problem, ended=now(), done=done)
        del self._jobs[job.id]
        self._background.discard(job.id)
        self._settled.discard(job.id)
        self._unsaved[job.id] = job
        self._save_ended()
        return job

    def _save_ended(self) -> None:
        """Store which jobs have ended; on a full disk, try again later."""
        for job in list(self._unsaved.values()):
            try:
                if job.problem is not None:
                    self._handler.fail(job, job.problem)
                self._store(job)
            except (sqlite3.Error, OSError) as error:
                LOG.error("the end of job %s cannot be saved yet (%s)", job.id, error)
                return
            del self._unsaved[job.id]

    def discard(self, name: str) -> None:
        """Delete the files of an upload."""
        shutil.rmtree(self.work / name, ignore_errors=True)

    # On disk -------------------------------------------------------------------------------------

    def _store(self, job: Job) -> None:
        with self.store.write() as db:
            stored.put_job(db, job)

    def _unfinished(self) -> list[Job]:
        """The jobs that an earlier server left; other leftovers in its work folder are deleted."""
        with self.store.read() as db:
            found = stored.unfinished_jobs(db)
        jobs = [msgspec.structs.replace(job, state="waiting") for job in found]
        kept = {job.id for job in jobs}
        with contextlib.suppress(OSError):
            for path in self.work.iterdir():
                if path.name not in kept:
                    shutil.rmtree(path, ignore_errors=True)
        return jobs
