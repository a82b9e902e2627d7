"""Counts of what the comments of a search describe: players, teams, kinds of events and so on.

A count is how many comments would be found with that value as a further filter. So if a filter on
events is set, only events that fit it count; else the values of whole comments do. Both are stored
as numbers (`index.py`), which numpy counts in a fraction of the time that SQLite takes.
"""

from __future__ import annotations

import sqlite3

import msgspec
import numpy as np
from numpy.typing import NDArray

from touchline.web.records import Facets, FacetValue, Filters
from touchline.web.store.index import FACET_STEP, FACETS, NUMBERS
from touchline.web.store.query import Condition, Found, deadline, found, joined, of_described

MAX_VALUES = 40  # of a facet
Counts = NDArray[np.int64]


def facets(db: sqlite3.Connection, asked: Filters) -> Facets:
    """The values of each facet, the most frequent first."""
    source, of_events = found(asked), list(of_described(asked))
    counts: dict[str, list[FacetValue]] = {facet: [] for facet in FACETS}
    if not source.nothing:
        with deadline(db):
            counted = (
                _of_events(db, source, joined(of_events)) if of_events else _of_comments(db, source)
            )
            for facet, value in _most_frequent(db, counted):
                counts[facet].append(value)
    return Facets(**{f"{facet}s": values for facet, values in counts.items()})


def _of_comments(db: sqlite3.Connection, source: Found) -> Counts:
    """How many of the comments have each number."""
    rows = db.execute(
        f"WITH found AS MATERIALIZED ({source.select}) SELECT numbers FROM found "
        "CROSS JOIN facets ON facets.comment = found.row",
        source.values,
    )
    return np.bincount(np.frombuffer(b"".join(numbers for (numbers,) in rows), NUMBERS))


def _of_events(db: sqlite3.Connection, source: Found, fits: Condition) -> Counts:
    """How many of the comments have each number in an event that fits, or in their phase."""
    rows = db.execute(
        f"WITH found AS MATERIALIZED ({source.select}) SELECT described.comment, numbers "
        f"FROM found CROSS JOIN described ON described.comment = found.row WHERE {fits.sql} "
        "UNION ALL SELECT phases.comment, numbers FROM found "
        "CROSS JOIN phases ON phases.comment = found.row",
        [*source.values, *fits.values],
    ).fetchall()
    numbers = np.frombuffer(b"".join(own for _, own in rows), NUMBERS).astype(np.int64)
    sizes = [len(own) // 4 for _, own in rows]
    comments = np.repeat(np.array([comment for comment, _ in rows], np.int64), sizes)
    return np.bincount(np.unique(comments << 32 | numbers) & 0xFFFFFFFF)


def _most_frequent(db: sqlite3.Connection, counts: Counts) -> list[tuple[str, FacetValue]]:
    """The first values of each facet, with their facets; equally frequent ones by the alphabet."""
    numbers = np.flatnonzero(counts)
    parts = [_first(numbers[numbers % FACET_STEP == place], counts) for place in range(len(FACETS))]
    listed = msgspec.json.encode(np.concatenate(parts).tolist()).decode()
    names = (
        "SELECT facet_values.id, facet_values.value FROM json_each(?) AS asked "
        "CROSS JOIN facet_values ON facet_values.id = asked.value"
    )
    named = dict(map(tuple, db.execute(names, [listed])))
    found = []
    for facet, part in zip(FACETS, parts, strict=True):
        values = [FacetValue(value=named[n], count=int(counts[n])) for n in part.tolist()]
        values.sort(key=lambda one: (-one.count, one.value))
        found += [(facet, value) for value in values[:MAX_VALUES]]
    return found


def _first(numbers: Counts, counts: Counts) -> Counts:
    """The numbers that may be among the first values: as frequent as the last of those."""
    if len(numbers) <= MAX_VALUES:
        return numbers
    own = counts[numbers]
    first: Counts = numbers[own >= np.partition(own, -MAX_VALUES)[-MAX_VALUES]]
    return first
