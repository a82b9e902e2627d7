"""python -m mutants [NAME ...] [--workers 2] [--list]

NAME selects mutants whose name contains it (`web/`, `macro`). Exit code 1 if a mutant survives or
does not apply any more, or if its tests fail without it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mutants.listed import MUTANTS
from mutants.running import Mutant, Result, Tree, run_all, unsound

PROJECT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="show the mutants, run nothing")
    given = parser.parse_args()
    chosen = [m for m in MUTANTS if not given.names or any(n in m.name for n in given.names)]
    if not chosen:
        print(f"no mutant is called so; there are {len(MUTANTS)} (--list)")
        return 2
    if given.list:
        for mutant in chosen:
            print(f"{mutant.name:64}{mutant.file}")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees = [Tree(PROJECT, Path(folder) / str(i)) for i in range(given.workers)]
        for tree in trees:
            tree.check("touchline")
        return run(trees, chosen)


def run(trees: Sequence[Tree], chosen: Sequence[Mutant]) -> int:
    """Try the mutants whose tests pass without them."""
    start = time.monotonic()
    failing = trees[0].failures(dict.fromkeys(test for mutant in chosen for test in mutant.tests))
    results = [result for mutant in chosen if (result := unsound(mutant, failing))]
    left_out = {result.mutant for result in results}
    for result in run_all(trees, [mutant for mutant in chosen if mutant not in left_out]):
        results.append(result)
        said = f"{result.verdict:16}{result.mutant.name:64}{result.seconds:6.1f} s"
        print(said, result.detail, flush=True)
    return report(results, time.monotonic() - start)


def report(results: Sequence[Result], seconds: float) -> int:
    """A line a group, then all that is not as it should be."""
    groups = dict.fromkeys(result.mutant.name.partition("/")[0] for result in results)
    print(f"\n{'group':16}{'mutants':>9}{'killed':>9}")
    for group in [*groups, ""]:
        own = [r for r in results if not group or r.mutant.name.partition("/")[0] == group]
        verdicts = Counter(result.verdict for result in own)
        print(f"{group or 'in all':16}{len(own):9}{verdicts['killed']:9}")
    print(f"{seconds:.0f} s")
    wrong = sorted((r for r in results if r.verdict != "killed"), key=lambda r: r.mutant.name)
    for result in wrong:
        print(
            f"{result.verdict.upper()}: {result.mutant.name} ({result.mutant.file})", result.detail
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
