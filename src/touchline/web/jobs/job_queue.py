"""Alignments that wait, run and end: a queue in the database, a thread and a process for each.

A job outlives the server: what waited or ran when it ended is done again after the next start.
Uploads and what people ask for go before the matches that are aligned in the background.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import shutil
import sqlite3
import threading
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from touchline.web.api.errors import ApiError
from touchline.web.jobs.align_worker import Said, Task
from touchline.web.jobs.worker_process import FailedError, StoppedError, Worker
from touchline.web.notifications import MatchNews, News
from touchline.web.records import Job, JobState, Stage, now
from touchline.web.store import disk
from touchline.web.store.database import Store

LOG = logging.getLogger("touchline.web")
MAX_ENDED = 50  # of those that ended, how many are remembered
SAVE_AGAIN = 2.0  # seconds until an end that could not be written is written again


class Keeper(Protocol):
    """Who knows the matches: what a job has to do, and what becomes of its answer."""

    def task(self, job: Job, out: Path) -> Task:
        """The task of a job that is about to run; `FailedError` where its files are gone."""

    def finish(self, job: Job, name: str, out: Path) -> None:
        """Take up the answer; `name` is what the match would like to be called."""

    def fail(self, job: Job, problem: str) -> None:
        """Note that there is no answer."""


class Jobs:
    """The queue, and the threads that work on it."""

    def __init__(
        self, store: Store, news: News, *, workers: int, most: int, seconds: float, memory: int
    ) -> None:
        self.store, self.news, self.most, self.seconds = store, news, most, seconds
        self.work = store.home / "work"
        self.work.mkdir(exist_ok=True)
        self._changed = threading.Condition()
        self._jobs: dict[str, Job] = {}  # those that wait or run, the next one first
        self._background: set[str] = set()
        self._settled: set[str] = set()
        self._unsaved: dict[str, Job] = {}  # ended, but not on the disk yet: it was full
        self._running: dict[str, Worker] = {}
        self._closed = False
        self._threads = [
            threading.Thread(target=self._serve, args=(Worker(memory),), daemon=True)
            for _ in range(workers)
        ]

    def start(self, keeper: Keeper) -> None:
        self._keeper = keeper
        for job in self._unfinished():
            self._jobs[job.id] = job
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End the work; what is unfinished stays in the queue for the next start."""
        with self._changed:
            self._closed = True
            running = list(self._running.values())
            self._changed.notify_all()
        for worker in running:
            worker.kill()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(5)

    # Asking --------------------------------------------------------------------------------------

    def of_match(self) -> dict[str, Job]:
        """The job about each match that has one waiting or running."""
        with self._changed:
            return {job.match: job for job in self._jobs.values() if job.match is not None}

    def get(self, name: str) -> Job:
        with self._changed:
            known = self._jobs.get(name) or self._unsaved.get(name)
        if known is not None:
            return known
        with self.store.read() as db:
            row = db.execute("SELECT * FROM jobs WHERE id = ?", [name]).fetchone()
        if row is None:
            raise ApiError("no_job", "there is no such job")
        return _job(row)

    def all(self) -> list[Job]:
        with self._changed:
            active = [*self._unsaved.values(), *self._jobs.values()]
        with self.store.read() as db:
            rows = db.execute(
                "SELECT * FROM jobs WHERE ended IS NOT NULL ORDER BY ended DESC, rowid DESC "
                "LIMIT ?", [MAX_ENDED]
            ).fetchall()  # fmt: skip
        return [*reversed(active), *map(_job, rows)]

    # Changing ------------------------------------------------------------------------------------

    def new_id(self) -> str:
        return secrets.token_hex(8)

    def check_room(self, coming: int = 0) -> None:
        """Refuse more work while too much of it waits or comes; the background does not count."""
        with self._changed:
            asked = len(self._jobs.keys() - self._background)
        if asked + coming >= self.most:
            raise ApiError("too_many", "too many alignments wait; try again later")

    def add(
        self,
        kind: Literal["upload", "align"],
        *,
        title: str,
        method: str,
        match: str | None = None,
        job_id: str | None = None,
        background: bool = False,
    ) -> Job:
        """Queue a job; it is on the disk when this returns, and outlives the server.

        One of the background is not: the next start finds what is left to do by itself.
        """
        job = Job(
            id=job_id or self.new_id(), kind=kind, match=match, title=title, method=method,
            state="waiting", created=now(),
        )  # fmt: skip
        with self._changed:
            if match is not None and any(other.match == match for other in self._jobs.values()):
                raise ApiError("busy", "an alignment of this match waits or runs already")
            if background:
                self._background.add(job.id)
            else:
                self._store(job)
            self._jobs[job.id] = job
            self._changed.notify()
            self.news.tell(job)  # before a worker can take it and tell that it runs
        return job

    def cancel(self, name: str) -> Job:
        job = self.get(name)
        with self._changed:
            if name not in self._jobs or name in self._settled:
                raise ApiError("ended", "the job has ended already")
            worker = self._running.get(name)
            job = self._end(self._jobs[name], "cancelled", None)
            if worker is not None:
                worker.kill()  # while it cannot turn to another job
        if worker is None:
            self.discard(name)
        return job

    def settle(self, job: Job, match: str) -> None:
        """Write down which match a job's answer is about to change; from here it has its way."""
        with self._changed:
            if job.id not in self._jobs:
                raise StoppedError("cancelled")
            self._settled.add(job.id)
            job = msgspec.structs.replace(self._jobs[job.id], match=match)
            self._jobs[job.id] = job
            self._store(job)

    # Working -------------------------------------------------------------------------------------

    def _serve(self, worker: Worker) -> None:
        while (job := self._next(worker)) is not None:
            problem = self._try(job, worker)
            with self._changed:
                self._running.pop(job.id, None)
                if self._closed:
                    break
            self.discard(job.id)  # before its end is told
            with self._changed:
                if job.id in self._jobs:  # else it was cancelled
                    self._finished(self._jobs[job.id], problem)
        worker.kill()

    def _try(self, job: Job, worker: Worker) -> str | None:
        """Do a job; what went wrong, in a sentence for the user."""
        try:
            self._do(job, worker)
        except FailedError as error:
            return str(error)
        except StoppedError:
            return "the alignment took too long or too much memory, or its process was ended"
        except Exception as error:
            if disk.is_full(error):
                return disk.NOT_ALIGNED
            LOG.exception("job %s failed", job.id)
            return "internal error; see the server's log"
        return None

    def _finished(self, job: Job, problem: str | None) -> None:
        self._end(job, "failed" if problem else "done", problem)
        if problem is None and job.match is not None:
            # Last of all: who asks for the match on this news finds it without its job.
            change = "added" if job.kind == "upload" else "aligned"
            self.news.tell(MatchNews(name=job.match, change=change))

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

    def _do(self, job: Job, worker: Worker) -> None:
        out = self.work / f"{job.id}-{secrets.token_hex(4)}"  # an older process may still write
        task = self._keeper.task(job, out)
        with self._changed:
            if job.id not in self._jobs or self._closed:
                raise StoppedError("cancelled")
            worker.start()
        try:
            name = worker.do(task, lambda said: self._progress(job.id, said), self.seconds)
            self._keeper.finish(job, name, out)
        finally:
            shutil.rmtree(out, ignore_errors=True)

    def _progress(self, name: str, said: Said) -> None:
        with self._changed:
            if name in self._jobs:
                stage: Stage = said.stage  # type: ignore[assignment]
                self._change(self._jobs[name], stage=stage, done=said.done)

    def _change(self, job: Job, **changes: object) -> Job:
        job = msgspec.structs.replace(job, **changes)
        self._jobs[job.id] = job
        self.news.tell(job)
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
        """Write down which jobs have ended; what a full disk does not take is kept for later."""
        for job in list(self._unsaved.values()):
            try:
                if job.problem is not None:
                    self._keeper.fail(job, job.problem)
                self._store(job)
            except (sqlite3.Error, OSError) as error:
                LOG.error("the end of job %s cannot be saved yet (%s)", job.id, error)
                return
            del self._unsaved[job.id]

    def discard(self, name: str) -> None:
        """The files of an upload go."""
        shutil.rmtree(self.work / name, ignore_errors=True)

    # On disk -------------------------------------------------------------------------------------

    def _store(self, job: Job) -> None:
        with self.store.write() as db:
            db.execute(
                "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "
                "SET match = excluded.match, state = excluded.state, problem = excluded.problem, "
                "ended = excluded.ended",
                [job.id, job.kind, job.match, job.title, job.method, job.state, job.problem,
                 job.created, job.ended],
            )  # fmt: skip
            if job.ended is not None:
                db.execute(
                    "DELETE FROM jobs WHERE ended IS NOT NULL AND id NOT IN (SELECT id FROM jobs "
                    "WHERE ended IS NOT NULL ORDER BY ended DESC, rowid DESC LIMIT ?)",
                    [MAX_ENDED],
                )

    def _unfinished(self) -> list[Job]:
        """What an earlier server left undone; what else lies in its work folder goes."""
        with self.store.read() as db:
            rows = db.execute("SELECT * FROM jobs WHERE ended IS NULL ORDER BY rowid").fetchall()
        jobs = [msgspec.structs.replace(_job(row), state="waiting") for row in rows]
        kept = {job.id for job in jobs}
        with contextlib.suppress(OSError):
            for path in self.work.iterdir():
                if path.name not in kept:
                    shutil.rmtree(path, ignore_errors=True)
        return jobs


def _job(row: sqlite3.Row) -> Job:
    if row["state"] == "done":
        return Job(**dict(row), stage="writing", done=1.0)
    return Job(**dict(row))
