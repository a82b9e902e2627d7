"""A match in the formats of other feeds, as far as each of them can carry it.

`carried` is the match with what the format has no place for taken away; `write` writes that, and
the reader of the format must find it again. So what a feed loses stands here as code: for Opta's
family in `opta.py`, for Wyscout in `wyscout.py`, for SPADL in `spadl.py`; StatsBomb's own format
loses nothing. It is for tests and benchmarks, and for whoever wants a file of a format to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from touchline.core.records import Match, Player
from touchline.sample.exports.files import Files, Row
from touchline.sample.exports.opta import (
    opta_rows,
    write_f24,
    write_ma3_json,
    write_ma3_xml,
    write_packed,
    write_whoscored,
    write_whoscored_page,
)
from touchline.sample.exports.spadl import spadl_rows, write_spadl
from touchline.sample.exports.statsbomb import (
    statsbomb_rows,
    write_statsbomb,
    write_statsbomb_flat,
)
from touchline.sample.exports.wyscout import write_wyscout, write_wyscout_bundle, wyscout_rows


class _Export(NamedTuple):
    """Which records a format has, and how they are written."""

    rows: Callable[[Match], Iterator[Row]]
    write: Callable[[Match, list[Row], Path], Files]


_OPTA = partial(opta_rows, whole_seconds=False)
_WHOSCORED = partial(opta_rows, whole_seconds=True)
_EXPORTS = {
    "statsbomb": _Export(statsbomb_rows, write_statsbomb),
    "statsbomb-flat": _Export(statsbomb_rows, write_statsbomb_flat),
    "opta": _Export(_OPTA, write_f24),
    "opta-packed": _Export(_OPTA, write_packed),
    "statsperform": _Export(_OPTA, write_ma3_json),
    "statsperform-xml": _Export(_OPTA, write_ma3_xml),
    "whoscored": _Export(_WHOSCORED, write_whoscored),
    "whoscored-page": _Export(_WHOSCORED, write_whoscored_page),
    "wyscout": _Export(wyscout_rows, write_wyscout),
    "wyscout-bundle": _Export(wyscout_rows, write_wyscout_bundle),
    "spadl": _Export(spadl_rows, write_spadl),
}
FEEDS = tuple(_EXPORTS)


def carried(match: Match, feed: str) -> Match:
    """The match without what the feed cannot carry."""
    rows = _EXPORTS[feed].rows(match)
    events = sorted((row.event for row in rows), key=lambda e: (e.period, e.time))
    one_name = feed.startswith("whoscored")
    players = tuple(map(_one_name, match.players)) if one_name else match.players
    return msgspec.structs.replace(match, events=tuple(events), players=players)


def _one_name(player: Player) -> Player:
    """WhoScored knows the name that a player goes by, and no other."""
    return msgspec.structs.replace(player, name=player.label, nickname=None, short=None)


def write(match: Match, feed: str, folder: Path) -> Files:
    """Write a match into a folder."""
    rows, write_rows = _EXPORTS[feed]
    return write_rows(match, list(rows(match)), folder)
