"""Files that users have sent but that are no match yet, in `.touchline/uploads/`.

They stay when a match made from them fails, so that one file can be replaced and the rest need not
be sent again. They are deleted when their matches have been added, when the failure is dismissed,
after some days, or when there are too many.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import threading
import time
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec

from touchline.io.corpus.folder import known_ending
from touchline.web.errors import ApiError
from touchline.web.jobs.align_worker import PART
from touchline.web.jobs.inspect_task import FILE, write
from touchline.web.records import Job, StartMatch, Upload, UploadFile, UploadMatch, now

KEPT_SECONDS = 7 * 86400.0
MAX_KEPT = 20
GOLD = "gold.jsonl"


class Uploads:
    """The uploads of a server; a request names one by an id that is looked up, never a path."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "uploads"
        self.folder.mkdir(exist_ok=True)
        self._lock = threading.Lock()

    # Files ---------------------------------------------------------------------------------------

    def create(self, busy: Collection[str]) -> Path:
        """An empty upload; old ones make room, but not those in `busy`."""
        self._tidy(busy)
        name = secrets.token_hex(8)
        (self.folder / name).mkdir()
        write(self.folder / name, Upload(id=name, created=now(), files=[]))
        return self.folder / name

    def path(self, name: str) -> Path:
        """Where an upload is."""
        if name not in self._names():
            raise ApiError("no_upload", "there is no such upload; it may be too old")
        return self.folder / name

    def get(self, name: str) -> Upload:
        try:
            data = (self.path(name) / FILE).read_bytes()
        except FileNotFoundError:
            raise ApiError("no_upload", "there is no such upload; it may be too old") from None
        return msgspec.json.decode(data, type=Upload)

    def add(self, name: str, files: Iterable[UploadFile]) -> None:
        """Note files that have been stored."""
        with self._lock:
            upload = self.get(name)
            write(self.path(name), msgspec.structs.replace(upload, files=[*upload.files, *files]))

    def remove(self, name: str, file: str) -> None:
        """Remove a file, or an archive with all that was in it."""
        with self._lock:
            upload = self.get(name)
            gone = {one.id for one in upload.files if file in (one.id, one.archive)}
            if not gone:
                raise ApiError("no_upload", "the upload has no such file")
            write(self.path(name), self._without(upload, gone))

    def delete(self, name: str) -> None:
        shutil.rmtree(self.path(name), ignore_errors=True)

    # Matches -------------------------------------------------------------------------------------

    def prepare(self, name: str, match: StartMatch, folder: Path) -> dict[str, str]:
        """Make a match folder of files of an upload; gives what the user calls them."""
        upload = self.get(name)
        known = {file.id: file for file in upload.files if file.role != "archive"}
        wanted = _stored_names(match)
        for file in wanted:
            if file not in known:
                raise ApiError("upload", "the upload has no such file; look at it again")
        folder.mkdir()
        try:
            for file, stored in wanted.items():
                _link(self.path(name) / file, folder / stored)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return {stored: known[file].name for file, stored in wanted.items()}

    def started(self, name: str, match: StartMatch, job: str) -> None:
        """Note which files a job uses."""
        with self._lock:
            upload = self.get(name)
            jobs = {**upload.jobs, job: list(_stored_names(match))}
            write(self.path(name), msgspec.structs.replace(upload, jobs=jobs))

    def finished(self, job: Job) -> None:
        """Remove the files of a job that has become a match, unless another job needs them."""
        if job.upload is None:
            return
        with self._lock, contextlib.suppress(ApiError):  # it may have been deleted
            upload = self.get(job.upload)
            jobs = {name: files for name, files in upload.jobs.items() if name != job.id}
            needed = {file for files in jobs.values() for file in files}
            used = set(upload.jobs.get(job.id, ())) - needed
            left = self._without(msgspec.structs.replace(upload, jobs=jobs), used)
            if jobs or any(file.role in ("log", "commentary") for file in left.files):
                write(self.path(job.upload), left)
            else:
                self.delete(job.upload)

    def release(self, dismissed: Iterable[Job], others: Iterable[Job]) -> None:
        """Delete the uploads of failures that were dismissed, unless another job needs them."""
        needed = {job.upload for job in others}
        for job in dismissed:
            if job.upload is not None and job.upload not in needed:
                with contextlib.suppress(ApiError):
                    self.delete(job.upload)

    def _without(self, upload: Upload, gone: set[str]) -> Upload:
        """The upload without some files, and without archives that nothing is left of."""
        left = [file for file in upload.files if file.id not in gone]
        packed = {file.archive for file in left}
        left = [f for f in left if f.role != "archive" or f.id in packed or f.problem]
        for file in {one.id for one in upload.files} - {one.id for one in left}:
            (self.folder / upload.id / file).unlink(missing_ok=True)
        matches = [match for match in upload.matches if not gone.intersection(_files(match))]
        return msgspec.structs.replace(upload, files=left, matches=matches)

    # Old ones ------------------------------------------------------------------------------------

    def _tidy(self, busy: Collection[str]) -> None:
        """Delete what is too old, and the oldest of too many."""
        found = sorted(self._names() - set(busy), key=self._age)
        for place, name in enumerate(found):
            if place >= MAX_KEPT - 1 or self._age(name) > KEPT_SECONDS:
                shutil.rmtree(self.folder / name, ignore_errors=True)

    def _age(self, name: str) -> float:
        try:
            return time.time() - (self.folder / name).stat().st_mtime
        except FileNotFoundError:
            return 0.0

    def _names(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}


def _files(match: UploadMatch) -> list[str]:
    return [match.events, *match.comments, *match.lineups]


def _stored_names(match: StartMatch) -> dict[str, str]:
    """What the files of a match are called in its folder, by their ids."""
    named = {match.events: f"events{known_ending(match.events)}"}
    for field, stem, given in (
        ("comments", PART, match.comments),
        ("lineups", "lineups-", match.lineups),
    ):
        for number, file in enumerate(given, 1):
            own = field if len(given) == 1 else f"{stem}{number}"
            named[file] = own + known_ending(file)
    if match.labels is not None:
        named[match.labels] = GOLD
    count = 1 + len(match.comments) + len(match.lineups) + (match.labels is not None)
    if len(named) < count:
        raise ApiError("upload", "a file is given twice for the same match")
    return named


def _link(source: Path, target: Path) -> None:
    """A file in two places at once, or a copy of it on disks that cannot."""
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise ApiError("no_upload", "the files no longer exist") from None
    except OSError:
        shutil.copyfile(source, target)
