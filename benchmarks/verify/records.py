"""A provider's records, as far as a line of commentary can be held to them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

Place = tuple[float, float]

LENGTH, WIDTH = 120.0, 80.0  # yards
BOX_X, BOX_Y = 102.0, (18.0, 62.0)


@dataclass
class Record:
    """A record of the file. Places are in yards on a pitch of 120 x 80, seen by the acting team.

    `goal` is a goal for the record's team, `own_goal` for the other one. `mouth` is where a shot
    crosses the goal line, in yards from its middle (to the right, seen by the shooter) and from the
    ground; `sides` and `heights` are the provider's words for it. `raw` is the
    record on one line, for people who compare by eye.
    """

    id: str
    kind: str
    period: int
    time: float
    team: str
    players: list[str]
    outcome: str = ""
    body: str = ""
    card: str = ""
    set_piece: str = ""
    pass_kinds: frozenset[str] = frozenset()  # cross, through ball, cut-back
    penalty: bool | None = None  # None: the file does not mark fouls that give one
    technique: str = ""
    first_time: bool | None = None
    place: Place | None = None
    end: Place | None = None
    mouth: Place | None = None
    close: bool | None = None  # whether the file itself calls a miss close
    sides: frozenset[str] = frozenset()
    heights: frozenset[str] = frozenset()
    goal: bool = False
    own_goal: bool = False
    raw: str = ""

    @property
    def is_foul(self) -> bool:
        return self.kind in ("Foul Committed", "Foul")

    @property
    def attacking(self) -> Place | None:
        """The place seen by the team that has the ball next: of a foul, the other one."""
        if self.place is None or not self.is_foul:
            return self.place
        return LENGTH - self.place[0], WIDTH - self.place[1]

    @property
    def distance(self) -> float | None:
        """Yards to the goal that is attacked."""
        place = self.attacking
        return None if place is None else math.dist(place, (LENGTH, WIDTH / 2))

    @property
    def length(self) -> float | None:
        """Yards from the place to the end."""
        return None if self.place is None or self.end is None else math.dist(self.place, self.end)

    @property
    def in_box(self) -> float | None:
        """How far inside the penalty area that is attacked, in yards; negative: outside."""
        return None if self.attacking is None else yards_inside(self.attacking)


@dataclass
class Log:
    """A match: its records in order, the names of its players and teams.

    `slack` is by how many yards the file's places may be off: providers that record percent
    of a pitch do not say how long and wide it is, and draw the boxes elsewhere.
    `related` says that a record lists everybody who has a part in it; where it does not, they have
    records of their own, at most `before` seconds earlier.
    """

    records: list[Record]
    players: Mapping[str, list[str]]
    teams: Mapping[str, str]
    squads: Mapping[str, str] = field(default_factory=dict)
    slack: float = 0.51
    related: bool = False
    before: float = 1.5


def yards_inside(place: Place) -> float:
    """How far a place is inside the penalty area; negative: outside."""
    return min(place[0] - BOX_X, place[1] - BOX_Y[0], BOX_Y[1] - place[1])
