"""Near spellings for a search that finds nothing: "did you mean"."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from touchline.web.records import Filters, Meant
from touchline.web.store import index
from touchline.web.store.database import Connection
from touchline.web.store.query import LETTERS, PART, fitting

MIN_SIMILARITY = 0.65  # of a word and its near spelling: one letter of three, two of six
MIN_LENGTH = 3  # of a word that is corrected
MAX_WORDS = 10  # of a text that are looked up
_NEAREST = 3


def suggestion(db: Connection, asked: Filters) -> Meant | None:
    """The text with its unknown words replaced, if that finds something with the same filters."""
    words = _words(asked.q)[:MAX_WORDS]
    unknown = [word for word in words if not db.words.has(f'"{word}"*')]
    if not unknown:
        return None
    terms = db.words.frequencies()
    nearest = {word: near for word in unknown if (near := _nearest(word, terms)) is not None}
    if len(nearest) < len(set(unknown)):
        return None
    text = LETTERS.sub(partial(_replaced, nearest), asked.q)
    total = len(fitting(db, msgspec.structs.replace(asked, q=text)))
    return Meant(q=text, total=total) if total else None


def _words(text: str) -> list[str]:
    """The words that must occur, as the index has them."""
    parts = (part for part in PART.finditer(text) if not part["no"])
    said = " ".join(part["phrase"] or part["word"] or "" for part in parts)
    return [_folded(word) for word in LETTERS.findall(said)]


def _folded(word: str) -> str:
    return index.fold_words(word).replace(" ", "")


def _nearest(word: str, terms: Mapping[str, int]) -> str | None:
    """The most similar term; of several, the most frequent one."""
    if len(word) < MIN_LENGTH:
        return None
    similar = process.extract(
        word, terms.keys(), scorer=OSA.normalized_similarity, limit=_NEAREST,
        score_cutoff=MIN_SIMILARITY,
    )  # fmt: skip
    best = max(similar, key=lambda one: (round(one[1], 2), terms[one[0]]), default=None)
    return None if best is None else str(best[0])


def _replaced(nearest: dict[str, str], word: object) -> str:
    """A word's near spelling, with a capital if the word has one."""
    text = str(word[0])  # type: ignore[index]
    near = nearest.get(_folded(text))
    if near is None:
        return text
    return near.capitalize() if text[:1].isupper() else near
