"""The model that comes with touchline, and which matches it is for.

It was learned from live text on six matches (docs/model.md). It holds counts, stems and labels of
the feed: no names, no phrases.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import touchline.shipped
from touchline.chains.language import Language, content_words
from touchline.chains.packing import unpack_learned
from touchline.chains.readers import Learned
from touchline.match import Match
from touchline.model_file import read_model

PATH = Path(touchline.shipped.__file__).with_name("live-text.npz")
# A match of whose events or words less is known is better learned from by itself: speech, a feed
# with other types.
LEAST_KNOWN = 0.5


@lru_cache(maxsize=1)
def shipped_model() -> Learned | None:
    """What the shipped model has learned; None while it is being made."""
    return unpack_learned(read_model(PATH).arrays) if PATH.exists() else None


def fits(language: Language, match: Match) -> bool:
    """Whether a model knows enough of a match's events and words."""
    types, vocabulary = set(language.types), set(language.vocabulary)
    told = [event.type in types for event in match.tellable]
    said = [word in vocabulary for c in match.comments for word in content_words(c.text)]
    return all(sum(known) >= LEAST_KNOWN * max(len(known), 1) for known in (told, said))
