"""The state of an invented match: players, places, chance, and the records of what is done."""

from __future__ import annotations

import math
import random
from typing import Any

from .log import Event, Log, Point
from .squads import Fixture, Player

# Where each position stands when the ball is on the centre spot (own goal at x = 0; y = 0 is the
# left touchline). Players drift with the ball from there.
HOMES: dict[str, Point] = {
    "Goalkeeper": (7, 40), "Right Back": (43, 70), "Right Center Back": (33, 50),
    "Center Back": (30, 40), "Left Center Back": (33, 30), "Left Back": (43, 10),
    "Right Wing Back": (64, 72), "Left Wing Back": (64, 8), "Right Defensive Midfield": (50, 48),
    "Center Defensive Midfield": (48, 40), "Left Defensive Midfield": (50, 32),
    "Right Midfield": (70, 71), "Right Center Midfield": (60, 54),
    "Left Center Midfield": (60, 26), "Left Midfield": (70, 9), "Right Wing": (80, 71),
    "Center Attacking Midfield": (72, 40), "Left Wing": (80, 9),
    "Right Center Forward": (80, 48), "Center Forward": (80, 40), "Left Center Forward": (80, 32),
}  # fmt: skip


def flip(at: Point) -> Point:
    """The same spot as the other side sees it."""
    return (120 - at[0], 80 - at[1])


def inside(x: float, y: float) -> Point:
    """A spot pulled back onto the pitch, to a tenth of a yard."""
    return (round(min(max(x, 0.5), 119.5), 1), round(min(max(y, 0.5), 79.5), 1))


def apart(a: Point, b: Point) -> float:
    """Distance; square roots are exact everywhere, so that no draw depends on the platform."""
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


class Pitch:
    """The state of a match: who has the ball, where (as that side sees it), and the log."""

    def __init__(self, fixture: Fixture) -> None:
        self.rng = random.Random(fixture.seed)
        self.log = Log(fixture)
        self.on = [list(club.players[:11]) for club in self.log.clubs]
        self.changes = [self._plan(side) for side in (0, 1)]
        self.booked: set[int] = set()
        self.side, self.ball = 0, (60.0, 40.0)
        self.carrier: Player = self.on[0][10]
        self.assist: Event | None = None

    # -- drawing lots ------------------------------------------------------------------------

    def pick(self, weights: dict[str, float]) -> str:
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.rng.random()

    def near(self, x: float, y: float, spread: float) -> Point:
        return inside(x + self.between(-spread, spread), y + self.between(-spread, spread))

    def wait(self, low: float, high: float) -> None:
        self.log.clock = round(self.log.clock + self.between(low, high), 3)

    def _plan(self, side: int) -> list[tuple[float, int, int]]:
        """When each of a side's changes falls due, in seconds of the second half."""
        times = sorted(round(self.between(300, 2500), 1) for _ in range(3))
        pairs = self.log.clubs[side].changes
        return [(t, off, on) for t, (off, on) in zip(times, pairs, strict=True)]

    # -- people ------------------------------------------------------------------------------

    def keeper(self, side: int) -> Player:
        return next(p for p in self.on[side] if p.position == "Goalkeeper")

    def taker(self) -> Player:
        club = self.log.clubs[self.side]
        return next(p for n in club.takers if (p := club.shirt(n)) in self.on[self.side])

    def spot(self, side: int, player: Player) -> Point:
        """Where a player is, given the ball, as their side sees it."""
        x, y = HOMES[player.position]
        ball = self.ball if side == self.side else flip(self.ball)
        if player.position == "Goalkeeper":
            return (x, y)
        back = 0 if side == self.side else 14
        return inside(x - back + 0.5 * (ball[0] - 60), y + 0.3 * (ball[1] - 40))

    def mate(self, reach: float = 16) -> Player:
        """A team-mate worth a pass of about `reach` yards, rather ahead than behind."""
        others = [p for p in self.on[self.side] if p != self.carrier]
        weights = []
        for p in others:
            at = self.spot(self.side, p)
            off = (apart(at, self.ball) - reach) / 8
            ahead = 1.5 if at[0] > self.ball[0] else 0.8
            back_pass = 0.0 if p.position == "Goalkeeper" and self.ball[0] > 40 else 1.0
            weights.append(back_pass * ahead / (1 + off * off))
        return self.rng.choices(others, weights)[0]

    def foe(self) -> Player:
        """An opponent close to the ball."""
        other = 1 - self.side
        players = [p for p in self.on[other] if p.position != "Goalkeeper"]
        gaps = [apart(self.spot(other, p), flip(self.ball)) for p in players]
        return self.rng.choices(players, [1 / (9 + g * g) for g in gaps])[0]

    # -- records -----------------------------------------------------------------------------

    def do(self, kind: str, duration: float = 0.0, **detail: Any) -> Event:
        """Record what the player on the ball does."""
        return self.log.add(kind, self.side, self.carrier, self.ball, duration, **detail)

    def answer(self, kind: str, who: Player, **detail: Any) -> Event:
        """Record what an opponent does at the same spot."""
        return self.log.add(kind, 1 - self.side, who, flip(self.ball), **detail)

    def gain(self, who: Player, pattern: str = "Regular Play") -> None:
        """The other side has the ball now."""
        self.side, self.ball, self.carrier = 1 - self.side, flip(self.ball), who
        self.own(self.side, pattern)

    def own(self, side: int, pattern: str) -> None:
        """Start a new possession."""
        self.side, self.assist = side, None
        self.log.possession += 1
        self.log.owner, self.log.pattern = side, pattern
