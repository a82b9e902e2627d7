"""A match in the formats of other feeds, as far as each of them can carry it.

`carried` is the match with what the format has no place for taken away; `write` writes that, and
the reader of the format must find it again. So what a feed loses stands here as code: for Opta's
family in `opta.py`, for Wyscout in `wyscout.py`. It is for tests and benchmarks, and for whoever
wants a file of a format to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from touchline.core.records import Match, Player
from touchline.sample.exports.files import Files, Row
from touchline.sample.exports.opta import (
    opta_rows,
    write_f24,
    write_ma3_json,
    write_ma3_xml,
    write_whoscored,
)
from touchline.sample.exports.wyscout import write_wyscout, wyscout_rows

FEEDS = ("opta", "statsperform", "statsperform-xml", "whoscored", "wyscout")


def carried(match: Match, feed: str) -> Match:
    """The match without what the feed cannot carry."""
    events = sorted((row.event for row in _rows(match, feed)), key=lambda e: (e.period, e.time))
    players = match.players if feed != "whoscored" else tuple(map(_one_name, match.players))
    return msgspec.structs.replace(match, events=tuple(events), players=players)


def _one_name(player: Player) -> Player:
    """WhoScored knows the name that a player goes by, and no other."""
    return msgspec.structs.replace(player, name=player.label, nickname=None, short=None)


def write(match: Match, feed: str, folder: Path) -> Files:
    """Write a match into a folder."""
    return _WRITERS[feed](match, list(_rows(match, feed)), folder)


def _rows(match: Match, feed: str) -> Iterator[Row]:
    if feed == "wyscout":
        return wyscout_rows(match)
    return opta_rows(match, whole_seconds=feed == "whoscored")


_WRITERS: dict[str, Callable[[Match, list[Row], Path], Files]] = {
    "opta": write_f24,
    "statsperform": write_ma3_json,
    "statsperform-xml": write_ma3_xml,
    "whoscored": write_whoscored,
    "wyscout": write_wyscout,
}
