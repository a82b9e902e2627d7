"""Which model answers a match that is scored: one that has not seen it, where there is one.

A method that comes with a model answers with it, as it does for its users. Only where that was
learned from the very match does a model stand in that was learned from the other matches of the
corpus; those are kept, for the next time. A method without a model that fits learns from the whole
corpus, without its labels, and the report says so.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.records import Match
from touchline.io.cache import cache_folder
from touchline.methods.base import Alignment
from touchline.methods.registry import Aligner, load_aligner
from touchline.pipeline.runs.keys import code, key_of

HELD_OUT = "held out: fitted on the other matches, without labels"
BUNDLED = "bundled"
NO_MODEL = "without a model"
FITTED = "fitted on this corpus, without labels"


class Answering:
    """An aligner that has learned nothing yet, and the matches of the corpus that it is for."""

    def __init__(self, aligner: Aligner, matches: Sequence[Match]) -> None:
        self._aligner, self._matches = aligner, list(matches)
        self._unfitted, self._is_fitted = copy.copy(aligner), False

    def infer(self, match: Match) -> tuple[Alignment, str]:
        """The answer for a match, and how the model came about that gave it."""
        aligner, how = self._aligner_for(match)
        alignment = aligner.infer(match)
        if not alignment.model.name and how != HELD_OUT:
            return alignment, NO_MODEL
        return alignment, alignment.model.name if how == BUNDLED else how

    def _aligner_for(self, match: Match) -> tuple[Aligner, str]:
        known = self._aligner.bundled_for(match)
        if known == "unseen":
            return self._unfitted, BUNDLED
        if known == "seen" and len(self._matches) > 1:
            return self._left_out(match), HELD_OUT
        if not self._is_fitted:
            self._aligner.fit(self._matches)
            self._is_fitted = True
        return self._aligner, FITTED

    def _left_out(self, match: Match) -> Aligner:
        others = [other for other in self._matches if other is not match]
        kept = _folder() / f"{_key(self._aligner, others)}.npz"
        if kept.exists():
            try:
                return load_aligner(kept)
            except TouchlineError:
                pass  # damaged, or of another touchline: learned anew
        aligner = copy.copy(self._unfitted)
        aligner.fit(others)
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            aligner.save(kept)
        except (OSError, TouchlineError):
            pass  # it is only quicker with it
        return aligner


def _folder() -> Path:
    return cache_folder() / "held-out"


def _key(aligner: Aligner, matches: Sequence[Match]) -> str:
    """A name of all that a model depends on."""
    return key_of(code(), aligner.name, aligner.options, [_used(match) for match in matches])


def _used(match: Match) -> Match:
    """A match without what no aligner looks at: the provider's own records."""
    events = (msgspec.structs.replace(event, raw={}) for event in match.events)
    return msgspec.structs.replace(match, events=tuple(events))
