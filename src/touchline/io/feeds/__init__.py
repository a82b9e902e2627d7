"""Readers of match logs: a module per feed, recognised by content.

Other packages add feeds through the entry point group `touchline.feeds`: a `Feed`, or a module with
the same three names.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from touchline.core.collector import collector_paused
from touchline.core.errors import InputError, TouchlineError
from touchline.core.plugins import PluginError, called, failure, load_plugin, plugins
from touchline.core.records import Match
from touchline.io.feeds import kloppy_files
from touchline.io.feeds.records import TRUNCATED, Source, check_count
from touchline.io.feeds.wyscout.season import OneMatch
from touchline.io.files import errors_about, read_utf8, reader_path
from touchline.io.sizes import check_size
from touchline.io.sources import Readable, as_source, as_sources, is_unnamed

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from touchline.io.feeds.kloppy import from_kloppy

__all__ = ["BUILT_IN", "Feed", "from_kloppy", "providers", "read_events"]


# From this share of nameless players on, a log is doubted.
MANY_NAMELESS = 0.1
# Two whole squads with their reserves are about 100.
MAX_PLAYERS = 500
ENDS_EARLY = "ends too early"


def _whole_file(data: bytes) -> bytes:
    return data


class Feed(NamedTuple):
    """What a feed's files are called, how their content is recognised, and how it is read.

    `content` is the part of a file that has the match, where a page stands around it.
    """

    what: str
    recognise: Callable[[bytes], bool]
    read: Callable[[Path, bytes, Sequence[Source]], Match]
    content: Callable[[bytes], bytes] = _whole_file


def _late(module: str, name: str) -> Callable[..., Any]:
    """A function of a reader that is loaded when it is first called: most readers never are."""

    def call(*given: Any) -> Any:
        return getattr(importlib.import_module(f"{__name__}.{module}"), name)(*given)

    return call


def _built_in(what: str, module: str) -> Feed:
    return Feed(what, _late(module, "recognise"), _late(module, "read"))


# In the order in which they are tried: the most particular first.
BUILT_IN = {
    "statsbomb": _built_in("StatsBomb events", "statsbomb"),
    "opta": _built_in("Opta F24 events", "opta.reader"),
    "statsperform": _built_in("Stats Perform MA3 events", "statsperform"),
    "whoscored": _built_in("WhoScored match data", "whoscored")._replace(
        content=_late("whoscored", "content")
    ),
    "wyscout": _built_in("Wyscout events", "wyscout.reader"),
    "spadl": _built_in("SPADL actions", "spadl"),
    "robocup": _built_in("RoboCup events", "robocup"),
    "table": _built_in("a table of events", "table.reader"),
}


def __getattr__(name: str) -> Any:
    if name == "from_kloppy":
        return importlib.import_module(f"{__name__}.kloppy").from_kloppy
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def providers() -> tuple[str, ...]:
    """The names of all feeds, ours and those of plug-ins; ours win over a plug-in's.

    `kloppy:NAME` is one as well, for each of `kloppy_files.names()`.
    """
    return (*BUILT_IN, *(name for name in plugins("feeds") if name not in BUILT_IN))


def check_provider(provider: str) -> str:
    """The provider, if there is such a one."""
    if provider.startswith(kloppy_files.PREFIX):
        kloppy_files.check(provider)
    elif provider not in BUILT_IN and provider not in providers():
        known = (*providers(), f"{kloppy_files.PREFIX}NAME")
        raise TouchlineError(f"unknown provider {provider!r}; expected one of {', '.join(known)}")
    return provider


def feed_of(provider: str) -> Feed:
    """A feed by its name."""
    if provider.startswith(kloppy_files.PREFIX):
        name = provider.removeprefix(kloppy_files.PREFIX)
        looks_so = kloppy_files.RECOGNISED.get(name, lambda data: True)
        what = kloppy_files.LOADERS[name].what
        return Feed(what, looks_so, partial(kloppy_files.read, provider))
    return BUILT_IN[provider] if provider in BUILT_IN else _plugin(plugins("feeds")[provider])


GENERIC = "table"  # any table may be a table of events


def _feeds() -> Iterator[Feed]:
    """All feeds in the order in which they are tried."""
    yield from (feed for name, feed in BUILT_IN.items() if name != GENERIC)
    yield from (_plugin(entry) for name, entry in plugins("feeds").items() if name not in BUILT_IN)
    yield from (feed_of(kloppy_files.PREFIX + name) for name in kloppy_files.RECOGNISED)
    yield BUILT_IN[GENERIC]


def recognise_feed(data: bytes) -> Feed | None:
    """The feed that a file's content is of, if any."""
    return next((feed for feed in _feeds() if feed.recognise(data)), None)


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
        One of `touchline.io.feeds.providers()`, or `kloppy:NAME` for what kloppy reads;
        recognised by content when None.
    lineups
        One file or several that add names of players: StatsBomb's line-ups, Opta's F7, Stats
        Perform's MA1 or MA2, Wyscout's players, teams and matches, the metadata that kloppy needs.
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
    if provider is not None:
        check_provider(provider)
    file = as_source(path)
    path, lineup_files = reader_path(file), as_sources(lineups)
    with collector_paused(), errors_about(file, *lineup_files):
        sieve = OneMatch(path, match)
        data = read_utf8(file, sieve)  # once: what comes through a pipe cannot be read again
        check_size(path, data)
        feed = feed_of(provider) if provider else _recognise(path, data)
        sources = [Source(one) for one in lineup_files]
        try:
            log = _read_whole(feed, path, data, sources)
            check_count(path, len(log.events))
            _check_players(path, log)
            log = log.named(match or "match") if is_unnamed(file) else log
            cut = [_ends_early(path)] if sieve.cut else []
            return log.with_warnings([*cut, *_nameless(log)])
        except InputError as error:
            from touchline.io.feeds.misfiled import LINEUPS

            for source in sources:
                if str(source.path) == error.path:
                    raise _with_hint(error, source.kept, LINEUPS) from None
            raise _with_hint(error, data, feed.what) from None


