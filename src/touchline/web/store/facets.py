"""Counts of what the comments of a search describe: players, teams, kinds of events and so on.

A count is how many comments would be found with that value as a further filter. So if a filter on
events is set, only events that fit it count; else the values of whole comments do, which are stored
as numbers (`index.py`).
"""

from __future__ import annotations

import sqlite3

from touchline.web.records import Facets, FacetValue, Filters
from touchline.web.store.query import Condition, deadline, found, joined, of_described

MAX_VALUES = 40  # of a facet
_EVENTS = ("team", "kind", "outcome", "standing")


def facets(db: sqlite3.Connection, asked: Filters) -> Facets:
    """The values of each facet, the most frequent first."""
    source, of_events = found(asked), list(of_described(asked))
    counts: dict[str, list[FacetValue]] = {name: [] for name in ("player", *_EVENTS, "phase")}
    if not source.nothing:
        fits = joined(of_events)
        counted = _of_events(fits) if of_events else _OF_COMMENTS
        with deadline(db):
            rows = db.execute(
                f"WITH found AS MATERIALIZED ({source.select}), {counted} {_MOST_FREQUENT}",
                [*source.values, *fits.values],
            )
            for facet, value, count in rows:
                counts[facet].append(FacetValue(value=value, count=count))
    return Facets(**{f"{name}s": values for name, values in counts.items()})


_OF_COMMENTS = (
    "numbers AS MATERIALIZED (SELECT facets.value AS id, COUNT(*) AS count FROM found "
    "CROSS JOIN facets ON facets.comment = found.row GROUP BY facets.value), "
    "counted AS (SELECT facet, facet_values.value AS value, count FROM numbers "
    "CROSS JOIN facet_values ON facet_values.id = numbers.id)"
)
_MOST_FREQUENT = (
    "SELECT facet, value, count FROM (SELECT *, ROW_NUMBER() OVER "
    "(PARTITION BY facet ORDER BY count DESC, value) AS place FROM counted) "
    f"WHERE place <= {MAX_VALUES} ORDER BY facet, place"
)


def _of_events(fits: Condition) -> str:
    """The events that fit, and how many comments each of their values is in."""
    values = " UNION ALL ".join(
        f"SELECT '{column}' AS facet, {column} AS value, COUNT(DISTINCT comment) AS count "
        f"FROM fitting WHERE {column} IS NOT NULL GROUP BY {column}"
        for column in _EVENTS
    )
    columns = ", ".join(f"described.{column}" for column in ("comment", "match", "event", *_EVENTS))
    return (
        f"fitting AS MATERIALIZED (SELECT {columns} FROM found CROSS JOIN described "
        f"ON described.comment = found.row WHERE {fits.sql}), counted AS ({values} "
        "UNION ALL SELECT 'player', player, COUNT(DISTINCT comment) FROM fitting "
        "CROSS JOIN people ON people.match = fitting.match AND people.event = fitting.event "
        "GROUP BY player UNION ALL SELECT 'phase', kind, COUNT(*) FROM found "
        "CROSS JOIN phases ON phases.comment = found.row WHERE kind IS NOT NULL GROUP BY kind)"
    )
