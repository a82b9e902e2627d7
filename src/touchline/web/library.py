"""The matches of the served folder: finding, aligning, adding and deleting them.

A name from a request is looked up among the names that were found; it never becomes a path. The
results of alignments ("answers") are stored in `.touchline/answers/` under random names, and the
database records which one is current: a new one is complete before a transaction switches to it.
"""

from __future__ import annotations

import gzip
import logging
import os
import re
import shutil
import threading
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import msgspec

from touchline.core.errors import InputError
from touchline.core.links import CommentLinks
from touchline.core.records import Match as MatchLog
from touchline.generation.findings import Finding
from touchline.io.corpus.folder import candidates
from touchline.io.corpus.layout import is_robocup
from touchline.io.files import is_text
from touchline.io.links.jsonl import read_links
from touchline.report.data import Report
from touchline.web.errors import ApiError
from touchline.web.jobs import align_worker
from touchline.web.jobs.job_queue import Jobs
from touchline.web.jobs.tasks import Task
from touchline.web.jobs.worker_process import FailedError
from touchline.web.notifications import MatchNotification, Notifications
from touchline.web.records import Findings, Job, Match, Progress, now
from touchline.web.store import index, labels
from touchline.web.store import matches as stored
from touchline.web.store.database import Store
from touchline.web.store.matches import StoredMatch
from touchline.web.uploads import GOLD, Uploads

LOG = logging.getLogger("touchline.web")
SCAN_SECONDS = 2.0  # for which a scan of the folder is reused
CACHED = 32  # pages that are kept in memory
MAX_NAME = 80
DELETED = "deleted-"  # prefix of a match folder that is being deleted
NOT_GENERATED = "there is no generated commentary; align the match again"
NOT_CHECKED = "the commentary has not been checked; align the match again"
UNNAMED = "new match"  # title of an upload until the names of its teams are known


