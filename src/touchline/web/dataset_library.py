"""The matches of a data set, to read and to search; nothing is written into the data set.

What the pages and the search need is made from the tables once and kept in the server's own folder,
one match after the other while the server runs. At the next start, only matches that are new by the
manifest, or have changed, are read again.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.version import __version__
from touchline.io.cache import cache_folder
from touchline.io.dataset.manifest import Dataset, DatasetEntry
from touchline.io.links.origin import Origin
from touchline.io.storage import AnyPath
from touchline.pipeline.dataset_links import dataset_links
from touchline.report.data import report
from touchline.web.errors import ApiError
from touchline.web.jobs.align_worker import write_answer
from touchline.web.library import Library
from touchline.web.notifications import MatchNotification
from touchline.web.records import Findings
from touchline.web.store import index
from touchline.web.store import matches as stored

LOG = logging.getLogger("touchline.web")
NOT_THERE = "a data set has no {what}; serve a folder of matches to see it"


def server_folder(dataset: AnyPath) -> Path:
    """Where a server keeps its own data about a data set: in the cache folder."""
    place = str(dataset.absolute() if isinstance(dataset, Path) else dataset.url)
    folder = cache_folder() / "served" / hashlib.sha256(place.encode()).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"cannot be written to ({error.strerror}); set TOUCHLINE_CACHE to another folder"
        raise TouchlineError(f"{folder}: {problem}") from None
    return folder


class DatasetLibrary(Library):
    """The matches of one data set."""

    def __init__(self, dataset: Dataset, *parts: Any, max_file_bytes: int) -> None:
        super().__init__(*parts, max_file_bytes=max_file_bytes)
        self.dataset = dataset
        self._wanted = named(dataset.manifest.matches)

    @property
    def title(self) -> str:
        return self.dataset.path.name

    def folders(self) -> dict[str, Path]:
        """The matches that have been read in; none has a folder of files that could be changed."""
        with self._lock:
            return dict(self._found)

    def generated(self, name: str) -> tuple[str, bytes]:
        self.answer(name)
        raise ApiError("not_generated", NOT_THERE.format(what="generated commentary"))

    def findings(self, name: str) -> Findings:
        self.answer(name)
        raise ApiError("not_checked", NOT_THERE.format(what="results of `touchline check`"))

    # Reading in -----------------------------------------------------------------------------------

    def start_indexing(self) -> None:
        """Read in what is new or has changed, while the server runs already."""
        with self.store.read() as db:
            rows = stored.get_matches(db)
        for name in rows.keys() - self._wanted.keys():
            self._delete_records(name)
        answers = {name: row.answer for name, row in rows.items()}
        missing = [name for name in self._wanted if answers.get(name) != self._answer_id(name)]
        current = self._wanted.keys() - set(missing)
        self._found = {name: self.folder / name for name in current}
        self._indexing = threading.Thread(target=self._read_all, args=(missing,), daemon=True)
        self._indexing.start()

    def _read_all(self, names: Iterable[str]) -> None:
        for name in names:
            if self._stopping.is_set():
                return
            try:
                self._read_match(name, self._wanted[name])
            except TouchlineError as error:
                self._set_problem(name, str(error))
            except Exception:
                LOG.exception("%s cannot be read in", name)
                self._set_problem(name, "internal error; see the server's log")
            with self._lock:
                self._found[name] = self.folder / name
            self.notifications.publish(MatchNotification(name=name, change="aligned"))

    def _read_match(self, name: str, entry: DatasetEntry) -> None:
        if entry.state == "failed":
            self._set_problem(name, entry.problem or "this match failed")
            return
        links = dataset_links(self.dataset, entry)
        origin = Origin(method=entry.method or "", model=entry.model, inputs=entry.inputs,
                        answered_by=entry.answered_by, labels=entry.labels)  # fmt: skip
        answer = self._answer_id(name)
        with tempfile.TemporaryDirectory(dir=self.jobs.work) as work:
            out = Path(work) / "answer"
            write_answer(out, report([links], origin), links, origin)
            shutil.rmtree(self.answers / answer, ignore_errors=True)
            out.rename(self.answers / answer)
        old = self._make_current(name, answer, uploaded=False)
        if old is not None and old != answer:
            self._drop_answer(old)

    def _set_problem(self, name: str, problem: str) -> None:
        self._delete_records(name)
        with self.store.write() as db:
            stored.set_problem(db, name, problem)

    def _answer_id(self, name: str) -> str:
        """The same for the same rows; another one when touchline may make other pages of them."""
        entry = self._wanted[name]
        parts = [*entry.place, entry.key, __version__, index.VERSION]
        return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:32]


def named(entries: Iterable[DatasetEntry]) -> Mapping[str, DatasetEntry]:
    """Matches by the names that URLs call them by: with season and competition if need be."""
    entries = list(entries)
    count = Counter(entry.match for entry in entries)
    found: dict[str, DatasetEntry] = {}
    for entry in entries:
        whole = ", ".join((entry.match, entry.season, entry.competition)).replace("/", "-")
        name = entry.match if count[entry.match] == 1 else whole
        while name in found:  # seasons such as 2015/16 and 2015-16
            name += "-2"
        found[name] = entry
    return found
