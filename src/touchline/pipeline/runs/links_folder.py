"""A folder with the links of each match in a file of its own, and a manifest.

A match is finished when its links and then their origin are written; the origin contains the key
of all that the links depend on.
"""

from __future__ import annotations

import contextlib

import msgspec

from touchline.core.errors import InputError, OutputError
from touchline.core.links import Counts, Links
from touchline.io.corpus.layout import CorpusMatch
from touchline.io.dataset.manifest import is_dataset
from touchline.io.files import sha256, sweep
from touchline.io.links.jsonl import answers_in, write_file
from touchline.io.links.origin import Origin, origin_path, read_origin
from touchline.io.storage import AnyPath
from touchline.pipeline.runs.manifest import Earlier, Entry, Outcome, write_manifest

FORMAT = 1


class LinksFolder(msgspec.Struct, frozen=True):
    """The output of `align --corpus`."""

    folder: AnyPath

    def path(self, name: str) -> AnyPath:
        return self.folder / f"{name}.jsonl"

    def name_with_ending(self, one: CorpusMatch) -> str:
        return origin_path(self.path(one.name)).name

    def before(self, one: CorpusMatch) -> Earlier | None:
        origin = read_origin(self.path(one.name))
        return None if origin is None else Earlier(origin)

    def keep(self, one: CorpusMatch, before: Earlier) -> Outcome | None:
        out = self.path(one.name)
        try:
            counts = Counts.of(answers_in(out))
        except InputError:
            return None
        entry = _entry(one, out, before.origin)
        return Outcome(entry, warnings=before.origin.warnings, counts=counts, kept=True)

    def write(self, one: CorpusMatch, links: Links, origin: Origin) -> Entry:
        """Write the links first, their origin last."""
        out = self.path(one.name)
        origin_path(out).unlink(missing_ok=True)  # it speaks of the links that are there so far
        write_file(links, out, origin)
        return _entry(one, out, origin)

    def drop(self, one: CorpusMatch) -> None:
        out = self.path(one.name)
        for path in (origin_path(out), out):
            path.unlink(missing_ok=True)

    def begin(self, origin: Origin, entries: dict[str, Entry]) -> None:
        if is_dataset(self.folder):  # whose manifest would be replaced
            advice = "give another folder, or --format dataset to add to it"
            raise OutputError(f"{self.folder}: is a data set; {advice}")
        write_manifest(self.folder, FORMAT, origin, list(entries.values()))

    def commit(self, origin: Origin, entries: dict[str, Entry]) -> None:
        sweep(self.folder)
        with contextlib.suppress(OutputError):  # a full disk has been reported already
            write_manifest(self.folder, FORMAT, origin, list(entries.values()))


def _entry(one: CorpusMatch, out: AnyPath, origin: Origin) -> Entry:
    return Entry(
        name=one.name,
        state="done",
        inputs=origin.inputs,
        links=out.name,
        sha256=sha256(out),
        answered_by=origin.answered_by,
    )
