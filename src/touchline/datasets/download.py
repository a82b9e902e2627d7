"""Downloads of public match logs into corpus folders, kept in a cache.

StatsBomb's open data are taken at one commit, so that the same command always gives the same
bytes; Wyscout's files are checked against the sums that figshare publishes.
"""

from __future__ import annotations

import logging
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.errors import InputError, MissingExtraError, TouchlineError, UsageError
from touchline.io.cache import cache_folder
from touchline.io.files import write_whole

STATSBOMB = "https://raw.githubusercontent.com/statsbomb/open-data/{commit}/data/"
STATSBOMB_COMMIT = "6f9eca97a655cb36a3da47e9e60188b40820b0a2"
WYSCOUT = "https://ndownloader.figshare.com/files/"
# Name -> figshare's number of the file, and the sum it publishes where we know it.
WYSCOUT_FILES = {
    "events.zip": ("14464685", "md5:7c20e8647e7eda58d7838a0c7b1ec6ab"),
    "matches.zip": ("14464622", "md5:51d80beb17480919f69a53a0152c2d71"),
    "players.json": ("15073721", "md5:f28ddf6326281efeda6488b2169f5609"),
    "teams.json": ("15073697", None),
}
COMPETITIONS = ("England", "European_Championship", "France", "Germany", "Italy", "Spain",
                "World_Cup")  # fmt: skip
Files = Mapping[str, tuple[str, str | None]]
RETRIES = 3
TIMEOUT = 60


def get_statsbomb(
    ids: Sequence[str], folder: Path, *, commit: str = STATSBOMB_COMMIT, source: str = STATSBOMB
) -> list[Path]:
    """Download events and line-ups of StatsBomb's open data into `folder/<id>/`.

    Parameters
    ----------
    ids
        StatsBomb's ids of the matches.
    folder
        The corpus folder to write to.
    commit
        The commit of the open data repository.
    source
        Address of the data, with a place for the commit.

    Returns
    -------
    list[Path]
        The match folders that were written.

    Raises
    ------
    UsageError
        An id is not a number.
    TouchlineError
        There is no such match, or the download fails.
    """
    shelf = _shelf(source.format(commit=commit), f"statsbomb/{commit}")
    written = []
    for match in ids:
        if not match.isascii() or not match.isdigit():
            raise UsageError(f"match {match!r}; StatsBomb match ids are numbers, such as 3754059")
        for kind in ("events", "lineups"):
            name = f"{kind}/{match}.json"
            missing = f"StatsBomb's open data has no match {match} (at commit {commit[:12]})"
            fetched = shelf.fetch(name, missing)
            _copy(_checked_list(fetched), folder / match / f"{kind}.json")
        written.append(folder / match)
    return written


def get_wyscout(
    competition: str, ids: Sequence[str], folder: Path, *, source: str = WYSCOUT
) -> list[Path]:
    """Download a competition of Wyscout's public data, or single matches of it.

    Parameters
    ----------
    competition
        One of `COMPETITIONS`.
    ids
        Wyscout's ids of the matches, written to `folder/<id>/`; empty for the whole competition.
    folder
        The folder to write to.
    source
        Address of the data.

    Returns
    -------
    list[Path]
        The folders that were written.

    Raises
    ------
    UsageError
        There is no such competition or match.
    TouchlineError
        The download fails.
    """
    if competition not in COMPETITIONS:
        known = ", ".join(COMPETITIONS)
        raise UsageError(
            f"no competition {competition!r} in Wyscout's public data; expected one of {known}"
        )
    shelf = _shelf(source, "wyscout", WYSCOUT_FILES)
    gone = "Wyscout's public data was not found at its published address"
    fetched = {name: shelf.fetch(name, gone) for name in WYSCOUT_FILES}
    events = _member(fetched["events.zip"], f"events_{competition}.json")
    if ids:
        return [_one_match(events, match, competition, folder, fetched) for match in ids]
    matches = _member(fetched["matches.zip"], f"matches_{competition}.json")
    _write(events, folder / f"events_{competition}.json")
    _write(matches, folder / f"matches_{competition}.json")
    for name in ("players.json", "teams.json"):
        _copy(fetched[name], folder / name)
    return [folder]


