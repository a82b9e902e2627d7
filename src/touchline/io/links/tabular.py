"""Links as flat tables: CSV and Parquet, one row per comment-event pair."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from touchline.core.errors import MissingExtraError
from touchline.core.links import ROW_FIELDS, Links
from touchline.io.links.origin import Origin

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(many: Sequence[Links], out: IO[str]) -> None:
    """One row for each pair of a comment and an event, with a header."""
    write_rows(ROW_FIELDS, (row for links in many for row in links.rows()), out)


def write_rows(fields: Iterable[str], rows: Iterable[Mapping[str, Any]], out: IO[str]) -> None:
    """Rows with a header; opened by a spreadsheet, no cell of a commentary runs as a formula."""
    names = list(fields)
    plain, quoted = (
        csv.DictWriter(out, names, lineterminator="\n", quoting=quoting)
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
    )
    plain.writeheader()
    for row in rows:
        cells = {name: _harmless(value) for name, value in row.items()}
        # A lone carriage return, which csv takes for no line end of ours, would end a row.
        returns = any("\r" in cell for cell in cells.values() if isinstance(cell, str))
        (quoted if returns else plain).writerow(cells)


def _harmless(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula, marked as text.

    Ids and clocks too: they come from the same files as the commentary.
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def write_parquet(many: Sequence[Links], origin: Origin, out: IO[bytes]) -> None:
    """The same rows with types; the origin stands in the file's metadata."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Writing Parquet", "touchline[parquet]") from None
    table = pyarrow.concat_tables([links.to_arrow() for links in many])
    table = table.replace_schema_metadata({"touchline": origin.to_json()})
    pyarrow.parquet.write_table(table, out)
