"""python -m fuzzing [--inputs 100000] [--seed 0] [--workers 2] [--only NUMBER]

Exit code 1 if anything was found. `--only NUMBER` makes one input again, keeps its files and shows
the whole error.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from fuzzing.cases import all_cases, damaged, put
from fuzzing.running import Find, Outcome, added, chosen, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzzing", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    if given.only is not None:
        return again(given.only, given.seed)
    start = time.monotonic()
    outcome = Outcome(Counter(), [], 0.0, 0)
    try:
        for new in run(range(given.inputs), given.seed, given.workers):
            outcome = added(outcome, new)
            if sys.stderr.isatty():
                share = outcome.inputs / given.inputs
                print(f"\r{share:4.0%}, {len(outcome.finds)} finds", end="", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"stopped after {outcome.inputs:,} of {given.inputs:,} inputs")
    report(outcome, time.monotonic() - start)
    return 1 if outcome.finds else 0


def report(outcome: Outcome, seconds: float) -> None:
    """A line a group of readers, then what was found."""
    print(f"{'reader':16}{'inputs':>9}{'read':>9}{'refused':>9}{'finds':>7}")
    groups = [*dict.fromkeys(case.name.partition("/")[0] for case in all_cases())]
    for group in [*groups, ""]:
        said = Counter[str]()
        for (case, what), count in outcome.counts.items():
            said[what] += count if case.startswith(group) else 0
        found = sum(find.case.startswith(group) for find in outcome.finds)
        total = said.total() + found
        print(f"{group or 'in all':16}{total:9,}{said['read']:9,}{said['refused']:9,}{found:7,}")
    print(f"{seconds:.0f} s; the longest input took {outcome.longest:.2f} s of a core; "
          f"a worker held at most {outcome.peak >> 20} MB")  # fmt: skip
    for (what, where), finds in _alike(outcome.finds).items():
        some = ", ".join(f"{find.number} ({find.case})" for find in finds[:4])
        print(f"FOUND {len(finds)}x {what} at {where}: inputs {some}")


def _alike(finds: list[Find]) -> dict[tuple[str, str], list[Find]]:
    kinds: dict[tuple[str, str], list[Find]] = {}
    for find in sorted(finds):
        kinds.setdefault((find.what.partition(":")[0], find.where), []).append(find)
    return kinds


def again(number: int, seed: int) -> int:
    """One input once more, its files kept."""
    case, chance = chosen(all_cases(), seed, number)
    folder = Path(tempfile.mkdtemp(prefix=f"input-{number}-"))
    put(damaged(chance, case), folder)
    print(f"input {number} of seed {seed}: {case.name}, files in {folder}")
    print("read:", str(case.read(chance, folder))[:500])
    return 0


if __name__ == "__main__":
    sys.exit(main())
