"""The tables of a data set: their columns, types and meanings.

The version counts changes after which a query of before could be wrong; a new column is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pyarrow

FORMAT = 1
# The columns that stand in the paths of the files and not in the files themselves.
PARTITIONS = {
    "season": "the season, as given with --season",
    "competition": "the competition, as given with --competition",
    "match": "the name of the match folder",
}


class Column(NamedTuple):
    """A column of a table; an optional one has nulls where something is not known."""

    name: str
    type: str
    meaning: str
    optional: bool = False


TABLES: dict[str, tuple[Column, ...]] = {
    "comments": (
        Column("comment", "string", "id of the comment"),
        Column("place", "int32", "place in the commentary, from 0"),
        Column("text", "string", "the comment"),
        Column("clock", "string", "the clock that the page showed, if any", optional=True),
        Column("period", "int8", "period in which it was made, as far as known", optional=True),
        Column(
            "start",
            "double",
            "first second of the period in which it may have been made",
            optional=True,
        ),
        Column("end", "double", "last such second", optional=True),
        Column("state", "string", "`linked`, `none` (describes no event) or `unsure`"),
        Column("none", "double", "probability that it describes no event"),
    ),
    "links": (
        Column("comment", "string", "id of the comment"),
        Column("event", "string", "id of an event that it describes"),
        Column("score", "double", "probability of the link"),
    ),
    "words": (
        Column("comment", "string", "id of the comment"),
        Column("event", "string", "id of the event"),
        Column("start", "int32", "first character that describes the event, from 0"),
        Column("end", "int32", "the character after the last one"),
        Column("text", "string", "the words in between"),
    ),
    "phases": (
        Column("comment", "string", "id of the comment that is about the spell of play"),
        Column("team", "string", "the team whose spell it is"),
        Column("kind", "string", "`attack`, `counter` ..., where the log shows it", optional=True),
        Column("period", "int8", "period of the spell", optional=True),
        Column("start", "double", "its first second"),
        Column("end", "double", "its last second"),
        Column("score", "double", "probability that the comment is about it"),
        Column("events", "list<string>", "ids of its events"),
    ),
    "events": (
        Column("event", "string", "id of the event in the log"),
        Column("place", "int32", "place in the log, from 0"),
        Column("type", "string", "type, in the provider's words"),
        Column("outcome", "string", "outcome, in the provider's words", optional=True),
        Column("period", "int8", "period"),
        Column("time", "double", "seconds since the period's kick-off"),
        Column("team", "string", "the acting team", optional=True),
        Column("player", "string", "the acting player", optional=True),
        Column("recipient", "string", "the player who receives the ball", optional=True),
        Column("others", "map<string, string>", "all other players, by `recipient`, `fouled` ..."),
        Column(
            "x", "double", "place on a pitch of 120 x 80, as seen by the acting team", optional=True
        ),
        Column("y", "double", "place across", optional=True),
        Column("end_x", "double", "where the ball went", optional=True),
        Column("end_y", "double", "where the ball went, across", optional=True),
        Column("linkable", "bool", "whether a comment could describe it"),
        Column("arguments", "map<string, string>", "all other categories of the log"),
    ),
}


def arrow_schema(table: str) -> pyarrow.Schema:
    """The schema of a table's files; it says the version."""
    import pyarrow

    kinds: dict[str, Any] = {
        "string": pyarrow.string(), "int8": pyarrow.int8(), "int32": pyarrow.int32(),
        "double": pyarrow.float64(), "bool": pyarrow.bool_(),
        "list<string>": pyarrow.list_(pyarrow.string()),
        "map<string, string>": pyarrow.map_(pyarrow.string(), pyarrow.string()),
    }  # fmt: skip
    fields = [(column.name, kinds[column.type]) for column in TABLES[table]]
    return pyarrow.schema(fields, metadata={"touchline_dataset": str(FORMAT)})
