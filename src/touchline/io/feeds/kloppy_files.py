"""Files of feeds that have no reader here, read through kloppy where it is installed.

`--provider kloppy:NAME` chooses the loader. Files that are seen to be of such a feed are read the
same way without it. Where kloppy, or the file it needs beside the events, is missing, the error
says how to go on.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from touchline.core.errors import InputError, TouchlineError, UsageError
from touchline.core.records import Match
from touchline.io.feeds.records import NO_EVENTS, Source, starts_with, stem

PREFIX = "kloppy:"
INSTALL = "pip install 'touchline[kloppy]'"


class Loader(NamedTuple):
    """A loader of kloppy's: what its files are called, its function, and the names of its files.

    `others` are the files beside the events, which come with `--lineups` in this order.
    """

    what: str
    function: str
    events: str
    others: tuple[str, ...] = ()


LOADERS = {
    "datafactory": Loader("Datafactory JSON", "load", "event_data"),
    "impect": Loader(
        "Impect JSON", "load", "event_data", ("lineup_data", "squads_data", "players_data")
    ),
    "metrica": Loader("Metrica JSON", "load_event", "event_data", ("meta_data",)),
    "opta": Loader("Opta F24", "load", "f24_data", ("f7_data",)),
    "sportec": Loader("Sportec (DFL) XML", "load_event", "event_data", ("meta_data",)),
    "statsbomb": Loader("StatsBomb JSON", "load", "event_data", ("lineup_data",)),
    "statsperform": Loader("Stats Perform MA3", "load_event", "ma3_data", ("ma1_data",)),
    "wyscout": Loader("Wyscout JSON", "load", "event_data"),
}
# Files beside the events without which the loader gives no names, but works.
_OPTIONAL = frozenset(["squads_data", "players_data"])
_META = {
    "f7_data": "F7", "lineup_data": "LINEUPS", "ma1_data": "MA1", "meta_data": "META",
    "squads_data": "SQUADS", "players_data": "PLAYERS",
}  # fmt: skip


def _tag(data: bytes) -> bytes:
    from touchline.io.feeds.xml import root_tag  # brings expat, which takes 3 ms to load

    return root_tag(data)


def _is_sportec(data: bytes) -> bool:
    return _tag(data) == b"PutDataRequest" and b"<Event " in data


def _is_datafactory(data: bytes) -> bool:
    return starts_with(data, b"{") and b'"incidences"' in data and b'"scoreStatus"' in data


def _is_metrica(data: bytes) -> bool:
    named = b'"subtypes"' in data and b'"frame"' in data
    return starts_with(data, b"{") and b'"data"' in data and named


_WYSCOUT_TYPE = re.compile(rb'"type"\s*:\s*\{\s*"primary"')


def _is_wyscout_v3(data: bytes) -> bool:
    named = b'"matchPeriod"' in data and b'"matchTimestamp"' in data
    return starts_with(data, b"{") and named and _WYSCOUT_TYPE.search(data) is not None


def _is_impect(data: bytes) -> bool:
    return starts_with(data, b"[") and b'"actionType"' in data and b'"gameTime"' in data


# Feeds that have no reader here, and how their content is recognised.
RECOGNISED: dict[str, Callable[[bytes], bool]] = {
    "sportec": _is_sportec,
    "datafactory": _is_datafactory,
    "metrica": _is_metrica,
    "wyscout": _is_wyscout_v3,
    "impect": _is_impect,
}


def is_metadata(data: bytes) -> bool:
    """The file that goes beside events of Sportec's or Metrica's."""
    tag = _tag(data)
    sportec = tag == b"PutDataRequest" and b"<MatchInformation" in data
    return sportec or (tag.lower() == b"main" and b"<Metadata" in data)


def names() -> tuple[str, ...]:
    """What may follow `kloppy:`."""
    return tuple(LOADERS)


def provider_of(data: bytes) -> str | None:
    """The provider of a file that only kloppy reads."""
    return next((PREFIX + name for name, looks_so in RECOGNISED.items() if looks_so(data)), None)


def check(provider: str) -> str:
    """The loader's name in a provider `kloppy:NAME`."""
    name = provider.removeprefix(PREFIX)
    if name not in LOADERS:
        known = ", ".join(PREFIX + one for one in LOADERS)
        raise UsageError(f"unknown provider {provider!r}; expected one of {known}")
    return name


def read(provider: str, path: Path, data: bytes, lineups: Sequence[Source]) -> Match:
    """Read a log with the loader of a provider `kloppy:NAME`."""
    name = check(provider)
    loader = LOADERS[name]
    module = _module(path, name, loader)
    needed = [one for one in loader.others if one not in _OPTIONAL]
    if len(lineups) < len(needed):
        raise InputError(path, f"this is {loader.what}; {_advice(name, loader)}")
    if len(lineups) > len(loader.others):
        problem = f"too many files for {loader.what}; {_advice(name, loader)}"
        raise InputError(lineups[len(loader.others)].path, problem)
    from touchline.io.feeds.xml import refuse_document_type

    others = {key: one.read() for key, one in zip(loader.others, lineups, strict=False)}
    for of, content in ((path, data), *((one.path, one.kept) for one in lineups)):
        refuse_document_type(of, content)
    import logging  # which nothing else of a feed needs

    logging.getLogger("kloppy").setLevel(logging.ERROR)
    try:
        dataset = getattr(module, loader.function)(**{loader.events: data, **others})
    except (MemoryError, RecursionError):
        raise InputError(path, f"kloppy cannot read it as {loader.what}") from None
    except Exception as error:  # of any kind: kloppy checks its input little
        problem = f"kloppy cannot read it as {loader.what} ({_said(error)})"
        raise InputError(path, problem) from error
    return _match(path, dataset)


def _module(path: Path, name: str, loader: Loader) -> Any:
    try:
        return importlib.import_module(f"kloppy.{name}")
    except ModuleNotFoundError:
        problem = f"this is {loader.what}; touchline reads it through kloppy: {INSTALL}, then"
        raise InputError(path, f"{problem} {_options(name, loader)}") from None


def _options(name: str, loader: Loader) -> str:
    needed = [one for one in loader.others if one not in _OPTIONAL]
    return " ".join([f"--provider {PREFIX}{name}", *(f"--lineups {_META[one]}" for one in needed)])


def _advice(name: str, loader: Loader) -> str:
    return f"kloppy reads it with its other files: {_options(name, loader)}"


def _said(error: Exception) -> str:
    first = str(error).strip().partition("\n")[0][:200]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _match(path: Path, dataset: Any) -> Match:
    from touchline.io.feeds.kloppy import from_kloppy

    try:
        match = from_kloppy(dataset, stem(path))
    except TouchlineError:
        raise
    except Exception as error:
        problem = f"kloppy's result cannot be read as a match ({_said(error)})"
        raise InputError(path, problem) from error
    if not match.events:
        raise InputError(path, NO_EVENTS)
    return match
