"""The files of a match folder: `events.*`, `lineups*.*`, `comments.*`."""

from __future__ import annotations

from pathlib import PurePath, PurePosixPath
from typing import NamedTuple

from touchline.core.errors import InputError
from touchline.io.storage import AnyPath, named_like

# Endings of a match's files, compressed or not; an editor's `events.json~` is ignored.
ENDINGS = (".json", ".jsonl", ".xml", ".csv", ".tsv", ".txt", ".srt", ".vtt", ".xlsx",
           ".parquet")  # fmt: skip
KNOWN = f"({' '.join(ENDINGS)}, gzip-compressed or not)"


def candidates(folder: AnyPath, stem: str) -> list[AnyPath]:
    """The files of that name (`*` stands for anything) with an ending that a match's file has."""
    return [p for p in named_like(folder, f"{stem}.*") if _has_known_ending(p) and p.is_file()]


def _has_known_ending(path: AnyPath) -> bool:
    return PurePath(path.name.lower().removesuffix(".gz")).suffix in ENDINGS


def known_ending(name: str) -> str:
    """The ending of a file's name, or `.txt` in place of one that no match file has."""
    path = PurePosixPath(name.lower())
    packed = ".gz" if path.suffix == ".gz" else ""
    suffix = path.with_suffix("").suffix if packed else path.suffix
    return (suffix if suffix in ENDINGS else ".txt") + packed


def _find_one(folder: AnyPath, stem: str) -> AnyPath | None:
    """The file of that name; two of them would be ambiguous."""
    found = candidates(folder, stem)
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        raise InputError(folder, f"contains {names}; expected one {stem}.*")
    return found[0] if found else None


class MatchFiles(NamedTuple):
    """The files of a match; None for what the folder does not have."""

    events: AnyPath | None
    lineups: list[AnyPath]
    comments: AnyPath | None


def match_files(folder: AnyPath, commentary: str = "comments") -> MatchFiles:
    """The files of a match folder; its commentary has the name `commentary`."""
    return MatchFiles(
        _find_one(folder, "events"), candidates(folder, "lineups*"), _find_one(folder, commentary)
    )


def input_files(folder: AnyPath, commentary: str = "comments") -> list[AnyPath]:
    """All files that an alignment reads."""
    stems = ("events", "lineups*", commentary)
    return [file for stem in stems for file in candidates(folder, stem)]
