"""Whether a model has seen a text, by digests of its runs of words.

A digest of a whole text changes with every comma. Runs of words survive when a text is cut, merged,
split or lightly edited: a copy still shares most of its runs with the original, and another text
next to none. Only runs with a player's name count, since templated texts share all others. Of each
text a model keeps the smallest digests: a random sample of its runs, which selects the same runs
from any part of the text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import accumulate

from touchline.core.records import Match
from touchline.text.tokens import fold, tokenise

RUN = 8
# How many digests of a text are kept, and of how many bytes each.
KEPT, BYTES = 256, 5
# A text is seen if it shares more than this part of its runs with a text that was learned from.
SEEN = 0.1
_SALT = b"touchline"

Sketch = Sequence[int]


def sketch_of(match: Match) -> list[int]:
    """The smallest digests of a commentary's runs, in order; all of them if it is short."""
    return sorted(_digests(match))[:KEPT]


def is_seen(match: Match, seen: Iterable[Sketch]) -> bool:
    """Whether a commentary is one of the texts, or a part or an edited copy of one."""
    return share_seen(match, seen) > SEEN


def share_seen(match: Match, seen: Iterable[Sketch]) -> float:
    """The part of a commentary's runs that it shares with one of the texts, the most of any."""
    own = _digests(match)
    return max((_share(own, set(sketch)) for sketch in seen), default=0.0)


def _share(own: set[int], sketch: set[int]) -> float:
    """The share of those runs that the sketch would hold if the text were the same."""
    last = max(sketch) if len(sketch) >= KEPT else 2 ** (8 * BYTES)
    sample = {run for run in own if run <= last}
    return len(sample & sketch) / len(sample) if sample else 0.0


def _digests(match: Match) -> set[int]:
    names = {word for player in match.players for name in player.names for word in _folded(name)}
    words = [word for comment in match.comments for word in _words(comment.text, names)]
    named = [0, *accumulate(word in names for word in words)]
    starts = range(len(words) - RUN + 1)
    # A match whose log names no players has no such run; then all of them count.
    chosen = [i for i in starts if named[i + RUN] > named[i]] or starts
    return {_digest(words[i : i + RUN]) for i in chosen}


def _words(text: str, names: set[str]) -> list[str]:
    """The words of a text without numbers: copies of a page differ in clocks and scores."""
    keys = (token.key for token in tokenise(text))
    return [key for key in keys if key in names or not any(c.isdigit() for c in key)]


def _folded(name: str) -> list[str]:
    return [fold(word) for word in name.replace("-", " ").split()]


def _digest(run: Iterable[str]) -> int:
    digest = hashlib.blake2b(" ".join(run).encode(), digest_size=BYTES, key=_SALT).digest()
    return int.from_bytes(digest, "big")
