"""A full disk: which errors mean one, and the messages for users."""

from __future__ import annotations

import errno
import sqlite3

NOT_SAVED = "the disk is full and nothing was saved; free some space and try again"
NOT_ALIGNED = "the disk is full; free some space and try again"
_SYSTEM = frozenset({errno.ENOSPC, errno.EDQUOT})


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or one of its causes, means that a disk is full."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _SYSTEM:
            return True
        if isinstance(error, sqlite3.Error) and _code(error) == sqlite3.SQLITE_FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF  # without the extended part
