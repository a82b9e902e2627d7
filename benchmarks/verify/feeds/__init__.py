"""One module for each family of feeds; `read` chooses by the content."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.verify.feeds import opta, robocup, statsbomb, wyscout
from benchmarks.verify.records import Log

CARD_AFTER = 150.0  # seconds at most from a foul to the card for it


def read(path: Path, lineups: Sequence[Path] = ()) -> Log:
    """The log of any of the feeds; a card that is a record of its own joins its foul."""
    log = _read(path, lineups)
    for number, record in enumerate(log.records):
        if record.kind == "Card" and record.card:
            fouls = [
                earlier
                for earlier in log.records[:number]
                if earlier.is_foul and earlier.players == record.players
                and earlier.period == record.period and record.time - earlier.time <= CARD_AFTER
            ]  # fmt: skip
            if fouls:
                fouls[-1].card = record.card
    return log


def _read(path: Path, lineups: Sequence[Path]) -> Log:
    data = path.read_bytes()
    if data.lstrip()[:1] == b"<":
        return opta.read_xml(data, lineups)
    if data.lstrip()[:1] not in (b"{", b"["):
        return robocup.read(data.decode())
    parsed: Any = json.loads(data)
    if isinstance(parsed, dict) and "liveData" in parsed:
        return opta.read_ma3(parsed)
    if isinstance(parsed, dict) and "playerIdNameDictionary" in parsed:
        return opta.read_whoscored(parsed)
    if isinstance(parsed, list) and "url" in parsed[0]:
        return opta.read_packed(parsed)
    if isinstance(parsed, dict) and any("eventSec" in e for e in parsed.get("events", [])[:5]):
        return wyscout.read(parsed)
    return statsbomb.read(parsed, lineups)