class Library:
    """The matches of one folder."""

    def __init__(
        self,
        folder: Path,
        store: Store,
        jobs: Jobs,
        notifications: Notifications,
        uploads: Uploads,
        *,
        max_file_bytes: int,
    ) -> None:
        self.folder, self.store, self.jobs = folder, store, jobs
        self.notifications, self.uploads = notifications, uploads
        self.max_file_bytes = max_file_bytes  # uncompressed
        self.answers = store.home / "answers"
        self.answers.mkdir(exist_ok=True)
        self._lock = threading.Lock()
        self._naming = threading.Lock()
        self._found: dict[str, Path] = {}
        self._scanned = float("-inf")
        self._indexing: threading.Thread | None = None
        self._stopping = threading.Event()
        self._pages: OrderedDict[str, bytes] = OrderedDict()

    @property
    def title(self) -> str:
        """What the page calls the folder."""
        return self.folder.resolve().name

    # Finding --------------------------------------------------------------------------------------

    def folders(self) -> dict[str, Path]:
        """The match folders by name; a recent scan is reused."""
        with self._lock:
            if time.monotonic() - self._scanned > SCAN_SECONDS:
                self._found = scan(self.folder)
                self._scanned = time.monotonic()
            return self._found

    def path(self, name: str) -> Path:
        found = self.folders().get(name)
        if found is None:
            raise ApiError("no_match", "there is no such match")
        return found

    def matches(self) -> list[Match]:
        jobs = self.jobs.of_match()  # first: one that ends meanwhile has its answer in the rows
        with self.store.read() as db:
            rows = stored.get_matches(db)
            progress = labels.progress(db)
        found = [
            _match(name, path, rows.get(name), jobs.get(name), progress.get(name, []))
            for name, path in self.folders().items()
        ]
        return sorted(found, key=lambda match: (match.title.casefold(), match.name))

    def match(self, name: str) -> Match:
        path, job = self.path(name), self.jobs.of_match().get(name)
        with self.store.read() as db:
            row = stored.get_match(db, name)
            progress = labels.progress(db, name).get(name, [])
        return _match(name, path, row, job, progress)

    def new(self) -> list[str]:
        """Matches that are neither aligned nor queued."""
        return [m.name for m in self.matches() if m.state == "new" and m.job is None]

    # Answers -------------------------------------------------------------------------------------

    def answer(self, name: str) -> str:
        """The current answer of a match."""
        self.path(name)
        with self.store.read() as db:
            row = stored.get_match(db, name)
        if row is None or row.answer is None:
            raise ApiError("not_aligned", "the match has not been aligned yet")
        return row.answer

    def page(self, answer: str, file: str = align_worker.PAGE) -> bytes:
        """The JSON of a match's page, or of its generated commentary, compressed with gzip."""
        key = f"{answer}/{file}"
        with self._lock:
            if key in self._pages:
                self._pages.move_to_end(key)
                return self._pages[key]
        page = self._read(answer, file)
        with self._lock:
            self._pages[key] = page
            while len(self._pages) > CACHED:
                self._pages.popitem(last=False)
        return page

    def _drop_answer(self, answer: str) -> None:
        """Delete an answer that is no longer the current one of a match, also from memory."""
        shutil.rmtree(self.answers / answer, ignore_errors=True)
        with self._lock:
            for key in [key for key in self._pages if key.startswith(f"{answer}/")]:
                del self._pages[key]

    def unpacked(self, answer: str) -> bytes:
        return gzip.decompress(self.page(answer))

    def report(self, answer: str) -> Report:
        return msgspec.json.decode(self.unpacked(answer), type=Report)

    def log(self, answer: str) -> MatchLog:
        """The match as it was when it was aligned."""
        return msgspec.msgpack.decode(self._read(answer, align_worker.MATCH), type=MatchLog)

    def generated(self, name: str) -> tuple[str, bytes]:
        """The current answer of a match, and its generated commentary as packed JSON of a page."""
        answer = self.answer(name)
        if (self.answers / answer).is_dir() and not self._has(answer, align_worker.GENERATED):
            raise ApiError("not_generated", NOT_GENERATED)
        return answer, self.page(answer, align_worker.GENERATED)

    def findings(self, name: str) -> Findings:
        """What the log does not confirm of the commentary."""
        answer = self.answer(name)
        if (self.answers / answer).is_dir() and not self._has(answer, align_worker.FINDINGS):
            raise ApiError("not_checked", NOT_CHECKED)
        found = msgspec.json.decode(self._read(answer, align_worker.FINDINGS), type=list[Finding])
        return Findings(match=name, comments=len(self.links(answer)), findings=found)

    def _has(self, answer: str, file: str) -> bool:
        return (self.answers / answer / file).is_file()

    def links(self, answer: str) -> list[CommentLinks]:
        path = self.links_path(answer)
        try:
            return read_links(path)
        except InputError:
            if path.exists():
                raise
            raise _changed() from None

    def links_path(self, answer: str) -> Path:
        return self.answers / answer / align_worker.LINKS

    def _read(self, answer: str, file: str) -> bytes:
        try:
            return (self.answers / answer / file).read_bytes()
        except FileNotFoundError:
            raise _changed() from None

    # Adding and deleting--------------------------------------------------------------------------

    def task(self, job: Job, out: Path) -> Task:
        folder = self._upload(job)
        if folder is None:
            try:
                folder = self.path(job.match or "")
            except ApiError:
                raise FailedError("the files of this match no longer exist") from None
        return Task(
            folder=str(folder),
            out=str(out),
            method=job.method,
            max_file_bytes=self.max_file_bytes,
            name=job.match,
            files=job.files,
        )

    def finish(self, job: Job, name: str, out: Path) -> None:
        match = self._adopt(job, name)
        target = self.answers / job.id
        shutil.rmtree(target, ignore_errors=True)
        try:
            out.rename(target)
            sync(self.answers)
            old = self._make_current(match, job.id, uploaded=job.kind == "upload")
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            if job.kind == "upload":  # a failed one must leave nothing behind
                (self.folder / match).rename(self.jobs.work / job.id)
            raise
        finally:
            self._scan_again()
        self.uploads.finished(job)
        if old is not None and old != job.id:
            self._drop_answer(old)

    def fail(self, job: Job, problem: str) -> None:
        if job.kind == "upload" or job.match is None or job.match not in self.folders():
            return
        with self.store.write() as db:
            stored.set_problem(db, job.match, problem)

    def delete(self, name: str) -> None:
        """Delete an upload: its files, its answer, its labels."""
        with self._naming:  # no one else may delete it meanwhile, or reuse its name
            self._check_deletable(name)
            # Hidden at once; if the server stops before the rest is done, `recover` does it.
            try:
                self.path(name).rename(self.jobs.work / f"{DELETED}{name}")
            except FileNotFoundError:
                raise ApiError("no_match", "this match no longer exists") from None
            finally:
                self._scan_again()
            sync(self.folder)
            self._delete_records(name)
        self.notifications.publish(MatchNotification(name=name, change="deleted"))

    def _check_deletable(self, name: str) -> None:
        self.path(name)
        if name in self.jobs.of_match():
            raise ApiError(
                "busy", "an alignment of this match is queued or running; cancel it first"
            )
        with self.store.read() as db:
            row = stored.get_match(db, name)
        if row is None or not row.uploaded:
            message = "only uploaded matches can be deleted; remove the match folder instead"
            raise ApiError("not_uploaded", message)

    def recover(self) -> None:
        """Make files and database agree after a crash, or after a backup was restored."""
        for path in self.jobs.work.glob(f"{DELETED}*"):
            self._delete_records(path.name.removeprefix(DELETED))
        there = {path.name for path in self.answers.iterdir()}
        with self.store.write() as db:
            current = {row.answer for row in stored.get_matches(db).values() if row.answer}
            stored.remove_answers(db, current - there)
        for left_over in there - current:
            shutil.rmtree(self.answers / left_over, ignore_errors=True)

    # The search index ----------------------------------------------------------------------------

    def start_indexing(self) -> None:
        """Index the matches that an older version has indexed, while the server runs already."""
        with self.store.read() as db:
            rows = stored.get_matches(db).values()
        old = [row for row in rows if row.answer is not None and row.indexed < index.VERSION]
        if old:
            self._indexing = threading.Thread(target=self._index_again, args=(old,), daemon=True)
            self._indexing.start()

    def stop_indexing(self) -> None:
        """Stop after the match that is being indexed; the next start goes on."""
        self._stopping.set()
        if self._indexing is not None:
            self._indexing.join(10)

    def _index_again(self, old: Sequence[StoredMatch]) -> None:
        for row in old:
            if self._stopping.is_set():
                return
            try:
                self._index_one(row)
            except Exception:
                LOG.exception("the search index of %s cannot be updated", row.name)

    def _index_one(self, row: StoredMatch) -> None:
        page, found = self.report(row.answer or "").matches[0], self.links(row.answer or "")
        with self.store.write() as db:
            if stored.get_match(db, row.name) == row:  # else it was aligned again, or deleted
                index.put(db, row.name, page, found)
                stored.put_match(db, msgspec.structs.replace(row, indexed=index.VERSION))

    def _delete_records(self, name: str) -> None:
        with self.store.write() as db:
            row = stored.get_match(db, name)
            labels.delete_labels(db, name)
            index.drop(db, name)
            stored.delete_match(db, name)
        if row is not None and row.answer is not None:
            self._drop_answer(row.answer)
        shutil.rmtree(self.jobs.work / f"{DELETED}{name}", ignore_errors=True)

    def _adopt(self, job: Job, name: str) -> str:
        """Name the match of a job, and move an upload into the folder."""
        upload = self._upload(job)
        with self._naming:
            wanted = name if job.title == UNNAMED else job.title
            match = job.match or self._free_name(wanted)
            self.jobs.settle(job, match)
            if upload is not None:
                upload.rename(self.folder / match)
                sync(self.folder)
        return match

    def _upload(self, job: Job) -> Path | None:
        """Where the files of an upload are until it is aligned."""
        folder = self.jobs.work / job.id
        return folder if job.kind == "upload" and folder.is_dir() else None

    def _make_current(self, name: str, answer: str, *, uploaded: bool) -> str | None:
        """Make an answer the current one of its match; gives the previous one."""
        report = self.report(answer)
        page, found = report.matches[0], self.links(answer)
        with self.store.write() as db:
            row = stored.get_match(db, name)
            index.put(db, name, page, found)
            match = StoredMatch(
                name=name,
                title=page.title if page.teams else name,
                uploaded=uploaded or (row is not None and row.uploaded),
                answer=answer,
                method=report.method,
                aligned=now(),
                comments=len(page.comments),
                linked=sum(bool(comment.events) for comment in page.comments),
                events=len(page.events),
                score="-".join(map(str, page.result.score)) if page.result else None,
                date=page.date,
                indexed=index.VERSION,
            )
            stored.put_match(db, match)
        return None if row is None else row.answer

    def _free_name(self, wanted: str) -> str:
        name = base = slug(wanted)
        number = 2
        while (self.folder / name).exists():
            name, number = f"{base}-{number}", number + 1
        return name

    def _scan_again(self) -> None:
        with self._lock:
            self._scanned = float("-inf")


