"""Counts of what the comments of a search describe: players, teams, kinds of events and so on.

A count is how many comments would be found with that value as a further filter. So an event counts
only if it fits the filters that are set.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from touchline.web.records import Facets, FacetValue, Filters
from touchline.web.store.query import deadline, found, joined, of_described

MAX_VALUES = 40  # of a facet
_EVENTS = ("team", "kind", "outcome", "standing")


def facets(db: sqlite3.Connection, asked: Filters) -> Facets:
    """The values of each facet, the most frequent first."""
    source = found(asked)
    counts: dict[str, list[FacetValue]] = {name: [] for name in ("player", *_EVENTS, "phase")}
    if not source.nothing:
        fits = joined(list(of_described(asked)))
        with deadline(db):
            rows = db.execute(_sql(source.select, fits.sql), [*source.values, *fits.values])
            for facet, value, count in rows:
                counts[facet].append(FacetValue(value=value, count=count))
    return Facets(**{f"{name}s": _most_frequent(counts, name) for name in counts})


def _most_frequent(counts: Mapping[str, list[FacetValue]], facet: str) -> list[FacetValue]:
    return sorted(counts[facet], key=lambda one: (-one.count, one.value))[:MAX_VALUES]


def _sql(select: str, fits: str) -> str:
    """One statement: the comments, the events that they describe, and a count of each facet."""
    events = " UNION ALL ".join(
        f"SELECT '{column}', {column}, COUNT(DISTINCT comment) FROM fitting "
        f"WHERE {column} IS NOT NULL GROUP BY {column}"
        for column in _EVENTS
    )
    columns = ", ".join(f"described.{column}" for column in ("comment", "match", "event", *_EVENTS))
    return (
        f"WITH found AS MATERIALIZED ({select}), fitting AS MATERIALIZED (SELECT {columns} "
        f"FROM found CROSS JOIN described ON described.comment = found.row WHERE {fits}) "
        f"{events} UNION ALL SELECT 'player', player, COUNT(DISTINCT comment) FROM fitting "
        "CROSS JOIN people ON people.match = fitting.match AND people.event = fitting.event "
        "GROUP BY player UNION ALL SELECT 'phase', kind, COUNT(*) FROM found "
        "CROSS JOIN phases ON phases.comment = found.row WHERE kind IS NOT NULL GROUP BY kind"
    )
