"""A chain, as an immutable record."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from touchline.generation.facts.records import EventFacts

# A chain is closed when so many seconds passed since its last event.
CLOSED = 6.0
# Fields of an event that are records themselves, and no facts.
_RECORDS = frozenset(["event", "roles", "people"])


class Joined(msgspec.Struct, frozen=True):
    """Events that belong to a head, and facts that no single event has; None is unknown."""

    events: tuple[EventFacts, ...] = ()
    more: dict[str, Any] = {}


class Chain(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Events that one line may describe, in the order of the log, and what they are together.

    `more` holds facts of the chain that no single event has; `None` values are left out of it.
    """

    head: EventFacts
    events: tuple[EventFacts, ...]
    more: dict[str, Any] = {}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its events."""
        return tuple(one.id for one in self.events)

    @property
    def start(self) -> tuple[int, float]:
        """Period and second of its first event."""
        return self.events[0].time

    @cached_property
    def known(self) -> dict[str, Any]:
        """Every fact about the chain by its name; those of the head, and those of the whole."""
        found = {
            name: value
            for name in self.head.__struct_fields__
            if (value := getattr(self.head, name)) is not None and name not in _RECORDS
        }
        return {**found, **self.head.roles, **self.more}


def is_closed(chain: Chain, now: tuple[int, float], restart_known: float = 4.0) -> bool:
    """Whether nothing that arrives later can still belong to a chain: its 6 s and the restart's 4.

    `now` is the period and second of the newest event in the log.
    """
    period, time = chain.events[-1].time
    return now[0] > period or now[1] >= time + CLOSED + restart_known