class _Event(msgspec.Struct):
    match: int = msgspec.field(name="matchId")


def _one_match(
    events: bytes, match: str, competition: str, folder: Path, fetched: dict[str, Path]
) -> Path:
    rows = [
        row
        for row in msgspec.json.decode(events, type=list[msgspec.Raw])
        if str(msgspec.json.decode(row, type=_Event).match) == match
    ]
    if not rows:
        raise UsageError(f"no match {match} in Wyscout's {competition}")
    _write(msgspec.json.encode(rows), folder / match / "events.json")
    for name in ("players.json", "teams.json"):
        _copy(fetched[name], folder / match / f"lineups-{name}")
    return folder / match


# Fetching ---------------------------------------------------------------------------------------


class _Shelf:
    """A place in the web whose files are kept in the cache once they are fetched."""

    def __init__(self, source: str, name: str, files: Files) -> None:
        import pooch

        pooch.get_logger().setLevel(logging.ERROR)
        self._get = pooch.HTTPDownloader(timeout=TIMEOUT)
        self._pooch = pooch.create(
            path=cache_folder() / name,
            base_url=source,
            registry={file: known for file, (_, known) in files.items()},
            urls={file: source + number for file, (number, _) in files.items()},
            retry_if_failed=RETRIES,
        )

    def fetch(self, name: str, missing: str) -> Path:
        """The file's place in the cache; `missing` is what to say when the web has none."""
        import requests

        def download(url: str, *rest: Any) -> None:
            try:
                self._get(url, *rest)
            except requests.HTTPError as error:
                if error.response is not None and error.response.status_code == 404:
                    raise TouchlineError(missing) from None  # trying again would not help
                raise

        self._pooch.registry.setdefault(name, None)
        with _network_errors(self._pooch.get_url(name)):
            return Path(self._pooch.fetch(name, downloader=download))


def _shelf(source: str, name: str, files: Files | None = None) -> _Shelf:
    try:
        return _Shelf(source, name, files or {})
    except ImportError:
        raise MissingExtraError("touchline data get", "touchline[data]") from None


@contextmanager
def _network_errors(url: str) -> Iterator[None]:
    """Turn network and disk errors into one-sentence messages."""
    import requests

    try:
        yield
    except requests.HTTPError as error:
        status = error.response.status_code if error.response is not None else "an error"
        raise TouchlineError(f"{url}: the server returned {status}; try again later") from None
    except requests.RequestException as error:
        problem = (
            "the request timed out" if isinstance(error, requests.Timeout) else "no connection"
        )
        advice = "are you offline? Files fetched earlier are still in the cache"
        raise TouchlineError(f"{url}: {problem}; {advice}") from None
    except ValueError:
        problem = "its checksum differs from the published file; try again later"
        raise TouchlineError(f"{url}: {problem}") from None
    except OSError as error:
        raise TouchlineError(f"the cache cannot be written ({error.strerror or error})") from None


def _checked_list(path: Path) -> Path:
    """A file that is a JSON list; anything else (a page of a proxy) leaves the cache again."""
    try:
        msgspec.json.decode(path.read_bytes(), type=list[msgspec.Raw])
    except msgspec.DecodeError:
        path.unlink(missing_ok=True)
        problem = "the download is not match data (a proxy's page?); nothing was saved"
        raise InputError(path.name, problem) from None
    return path


def _member(archive: Path, name: str) -> bytes:
    try:
        with zipfile.ZipFile(archive) as unpacked:
            return unpacked.read(name)
    except (zipfile.BadZipFile, KeyError):
        raise InputError(archive, f"contains no {name}; expected Wyscout's archive") from None


def _copy(source: Path, target: Path) -> None:
    _write(source.read_bytes(), target)


def _write(data: bytes, target: Path) -> None:
    with write_whole(target) as out:
        out.write(data)
