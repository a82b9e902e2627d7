"""Commentary on a match in progress: a line is written once nothing can change what it says.

A chain is closed 6 seconds after its last event, and how play goes on is known 4 seconds later. A
line that was written stays: the log may be corrected, a live page is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec
import numpy as np

from touchline.core.records import Match
from touchline.generation.commentary import Line
from touchline.generation.composing import Worder
from touchline.generation.facts.chains import is_closed
from touchline.generation.facts.match import MatchFacts
from touchline.generation.selection.choice import (
    APART,
    Choice,
    Picked,
    in_order,
    topic_of,
    unlike,
    weight_of,
)
from touchline.generation.selection.model import SelectionModel, bundled_selection
from touchline.generation.style.file import Style
from touchline.generation.style.worder import StyleWorder

# How much a chain must count to be written so many seconds after the last line: the longer the
# silence, the less. Between two of these the requirement falls evenly.
_REQUIRED = ((APART, 0.8), (40.0, 0.5), (90.0, 0.3), (180.0, 0.1), (300.0, 0.02))


class LiveWriter:
    """Writes the lines of a match while its log grows.

    Parameters
    ----------
    style
        A learned style; our own phrases without one.
    seed
        Another seed gives other words.
    """

    def __init__(self, style: Style | None = None, seed: int = 0, free: bool = False) -> None:
        self._style, self._seed, self._free = style, seed, free
        self._described: set[str] = set()
        self._frames: set[tuple[int, str]] = set()
        self._last: tuple[int, float] = (0, 0.0)
        self._topics: dict[tuple[int, str], float] = {}
        self._worder: Worder | None = None
        self.over = False  # whether the end of the match has been written

    def follow(self, match: Match) -> Iterator[Line]:
        """The lines that can be written now, given the whole log so far."""
        if not match.linkable:
            return
        facts = MatchFacts(match)
        worder = self._words(facts)
        choice = Choice(facts, self._selection(match))
        newest = match.linkable[-1]
        now = newest.period, newest.time
        if any(_ends(one, newest.period) for one in choice.candidates):
            now = newest.period + 1, 0.0  # nothing more belongs to a period that is over
        for picked in in_order(choice.candidates, facts):
            picked = _undecided(picked)
            if not self._is_due(picked, now):
                continue
            draft = worder.draft(picked)
            if draft is not None:
                self._took(picked)
                yield draft.line

    def _words(self, facts: MatchFacts) -> Worder:
        """The same worder, which knows what was said, with the facts of the log as it is now."""
        if self._worder is None:
            own = self._style is None
            self._worder = Worder(facts, self._seed) if own else self._styled(facts)
        self._worder.look_at(facts)
        return self._worder

    def _styled(self, facts: MatchFacts) -> Worder:
        assert self._style is not None
        return StyleWorder(facts, self._seed, self._style, self._free)

    def _selection(self, match: Match) -> SelectionModel:
        return self._style.selection if self._style else bundled_selection(match.provider)

    def _is_due(self, picked: Picked, now: tuple[int, float]) -> bool:
        chain = picked.chain
        if "period" in chain.more:
            return (int(chain.more["period"]), str(chain.more["kind"])) not in self._frames
        if chain.head.id in self._described or not is_closed(chain, now):
            return False
        if picked.needed:
            return True
        period, time = chain.head.time
        if (period, time) < self._last:
            return False
        gap = time - self._last[1] if period == self._last[0] else time
        return gap >= APART and weight_of(picked) * self._unlike(picked) >= _required(gap)

    def _unlike(self, picked: Picked) -> float:
        """Less for a line that is like one just written."""
        period, time = picked.chain.head.time
        last = self._topics.get((period, topic_of(picked.chain) or ""))
        return 1.0 if last is None else float(unlike(np.asarray(abs(time - last))))

    def _took(self, picked: Picked) -> None:
        chain = picked.chain
        if "period" in chain.more:
            self._frames.add((int(chain.more["period"]), str(chain.more["kind"])))
            self.over |= chain.more["kind"] in ("end", "shootout over")
        else:
            self._described.update(chain.ids)
        self._last = max(self._last, chain.head.time)
        topic = topic_of(chain)
        if topic is not None:
            self._topics[chain.head.event.period, topic] = chain.head.event.time


def _ends(picked: Picked, period: int) -> bool:
    more = picked.chain.more
    return more.get("period") == period and more["kind"] != "start"


def _undecided(picked: Picked) -> Picked:
    """A match that is level after 90 or 120 minutes may go on: its end is not yet the end."""
    more = picked.chain.more
    if more.get("kind") != "end" or more.get("level") is not True:
        return picked
    kind = "normal time" if more["period"] == 2 else "extra time over"
    chain = msgspec.structs.replace(picked.chain, more={**more, "kind": kind, "open": True})
    return picked._replace(chain=chain)


def _required(gap: float) -> float:
    for (low, high_value), (high, low_value) in pairwise(_REQUIRED):
        if gap <= high:
            share = (max(gap, low) - low) / (high - low)
            return high_value + share * (low_value - high_value)
    return _REQUIRED[-1][1]
