"""Data frames and their cells, as the text of a table that readers of files take.

Libraries are recognised by what their objects can do; pandas and polars are never imported.
"""

from __future__ import annotations

import csv
import datetime
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from touchline.core.errors import InputError, MissingExtraError


def frame_rows(frame: Any) -> list[dict[str, Any]] | None:
    """The rows of a data frame of pandas, polars, Arrow or anything that Arrow reads; or None."""
    if hasattr(frame, "collect") and hasattr(frame, "lazy"):  # a lazy frame of polars
        frame = frame.collect()
    if hasattr(frame, "to_pylist") and hasattr(frame, "schema"):
        rows = frame.to_pylist()
    elif hasattr(frame, "to_dicts"):
        rows = frame.to_dicts()
    elif hasattr(frame, "to_dict") and hasattr(frame, "columns") and hasattr(frame, "index"):
        named = frame.index.name is not None
        rows = (frame.reset_index() if named else frame).to_dict(orient="records")
    elif hasattr(frame, "__arrow_c_stream__"):
        rows = _arrow().table(frame).to_pylist()
    else:
        return None
    return [{str(name): plain(value) for name, value in row.items()} for row in rows]


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError("Reading this data frame", "touchline[parquet]") from None
    return pyarrow


def table_bytes(name: str, rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The rows as a file of JSON, which keeps their types."""
    if not rows:
        raise InputError(name, "has no rows")
    return json_bytes(name, rows)


def csv_bytes(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> bytes:
    """Rows as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().encode("utf-8", "surrogatepass")


def _cell(value: Any) -> Any:
    return "" if value is None else value


def json_bytes(name: str, value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(name, f"cannot be read as a table ({error})") from None


def plain(value: Any) -> Any:
    """A cell of a data frame as JSON has it; what is missing is None, 3.0 is 3."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, datetime.timedelta):
        return plain(value.total_seconds())
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.time):
        return written_clock(value)
    return _number(value)


def _number(value: Any) -> Any:
    """Numbers, also those of numpy, and lists of them."""
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float | Decimal):
        value = float(value)
        if not math.isfinite(value):
            return None
        return int(value) if value == int(value) and abs(value) < 2**53 else value
    return value if isinstance(value, int) else str(value)


def written_clock(value: datetime.time) -> str:
    """A time of day that is a clock: a spreadsheet takes 12:34 for hours and minutes."""
    return clock_of_seconds(3600 * value.hour + 60 * value.minute + value.second)


def clock_of_seconds(seconds: int, hours: bool = True) -> str:
    """Seconds of the day as the clock that was typed: 12:34, or 1:02:30 where there are seconds.

    `hours` says that the first of two numbers is taken for hours.
    """
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    if hour and (second or not hours):
        return f"{hour}:{minute:02d}:{second:02d}"
    return f"{hour}:{minute:02d}" if hour else f"{minute}:{second:02d}"
