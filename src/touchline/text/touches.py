"""Who is on the ball when a word is said: the evidence of time that a word is a player's name.

A commentator names a player about two seconds after they touch the ball. So a word is more likely
the name of whoever touched the ball just before than of anybody else, and a word that keeps being
said at one player's touches is probably that player's name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec
import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.core.errors import InputError
from touchline.core.records import Comment, Match
from touchline.text.speech import spans
from touchline.text.tokens import Token, tokenise

# How much a touch so many seconds from a word counts: most two seconds before it, by a factor of e
# less for every 2 s earlier or 1.5 s later. All constants here were chosen by the likelihood of
# names that are spelled right, in radio and TV commentary, without labels: see docs/names.md.
PEAK, EARLIER, LATER = -2, 2.0, 1.5
_FIRST_LAG, _LAST_LAG = -12, 6
_LAGS = range(_FIRST_LAG, _LAST_LAG + 1)
_KERNEL = [np.exp(-abs(lag - PEAK) / (EARLIER if lag < PEAK else LATER)) for lag in _LAGS]
# How often a name is that of whoever is on the ball; ten names of which seven are weigh as much as
# the commentary's own.
USUAL, IMAGINED = 0.7, 10
_SHARES = np.arange(1, 20) / 20
# A word whose time is known less well is not said at anybody's touch.
MAX_LINE = 30.0
_PAD, _LONGEST_PERIOD = 20, 3 * 3600
# Seconds of all periods, times players: a match of 120 minutes has 300,000.
MAX_CELLS = 3_000_000


class Place(msgspec.Struct, frozen=True, gc=False):
    """When a word was said: a period, and the seconds between which it was."""

    period: int
    first: float
    last: float

    @property
    def to_the_second(self) -> bool:
        return self.last - self.first <= MAX_LINE


def places(comments: Sequence[Comment], spoken: bool) -> list[list[Place | None]]:
    """When each word of each comment was said; None where that is not known.

    The words of a spoken line follow one another; those of a text all have the time of the whole.
    """
    every = spans(comments) if spoken else comments
    return [_places(comment, tokenise(comment.text), spoken) for comment in every]


def _places(comment: Comment, tokens: Sequence[Token], spoken: bool) -> list[Place | None]:
    if comment.period is None or comment.start is None or comment.end is None:
        return [None] * len(tokens)
    if comment.anywhere or not spoken:
        return [Place(comment.period, comment.start, comment.end)] * len(tokens)
    seconds = comment.seconds_at([token.start for token in tokens])
    times = [comment.start if second is None else second for second in seconds]
    return [Place(comment.period, time, time) for time in times]


class Touches:
    """How much of the play around each second belongs to which player."""

    def __init__(self, match: Match) -> None:
        touches: dict[int, list[tuple[str, float]]] = defaultdict(list)
        for event in match.events:
            if event.player:
                touches[event.period].append((event.player.id, event.time))
            for other in event.others:
                touches[event.period].append((other.player.id, event.time))
        acting = {who for own in touches.values() for who, _ in own}
        self.players = [player.id for player in match.players if player.id in acting]
        self._name = match.name
        self._rows = {who: row for row, who in enumerate(self.players)}
        self._touches = touches
        self._shares: dict[Place, np.ndarray] = {}

    @cached_property
    def _grids(self) -> dict[int, np.ndarray]:
        """Not made before somebody asks: most written texts spell all names right."""
        self._check_size()
        return {period: self._grid(own) for period, own in self._touches.items()}

    def _check_size(self) -> None:
        """Some bytes are kept for each player and second."""
        ends = (max(time for _, time in own) for own in self._touches.values())
        seconds = sum(_second(end) for end in ends)
        if seconds * len(self.players) > MAX_CELLS:
            problem = f"{len(self.players):,} players act within {seconds:,} s of play"
            limit = f"the limit for one match is {MAX_CELLS:,} players times seconds"
            raise InputError(self._name, f"{problem}; {limit}")

    @cached_property
    def usual(self) -> np.ndarray:
        """How much of the play is each player's in the whole match."""
        grids = self._grids.values()
        counts = sum((grid.sum(axis=1) for grid in grids), np.zeros(len(self.players)))
        return (counts + 0.5) / (counts + 0.5).sum() if self.players else counts

    @cached_property
    def _sums(self) -> dict[int, np.ndarray]:
        return {period: self._summed(grid) for period, grid in self._grids.items()}

    def ratios(self, where: Iterable[Place]) -> np.ndarray:
        """How many times more play than usual is each player's (rows) at some places (columns)."""
        around = [self._share(place) for place in where]
        return np.asarray(np.array(around).reshape(-1, len(self.players)).T / self.usual[:, None])

    def on_the_ball(self, named: Sequence[tuple[str, Place]]) -> tuple[float, float]:
        """How often names are those of whoever is on the ball, and how likely that makes them."""
        known = [(self._rows[who], place) for who, place in named if who in self._rows]
        ratios = self.ratios(place for _, place in known)
        own = ratios[[row for row, _ in known], range(len(known))]
        likely = np.log(np.outer(_SHARES, own) + 1 - _SHARES[:, None]).sum(axis=1)
        likely += IMAGINED * (USUAL * np.log(_SHARES) + (1 - USUAL) * np.log(1 - _SHARES))
        best = int(likely.argmax())
        return float(_SHARES[best]), float(likely[best])

    def _grid(self, touches: Iterable[tuple[str, float]]) -> np.ndarray:
        """Which players (rows) have a touch in which seconds."""
        known = [(self._rows[who], time) for who, time in touches if who in self._rows]
        seconds = _seconds(np.array([time for _, time in known], dtype=float))
        grid = np.zeros((len(self.players), int(seconds.max(initial=0)) + _PAD), dtype=bool)
        grid[[row for row, _ in known], seconds] = True
        return grid

    def _summed(self, grid: np.ndarray) -> np.ndarray:
        """The players' shares of the play around each second, summed up from the start."""
        around = np.zeros_like(grid, dtype=float)
        rows, seconds = np.nonzero(grid)  # few: most players are elsewhere in most seconds
        for lag, weight in zip(_LAGS, _KERNEL, strict=True):
            at = seconds - lag
            inside = (at >= 0) & (at < grid.shape[1])
            around[rows[inside], at[inside]] += weight
        total = around.sum(axis=0)
        sums = np.zeros((len(around), around.shape[1] + 1))
        shares = sums[:, 1:]
        shares[:] = self.usual[:, None]
        np.divide(around, total, out=shares, where=total > 0)
        return np.cumsum(sums, axis=1, out=sums)

    def _share(self, place: Place) -> np.ndarray:
        """The players' shares of the play; all words of a written comment have one place."""
        if place not in self._shares:
            self._shares[place] = self._share_of(place)
        return self._shares[place]

    def _share_of(self, place: Place) -> np.ndarray:
        sums = self._sums.get(place.period)
        if sums is None:
            return self.usual
        first, last = (min(_second(t), sums.shape[1] - 2) for t in (place.first, place.last))
        return np.asarray((sums[:, last + 1] - sums[:, first]) / (last + 1 - first))


def _second(time: float) -> int:
    """The column of a time; what is far off the period has the play of its edge, which is none."""
    return int(min(max(time, -_PAD), _LONGEST_PERIOD)) + _PAD


def _seconds(times: Floats) -> Ints:
    """The same of many times."""
    return np.clip(times, -_PAD, _LONGEST_PERIOD).astype(np.int64) + _PAD
