"""What is written of a match: its rows, and the files that they go into."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from touchline.core.records import Event

Arguments = Mapping[str, str]


class Row(NamedTuple):
    """An event, and what the format writes for it: a type and its flags, or a name and tags."""

    event: Event
    code: Any
    flags: dict[int, str | None]


class Files(NamedTuple):
    """The files of a match: the events, and what goes with `--lineups`."""

    events: Path
    lineups: list[Path]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
