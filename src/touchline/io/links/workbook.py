"""Links as an Excel workbook: the rows of the CSV file, with types and without formulas."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import IO, Any

from touchline.core.errors import MissingExtraError
from touchline.core.links import ROW_FIELDS, Links

# What XML cannot have; Excel calls a file with it damaged.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_WIDTHS = {"text": 80, "event": 12, "match": 24, "player": 22, "recipient": 22, "team": 22}
_TIME = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write(many: Sequence[Links], out: IO[bytes]) -> None:
    """One sheet of rows with a header; a text stays a text, whatever it starts with."""
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("Writing an Excel workbook", "touchline[excel]") from None
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("links")
    sheet.freeze_panes = "A2"
    for number, name in enumerate(ROW_FIELDS):
        letter = openpyxl.utils.get_column_letter(number + 1)
        sheet.column_dimensions[letter].width = _WIDTHS.get(name, 11)
    sheet.append(list(ROW_FIELDS))
    for links in many:
        for row in links.rows():
            sheet.append(list(_cells(sheet, row)))
    packed = io.BytesIO()
    book.save(packed)
    out.write(_undated(packed.getvalue()))


def _cells(sheet: Any, row: dict[str, Any]) -> Iterator[Any]:
    from openpyxl.cell import WriteOnlyCell

    for value in row.values():
        if isinstance(value, str):
            cell = WriteOnlyCell(sheet, _CONTROL.sub("", value))
            cell.data_type = "s"  # and not a formula
            yield cell
        else:
            yield value


def _undated(packed: bytes) -> bytes:
    """The same workbook without the time at which it was made: same links, same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as book, zipfile.ZipFile(out, "w") as copy:
        for name in book.namelist():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            content = book.read(name)
            if name == "docProps/core.xml":
                content = _TIME.sub(rb"\g<1>2000-01-01T00:00:00Z", content)
            copy.writestr(entry, content)
    return out.getvalue()
