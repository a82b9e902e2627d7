"""python -m mutants [NAME ...] [--workers 2] [--list]

NAME selects mutants whose name contains it (`web/`, `macro`). Exit code 1 if a mutant survives or
does not apply any more, 2 if the tests fail without a mutant.
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
from mutants.running import Mutant, Result, Tree, run_all

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
            print(f"{mutant.name:44}{mutant.file}")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees = [Tree(PROJECT, Path(folder) / str(i)) for i in range(given.workers)]
        for tree in trees:
            tree.check("touchline")
        return run(trees, chosen)


def run(trees: Sequence[Tree], chosen: Sequence[Mutant]) -> int:
    """Try the mutants, once it is sure that their tests pass without them."""
    start = time.monotonic()
    sound = trees[0].test(dict.fromkeys(test for mutant in chosen for test in mutant.tests))
    if sound.returncode != 0:
        print(sound.stdout[-3000:], sound.stderr[-1000:])
        print("the tests do not pass without a mutant")
        return 2
    results = []
    for result in run_all(trees, chosen):
        results.append(result)
        said = f"{result.verdict:16}{result.mutant.name:44}{result.seconds:6.1f} s"
        print(said, result.detail if result.verdict != "survived" else "", flush=True)
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
        print(f"{result.verdict.upper()}: {result.mutant.name} ({result.mutant.file})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
