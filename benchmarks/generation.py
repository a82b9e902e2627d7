"""How good generated commentary is: python -m benchmarks.generation.

The tables of `touchline reproduce generation`, and the lines of every log verified against the
provider's file (`python -m benchmarks.verify --all`). Needs TOUCHLINE_DATA.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Table, by_turns, real_data, show
from benchmarks.verify.matches import generate_all, table
from touchline import generate, read_corpus
from touchline.reproduce import generation

TURNS = 3


def tables() -> Iterator[Table]:
    data = real_data()
    for sheet in generation.sheets(generation.run(data)):
        yield Table(sheet.title, sheet.columns, sheet.rows)
    with tempfile.TemporaryDirectory() as folder:
        made = generate_all(data, Path(folder), 0)
        yield table(made, "Lines verified against the providers' files")
    yield speed(data)


def speed(data: Path) -> Table:
    """Processor time of a match after loading."""
    matches = [one.match for one in read_corpus(data / "epl-2015")]
    times = by_turns(TURNS, *(lambda match=match: generate(match) for match in matches))
    rows = [[match.name, f"{took:.2f}"] for match, took in zip(matches, times, strict=True)]
    rows.append(["median", f"{statistics.median(times):.2f}"])
    return Table("Processor seconds after loading", ["match", "seconds"], rows)


def main() -> None:
    show(tables())


if __name__ == "__main__":
    main()
