"""Players and teams under the names that a reader is shown."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from touchline.core.records import Match, Player, Team

_INITIAL = re.compile(r"(\w)\.\s+(.+)")
SOFT_HYPHEN = "\u00ad"
# Words before a surname that belong to it.
PARTICLES = frozenset(
    ["al", "ben", "bin", "da", "das", "de", "del", "den", "der", "di", "do", "dos", "du", "el",
     "la", "le", "mac", "van", "von", "zu", "ter", "ten", "st", "st."]
)  # fmt: skip


class Names:
    """The names shown for the players and teams of a match."""

    def __init__(self, match: Match) -> None:
        self._match = match

    def player(self, player: Player | None) -> str | None:
        """The name of a player; None where the feed has only a number."""
        if player is None or not player.names:
            return None
        name = _spelled_out(player)
        team = self.team(player.team)
        shared = self._names[name] > 1 and team is not None
        return f"{name} ({team})" if shared else name

    def team(self, team: Team | None) -> str | None:
        """The name of a team; where the feed has only a number, `Team 782`."""
        if team is None or not team.name:
            return None
        return f"Team {team.name}" if team.name.isdigit() else team.name

    def surname(self, player: Player | None) -> str | None:
        """The short form for a second mention, where nobody else in the match shares it."""
        name = self.player(player)
        short = surname_of(name) if name and not name.endswith(")") else None
        return short if short and self._surnames[short.lower()] == 1 else name

    def opponents(self, team: Team | None) -> Team | None:
        """The other of the two teams."""
        others = [one for one in self._match.teams if team is not None and one.id != team.id]
        known = team is not None and any(one.id == team.id for one in self._match.teams)
        return others[0] if known and len(others) == 1 else None

    @cached_property
    def _names(self) -> Counter[str]:
        """How many players of the match go by each name; two do now and then."""
        return Counter(_spelled_out(one) for one in self._match.players if one.names)

    @cached_property
    def _surnames(self) -> Counter[str]:
        players = (player for player in self._match.players if player.names)
        return Counter(surname_of(_spelled_out(player)).lower() for player in players)


def surname_of(name: str) -> str:
    """The last word of a name, with the particles before it."""
    words = name.split()
    start = len(words) - 1
    while start > 1 and words[start - 1].lower() in PARTICLES:
        start -= 1
    return " ".join(words[max(start, 0) :])


def _spelled_out(player: Player) -> str:
    """The name they go by; an initial is spelled out where the full name shows what it stands for.

    Wyscout has `R. Sterling` and `Raheem Shaquille Sterling`: a reader is shown Raheem Sterling.
    """
    label, full = player.label.replace(SOFT_HYPHEN, ""), player.name.replace(SOFT_HYPHEN, "")
    found = _INITIAL.fullmatch(label)
    if found is None or not full.endswith(f" {found[2]}"):
        return label
    first = full.split()[0]
    return f"{first} {found[2]}" if first[0] == found[1] else label
