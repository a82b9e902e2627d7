"""Verify generated commentary against the provider's file: python -m benchmarks.verify.

    python -m benchmarks.verify LOG GENERATED.jsonl [--lineups FILE]...
    python -m benchmarks.verify --all [--style] [--seed N] [--keep FOLDER]
    python -m benchmarks.verify --draw 200 [--style] [--seed N] [--keep FOLDER]

A name is wrong if nobody of that name had a part in the play that the line is about; a score, an
outcome or a detail if the file says otherwise. What the file does not say is not counted. `--all`
runs `touchline generate` on every log of TOUCHLINE_DATA and verifies the lines; with `--style`, in
styles learned from other matches. `--draw` prints random lines with the records of the file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import real_data
from benchmarks.verify.matches import drawn, generate_all, generate_styled, table, verify


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verify")
    parser.add_argument("log", type=Path, nargs="?")
    parser.add_argument("generated", type=Path, nargs="?")
    parser.add_argument("--lineups", type=Path, action="append", default=[])
    parser.add_argument("--all", action="store_true", help="every log of TOUCHLINE_DATA")
    parser.add_argument("--style", action="store_true", help="in styles of other matches")
    parser.add_argument("--draw", type=int, metavar="N", help="print N lines with their records")
    parser.add_argument("--seed", type=int, default=0, help="of the wording and of the draw")
    parser.add_argument("--lines", action="store_true", help="print each line that is wrong")
    parser.add_argument("--keep", type=Path, help="keep the generated lines in this folder")
    given = parser.parse_args(arguments)
    if given.all or given.draw:
        with tempfile.TemporaryDirectory() as folder:
            _every(given, given.keep or Path(folder))
    elif given.log is None or given.generated is None:
        parser.error("give LOG and GENERATED, --all, or --draw N")
    else:
        print(verify(given.log, given.generated, given.lineups, print if given.lines else None))


def _every(given: argparse.Namespace, folder: Path) -> None:
    make, how = (generate_styled, "in styles of other matches") if given.style else (
        generate_all, "in our own phrases")  # fmt: skip
    made = make(real_data(), folder, given.seed)
    if given.draw:
        print("\n".join(drawn(made, given.draw, given.seed)))
    else:
        title = f"Generated lines against the provider's file, {how}"
        print(table(made, title, given.lines).text())


if __name__ == "__main__":
    main(sys.argv[1:])
