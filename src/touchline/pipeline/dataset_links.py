"""The links of a match of a data set, with the match as far as its tables know it.

Raw records, line-ups and the clock of a recording are not in a data set. Ids of comments are text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import Any

import msgspec

from touchline.core.errors import InputError
from touchline.core.links import CommentLinks, Links, Phase
from touchline.core.records import Comment, Event, Match, Player, Role, Team
from touchline.io.dataset.manifest import Dataset, DatasetEntry
from touchline.io.dataset.reading import read_tables
from touchline.io.dataset.rows import Row
from touchline.methods.base import answer


def dataset_links(dataset: Dataset, entry: DatasetEntry) -> Links:
    """Read the links of a match from a data set.

    Parameters
    ----------
    dataset
        The data set.
    entry
        One of its matches.

    Returns
    -------
    Links
        The links, with words and phases; candidates are not in a data set.

    Raises
    ------
    InputError
        A file of the match is missing or damaged.
    """
    tables = read_tables(dataset, entry)
    try:
        match = _match(entry, tables)
        return Links(match, _answers(match, tables), entry.method)
    except (KeyError, TypeError, ValueError):
        problem = f"the tables of {entry.match} do not belong together; align the match again"
        raise InputError(dataset.path, problem) from None


def _match(entry: DatasetEntry, tables: dict[str, list[Row]]) -> Match:
    rows = sorted(tables["events"], key=lambda row: row["place"])
    named = [*entry.teams, *(row["team"] for row in rows if row["team"])]
    teams = {name: Team(id=name, name=name) for name in dict.fromkeys(named)}
    squads = _Squads(teams, rows)
    return Match(
        name=entry.match,
        provider=entry.provider,
        events=tuple(_event(row, teams, squads) for row in rows),
        teams=tuple(teams.values()),
        players=tuple(squads.players.values()),
        comments=tuple(map(_comment, sorted(tables["comments"], key=lambda row: row["place"]))),
        warnings=entry.warnings,
        date=entry.date,
    )


class _Squads:
    """The players by team and name: whoever acts in an event is known to belong to its team."""

    def __init__(self, teams: dict[str, Team], rows: Sequence[Row]) -> None:
        self.players: dict[tuple[str | None, str], Player] = {}
        self._teams = teams
        for row in rows:
            if row["player"]:
                self._add(row["team"], row["player"])

    def _add(self, team: str | None, name: str) -> Player:
        player = Player(id=f"{team or ''}/{name}", name=name, team=self._teams.get(team or ""))
        return self.players.setdefault((team, name), player)

    def acting(self, row: Row) -> Player | None:
        return self.players[row["team"], row["player"]] if row["player"] else None

    def other(self, team: str | None, role: str, name: str) -> Player:
        """Another player of an event; one who never acts is of no known team.

        Where both teams have a player of that name, who receives the ball is of the same team.
        """
        rest = [one for one in (*self._teams, None) if one != team]
        teams = [team, *rest] if role == "recipient" else [*rest, team]
        known = (self.players.get((one, name)) for one in teams)
        return next((player for player in known if player), None) or self._add(None, name)


def _event(row: Row, teams: dict[str, Team], squads: _Squads) -> Event:
    others = (Role(role, squads.other(row["team"], role, name)) for role, name in row["others"])
    return Event(
        id=row["event"],
        type=row["type"],
        period=row["period"],
        time=row["time"],
        team=teams[row["team"]] if row["team"] else None,
        player=squads.acting(row),
        others=tuple(others),
        arguments=dict(row["arguments"]),
        location=_place(row["x"], row["y"]),
        end_location=_place(row["end_x"], row["end_y"]),
        linkable=row["linkable"],
    )


def _place(x: float | None, y: float | None) -> tuple[float, float] | None:
    if x is None or y is None or not (isfinite(x) and isfinite(y)):
        return None
    return x, y


def _comment(row: Row) -> Comment:
    fields = ("text", "period", "start", "end", "clock")
    return Comment(id=row["comment"], **{field: row[field] for field in fields})


def _answers(match: Match, tables: dict[str, list[Row]]) -> Iterator[CommentLinks]:
    links, words = _grouped(tables["links"]), _grouped(tables["words"])
    phases = {row["comment"]: _phase(row) for row in tables["phases"]}
    none = {row["comment"]: row["none"] for row in tables["comments"]}
    for comment in match.comments:
        scored = [(match.event_by_id[row["event"]], row["score"]) for row in links[comment.id]]
        found = answer(match, comment, scored, [e.id for e, _ in scored], none[comment.id])
        worded = found.with_words(_spans(words[comment.id]))
        yield msgspec.structs.replace(worded, candidates=None, phase=phases.get(comment.id))


def _grouped(rows: Iterable[Row]) -> dict[Any, list[Row]]:
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["comment"]].append(row)
    return groups


def _spans(rows: Iterable[Row]) -> dict[str, tuple[tuple[int, int], ...]]:
    spans: dict[str, tuple[tuple[int, int], ...]] = {}
    for row in rows:
        spans[row["event"]] = (*spans.get(row["event"], ()), (row["start"], row["end"]))
    return spans


def _phase(row: Row) -> Phase:
    return Phase(
        team=row["team"],
        span=(row["start"], row["end"]),
        events=tuple(row["events"]),
        score=row["score"],
        kind=row["kind"],
    )
