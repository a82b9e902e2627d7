"""The manifest of a data set: which files are in it. What it does not name is not there.

Files have names that no other content can have, and the manifest is written last, so that whoever
reads by the manifest sees the data set as it was before a run or as it is after it.
"""

from __future__ import annotations

from typing import Any, Literal
from urllib.parse import quote

import msgspec

from touchline.core.errors import InputError
from touchline.core.version import __version__
from touchline.io.dataset.schema import FORMAT, TABLES
from touchline.io.files import read_bytes, write_text_whole
from touchline.io.storage import AnyPath, RemotePath, as_path

MANIFEST = "manifest.json"
# One file for each match that is written, by which an interrupted run goes on.
RECEIPTS = "_matches"
NOT_OURS = "not the manifest of a data set"


class DatasetEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A match of a data set: its files by table, with their numbers of rows, or why none.

    `checksums` are those of the files (SHA-256), by table.
    `key` is a checksum of all that the rows depend on; `inputs` are checksums of the files read,
    `versions_read` what an object store said of them; `model` is the checksum of the model file.
    `teams` (the home team first, as far as the feed says so), `provider` and `date` are those of
    the match.
    """

    season: str
    competition: str
    match: str
    state: Literal["done", "failed"]
    problem: str | None = None
    key: str | None = None
    method: str | None = None
    model: str | None = None
    answered_by: str | None = None
    labels: bool = False
    warnings: tuple[str, ...] = ()
    inputs: dict[str, str | None] = {}
    versions_read: dict[str, str] | None = None
    teams: tuple[str, ...] = ()
    provider: str = ""
    date: str | None = None
    linked: tuple[int, int, int] = (0, 0, 0)
    files: dict[str, str] = {}
    rows: dict[str, int] = {}
    checksums: dict[str, str] = {}

    @property
    def place(self) -> tuple[str, str, str]:
        return self.season, self.competition, self.match

    @property
    def partition(self) -> str:
        """The folders of the match within a table, as Hive names them."""
        names = ("season", "competition", "match")
        parts = zip(names, self.place, strict=True)
        return "/".join(f"{name}={quote(value, safe='')}" for name, value in parts)


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """All matches of a data set, in the order of season, competition and name."""

    format: int = FORMAT
    touchline: str = __version__
    tables: dict[str, dict[str, str]] = {}
    matches: tuple[DatasetEntry, ...] = ()


def write_dataset_manifest(folder: AnyPath, entries: list[DatasetEntry]) -> None:
    """Write the manifest; from now on the data set is what it says."""
    tables = {name: {one.name: one.type for one in columns} for name, columns in TABLES.items()}
    ordered = tuple(sorted(entries, key=lambda entry: entry.place))
    encoded = msgspec.json.encode(Manifest(tables=tables, matches=ordered))
    with write_text_whole(folder / MANIFEST) as out:
        out.write(msgspec.json.format(encoded, indent=1).decode() + "\n")


def read_dataset_manifest(folder: AnyPath) -> Manifest | None:
    """The manifest of a data set; None where there is none yet."""
    path = folder / MANIFEST
    if not path.exists():
        return None
    try:
        manifest = msgspec.json.decode(read_bytes(path), type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InputError(path, NOT_OURS) from None
    if manifest.format > FORMAT:
        newer = f"data set format {manifest.format} is not supported (up to {FORMAT} is)"
        raise InputError(path, f"{newer}; update touchline")
    if not manifest.tables:  # another JSON file of that name
        raise InputError(path, NOT_OURS)
    return manifest


class _AnyManifest(msgspec.Struct):
    tables: dict[str, Any] = {}


def is_dataset(folder: AnyPath) -> bool:
    """Whether a folder has the manifest of a data set, be it of a newer format."""
    try:
        data = read_bytes(folder / MANIFEST)
        return bool(msgspec.json.decode(data, type=_AnyManifest).tables)
    except (InputError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


class Dataset:
    """A data set that `touchline align --corpus ... --format dataset` has written.

    Parameters
    ----------
    path
        The folder of the data set, or its URL.

    Raises
    ------
    InputError
        There is no data set, or its format is newer.
    """

    def __init__(self, path: str | AnyPath) -> None:
        self.path = as_path(path)
        manifest = read_dataset_manifest(self.path)
        if manifest is None:
            raise InputError(self.path, "no data set; expected its manifest.json")
        self.manifest = manifest

    @property
    def matches(self) -> list[DatasetEntry]:
        """The matches that have rows."""
        return [entry for entry in self.manifest.matches if entry.state == "done"]

    def files(self, table: str) -> list[str]:
        """Return the files of a table, for DuckDB, polars or pyarrow.

        Parameters
        ----------
        table
            `comments`, `links`, `words`, `phases` or `events`.

        Returns
        -------
        list[str]
            Paths or URLs, one for each match.
        """
        root = self.path.url if isinstance(self.path, RemotePath) else str(self.path)
        return [f"{root}/{entry.files[table]}" for entry in self.matches]

    def __repr__(self) -> str:
        return f"Dataset({str(self.path)!r}, {len(self.matches)} matches)"
