"""Readers of match logs: a module per feed, recognised by content.

Other packages add feeds through the entry point group `touchline.feeds`: a `Feed`, or a module with
the same three names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import NamedTuple

from touchline.core.errors import InputError, TouchlineError
from touchline.core.plugins import PluginError, called, failure, load_plugin, plugins
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
from touchline.io.sources import Readable, as_source, as_sources, is_unnamed

__all__ = ["BUILT_IN", "Feed", "from_kloppy", "providers", "read_events"]


class Feed(NamedTuple):
    """What a feed's files are called, how their content is recognised, and how it is read."""

    what: str
    recognise: Callable[[bytes], bool]
    read: Callable[[Path, bytes, Sequence[Source]], Match]


# In the order in which they are tried: the most particular first.
BUILT_IN = {
    "statsbomb": Feed("StatsBomb events", statsbomb.recognise, statsbomb.read),
    "opta": Feed("Opta F24 events", opta.recognise, opta.read),
    "statsperform": Feed("Stats Perform MA3 events", statsperform.recognise, statsperform.read),
    "whoscored": Feed("WhoScored match data", whoscored.recognise, whoscored.read),
    "wyscout": Feed("Wyscout events", wyscout.recognise, wyscout.read),
    "robocup": Feed("RoboCup events", robocup.recognise, robocup.read),
    "table": Feed("a table of events", table.recognise, table.read),
}


def providers() -> tuple[str, ...]:
    """The names of all feeds, ours and those of plug-ins; ours win over a plug-in's."""
    return (*BUILT_IN, *(name for name in plugins("feeds") if name not in BUILT_IN))


def feed_of(provider: str) -> Feed:
    """A feed by its name."""
    return BUILT_IN[provider] if provider in BUILT_IN else _plugin(plugins("feeds")[provider])


def _feeds() -> Iterator[Feed]:
    """All feeds in the order in which they are tried; any table may be a table of events."""
    generic = "table"
    yield from (feed for name, feed in BUILT_IN.items() if name != generic)
    yield from (_plugin(entry) for name, entry in plugins("feeds").items() if name not in BUILT_IN)
    yield BUILT_IN[generic]


def _plugin(entry: EntryPoint) -> Feed:
    """A feed of another package, whose failures are said in one sentence."""
    found, what = load_plugin(entry), called(entry)
    try:
        name, recognise, read = found.what, found.recognise, found.read
    except AttributeError as error:
        raise PluginError(f"{what} lacks {error.name!r}; it needs what, recognise, read") from None

    def recognised(data: bytes) -> bool:
        try:
            return bool(recognise(data))
        except Exception as error:
            raise PluginError(f"{what} cannot recognise files: {failure(error)}") from error

    def reading(path: Path, data: bytes, lineups: Sequence[Source]) -> Match:
        try:
            match = read(path, data, lineups)
        except TouchlineError:
            raise
        except Exception as error:
            raise PluginError(f"{what} cannot read {path}: {failure(error)}") from error
        if not isinstance(match, Match):
            raise PluginError(f"{what} returned {type(match).__name__}; expected a Match")
        return match

    return Feed(name, recognised, reading)


def read_events(
    path: Readable,
    provider: str | None = None,
    lineups: Readable = (),
    match: str | None = None,
) -> Match:
    """Read a match log; the Match has no comments yet.

    Parameters
    ----------
    path
        The provider's file, gzip-compressed or not. Also an open file, the file's bytes, its
        decoded JSON, a table of events as a data frame (pandas, polars, Arrow) or a list of dicts,
        an Excel workbook or a Parquet file.
    provider
        One of `touchline.io.feeds.providers()`; recognised by content when None.
    lineups
        One file or several that add names of players: StatsBomb's line-ups, Opta's F7, Stats
        Perform's MA1 or MA2, Wyscout's players, teams and matches.
    match
        The id of the match to read where the file contains a whole season (Wyscout).

    Returns
    -------
    Match
        The events in match order, with teams and players.

    Raises
    ------
    InputError
        The file is not a log of the provider, or of any known one.
    TouchlineError
        There is no such provider.
    """
    if provider is not None and provider not in providers():
        raise TouchlineError(
            f"unknown provider {provider!r}; expected one of {', '.join(providers())}"
        )
    file = as_source(path)
    path = Path(str(file))
    # Once: what comes through a pipe cannot be read again.
    data = read_utf8(file, OneMatch(path, match))
    feed = feed_of(provider) if provider else _recognise(path, data)
    sources = [Source(one) for one in as_sources(lineups)]
    try:
        found = feed.read(path, data, sources)
        return found.named(match or "match") if is_unnamed(file) else found
    except InputError as error:
        for source in sources:
            if str(source.path) == error.path:
                raise _with_hint(error, source.kept, LINEUPS) from None
        raise _with_hint(error, data, feed.what) from None


def _recognise(path: Path, data: bytes) -> Feed:
    for feed in _feeds():
        if feed.recognise(data):
            return feed
    known = ", ".join(feed.what for feed in _feeds())
    for what, (looks_so, advice) in MISTAKES.items():
        if looks_so(data):
            raise InputError(path, f"looks like {what} ({advice}); expected {known}")
    if table.lacks_type(data):
        raise InputError(path, f"{table.NO_TYPE}; found: {table.found_columns(data)}", "line 1")
    raise InputError(
        path, f"not recognised as a match log; expected {known} (choose one with --provider)"
    )


def _with_hint(error: InputError, data: bytes, expected: str) -> InputError:
    """The error, with what the file looks like if that is not what it was read as."""
    looks = [feed.what for feed in _feeds() if feed.recognise(data)]
    looks += [what for what, (looks_so, _) in MISTAKES.items() if looks_so(data)]
    if not looks or expected in looks:
        return error
    problem = f"{error.problem}; it looks like {looks[0]}, expected {expected}"
    return InputError(error.path, problem, error.where)
