"""A partitioned Parquet data set as the output of a run.

The files of a match are written first, under names that contain its key, then its receipt; the
manifest comes last and names the files of all. Files that it no longer names are removed after it.
So a run that is killed at any moment leaves the data set as it was, and the next one keeps what has
a receipt.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from touchline.core.errors import InputError
from touchline.core.links import Counts, Links
from touchline.core.records import Match
from touchline.io.corpus.layout import CorpusMatch
from touchline.io.dataset.manifest import (
    RECEIPTS,
    DatasetEntry,
    read_dataset_manifest,
    write_dataset_manifest,
)
from touchline.io.dataset.rows import checksum, parquet_bytes, rows_of
from touchline.io.dataset.schema import TABLES
from touchline.io.files import read_bytes, sweep, write_whole
from touchline.io.links.origin import Origin
from touchline.io.storage import AnyPath
from touchline.pipeline.runs.manifest import Earlier, Entry, Outcome


class DatasetFolder(msgspec.Struct, frozen=True):
    """The output of `align --corpus --format dataset`, for matches of one season."""

    folder: AnyPath
    season: str
    competition: str

    def name_with_ending(self, one: CorpusMatch) -> str:
        return self._receipt(self._new(one)).name

    def before(self, one: CorpusMatch) -> Earlier | None:
        entry = self._received(one)
        if entry is None:
            return None
        origin = Origin(
            method=entry.method or "",
            model=entry.model,
            inputs=entry.inputs,
            key=entry.key,
            answered_by=entry.answered_by,
            warnings=entry.warnings,
            versions_read=entry.versions_read or msgspec.UNSET,
        )
        return Earlier(origin, entry)

    def keep(self, one: CorpusMatch, before: Earlier) -> Outcome | None:
        entry = before.entry
        if entry is None or not self._is_there(entry):
            return None
        counts = Counts(*entry.linked)
        return Outcome(_entry(one, entry), warnings=entry.warnings, counts=counts, kept=True)

    def write(self, one: CorpusMatch, links: Links, origin: Origin) -> Entry:
        entry = self._new(one)
        assert origin.key is not None
        files, rows, checksums = {}, {}, {}
        for table in TABLES:
            found = rows_of(table, links)
            data = parquet_bytes(table, found)
            files[table] = f"{table}/{entry.partition}/{origin.key[:16]}.parquet"
            rows[table], checksums[table] = len(found), checksum(data)
            with write_whole(self.folder / files[table]) as out:
                out.write(data)
        versions = None if origin.versions_read is msgspec.UNSET else origin.versions_read
        entry = msgspec.structs.replace(
            entry, key=origin.key, method=origin.method, model=origin.model,
            answered_by=origin.answered_by, labels=origin.labels, warnings=origin.warnings,
            inputs=origin.inputs, versions_read=versions, teams=_teams(links.match),
            provider=links.match.provider, date=links.match.date, linked=tuple(links.counts),
            files=files, rows=rows, checksums=checksums,
        )  # fmt: skip
        with write_whole(self._receipt(entry)) as out:
            out.write(msgspec.json.encode(entry))
        return _entry(one, entry)

    def drop(self, one: CorpusMatch) -> None:
        self._receipt(self._new(one)).unlink(missing_ok=True)

    def begin(self, origin: Origin, entries: dict[str, Entry]) -> None:
        read_dataset_manifest(self.folder)  # refuse what cannot be added to, before any work

    def commit(self, origin: Origin, entries: dict[str, Entry]) -> None:
        """Add the matches of this run to those that are there, and remove what was replaced."""
        before = read_dataset_manifest(self.folder)
        known = {entry.place: entry for entry in (before.matches if before else ())}
        for name, entry in entries.items():
            if entry.state == "failed":
                failed = msgspec.structs.replace(self._place(name, "failed"), problem=entry.problem)
                known[failed.place] = failed
            elif entry.dataset is not None:
                known[entry.dataset.place] = entry.dataset
        write_dataset_manifest(self.folder, list(known.values()))
        if all(entry.state != "waiting" for entry in entries.values()):
            self._remove_replaced(entries, known)

    def _new(self, one: CorpusMatch) -> DatasetEntry:
        return self._place(one.name, "done")

    def _place(self, name: str, state: Literal["done", "failed"]) -> DatasetEntry:
        return DatasetEntry(
            season=self.season, competition=self.competition, match=name, state=state
        )

    def _receipt(self, entry: DatasetEntry) -> AnyPath:
        return self.folder / RECEIPTS / f"{entry.partition}.json"

    def _received(self, one: CorpusMatch) -> DatasetEntry | None:
        try:
            data = read_bytes(self._receipt(self._new(one)))
            return msgspec.json.decode(data, type=DatasetEntry)
        except (InputError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None  # none yet, or damaged: the match is aligned again

    def _is_there(self, entry: DatasetEntry) -> bool:
        """Whether its files are: of an object store that is taken for granted."""
        paths = [self.folder / file for file in entry.files.values()]
        return all(path.exists() for path in paths if isinstance(path, Path))

    def _remove_replaced(
        self, entries: Iterable[str], known: Mapping[tuple[str, str, str], DatasetEntry]
    ) -> None:
        """Remove those files of this run's matches that the manifest does not name.

        Others may be of a run that was interrupted, and goes on with them.
        """
        mine = [known[self.season, self.competition, name] for name in entries]
        partitions = {entry.partition for entry in mine}
        named = {file for entry in mine for file in entry.files.values()}
        for table in TABLES:
            for name, path in _files_below(self.folder / table):
                if f"{table}/{name}" not in named and name.rpartition("/")[0] in partitions:
                    path.unlink(missing_ok=True)


def _files_below(folder: AnyPath) -> Iterator[tuple[str, AnyPath]]:
    """All files below a folder by their names within it; empty folders go."""
    if not isinstance(folder, Path):
        for remote in folder.files():
            yield remote.within(folder), remote
        return
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path
        else:
            sweep(path)
            with contextlib.suppress(OSError):
                path.rmdir()


def _teams(match: Match) -> tuple[str, ...]:
    return tuple(team.name for team in match.teams)


def _entry(one: CorpusMatch, entry: DatasetEntry) -> Entry:
    return Entry(name=one.name, state="done", answered_by=entry.answered_by, dataset=entry)
