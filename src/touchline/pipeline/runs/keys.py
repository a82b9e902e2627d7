"""Keys: checksums of all that a result depends on. Equal keys, equal results, no work."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from touchline.io.files import sha256
from touchline.io.storage import AnyPath


def key_of(*depends: Any) -> str:
    """A checksum of plain values."""
    encoded = msgspec.json.encode(depends, order="deterministic")
    return hashlib.sha256(encoded).hexdigest()


@cache
def code() -> str:
    """A checksum of touchline itself: what another version has made is made again."""
    return checksum_of(Path(str(files("touchline"))))


def checksum_of(folder: Path) -> str:
    """A checksum of every file of a package, models and tables as well as code."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()


def sums(paths: Iterable[AnyPath]) -> list[tuple[str, str]]:
    """Names and checksums of the files of a match."""
    return [(path.name, sha256(path)) for path in paths]
