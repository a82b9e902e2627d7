"""Readers of match logs: a module per feed, recognised by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from touchline.errors import InputError, TouchlineError
from touchline.feeds import robocup, statsbomb, table
from touchline.files import read_utf8
from touchline.match import Match

__all__ = ["PROVIDERS", "read_events"]


class Feed(NamedTuple):
    """How to recognise a feed by the first bytes of a file, and how to read it."""

    recognise: Callable[[bytes], bool]
    read: Callable[[Path, Sequence[Path]], Match]


# In the order in which they are tried: the most particular first.
PROVIDERS = {
    "statsbomb": Feed(statsbomb.recognise, statsbomb.read),
    "robocup": Feed(robocup.recognise, robocup.read),
    "table": Feed(table.recognise, table.read),
}


def read_events(
    path: str | Path, provider: str | None = None, lineups: Sequence[str | Path] = ()
) -> Match:
    """Read a match log; the Match has no comments yet.

    Parameters
    ----------
    path
        The provider's file, packed with gzip or not.
    provider
        One of `PROVIDERS`; recognised by content when None.
    lineups
        Files that add names of players (StatsBomb's line-ups).
    """
    if provider is not None and provider not in PROVIDERS:
        raise TouchlineError(f"unknown provider {provider!r}; one of {', '.join(PROVIDERS)}")
    path = Path(path)
    return PROVIDERS[provider or _recognise(path)].read(path, [Path(file) for file in lineups])


def _recognise(path: Path) -> str:
    head = read_utf8(path)[:20000].removeprefix(b"\xef\xbb\xbf")
    for name, feed in PROVIDERS.items():
        if feed.recognise(head):
            return name
    raise InputError(
        path,
        "not recognised as a match log; expected StatsBomb events, RoboCup events, or a table "
        "with a `type` column (say which with --provider)",
    )
