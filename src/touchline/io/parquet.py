"""Parquet files, read in a process of their own, as the text that readers take.

pyarrow ends the whole process on some damaged files, and takes 60 MB that it does not give back: a
server must survive an upload, and `align` has memory for a match only. `python -m
touchline.io.parquet` is that process. It takes the file on standard input, and answers with the
rows as JSON or, with exit code 1, with what is wrong.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.errors import InputError, need
from touchline.io.frames import frame_rows, table_bytes
from touchline.io.sizes import check_rows, check_unpacked, check_values

MAX_BATCH = 64 << 20  # bytes of the rows that are looked at together
_REFUSED = 1


class _Refusal(msgspec.Struct):
    problem: str
    where: str | None


def as_json(path: str | Path, data: bytes, max_bytes: int) -> bytes:
    """The rows of a Parquet file as a file of JSON."""
    need("pyarrow", f"Reading the Parquet file {path}", "touchline[parquet]")
    # It must find the same packages, whatever this process has put on its path since it started.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", "-m", __name__, str(max_bytes)]
    done = subprocess.run(command, input=data, capture_output=True, env=environment, check=False)
    if not done.returncode:
        return done.stdout
    raise _refused(path, done)


def _refused(path: str | Path, done: subprocess.CompletedProcess[bytes]) -> InputError:
    if done.returncode == _REFUSED and done.stdout:
        refusal = msgspec.json.decode(done.stdout, type=_Refusal)
        return InputError(path, refusal.problem, refusal.where)
    return InputError(path, "not a readable Parquet file (pyarrow crashed on it)")


def rows_as_json(path: str, data: bytes, max_bytes: int) -> bytes:
    """The same in this process."""
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(io.BytesIO(data))
        groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
        size = sum(group.total_byte_size for group in groups)
        check_unpacked(path, size, max_bytes)
        check_rows(path, file.metadata.num_rows)
        check_values(path, file.metadata.num_rows * file.metadata.num_columns)
        batches = _batches(path, file, max(1, MAX_BATCH // max(1, size)), max_bytes)
        rows = [row for batch in batches for row in frame_rows(batch) or []]
    except InputError:
        raise
    except Exception as error:  # whatever a damaged file makes the library say
        raise InputError(path, f"not a readable Parquet file ({error})") from None
    return table_bytes(path, rows)


def _batches(path: str, file: Any, rows: int, max_bytes: int) -> Iterator[Any]:
    """So many rows at a time: a long text that the file has once may stand in every row.

    Values in lists are counted here. The file says how many it has, but pyarrow ends the process if
    it is asked for that and the file is damaged.
    """
    size = values = 0
    for batch in file.iter_batches(batch_size=rows):
        size += batch.nbytes
        check_unpacked(path, size, max_bytes)
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


def _answer(max_bytes: str) -> int:
    try:  # under no name: that may be a URL with a key in it, and others see a process's words
        answer, code = rows_as_json("", sys.stdin.buffer.read(), int(max_bytes)), 0
    except InputError as error:
        refusal = _Refusal(error.problem, error.where)
        answer, code = msgspec.json.encode(refusal), _REFUSED
    sys.stdout.buffer.write(answer)
    return code


if __name__ == "__main__":
    sys.exit(_answer(*sys.argv[1:]))
