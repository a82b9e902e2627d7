"""What became of each match of a run, and what a manifest says of it."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec

from touchline.core.links import Counts, Links
from touchline.io.corpus.layout import CorpusMatch
from touchline.io.dataset.manifest import DatasetEntry
from touchline.io.files import write_text_whole
from touchline.io.links.origin import Origin
from touchline.io.storage import AnyPath

MANIFEST = "manifest.json"
State = Literal["waiting", "done", "failed"]
_ABOUT = ("format", "touchline", "method", "options", "command", "model", "seed", "versions")


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A match of the manifest: its links with their checksum, or why there are none.

    `answered_by` is the model that the links are from, as in their origin. `dataset` is what the
    manifest of a data set says of the match instead.
    """

    name: str
    state: State = msgspec.field(default="waiting")
    inputs: dict[str, str | None] = {}
    links: str | None = None
    sha256: str | None = None
    problem: str | None = None
    answered_by: str | None = None
    dataset: DatasetEntry | None = None


class Outcome(msgspec.Struct, frozen=True):
    """The outcome for a match, with messages for the user; `kept` if nothing was to be done."""

    entry: Entry
    notes: list[str] = []
    warnings: tuple[str, ...] = ()
    counts: Counts = Counts()
    kept: bool = False


class Earlier(msgspec.Struct, frozen=True):
    """What an earlier run has written of a match: its origin, and its entry of a data set."""

    origin: Origin
    entry: DatasetEntry | None = None


class Output(Protocol):
    """Where a run writes: links of each match, or a data set."""

    @property
    def folder(self) -> AnyPath: ...

    def name_with_ending(self, one: CorpusMatch) -> str:
        """The longest name that a file or folder of a match would have."""

    def before(self, one: CorpusMatch) -> Earlier | None:
        """What an earlier run has written of a match."""

    def keep(self, one: CorpusMatch, before: Earlier) -> Outcome | None:
        """The outcome for a match that need not be aligned again; None if its links are gone."""

    def write(self, one: CorpusMatch, links: Links, origin: Origin) -> Entry:
        """Write the links of a match."""

    def drop(self, one: CorpusMatch) -> None:
        """Links of an earlier run go: they are not of what the match's files say now."""

    def begin(self, origin: Origin, entries: dict[str, Entry]) -> None:
        """Called before the first match."""

    def commit(self, origin: Origin, entries: dict[str, Entry]) -> None:
        """Write the manifest, after the last match or where the run is interrupted."""


def write_manifest(folder: AnyPath, form: int, origin: Origin, entries: list[Entry]) -> None:
    about: dict[str, Any] = msgspec.to_builtins(origin)
    manifest = {**{name: about[name] for name in _ABOUT}, "format": form, "matches": entries}
    with write_text_whole(folder / MANIFEST) as out:
        out.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1).decode() + "\n")
