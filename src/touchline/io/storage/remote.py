"""A file or folder behind a URL, with those methods of `pathlib.Path` that touchline uses.

Object stores have no folders: a folder is there when a file is below it. A path that comes from
`listed` knows all that is below it and asks the store no more; one from `fetched` has the contents
as well. Both are for many small files, where each request costs more than the bytes do.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import total_ordering
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from touchline.core.errors import InputError, OutputError
from touchline.io.sizes import MAX_FILE, too_large
from touchline.io.storage.filesystem import asked, filesystem
from touchline.io.storage.urls import Url, parse, shown


class Listed(NamedTuple):
    """A file in a listing: its version and size as the store says, and its content if fetched."""

    version: str
    size: int = 0
    data: bytes | None = None


@total_ordering
class RemotePath:
    """A path behind a URL; `str` gives it without passwords and signatures."""

    def __init__(self, url: Url, tree: Mapping[str, Listed] | None = None) -> None:
        self._url = url
        self._tree = tree
        self._data: bytes | None = None  # once it has been read

    @classmethod
    def of(cls, text: str) -> RemotePath:
        return cls(parse(text))

    # A path as a name.

    def __str__(self) -> str:
        return shown(str(self._url) if self._url.key else self._url.container or str(self._url))

    def __repr__(self) -> str:
        return f"RemotePath({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RemotePath) and self._url == other._url

    def __lt__(self, other: RemotePath) -> bool:
        return self._url < other._url

    def __hash__(self) -> int:
        return hash(self._url)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is known of other folders stays here."""
        return type(self), (self._url, None if self._tree is None else dict(self._below()))

    @property
    def url(self) -> str:
        """The URL in full, secrets included: for libraries, never to be shown."""
        return str(self._url)

    @property
    def name(self) -> str:
        """The last part; of an archive's root, the name of the archive."""
        own = self._url.key or shown(self._url.container)
        return PurePosixPath(own).name.removesuffix("" if self._url.key else ".zip")

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem

    @property
    def parent(self) -> RemotePath:
        return self._at(self._url.key.rpartition("/")[0])

    def __truediv__(self, name: str) -> RemotePath:
        return self._at(f"{self._url.key}/{name}".lstrip("/"))

    def with_name(self, name: str) -> RemotePath:
        return self.parent / name

    def with_suffix(self, suffix: str) -> RemotePath:
        return self.parent / f"{self.stem}{suffix}"

    def resolve(self) -> RemotePath:
        return self

    def _at(self, key: str) -> RemotePath:
        return RemotePath(self._url._replace(key=key), self._tree)

    # What is there.

    def exists(self) -> bool:
        return self.is_file() or self.is_dir()

    def is_file(self) -> bool:
        if self._tree is not None:
            return self._url.key in self._tree
        return self._data is not None or self._kind() == "file"

    def is_dir(self) -> bool:
        if self._tree is not None:
            return any(self._below())
        return self._kind() == "directory"

    def _kind(self) -> str | None:
        """What is there. fsspec's own `isfile` and `isdir` take any failure for a no."""
        info = asked(self, lambda: filesystem(self._url).info(self._key), missing=None)
        return None if info is None else info["type"]

    def iterdir(self) -> Iterator[RemotePath]:
        """What is directly in the folder, files and folders."""
        start = len(self._prefix)
        keys = (key[start:].partition("/")[0] for key, _ in self.listed()._below())
        yield from (self / name for name in dict.fromkeys(keys))

    def glob(self, pattern: str) -> Iterator[RemotePath]:
        """What is directly in the folder and has a name of that form."""
        return (path for path in self.iterdir() if fnmatchcase(path.name, pattern))

    def files(self) -> list[RemotePath]:
        """All files below, however deep."""
        return [self._at(key) for key, _ in self.listed()._below()]

    def within(self, folder: RemotePath) -> str:
        """Its name within a folder that it is below."""
        return self._url.key.removeprefix(folder._prefix)

    @property
    def version(self) -> str | None:
        """The mark by which the store knows this content, where the listing had it."""
        known = (self._tree or {}).get(self._url.key)
        return known.version if known else None

    def listed(self) -> RemotePath:
        """The same folder, with all that is below it."""
        if self._tree is not None:
            return self
        found = asked(self, lambda: filesystem(self._url).find(self._key, detail=True), missing={})
        tree = {
            _key_of(self._url, name): Listed(_version(known), known.get("size") or 0)
            for name, known in sorted(found.items())
            if known.get("type") == "file"
        }
        return RemotePath(self._url, tree)

    def fetched(self, names: Iterable[str]) -> RemotePath:
        """The same folder, with the contents of those of its files that have such names.

        They are files of one match. What is too large for that is refused before it is in memory.
        """
        tree = dict(self.listed()._below())
        known = {key.rpartition("/")[2]: key for key in tree}
        wanted = {self._at(known[name])._key: known[name] for name in names
                  if name in known and tree[known[name]].data is None}  # fmt: skip
        for key in wanted.values():
            if tree[key].size > MAX_FILE:
                raise InputError(self._at(key), too_large())
        keys = list(wanted)
        data = asked(self, lambda: filesystem(self._url).cat_ranges(
            keys, None, None, on_error="raise")) if keys else []  # fmt: skip
        for key, content in zip(wanted.values(), data, strict=True):
            tree[key] = tree[key]._replace(data=content)
        return RemotePath(self._url, tree)

    @property
    def _prefix(self) -> str:
        return f"{self._url.key}/" if self._url.key else ""

    def _below(self) -> Iterator[tuple[str, Listed]]:
        return ((key, one) for key, one in (self._tree or {}).items()
                if key.startswith(self._prefix))  # fmt: skip

    @property
    def _key(self) -> str:
        """How the file system calls the file; the web's has a query at its end."""
        return f"{self._url.key}{self._url.query}"

    # Contents.

    def read_bytes(self) -> bytes:
        if self._data is None:
            known = (self._tree or {}).get(self._url.key)
            self._data = known.data if known else None
        if self._data is None:
            self._data = asked(self, lambda: filesystem(self._url).cat_file(self._key))
        return self._data or b""

    def open(self) -> io.BufferedReader:
        """The content as a file in memory: those of a match are a few megabytes."""
        return io.BufferedReader(io.BytesIO(self.read_bytes()))

    def write_bytes(self, data: bytes) -> None:
        """Write the file in one request: it is there as a whole, or as it was before."""
        self.check_writable()
        asked(self, lambda: filesystem(self._url).pipe_file(self._key, data), writing=True)
        self._data = data

    def unlink(self, missing_ok: bool = False) -> None:
        self.check_writable()
        self._data = None
        asked(self, lambda: filesystem(self._url).rm_file(self._key),
              missing=None if missing_ok else ...)  # fmt: skip

    def remove_all(self) -> None:
        """Remove every file below."""
        self.check_writable()
        if keys := [path._key for path in self.files()]:
            asked(self, lambda: filesystem(self._url).rm(keys), missing=None)

    def check_writable(self) -> None:
        """Refuse what can only be read."""
        if self._url.is_web or self._url.container:
            kind = "an archive" if self._url.container else "a web address"
            raise OutputError(f"{self}: {kind} can only be read; write to s3://, gs:// or az://")


def _key_of(root: Url, name: str) -> str:
    """The key of a file as the file system names it."""
    return name.removesuffix(root.query).strip("/") if root.query else name.strip("/")


def _version(known: Mapping[str, Any]) -> str:
    """Of the marks that stores have for a content the first; with none, the size."""
    marks = ("ETag", "etag", "md5Hash", "content_md5", "CRC")
    found = next((known[mark] for mark in marks if known.get(mark)), None)
    return f"{str(found).strip(chr(34))} {known.get('size')}"
