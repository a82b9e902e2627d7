"""Errors about a user's input, each with a message of one sentence."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterable
from typing import Any


class TouchlineError(Exception):
    """Base of every error that touchline raises on purpose; the command line exits with 1."""


class UsageError(TouchlineError):
    """An invalid option, name or combination; the command line exits with 2."""


class InputError(TouchlineError):
    """A file that cannot be used: which one, where in it, and what was expected."""

    def __init__(self, path: object, problem: str, where: str | None = None) -> None:
        self.path = str(path)
        self.where = where
        self.problem = problem
        name = "standard input" if self.path == "-" else self.path
        place = f"{name}, {where}" if where else name
        super().__init__(f"{place}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is otherwise pickled as its message alone, and workers send theirs home.
        return type(self), (self.path, self.problem, self.where)


class OutputError(TouchlineError):
    """A file that cannot be written: no space or no permission."""


class TouchlineWarning(UserWarning):
    """A doubt about a result, which may be wrong; the command line prints it."""


def warn_of(doubts: Iterable[str], stacklevel: int = 2) -> None:
    """Issue doubts as Python warnings, at the caller's caller by default."""
    for doubt in doubts:
        warnings.warn(doubt, TouchlineWarning, stacklevel=stacklevel + 1)


class MissingExtraError(TouchlineError):
    """A feature that needs a library that is not installed."""

    def __init__(self, what: str, package: str) -> None:
        self.what = what
        self.package = package
        super().__init__(f"{what} needs another package: pip install '{package}'")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.package)


def need(module: str, what: str, package: str) -> None:
    """Notice a missing library before the work starts that needs it at the end.

    Raises
    ------
    MissingExtraError
        The library is not installed.
    """
    if importlib.util.find_spec(module) is None:
        raise MissingExtraError(what, package)
