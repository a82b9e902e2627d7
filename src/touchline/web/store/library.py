"""The matches of the folder: which there are, their answers, and how one comes and goes.

A name that a request gives is looked up among the names that were found; no path is ever made of
it. The answers of alignments lie in `.touchline/answers/` under random names, and the database says
which one counts: a new one is complete before a transaction turns to it.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import sqlite3
import threading
import time
import unicodedata
from collections import OrderedDict
from pathlib import Path

import msgspec

from touchline.core.errors import InputError
from touchline.core.links import CommentLinks
from touchline.core.records import Match as MatchLog
from touchline.io.corpus.layout import candidates, is_robocup
from touchline.io.files import is_text
from touchline.io.links.jsonl import read_links
from touchline.report.data import Report
from touchline.web.api.errors import ApiError
from touchline.web.jobs import align_worker as work
from touchline.web.jobs.job_queue import Jobs
from touchline.web.jobs.worker_process import FailedError
from touchline.web.labels import labels
from touchline.web.notifications import MatchNews, News
from touchline.web.records import Job, Match, Progress, now
from touchline.web.store import index
from touchline.web.store.database import Store

SCANNED = 2.0  # seconds for which a look at the folder is good
CACHED = 32  # pages that are kept in memory
MAX_NAME = 80
GOLD = "gold.jsonl"
DELETED = "deleted-"  # what a match's folder is called on its way out
UNNAMED = "new match"  # an upload until its teams give it a name


class Library:
    """The matches of one folder."""

    def __init__(self, folder: Path, store: Store, jobs: Jobs, news: News, *, most: int) -> None:
        self.folder, self.store, self.jobs, self.news = folder, store, jobs, news
        self.most = most  # bytes of one file, unpacked
        self.answers = store.home / "answers"
        self.answers.mkdir(exist_ok=True)
        self._lock = threading.Lock()
        self._naming = threading.Lock()
        self._found: dict[str, Path] = {}
        self._looked = float("-inf")
        self._pages: OrderedDict[str, bytes] = OrderedDict()

    # Which there are -----------------------------------------------------------------------------

    def folders(self) -> dict[str, Path]:
        """The match folders by name, as they were at most a moment ago."""
        with self._lock:
            if time.monotonic() - self._looked > SCANNED:
                self._found = scan(self.folder)
                self._looked = time.monotonic()
            return self._found

    def path(self, name: str) -> Path:
        found = self.folders().get(name)
        if found is None:
            raise ApiError("no_match", "there is no such match")
        return found

    def matches(self) -> list[Match]:
        jobs = self.jobs.of_match()  # first: one that ends meanwhile has its answer in the rows
        with self.store.read() as db:
            rows = {row["name"]: row for row in db.execute("SELECT * FROM matches")}
            said = labels.progress(db)
        found = [
            _match(name, path, rows.get(name), jobs.get(name), said.get(name, []))
            for name, path in self.folders().items()
        ]
        return sorted(found, key=lambda match: (match.title.casefold(), match.name))

    def match(self, name: str) -> Match:
        path, job = self.path(name), self.jobs.of_match().get(name)
        with self.store.read() as db:
            row = _row(db, name)
            said = labels.progress(db, name).get(name, [])
        return _match(name, path, row, job, said)

    def new(self) -> list[str]:
        """Matches that have never been aligned, nor wait for it."""
        return [m.name for m in self.matches() if m.state == "new" and m.job is None]

    # Answers -------------------------------------------------------------------------------------

    def answer(self, name: str) -> str:
        """Which answer counts for a match."""
        self.path(name)
        with self.store.read() as db:
            row = _row(db, name)
        if row is None or row["answer"] is None:
            raise ApiError("not_aligned", "the match has not been aligned yet")
        return str(row["answer"])

    def page(self, answer: str) -> bytes:
        """The JSON of a match's page, packed."""
        with self._lock:
            if answer in self._pages:
                self._pages.move_to_end(answer)
                return self._pages[answer]
        page = self._read(answer, work.PAGE)
        with self._lock:
            self._pages[answer] = page
            while len(self._pages) > CACHED:
                self._pages.popitem(last=False)
        return page

    def unpacked(self, answer: str) -> bytes:
        return gzip.decompress(self.page(answer))

    def report(self, answer: str) -> Report:
        return msgspec.json.decode(self.unpacked(answer), type=Report)

    def log(self, answer: str) -> MatchLog:
        """The match as it was when it was aligned."""
        return msgspec.msgpack.decode(self._read(answer, work.MATCH), type=MatchLog)

    def links(self, answer: str) -> list[CommentLinks]:
        path = self.links_path(answer)
        try:
            return read_links(path)
        except InputError:
            if path.exists():
                raise
            raise _changed() from None

    def links_path(self, answer: str) -> Path:
        return self.answers / answer / work.LINKS

    def _read(self, answer: str, file: str) -> bytes:
        try:
            return (self.answers / answer / file).read_bytes()
        except FileNotFoundError:
            raise _changed() from None

    # Coming and going ----------------------------------------------------------------------------

    def task(self, job: Job, out: Path) -> work.Task:
        folder = self._upload(job)
        if folder is None:
            try:
                folder = self.path(job.match or "")
            except ApiError:
                raise FailedError("the match's files are gone") from None
        return work.Task(
            folder=str(folder), out=str(out), method=job.method, most=self.most, name=job.match
        )

    def finish(self, job: Job, name: str, out: Path) -> None:
        match = self._adopt(job, name)
        target = self.answers / job.id
        shutil.rmtree(target, ignore_errors=True)
        try:
            out.rename(target)
            _sync(self.answers)
            old = self._turn_to(match, job.id, job)
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            if job.kind == "upload":  # which leaves nothing where it does not go well
                (self.folder / match).rename(self.jobs.work / job.id)
            raise
        finally:
            self._look_again()
        if old is not None and old != job.id:
            shutil.rmtree(self.answers / old, ignore_errors=True)

    def fail(self, job: Job, problem: str) -> None:
        if job.kind == "upload" or job.match not in self.folders():
            return
        with self.store.write() as db:
            db.execute(
                "INSERT INTO matches (name, title, problem) VALUES (?, ?, ?) "
                "ON CONFLICT (name) DO UPDATE SET problem = excluded.problem",
                [job.match, job.match, problem],
            )

    def delete(self, name: str) -> None:
        """Delete an upload: its files, its answer, its labels."""
        with self._naming:  # nobody else deletes it meanwhile, or gives its name to another
            self._check_deletable(name)
            # Out of sight at once; should we end before the rest is done, `recover` does it.
            try:
                self.path(name).rename(self.jobs.work / f"{DELETED}{name}")
            except FileNotFoundError:
                raise ApiError("no_match", "there is no such match any more") from None
            finally:
                self._look_again()
            _sync(self.folder)
            self._forget(name)
        self.news.tell(MatchNews(name=name, change="deleted"))

    def _check_deletable(self, name: str) -> None:
        self.path(name)
        if name in self.jobs.of_match():
            raise ApiError("busy", "an alignment of this match waits or runs; cancel it first")
        with self.store.read() as db:
            row = _row(db, name)
        if row is None or not row["uploaded"]:
            message = "only matches that were uploaded can be deleted; remove its folder"
            raise ApiError("not_uploaded", message)

    def recover(self) -> None:
        """Bring files and database together after a crash, or after a backup was put back."""
        for path in self.jobs.work.glob(f"{DELETED}*"):
            self._forget(path.name.removeprefix(DELETED))
        there = {path.name for path in self.answers.iterdir()}
        with self.store.write() as db:
            rows = db.execute("SELECT name, answer FROM matches WHERE answer IS NOT NULL")
            counts = {row["answer"]: row["name"] for row in rows}
            for lost in counts.keys() - there:
                db.execute(
                    "UPDATE matches SET answer = NULL, problem = NULL, comments = NULL, "
                    "linked = NULL, events = NULL WHERE answer = ?",
                    [lost],
                )
        for left_over in there - counts.keys():
            shutil.rmtree(self.answers / left_over, ignore_errors=True)

    def _forget(self, name: str) -> None:
        with self.store.write() as db:
            row = _row(db, name)
            labels.forget(db, name)
            index.drop(db, name)
            db.execute("DELETE FROM matches WHERE name = ?", [name])
        if row is not None and row["answer"] is not None:
            shutil.rmtree(self.answers / row["answer"], ignore_errors=True)
        shutil.rmtree(self.jobs.work / f"{DELETED}{name}", ignore_errors=True)

    def _adopt(self, job: Job, name: str) -> str:
        """Give a job's match its name, and an upload its place."""
        upload = self._upload(job)
        with self._naming:
            wanted = name if job.title == UNNAMED else job.title
            match = job.match or self._free_name(wanted)
            self.jobs.settle(job, match)
            if upload is not None:
                upload.rename(self.folder / match)
                _sync(self.folder)
        return match

    def _upload(self, job: Job) -> Path | None:
        """Where the files of an upload wait, until the match has them."""
        folder = self.jobs.work / job.id
        return folder if job.kind == "upload" and folder.is_dir() else None

    def _turn_to(self, name: str, answer: str, job: Job) -> str | None:
        """From now on this answer counts; the one that did before."""
        report = self.report(answer)
        page, found = report.matches[0], self.links(answer)
        with self.store.write() as db:
            row = _row(db, name)
            uploaded = job.kind == "upload" or (row is not None and bool(row["uploaded"]))
            linked = sum(bool(comment.events) for comment in page.comments)
            index.put(db, name, page, found)
            db.execute(
                "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)",
                [name, page.title if page.teams else name, uploaded, answer, report.method, now(),
                 len(page.comments), linked, len(page.events)],
            )  # fmt: skip
        return None if row is None else row["answer"]

    def _free_name(self, wanted: str) -> str:
        name = base = slug(wanted)
        number = 2
        while (self.folder / name).exists():
            name, number = f"{base}-{number}", number + 1
        return name

    def _look_again(self) -> None:
        with self._lock:
            self._looked = float("-inf")


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
    """Refuse what is no folder of matches."""
    if not folder.is_dir():
        problem = "is a file" if folder.is_file() else "no such folder"
        raise InputError(folder, f"{problem}; expected a folder of match folders")
    if candidates(folder, "events"):
        raise InputError(folder, "is a match folder; give the folder that holds it")
    if is_robocup(folder):
        raise InputError(folder, "the RoboCup corpus has its own layout, which is not served")


