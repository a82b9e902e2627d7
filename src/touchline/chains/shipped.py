"""The models that come with touchline, and which matches they are for.

Each was learned from one kind of commentary (docs/model.md): live text, speech, templated text.
They hold counts, stems and labels of the feed: no names, no phrases.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import touchline.shipped
from touchline.chains.language import Language, content_words, stem
from touchline.chains.packing import unpack_learned
from touchline.chains.readers import Learned
from touchline.match import Match
from touchline.model_file import read_model
from touchline.pairs.features import name_words

FOLDER = Path(touchline.shipped.__file__).parent
KINDS = ("live-text", "speech", "templated")
PATHS = tuple(FOLDER / f"{kind}.npz" for kind in KINDS)
# A match of whose events or words less is known is better learned from by itself: another language,
# a feed with other types.
LEAST_KNOWN = 0.7
# A word that was never seen counts as seen half a time.
UNSEEN = 0.5


def shipped_for(match: Match) -> Learned | None:
    """The model to whose commentaries a match's own is most like, if it fits."""
    models = [model for kind in KINDS if (model := shipped_model(kind))]
    best = max(models, key=lambda model: _likeness(model, match), default=None)
    return best if best and fits(best.language, match) else None


@cache
def shipped_model(kind: str = KINDS[0]) -> Learned | None:
    """What a shipped model has learned; None while it is being made."""
    path = FOLDER / f"{kind}.npz"
    return unpack_learned(read_model(path).arrays) if path.exists() else None


def fits(language: Language, match: Match) -> bool:
    """Whether a model knows enough of a match's events and words."""
    types = set(language.types)
    told = _share([event.type in types for event in match.tellable])
    return min(told, _words_known(language, match)) >= LEAST_KNOWN


def _words_known(language: Language, match: Match) -> float:
    """The share of a commentary's words that a model knows; it never knows names."""
    vocabulary = set(language.vocabulary)
    names = {form for name in name_words([match]) for form in (name, stem(name))}
    said = (word for comment in match.comments for word in content_words(comment.text))
    return _share([word in vocabulary for word in said if word not in names])


def _likeness(model: Learned, match: Match) -> float:
    """How probable the words of a commentary are where the model comes from, in the logarithm."""
    often = dict(zip(model.language.vocabulary, model.counts.frequency.tolist(), strict=True))
    every = sum(often.values()) + UNSEEN * (len(often) + 1)
    said = (word for comment in match.comments for word in content_words(comment.text))
    return sum(math.log((often.get(word, 0.0) + UNSEEN) / every) for word in said)


def _share(known: list[bool]) -> float:
    return sum(known) / len(known) if known else 1.0
