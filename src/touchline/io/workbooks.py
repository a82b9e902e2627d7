"""Tables that are no text: Excel workbooks and Parquet files, as the text that readers take."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from touchline.core.errors import InputError, MissingExtraError
from touchline.io import parquet
from touchline.io.frames import clock_of_seconds, csv_bytes, plain
from touchline.io.sizes import MAX_FILE, check_rows, check_unpacked

ZIP, PARQUET, OLD_EXCEL = b"PK\x03\x04", b"PAR1", b"\xd0\xcf\x11\xe0"
SAVE_AS = "save it as .xlsx or CSV"


def as_text(path: str | Path, data: bytes, max_bytes: int) -> bytes:
    """The text of a table that is no text file; other data as it is."""
    max_bytes = min(max_bytes, MAX_FILE)
    if data.startswith(OLD_EXCEL):
        raise InputError(path, f"an old Excel file (.xls); {SAVE_AS}")
    if data.startswith(ZIP):
        return _from_excel(path, data, max_bytes)
    if data.startswith(PARQUET) and data.endswith(PARQUET):
        return parquet.as_json(path, data, max_bytes)
    return data


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
    check_unpacked(path, size, max_bytes)
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
        check_rows(path, number)
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
