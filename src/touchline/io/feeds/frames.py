"""Match logs that other libraries have in data frames: statsbombpy's and socceraction's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from touchline.core.records import Match
from touchline.io.feeds import read_events
from touchline.io.files import Content
from touchline.io.frames import frame_rows
from touchline.io.sources import Readable

_LINEUP = ("player_id", "player_name", "player_nickname", "jersey_number")


def from_statsbombpy(frame: Readable, lineups: Readable = None, name: str = "match") -> Match:
    """Convert the events that statsbombpy has loaded; the Match has no comments yet.

    Parameters
    ----------
    frame
        What `sb.events(match_id)` returns: a data frame of events, flattened or not.
    lineups
        What `sb.lineups(match_id)` returns, a data frame per team; or line-ups as files. They add
        nicknames, by which commentators know the players.
    name
        The match's name in links.

    Returns
    -------
    Match
        The same as from StatsBomb's own file: event ids are StatsBomb's.

    Raises
    ------
    InputError
        The frame is not a table of StatsBomb events.
    """
    rows = frame_rows(frame)
    if rows is None:  # a file, or the events as JSON
        match = read_events(frame, "statsbomb", () if lineups is None else lineups)
        return match.named(name)
    given = _lineups(rows, lineups) if isinstance(lineups, Mapping) else lineups
    return read_events(frame, "statsbomb", () if given is None else given).named(name)


def _lineups(events: list[dict[str, Any]], lineups: Mapping[str, Any]) -> Content:
    """Line-ups as StatsBomb's own file has them; the ids of the teams are in the events."""
    teams = {row.get("team"): row.get("team_id") for row in events}
    written = [
        {
            "team_id": teams.get(team) or team,
            "team_name": team,
            "lineup": [{field: row.get(field) for field in _LINEUP} for row in _rows(frame)],
        }
        for team, frame in lineups.items()
    ]
    return Content("the line-ups", msgspec.json.encode(written))


def _rows(frame: Any) -> list[dict[str, Any]]:
    return frame_rows(frame) or list(frame)


def from_spadl(frame: Readable, lineups: Readable = (), name: str = "match") -> Match:
    """Convert actions in SPADL, as socceraction has them; the Match has no comments yet.

    Parameters
    ----------
    frame
        The actions of one match: a data frame, or a file that it was written to.
    lineups
        Names of players and teams, which SPADL itself does not have: socceraction's tables of
        players and of teams, as data frames or files, or StatsBomb's line-ups.
    name
        The match's name in links.

    Returns
    -------
    Match
        The events are the actions; their ids are the actions' `action_id`.

    Raises
    ------
    InputError
        The frame is not a table of SPADL actions of one match.
    """
    return read_events(frame, "spadl", lineups).named(name)
