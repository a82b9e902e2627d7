"""How large a file of one match may be.

What stands in a file takes many times its bytes in memory: `{}` is two bytes in JSON and 64 in
Python. So the bytes are limited, and the values among them. Both limits are far above real files,
and are checked before anything is decoded (docs/reliability.md has the figures).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

# The largest real log that was seen has 4 MB, and 156,000 values in as many lines.
MAX_FILE = 16 << 20
MAX_VALUES = 1_000_000
MAX_ROWS = 200_000
# Before a value in JSON or CSV, before a name or a value in XML, and after a line.
_MARKS = ",[{<=\n"
_BLOCK = 1 << 16


def check_size(path: str | Path, data: bytes) -> None:
    """Refuse what is too large for a file of one match."""
    if len(data) > MAX_FILE:
        raise InputError(path, too_large())
    # Fewer bytes have fewer values.
    if len(data) > MAX_VALUES and _at_most(data) > MAX_VALUES:
        check_values(path, _marks(data))


def _at_most(data: bytes) -> int:
    """No fewer than there are marks, and soon counted: the last four bits of each exceed nine.

    So do those of a quarter of a log's other characters.
    """
    return _count(data, [lambda block: (block & 15) > 9])


def _marks(data: bytes) -> int:
    """How many marks there are: bytes.count takes ten times as long where they are so frequent."""
    return _count(data, [partial(eq, mark) for mark in _MARKS.encode()])


def _count(data: bytes, looks: Sequence[Callable[[Bytes], NDArray[np.bool_]]]) -> int:
    """How many bytes each look finds, in blocks that stay in the processor's cache for all."""
    import numpy as np  # the command line sets the threads of BLAS before numpy is loaded

    values = np.frombuffer(data, dtype=np.uint8)
    blocks = [values[start : start + _BLOCK] for start in range(0, len(values), _BLOCK)]
    return sum(int(np.count_nonzero(look(block))) for block in blocks for look in looks)


def check_text(path: str | Path, text: str) -> None:
    """The same for text; its bytes have been counted."""
    if len(text) > MAX_VALUES:
        check_values(path, sum(map(text.count, _MARKS)))


def check_values(path: str | Path, values: int) -> None:
    if values > MAX_VALUES:
        limit = f"the limit for a file of one match is {MAX_VALUES:,}"
        problem = f"about {values:,} values and lines; {limit}"
        raise InputError(path, f"{problem}; {_ADVICE}")


def check_rows(path: str | Path, rows: int) -> None:
    if rows > MAX_ROWS:
        raise InputError(path, f"more than {MAX_ROWS:,} rows; a match has a few thousand")


def check_unpacked(path: str | Path, size: int, max_bytes: int) -> None:
    """Refuse what unpacks to more than `max_bytes`."""
    if size > max_bytes:
        problem = f"larger than {max_bytes >> 20} MB uncompressed; match files are a few MB"
        raise InputError(path, problem)


def too_large() -> str:
    """What is wrong with a larger file."""
    limit = f"larger than {MAX_FILE >> 20} MB uncompressed"
    return f"{limit}, the limit for a file of one match; {_ADVICE}"


_ADVICE = "give that of one match, without tracking data"
