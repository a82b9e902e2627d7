"""The teams and players of a match, by the provider's ids."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from touchline.core.errors import InputError
from touchline.core.records import Player, Team


class Squad:
    """Everybody in the match; an unknown player or team that is asked for is added."""

    def __init__(self) -> None:
        self.teams: dict[str, Team] = {}
        self.players: dict[str, Player] = {}

    def team(
        self, key: int | str | None, name: str = "", aliases: Iterable[str] = ()
    ) -> Team | None:
        """The team of that id; None when there is none."""
        if key is None:
            return None
        known = self.teams.get(key if isinstance(key, str) else str(key))
        if known is None:
            name = name.strip()
            others = tuple(a for a in aliases if a and a != name)
            known = self.teams[str(key)] = Team(id=str(key), name=name or str(key), aliases=others)
        return known

    def player(
        self,
        key: int | str | None,
        name: str = "",
        team: Team | None = None,
        shirt: int | None = None,
    ) -> Player | None:
        """The player of that id; None when there is none. The feed may know only their number."""
        if key is None:
            return None
        known = self.players.get(key if isinstance(key, str) else str(key))
        if known is None:
            known = Player(id=str(key), name=name.strip(), team=team, shirt=shirt)
            self.players[str(key)] = known
        return known

    def check_lineups(self, path: Path, what: str, given: dict[str, str]) -> None:
        """Refuse line-ups, names by the ids of teams, when neither team plays in the match."""
        if self.teams.keys().isdisjoint(given):
            names = " and ".join(given.values()) or "nobody"
            played = " and ".join(team.name for team in self.teams.values())
            raise InputError(path, f"{what} of {names}; the match is {played}")

    def rename(self, names: dict[str, str]) -> None:
        """Give teams that the log knows by number only the names of a line-up."""
        for key, known in self.teams.items():
            name = names.get(key, "").strip()
            if name and known.name == key:
                team = self.teams[key] = msgspec.structs.replace(known, name=name)
                for player in self.players.values():
                    if player.team is known:
                        self.players[player.id] = msgspec.structs.replace(player, team=team)

    def add(self, player: Player, team: Team | None) -> None:
        """Take in a player of a line-up, which knows the player best."""
        self.players[player.id] = msgspec.structs.replace(player, team=team)

    def wears(self, key: str, shirt: int) -> None:
        """A player's number, where no line-up gives it."""
        known = self.players.get(key)
        if known is not None and known.shirt is None:
            self.players[key] = msgspec.structs.replace(known, shirt=shirt)
