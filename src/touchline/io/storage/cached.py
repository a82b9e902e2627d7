"""Remote files that are read many times, kept on this machine.

Only for files whose names say their content: a file of that name can never be another one. What
nobody has read for a week is removed.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from touchline.core.errors import OutputError
from touchline.io.cache import cache_folder
from touchline.io.files import write_whole
from touchline.io.storage import RemotePath

MAX_AGE = 7 * 24 * 3600


def read_cached(path: RemotePath) -> bytes:
    """The content of a file; it is fetched only once by the processes of a machine."""
    with contextlib.suppress(OSError):
        return _kept(path).read_bytes()
    data = path.read_bytes()
    keep(path, data)
    return data


def keep(path: RemotePath, data: bytes) -> None:
    """Keep what is, or will be, the content of a file."""
    with contextlib.suppress(OSError, OutputError), write_whole(_kept(path)) as out:
        out.write(data)  # a full disk makes it only slower


def forget(*paths: RemotePath) -> None:
    """Remove files that are not needed any more, and those that nobody has read for long."""
    for path in paths:
        _kept(path).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        for kept in _folder().iterdir():
            if time.time() - kept.stat().st_atime > MAX_AGE:
                kept.unlink(missing_ok=True)


def _kept(path: RemotePath) -> Path:
    return _folder() / path.name


def _folder() -> Path:
    return cache_folder() / "work"
