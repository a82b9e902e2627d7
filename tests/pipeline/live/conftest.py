"""A quarter of an hour of a bundled match, as a log and a commentary that can be played."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

UNTIL = 900.0


class Played(NamedTuple):
    records: list[dict[str, Any]]
    comments: list[dict[str, Any]]
    lineups: Path

    def log(self, until: float) -> str:
        """The log up to a second of the match."""
        return json.dumps([r for r in self.records if second(r) <= until])

    def lines(self) -> list[str]:
        return [json.dumps(comment) + "\n" for comment in self.comments]


def second(record: dict[str, Any]) -> float:
    hours, minutes, seconds = record["timestamp"].split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(seconds)


@pytest.fixture(scope="session")
def played(sample_folder) -> Played:
    records = json.loads(gzip.decompress((sample_folder / "events.json.gz").read_bytes()))
    written = (sample_folder / "comments.jsonl").read_text().splitlines()
    comments = [json.loads(line) for line in written]
    return Played(
        [r for r in records if r["period"] == 1 and second(r) <= UNTIL],
        [c for c in comments if c["period"] == 1 and c["time"] <= UNTIL - 100],
        sample_folder / "lineups.json",
    )
