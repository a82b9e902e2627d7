"""Readers of match logs: a module per feed, recognised by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from touchline.core.errors import InputError, TouchlineError
from touchline.core.records import Match
from touchline.io.feeds import robocup, statsbomb, statsperform, whoscored
from touchline.io.feeds.kloppy import from_kloppy
from touchline.io.feeds.misfiled import LINEUPS, MISTAKES
from touchline.io.feeds.opta import reader as opta
from touchline.io.feeds.records import Source
from touchline.io.feeds.table import reader as table
from touchline.io.feeds.wyscout import reader as wyscout
from touchline.io.feeds.wyscout.season import OneMatch
from touchline.io.files import read_utf8

__all__ = ["PROVIDERS", "from_kloppy", "read_events"]


class Feed(NamedTuple):
    """What a feed's files are called, how their content is recognised, and how it is read."""

    what: str
    recognise: Callable[[bytes], bool]
    read: Callable[[Path, bytes, Sequence[Source]], Match]


# In the order in which they are tried: the most particular first.
PROVIDERS = {
    "statsbomb": Feed("StatsBomb events", statsbomb.recognise, statsbomb.read),
    "opta": Feed("Opta F24 events", opta.recognise, opta.read),
    "statsperform": Feed("Stats Perform MA3 events", statsperform.recognise, statsperform.read),
    "whoscored": Feed("WhoScored match data", whoscored.recognise, whoscored.read),
    "wyscout": Feed("Wyscout events", wyscout.recognise, wyscout.read),
    "robocup": Feed("RoboCup events", robocup.recognise, robocup.read),
    "table": Feed("a table of events", table.recognise, table.read),
}


def read_events(
    path: str | Path,
    provider: str | None = None,
    lineups: Sequence[str | Path] = (),
    match: str | None = None,
) -> Match:
    """Read a match log; the Match has no comments yet.

    Parameters
    ----------
    path
        The provider's file, packed with gzip or not.
    provider
        One of `PROVIDERS`; recognised by content when None.
    lineups
        Files that add names of players: StatsBomb's line-ups, Opta's F7, Stats Perform's MA1 or
        MA2, Wyscout's players, teams and matches.
    match
        The id of the match to read where the file holds a whole season (Wyscout).
    """
    if provider is not None and provider not in PROVIDERS:
        raise TouchlineError(f"unknown provider {provider!r}; one of {', '.join(PROVIDERS)}")
    path = Path(path)
    data = read_utf8(
        path, OneMatch(path, match)
    )  # once: what comes through a pipe cannot be read again
    feed = PROVIDERS[provider] if provider else _recognise(path, data)
    sources = [Source(file) for file in lineups]
    try:
        return feed.read(path, data, sources)
    except InputError as error:
        for source in sources:
            if str(source.path) == error.path:
                raise _with_hint(error, source.kept, LINEUPS) from None
        raise _with_hint(error, data, feed.what) from None


def _recognise(path: Path, data: bytes) -> Feed:
    for feed in PROVIDERS.values():
        if feed.recognise(data):
            return feed
    known = ", ".join(feed.what for feed in PROVIDERS.values())
    for what, (looks_so, advice) in MISTAKES.items():
        if looks_so(data):
            raise InputError(path, f"looks like {what} ({advice}); expected {known}")
    if table.lacks_type(data):
        raise InputError(path, table.NO_TYPE, "line 1")
    raise InputError(
        path, f"not recognised as a match log; expected {known} (say which with --provider)"
    )


def _with_hint(error: InputError, data: bytes, expected: str) -> InputError:
    """The error, with what the file looks like if that is not what it was read as."""
    looks = [feed.what for feed in PROVIDERS.values() if feed.recognise(data)]
    looks += [what for what, (looks_so, _) in MISTAKES.items() if looks_so(data)]
    if not looks or expected in looks:
        return error
    problem = f"{error.problem}; it looks like {looks[0]}, expected {expected}"
    return InputError(error.path, problem, error.where)
