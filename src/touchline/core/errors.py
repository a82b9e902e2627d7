"""What can go wrong with a user's input, said in one sentence."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class TouchlineError(Exception):
    """Base of every error that touchline raises on purpose; the command line exits with 1."""


class UsageError(TouchlineError):
    """Something was asked for that there is not; the command line exits with 2."""


class InputError(TouchlineError):
    """A file that cannot be used: which one, where in it, and what was expected."""

    def __init__(self, path: str | Path, problem: str, where: str | None = None) -> None:
        self.path = str(path)
        self.where = where
        self.problem = problem
        place = f"{self.path}, {where}" if where else self.path
        super().__init__(f"{place}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is otherwise pickled as its message alone, and workers send theirs home.
        return type(self), (self.path, self.problem, self.where)


class OutputError(TouchlineError):
    """A file that cannot be written, for want of room or permission: no fault of any input's."""


class TouchlineWarning(UserWarning):
    """A doubt about an answer: it is given, and may be wrong; the command line prints it."""


def warn_of(doubts: Iterable[str], stacklevel: int = 2) -> None:
    """Issue doubts as Python warnings, at the caller's caller by default."""
    for doubt in doubts:
        warnings.warn(doubt, TouchlineWarning, stacklevel=stacklevel + 1)


class MissingExtraError(TouchlineError):
    """A part of touchline that needs a library which is not installed."""

    def __init__(self, what: str, package: str) -> None:
        self.what = what
        self.package = package
        super().__init__(f"{what} needs another package: pip install '{package}'")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.package)