def slug(text: str) -> str:
    """A folder's name made of a user's text: small letters, digits, single dashes."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_NAME].strip("-")
    return name or "match"


def _changed() -> ApiError:
    """Its answer is gone: it was aligned again, or deleted, since that was looked up."""
    return ApiError("not_aligned", "the match has just changed; ask again")


def _row(db: sqlite3.Connection, name: str) -> sqlite3.Row | None:
    row: sqlite3.Row | None = db.execute("SELECT * FROM matches WHERE name = ?", [name]).fetchone()
    return row


def _match(
    name: str,
    path: Path,
    row: sqlite3.Row | None,
    job: Job | None,
    said: list[Progress],
) -> Match:
    gold = (path / GOLD).is_file()
    if row is None:
        match = Match(name=name, title=name, state="new", gold=gold, job=job)
        return msgspec.structs.replace(match, annotators=tuple(said))
    columns = ("title", "problem", "comments", "linked", "events", "method", "aligned", "answer")
    return Match(
        name=name,
        state="ready" if row["answer"] else "failed" if row["problem"] else "new",
        uploaded=bool(row["uploaded"]),
        gold=gold,
        job=job,
        annotators=tuple(said),
        **{column: row[column] for column in columns},
    )


def _sync(folder: Path) -> None:
    """A renaming is on the disk when its folder is; systems without that have no such call."""
    if hasattr(os, "O_DIRECTORY"):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
