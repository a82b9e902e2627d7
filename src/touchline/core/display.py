"""Names and titles as they are shown to people."""

from __future__ import annotations

import unicodedata

# Characters that are not seen but change what is: control characters, and marks that override the
# direction of writing, which can make a title read backwards.
_UNSEEN = frozenset({"Cc", "Cs"})
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def plain_line(text: str) -> str:
    """A name or title on one line, without control characters and overrides of direction."""
    kept = (" " if c.isspace() else c for c in text if not _is_unseen(c) or c.isspace())
    return " ".join("".join(kept).split())


def _is_unseen(character: str) -> bool:
    return character in _DIRECTIONS or unicodedata.category(character) in _UNSEEN
