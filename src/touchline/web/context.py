"""The parts of a server, put together: what the endpoints of the API work with."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from touchline.core.errors import UsageError
from touchline.core.version import __version__
from touchline.io.dataset.manifest import Dataset
from touchline.methods.registry import DEFAULT, methods
from touchline.web.api import uploads
from touchline.web.api.security import Guard, PublicUrl
from touchline.web.api.sessions import SignedOut
from touchline.web.dataset_library import DatasetLibrary
from touchline.web.errors import ApiError
from touchline.web.jobs.job_queue import Jobs
from touchline.web.jobs.tasks import InspectTask
from touchline.web.jobs.worker_process import FailedError, StoppedError, Worker
from touchline.web.labels import gold
from touchline.web.learned import Handler, LearnedModels
from touchline.web.library import Library, check_folder
from touchline.web.notifications import Notifications
from touchline.web.records import Limits, Session
from touchline.web.store import sessions
from touchline.web.store.database import Store
from touchline.web.uploads import Uploads

INSPECT_SECONDS = 120.0  # that reading the files of an upload may take
HEAVY = max(os.cpu_count() or 2, 2)  # slow requests, such as searches, that run at a time


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a server; with `token` None, no token is needed.

    `public` is where a proxy on this machine shows it; its word on who the client is then counts.
    With a `dataset`, that is shown, read-only, and `folder` is where the server keeps its own data.
    """

    folder: Path
    dataset: Dataset | None = None
    token: str | None = None
    loopback: bool = True
    public: PublicUrl | None = None
    method: str = DEFAULT
    workers: int = 1
    align_new: bool = True
    upload_bytes: int = 64 << 20
    unpacked_bytes: int = 256 << 20
    waiting: int = 100
    job_seconds: float = 900.0
    learn_seconds: float = 6 * 3600.0
    worker_bytes: int = 2 << 30  # of memory; an alignment takes up to 300 MB


class Server:
    """Everything behind the API, for one folder."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.methods = methods()
        check_method(settings.method, self.methods)
        check_folder(settings.folder)
        self.notifications = Notifications()
        self.store = Store(settings.folder)
        self.jobs = Jobs(
            self.store, self.notifications,
            workers=settings.workers, max_waiting=settings.waiting,
            max_seconds=settings.job_seconds, max_learn_seconds=settings.learn_seconds,
            max_memory=settings.worker_bytes,
        )  # fmt: skip
        self.uploads = Uploads(self.store.home)
        self.library = self._library()
        self.learned = LearnedModels(self.library, settings.method)
        self.inspector = Worker(settings.worker_bytes)
        self.inspecting = asyncio.Lock()  # files of one upload at a time
        self.receiving = 0  # uploads in progress; changed in the server's event loop only
        self.heavy = asyncio.Semaphore(HEAVY)
        with self.store.write() as db:
            key = sessions.signing_key(db)
        signed_out = SignedOut(self.store)
        self.guard = Guard(
            settings.token, key, signed_out, loopback=settings.loopback, public=settings.public
        )

    @property
    def read_only(self) -> bool:
        """Whether a data set is served: nothing can be added, labelled, aligned or deleted."""
        return self.settings.dataset is not None

    def _library(self) -> Library:
        parts = (self.store, self.jobs, self.notifications, self.uploads)
        max_bytes = self.settings.unpacked_bytes
        if self.settings.dataset is None:
            return Library(self.settings.folder, *parts, max_file_bytes=max_bytes)
        return DatasetLibrary(
            self.settings.dataset, self.settings.folder, *parts, max_file_bytes=max_bytes
        )

    def start(self) -> None:
        self.library.recover()
        self.library.start_indexing()
        if self.read_only:
            return
        self.learned.recover()
        self.jobs.start(Handler(self.library, self.learned))
        if self.settings.align_new:
            for name in self.library.new():
                self.jobs.add(
                    "align", match=name, title=name, method=self.method(None), background=True
                )

    def close(self) -> None:
        self.jobs.close()
        self.library.stop_indexing()
        self.inspector.kill()
        self.store.close()

    def inspect(self, upload: str) -> None:
        """Find out what the files of an upload are, in a process with limits."""
        task = InspectTask(
            folder=str(self.uploads.path(upload)),
            max_files=uploads.MAX_SEVERAL,
            max_file_bytes=self.settings.unpacked_bytes,
        )
        try:
            self.inspector.start()
            self.inspector.run(task, lambda _: None, INSPECT_SECONDS)
        except FailedError as error:
            raise ApiError("upload", str(error)) from None
        except StoppedError:
            message = "reading these files took too long or too much memory; send fewer at a time"
            raise ApiError("upload", message) from None

    def session(self, *, signed_in: bool, csrf: str | None) -> Session:
        return Session(
            touchline=__version__,
            token=self.settings.token is not None,
            signed_in=signed_in,
            csrf=csrf,
            formats=gold.FORMATS,
            methods=self.methods,
            method=self.settings.method,
            limits=Limits(
                upload_bytes=self.settings.upload_bytes,
                upload_files=uploads.MAX_FILES,
                upload_several=uploads.MAX_SEVERAL,
                waiting=self.settings.waiting,
            ),
            read_only=self.read_only,
        )

    def method(self, asked: str | None) -> str:
        """The method to align with; an unknown name is an error.

        By default it is that of the model that was learned here, if one is used.
        """
        used = self.learned.used
        method = asked or (used.method if used else self.settings.method)
        try:
            check_method(method, self.methods)
        except UsageError as error:
            raise ApiError("method", str(error)) from None
        return method


def check_method(method: str, known: Sequence[str]) -> None:
    """Raise for a name that was not registered when the server started; imports nothing."""
    name = method.partition(":")[0]
    if name not in known:
        raise UsageError(f"unknown method {name[:40]!r}; one of {', '.join(known)}")