def scan(folder: Path) -> dict[str, Path]:
    """The match folders in a folder, by name."""
    found = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not is_text(path.name) or not path.is_dir():
            continue
        if candidates(path, "events") and candidates(path, "comments"):
            found[path.name] = path
    return found


def check_folder(folder: Path) -> None:
    """Raise unless this is a folder of match folders."""
    if not folder.is_dir():
        problem = "is a file" if folder.is_file() else "no such folder"
        raise InputError(folder, f"{problem}; expected a folder of match folders")
    if candidates(folder, "events"):
        raise InputError(folder, "is a match folder; give the folder that contains it")
    if is_robocup(folder):
        raise InputError(folder, "is the RoboCup corpus, which cannot be served")


def slug(text: str) -> str:
    """A folder name made from a user's text: lower-case letters, digits, single dashes."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_NAME].strip("-")
    return name or "match"


def _changed() -> ApiError:
    """The answer was deleted after it was looked up: the match was aligned again, or deleted."""
    return ApiError("not_aligned", "the match has just changed; try again")


def _match(
    name: str,
    path: Path,
    row: StoredMatch | None,
    job: Job | None,
    progress: list[Progress],
) -> Match:
    gold = (path / GOLD).is_file()
    if row is None:
        match = Match(name=name, title=name, state="new", gold=gold, job=job)
        return msgspec.structs.replace(match, annotators=tuple(progress))
    columns = (
        "title", "problem", "comments", "linked", "events", "score", "date", "method", "aligned",
        "answer",
    )  # fmt: skip
    return Match(
        name=name,
        state="ready" if row.answer else "failed" if row.problem else "new",
        uploaded=row.uploaded,
        gold=gold,
        job=job,
        annotators=tuple(progress),
        **{column: getattr(row, column) for column in columns},
    )


def sync(folder: Path) -> None:
    """Flush a rename to the disk, on systems that can."""
    if hasattr(os, "O_DIRECTORY"):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
