"""Whether two logs are of the same match: its labels may come back under another text.

Of a log the smallest digests are kept, of what happened when and by whom. They are the same for a
log that was cut short or read from another copy.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from touchline.core.records import Match

# How many digests of a log are kept, and of how many bytes each.
KEPT, BYTES = 64, 5
# A log is the same if it shares more than this part of its records.
SAME = 0.5
_SALT = b"touchline log"

Sketch = Sequence[int]


def log_sketch(match: Match) -> list[int]:
    """The smallest digests of a log's linkable events, in order."""
    return sorted(_digests(match))[:KEPT]


def is_same_log(match: Match, sketches: Iterable[Sketch]) -> bool:
    """Whether one of the sketches is of the match's log."""
    own = _digests(match)
    return any(_share(own, sketch) > SAME for sketch in sketches)


def _share(own: set[int], sketch: Sketch) -> float:
    """The share of the digests in common, among those that are small enough for the sketch."""
    last = max(sketch, default=0) if len(sketch) >= KEPT else 2 ** (8 * BYTES)
    sample = {digest for digest in own if digest <= last}
    return len(sample & set(sketch)) / len(sample) if sample else 0.0


def _digests(match: Match) -> set[int]:
    return {
        _digest(f"{e.type} {e.period} {e.time:.1f} {e.player.name if e.player else ''}")
        for e in match.linkable
    }


def _digest(record: str) -> int:
    digest = hashlib.blake2b(record.encode(), digest_size=BYTES, key=_SALT).digest()
    return int.from_bytes(digest, "big")
