"""Speech without full stops, cut where the speaker pauses."""

from __future__ import annotations

from collections.abc import Sequence

# A run of words with less than this many on either side of a cut says nothing.
MIN_WORDS = 3


def runs(starts: Sequence[float], ends: Sequence[float], max_seconds: float) -> list[range]:
    """Timed words in runs that take no longer than `max_seconds` to say, as far as they can.

    A run that takes longer is cut at the widest pause in its middle half; of equal ones, at that
    nearest to the middle. Staying near the middle keeps runs from losing one word at a time.
    """
    found: list[range] = []
    waiting = [range(len(starts))]
    while waiting:
        run = waiting.pop()
        long = len(run) >= 2 * MIN_WORDS and ends[run[-1]] - starts[run[0]] > max_seconds
        if not long:
            found.append(run)
            continue
        margin = max(len(run) // 4, MIN_WORDS)
        middle = (run.start + run.stop) / 2
        cut = max(
            range(run.start + margin, run.stop - margin + 1),
            key=lambda at: (round(starts[at] - ends[at - 1], 3), -abs(at - middle)),
        )
        waiting += [range(cut, run.stop), range(run.start, cut)]
    return [run for run in found if len(run)]
