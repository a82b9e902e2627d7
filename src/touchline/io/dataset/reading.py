"""The rows of one match of a data set, read back from its files."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from touchline.core.errors import InputError, need
from touchline.io.dataset.manifest import Dataset, DatasetEntry
from touchline.io.dataset.rows import Row, checksum
from touchline.io.dataset.schema import TABLES, arrow_schema
from touchline.io.files import read_bytes

if TYPE_CHECKING:
    import pyarrow


def read_tables(dataset: Dataset, entry: DatasetEntry) -> dict[str, list[Row]]:
    """The rows of a match by table, in the order in which they were written.

    Raises
    ------
    InputError
        A file is missing, or is not one that touchline wrote.
    """
    return {table: _read(dataset, entry, table) for table in TABLES}


def _read(dataset: Dataset, entry: DatasetEntry, table: str) -> list[Row]:
    need("pyarrow", "Reading a data set", "touchline[parquet]")
    import pyarrow
    import pyarrow.parquet

    if table not in entry.files:
        raise InputError(dataset.path, f"{entry.match} has no file in the table {table!r}")
    path = dataset.path / entry.files[table]
    data = read_bytes(path)
    # What is damaged need not be decoded to find out; the checksum may be missing.
    if entry.checksums.get(table, known := checksum(data)) != known:
        raise InputError(path, "damaged: not the file that was written; align the match again")
    try:
        found = pyarrow.parquet.read_table(io.BytesIO(data))
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(path, f"not a Parquet file ({error})") from None
    if (problem := _problem(table, found)) is not None:
        raise InputError(path, f"{problem}; align the match again")
    try:
        rows: list[Row] = found.to_pylist()
    except UnicodeDecodeError as error:
        raise InputError(path, f"invalid UTF-8 in a text ({error.reason})") from None
    return rows


def _problem(table: str, found: pyarrow.Table) -> str | None:
    """What is wrong with the columns: all that reads them relies on their types."""
    schema = arrow_schema(table)
    for column in TABLES[table]:
        if column.name not in found.column_names:
            return f"has no column {column.name!r}"
        values = found.column(column.name)
        if values.type != schema.field(column.name).type:
            return f"the column {column.name!r} is of type {values.type}, not {column.type}"
        if values.null_count and not column.optional:
            return f"the column {column.name!r} has rows without a value"
    return None
