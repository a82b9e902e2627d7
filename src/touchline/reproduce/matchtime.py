"""Time stamps beside MatchTime (Rao et al., EMNLP 2024), scored as they score them.

Their release has, for matches whose times were corrected by hand, a `Labels-caption_with_gt.json`
with the time of each caption as published (`gameTime`) and as corrected (`gt_gameTime`), both on
the clock of the video of a half, which starts at its kick-off. Whoever has these files puts the log
of each match beside them.

Some matches of the release are among those that the bundled models were learned from. No match is
answered by a model that has seen it: one that was learned from the other matches of the folder,
without labels, stands in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from touchline.core.arrays import Floats
from touchline.core.errors import InputError
from touchline.core.links import Links
from touchline.core.records import Match
from touchline.evaluation.held_out import Answering
from touchline.evaluation.sheets import Sheet
from touchline.io.commentary.soccernet import game_time
from touchline.io.corpus.folder import match_files
from touchline.io.files import read_text
from touchline.pipeline.read import read_match

FILE = "Labels-caption_with_gt.json"
WINDOWS = (10, 30, 45, 60)  # seconds: a window of t allows t / 2 on either side
# On all matches of the paper's test set; windows that are not here are not quoted.
PUBLISHED: dict[str, dict[str, float | None]] = {
    "published: untouched": {"mean_absolute": 13.9, "window_10": 0.353, "window_30": 0.656},
    "published: MatchTime": {"mean_absolute": 6.9, "window_10": 0.807, "window_30": 0.913},
}
SOURCE = "Rao et al. 2024, MatchTime; other matches than yours, video and audio as input"


class Offsets(msgspec.Struct, frozen=True):
    """How far times are from those that were corrected by hand, in seconds."""

    captions: int
    mean: float
    mean_absolute: float
    windows: dict[str, float]

    @classmethod
    def of(cls, offsets: Iterable[float]) -> Offsets:
        off: Floats = np.array(list(offsets), dtype=np.float64)
        if not len(off):
            return cls(0, 0.0, 0.0, {})
        inside = {f"window_{t}": float(np.mean(np.abs(off) <= t / 2)) for t in WINDOWS}
        return cls(len(off), float(off.mean()), float(np.abs(off).mean()), inside)


class Captions(msgspec.Struct, frozen=True):
    """A match with its captions, and the half and second of each by hand, by its place."""

    match: Match
    right: dict[int, tuple[int, float]]


class Timed(msgspec.Struct, frozen=True):
    """A match: its captions' offsets as published and as inferred, and what answered it.

    `skipped` captions have a time by hand, but none as published, or one in another half.
    """

    name: str
    given: list[float]
    inferred: list[float]
    skipped: int
    answered: str


def match_folders(folder: Path) -> list[Path]:
    """The folders below that have captions with corrected times."""
    found = sorted(path.parent for path in folder.rglob(FILE))
    if not found:
        raise InputError(folder, f"no {FILE} below; expected files of MatchTime's release")
    return found


def read_captions(folder: Path) -> Captions:
    """The captions of a match with its log."""
    files = match_files(folder)
    if files.events is None:
        raise InputError(folder, "no match log; expected one events.* file beside the captions")
    path = folder / FILE
    # Estimated, they would take in what all captions of a half are late by.
    kickoffs = {1: 0.0, 2: 0.0}
    match = read_match(
        files.events, path, lineups=files.lineups, kickoffs=kickoffs, name=folder.name
    )
    return Captions(match, _corrected(path))


def score_match(captions: Captions, answering: Answering) -> Timed:
    """Align the captions with the log, and compare their times with the corrected ones."""
    alignment, answered = answering.infer(captions.match)
    return _timed(alignment.links, captions.right, answered)


def _corrected(path: Path) -> dict[int, tuple[int, float]]:
    """The half and second of each caption by hand, by its place in the file."""
    rows = msgspec.json.decode(read_text(path))["annotations"]
    found = ((number, game_time(row.get("gt_gameTime"))) for number, row in enumerate(rows))
    return {number: moment for number, moment in found if moment is not None}


def _timed(links: Links, right: dict[int, tuple[int, float]], answered: str) -> Timed:
    given, inferred = [], []
    comments = {comment.id: comment for comment in links.match.comments}
    for answer in links:
        comment = comments[answer.comment]
        period, second = right.get(int(answer.comment), (None, 0.0))
        if period is None or comment.period != period or comment.time is None:
            continue
        known = answer.time is not None and answer.period == period
        at = answer.time if known and answer.time is not None else comment.time
        given.append(comment.time - second)
        inferred.append(at - second)
    return Timed(links.match.name, given, inferred, len(right) - len(given), answered)


def results(timed: Sequence[Timed]) -> dict[str, Any]:
    """The figures as JSON: per match and over all."""

    def row(given: Iterable[float], inferred: Iterable[float]) -> dict[str, Any]:
        figures = {"given": Offsets.of(given), "touchline": Offsets.of(inferred)}
        return {name: msgspec.to_builtins(one) for name, one in figures.items()}

    every = [[t for one in timed for t in times(one)] for times in (_given, _inferred)]
    return {
        "matches": {one.name: row(one.given, one.inferred) for one in timed},
        "total": row(*every),
        "skipped": sum(one.skipped for one in timed),
        "answered": {one.name: one.answered for one in timed},
        "published": PUBLISHED,
        "source": SOURCE,
    }


def _given(one: Timed) -> list[float]:
    return one.given


def _inferred(one: Timed) -> list[float]:
    return one.inferred


def sheets(found: dict[str, Any]) -> list[Sheet]:
    """The table that the command prints."""
    columns = ["", "captions", "mean offset, s", "mean |offset|, s", *(f"{t} s" for t in WINDOWS)]
    total = {"as given": found["total"]["given"], "touchline": found["total"]["touchline"]}
    rows = [list(_row(name, one)) for name, one in total.items()]
    for name, one in PUBLISHED.items():
        shares = [one.get(f"window_{t}") for t in WINDOWS]
        rows.append([name, "", "", f"{one['mean_absolute']:.1f}", *map(_percent, shares)])
    return [Sheet(title="Times of captions beside those corrected by hand", columns=columns,
                  rows=rows)]  # fmt: skip


def _row(name: str, one: dict[str, Any]) -> Iterator[str]:
    yield from (name, str(one["captions"]), f"{one['mean']:.1f}", f"{one['mean_absolute']:.1f}")
    yield from (_percent(one["windows"].get(f"window_{t}")) for t in WINDOWS)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"
