"""Files that may be anywhere: local paths as ever, and URLs through fsspec.

`as_path` is the one way from what a user types to a path. A local path stays a `pathlib.Path`, and
fsspec is not even imported for it; a URL (`s3://`, `gs://`, `az://`, `https://`, `zip::`) becomes a
`RemotePath`, which has those methods of `Path` that touchline uses.
"""

from __future__ import annotations

import os
from pathlib import Path

from touchline.core.errors import UsageError
from touchline.io.storage.remote import RemotePath
from touchline.io.storage.urls import is_url

AnyPath = Path | RemotePath

__all__ = ["AnyPath", "RemotePath", "as_path", "local_path", "named_like"]


def as_path(given: str | os.PathLike[str] | RemotePath) -> AnyPath:
    """The path that a user has given, be it local or a URL."""
    if isinstance(given, Path | RemotePath):
        return given
    return RemotePath.of(given) if isinstance(given, str) and is_url(given) else Path(given)


def local_path(path: AnyPath) -> Path:
    """The path, where only a local one will do."""
    if isinstance(path, RemotePath):
        raise UsageError(f"{path}: is a URL; a local path is needed here")
    return path


def named_like(folder: AnyPath, pattern: str) -> list[AnyPath]:
    """What is directly in a folder and has a name of that form, in the order of the names."""
    found = folder.glob(pattern)
    return sorted(found, key=lambda path: path.name)
