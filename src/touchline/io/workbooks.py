"""Tables that are no text: Excel workbooks and Parquet files, as the text that readers take."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from touchline.core.errors import InputError, MissingExtraError
from touchline.io.frames import clock_of_seconds, csv_bytes, frame_rows, plain, table_bytes
from touchline.io.sizes import MAX_FILE, check_values

ZIP, PARQUET, OLD_EXCEL = b"PK\x03\x04", b"PAR1", b"\xd0\xcf\x11\xe0"
MAX_ROWS = 200_000
MAX_BATCH = 64 << 20  # bytes of the rows of a Parquet file that are looked at together
SAVE_AS = "save it as .xlsx or CSV"


def as_text(path: str | Path, data: bytes, max_bytes: int) -> bytes:
    """The text of a table that is no text file; other data as it is."""
    max_bytes = min(max_bytes, MAX_FILE)
    if data.startswith(OLD_EXCEL):
        raise InputError(path, f"an old Excel file (.xls); {SAVE_AS}")
    if data.startswith(ZIP):
        return _from_excel(path, data, max_bytes)
    if data.startswith(PARQUET) and data.endswith(PARQUET):
        return _from_parquet(path, data, max_bytes)
    return data


def _from_parquet(path: str | Path, data: bytes, max_bytes: int) -> bytes:
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError(f"Reading the Parquet file {path}", "touchline[parquet]") from None
    try:
        file = pyarrow.parquet.ParquetFile(io.BytesIO(data))
        groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
        size = sum(group.total_byte_size for group in groups)
        _check_size(path, size, max_bytes)
        _check_rows(path, file.metadata.num_rows)
        check_values(path, file.metadata.num_rows * file.metadata.num_columns)
        batches = _batches(path, file, max(1, MAX_BATCH // max(1, size)), max_bytes)
        rows = [row for batch in batches for row in frame_rows(batch) or []]
    except InputError:
        raise
    except Exception as error:  # whatever a damaged file makes the library say
        raise InputError(path, f"not a readable Parquet file ({error})") from None
    return table_bytes(str(path), rows)


def _batches(path: str | Path, file: Any, rows: int, max_bytes: int) -> Iterator[Any]:
    """So many rows at a time: a long text that the file has once may stand in every row.

    Values in lists are counted here. The file says how many it has, but pyarrow ends the process if
    it is asked for that and the file is damaged.
    """
    size = values = 0
    for batch in file.iter_batches(batch_size=rows):
        size += batch.nbytes
        _check_size(path, size, max_bytes)
        values += sum(map(_values, batch.columns))
        check_values(path, values)
        yield batch


def _values(column: Any) -> int:
    """How many values a column of Arrow has, with those in its lists and records."""
    import pyarrow.types as types

    kind = column.type
    if types.is_struct(kind):
        return sum(map(_values, column.flatten()))
    if types.is_map(kind):  # parts of a column share the keys and items of all of it
        first = column.offsets[0].as_py()
        entries = int(column.offsets[-1].as_py() - first)
        return len(column) + entries + _values(column.items.slice(first, entries))
    if types.is_nested(kind):
        return len(column) + _values(column.flatten())
    return len(column)


def _from_excel(path: str | Path, data: bytes, max_bytes: int) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            size = sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise InputError(path, f"a broken zip or Excel file ({error})") from None
    if "xl/workbook.xml" not in names:
        what = "an OpenDocument table" if "content.xml" in names else "a zip archive"
        raise InputError(path, f"{what}; {SAVE_AS if 'content.xml' in names else 'unpack it'}")
    _check_size(path, size, max_bytes)
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError(f"Reading the workbook {path}", "touchline[excel]") from None
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        rows = next((rows for sheet in book.worksheets if (rows := list(_rows(path, sheet)))), [])
    except InputError:
        raise
    except Exception as error:  # whatever a damaged file makes the library say
        raise InputError(path, f"not a readable Excel file ({error})") from None
    if not rows:
        raise InputError(path, "the workbook has no cells")
    blank, header = next((n, row) for n, row in enumerate(rows) if any(row))
    names = [str(name) for name in header]
    return b"\n" * blank + csv_bytes(names, rows[blank + 1 :])


def _rows(path: str | Path, sheet: Any) -> Iterator[list[Any]]:
    """The rows of a sheet; none where all of its cells are empty."""
    if sheet.sheet_state != "visible":
        return
    sheet.reset_dimensions()  # what some programs write there is wrong
    empty: list[list[Any]] = []
    for number, cells in enumerate(sheet.iter_rows(), 1):
        _check_rows(path, number)
        row = ["" if (value := _value(cell)) is None else value for cell in cells]
        while row and row[-1] == "":
            row.pop()
        empty.append(row)
        if row:
            yield from empty
            empty.clear()


def _value(cell: Any) -> Any:
    """A cell as it would stand in CSV; Excel takes a clock of 12:34 for a time of day."""
    value = cell.value
    if isinstance(value, datetime.time):
        seconds = 3600 * value.hour + 60 * value.minute + value.second
        return clock_of_seconds(seconds, hours="s" not in str(cell.number_format).lower())
    if isinstance(value, datetime.timedelta):
        # 45:30 is more than a day, and Excel writes [h]:mm:ss without being asked.
        return clock_of_seconds(round(value.total_seconds()), hours=value.days > 0)
    if isinstance(value, datetime.datetime) and value.year <= 1900:
        day = value - datetime.datetime(1899, 12, 30)
        return clock_of_seconds(round(day.total_seconds()))
    return str(value).lower() if isinstance(value, bool) else plain(value)


def _check_size(path: str | Path, size: int, max_bytes: int) -> None:
    if size > max_bytes:
        problem = f"larger than {max_bytes >> 20} MB uncompressed; match files are a few MB"
        raise InputError(path, problem)


def _check_rows(path: str | Path, number: int) -> None:
    if number > MAX_ROWS:
        raise InputError(path, f"more than {MAX_ROWS:,} rows; a match has a few thousand")