def _check_players(path: Path, match: Match) -> None:
    if len(match.players) > MAX_PLAYERS:
        problem = f"{len(match.players):,} players with the line-ups; a match has about 40"
        raise InputError(path, f"{problem}, the limit is {MAX_PLAYERS}; give those of this match")


def _nameless(match: Match) -> Iterator[str]:
    """A doubt where many of those who act have no names: comments are linked by names above all."""
    acting = {event.player.id: event.player for event in match.linkable if event.player is not None}
    unnamed = sum(not any(map(str.isalpha, player.name)) for player in acting.values())
    if match.provider != "robocup" and unnamed and unnamed >= len(acting) * MANY_NAMELESS:
        some = f"{unnamed} of {len(acting)} players in the log have no name"
        what = "the log contains no player names" if unnamed == len(acting) else some
        yield f"{what}; pass them with --lineups"


def is_cut(match: Match) -> bool:
    """Whether a file of the log ended too early when it was read."""
    return any(ENDS_EARLY in warning for warning in match.warnings)


def _ends_early(path: str | Path, where: str | None = None) -> str:
    place = f" at {where}" if where else ""
    # Its name only: warnings are stored and shown to others, paths of a server are not theirs.
    return f"{Path(path).name} {ENDS_EARLY}{place}; only the complete records before that are read"


def _read_whole(
    feed: Feed, path: Path, data: bytes, sources: Sequence[Source], cut: tuple[str, ...] = ()
) -> Match:
    """Read a log; of files that end too early what is whole, with a warning for each."""
    try:
        return feed.read(path, data, sources)
    except InputError as error:
        source = next((one for one in sources if str(one.path) == error.path), None)
        if not error.problem.endswith(TRUNCATED) or error.path in cut:
            raise
        from touchline.io.feeds.cut_files import whole_part  # brings expat

        whole = whole_part(feed.content(data) if source is None else source.kept)
        if whole is None:
            raise
        if source is None:
            data = whole
        else:
            source.kept = whole
        try:
            match = _read_whole(feed, path, data, sources, (*cut, error.path))
        except InputError as inner:  # nothing can be made of what is whole
            raise (error if inner.path == error.path else inner) from None
        return match.with_warnings([_ends_early(error.path, error.where)])


def _recognise(path: Path, data: bytes) -> Feed:
    if (feed := recognise_feed(data)) is not None:
        return feed
    # They bring the readers of all feeds.
    from touchline.io.feeds.misfiled import MISTAKES
    from touchline.io.feeds.table import reader as table
    from touchline.io.feeds.table.rows import found_columns

    known = ", ".join(dict.fromkeys(feed.what for feed in BUILT_IN.values()))
    known += ", or what kloppy reads (--provider kloppy:NAME)"
    for what, (looks_so, advice) in MISTAKES.items():
        if looks_so(data):
            raise InputError(path, f"looks like {what} ({advice}); expected {known}")
    if table.lacks_type(data):
        raise InputError(path, f"{table.NO_TYPE}; found: {found_columns(data)}", "line 1")
    raise InputError(
        path, f"not recognised as a match log; expected {known}; choose one with --provider"
    )


def _with_hint(error: InputError, data: bytes, expected: str) -> InputError:
    """The error, with what the file looks like if that is not what it was read as."""
    from touchline.io.feeds.misfiled import MISTAKES

    looks = [feed.what for feed in _feeds() if feed.recognise(data)]
    looks += [what for what, (looks_so, _) in MISTAKES.items() if looks_so(data)]
    if not looks or expected in looks:
        return error
    problem = f"{error.problem}; it looks like {looks[0]}, expected {expected}"
    return InputError(error.path, problem, error.where)
