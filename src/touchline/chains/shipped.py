"""The model that comes with touchline, and which matches it is for.

It was learned from live text on six matches (docs/model.md). It holds counts, stems and labels of
the feed: no names, no phrases.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np

import touchline.shipped
from touchline.chains.counting import Counts
from touchline.chains.language import Language, content_words
from touchline.match import Match
from touchline.model_file import read_model

PATH = Path(touchline.shipped.__file__).with_name("live-text.npz")
# A match of whose events or words less is known is better learned from by itself: speech, a feed
# with other types.
LEAST_KNOWN = 0.5


@lru_cache(maxsize=1)
def shipped_model() -> tuple[Language, Counts] | None:
    """What the shipped model has learned; None while it is being made."""
    if not PATH.exists():
        return None
    return learned(read_model(PATH).arrays)


def learned(arrays: Mapping[str, np.ndarray]) -> tuple[Language, Counts]:
    """What a model file holds, or `Chains.parameters()` gives."""
    language = msgspec.json.decode(arrays["language"].tobytes(), type=Language)
    return language, Counts(*(arrays[name] for name in Counts._fields))


def fits(language: Language, match: Match) -> bool:
    """Whether a model knows enough of a match's events and words."""
    types, vocabulary = set(language.types), set(language.vocabulary)
    told = [event.type in types for event in match.tellable]
    said = [word in vocabulary for c in match.comments for word in content_words(c.text)]
    return all(sum(known) >= LEAST_KNOWN * max(len(known), 1) for known in (told, said))
