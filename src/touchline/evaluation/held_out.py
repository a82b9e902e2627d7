"""Which model answers a match that is scored: one that has not seen it, where there is one.

A method that comes with a model answers with it, as it does for its users. Only where that was
learned from the very match, or from labels of its log, does a model stand in that was learned from
the other matches of the corpus, and from their labels if the method learns from labels; those are
kept, for the next time. A method without a model that fits learns from the whole corpus, without
its labels, and the report says so.

Where further corpora are to be learned from, a method that learns from labels learns from theirs
too. If each corpus has matches without labels, those teach it a model of its own, for corpora
differ in kind, and labelled matches teach what labels teach, each read by the model of its corpus;
no labelled match is seen by any model. Otherwise all matches but the scored one teach one model.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.records import Match
from touchline.io.cache import cache_folder
from touchline.io.corpus.layout import LabelledMatch
from touchline.io.storage import AnyPath
from touchline.methods.base import Alignment, Label, Labels, Model, WordLabels
from touchline.methods.logs import is_same_log, log_sketch
from touchline.methods.registry import Aligner, load_aligner
from touchline.methods.streaming import Read, Streaming
from touchline.pipeline.runs.keys import code, key_of

HELD_OUT = "held out"
HELD_OUT_LABELS = "held out: fitted on the other matches and their labels"
BUNDLED = "bundled"
NO_MODEL = "no model"
FITTED = "fitted on this corpus, without labels"
OWN_MODELS = "held out: fitted on the matches of this corpus that have no labels"
# Fewer matches without labels are not enough for a model of a corpus.
MIN_UNLABELLED = 2


class Answering:
    """An aligner that has learned nothing yet, and the matches of the corpus that it is for.

    `labels` are those of the corpus, if the aligner may learn from them, `words` the words of their
    events. `more` names further corpora whose matches are among these; each match is then left out.
    """

    def __init__(
        self,
        aligner: Aligner,
        matches: Sequence[Match],
        labels: Labels | None = None,
        more: Sequence[str] = (),
        words: WordLabels | None = None,
    ) -> None:
        self._aligner, self._matches, self._more = aligner, list(matches), more
        self._labels = labels or {} if aligner.learns_from_labels else {}
        self._words = words or {} if aligner.learns_from_labels else {}
        self._unfitted, self._is_fitted = copy.copy(aligner), False

    def infer(self, match: Match) -> tuple[Alignment, str]:
        """The answer for a match, and how the model came about that gave it."""
        aligner, how = self._aligner_for(match)
        alignment = aligner.infer(match)
        if not alignment.model.name and how != HELD_OUT:
            return alignment, NO_MODEL
        if how == HELD_OUT:
            return alignment, held_out_by(alignment.model, self._more)
        return alignment, alignment.model.name if how == BUNDLED else how

    def _aligner_for(self, match: Match) -> tuple[Aligner, str]:
        if self._more:
            return self.left_out(match), HELD_OUT
        known = self._aligner.bundled_for(match)
        if known == "unseen":
            return self._unfitted, BUNDLED
        if known == "seen" and len(self._matches) > 1:
            return self.left_out(match), HELD_OUT
        if not self._is_fitted:
            self._aligner.fit(self._matches)
            self._is_fitted = True
        return self._aligner, FITTED

    def left_out(self, match: Match) -> Aligner:
        """Learned from the other matches: neither this text nor labels of this log."""
        others = [m for m in self._matches if m is not match and not _is_same_text(m, match)]
        known = [o.name for o in others if not is_same_log(match, [log_sketch(o)])]
        labels = {name: self._labels[name] for name in known if name in self._labels}
        words = {name: self._words[name] for name in known if name in self._words}
        return _kept_or_fitted(self._unfitted, others, labels, words)


def _kept_or_fitted(
    unfitted: Aligner, matches: Sequence[Match], labels: Labels, words: WordLabels
) -> Aligner:
    """Learned from matches and labels, or brought back from where that is kept."""
    kept = _folder() / f"{_key(unfitted, matches, labels, words)}.npz"
    if kept.exists():
        try:
            return load_aligner(kept)
        except TouchlineError:
            pass  # damaged, or of another touchline: learned anew
    aligner = copy.copy(unfitted)
    if isinstance(aligner, Streaming):
        aligner.kept_in = _folder() / f"parts-{code()[:16]}"
    if words and isinstance(aligner, Streaming):
        aligner.fit(matches, labels, words)
    else:
        aligner.fit(matches, labels)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        aligner.save(kept)
    except (OSError, TouchlineError):
        pass  # it is only quicker with it
    return aligner


class OwnModels:
    """A model for each corpus, of its matches without labels, and all labels but a match's own."""

    def __init__(
        self, aligner: Streaming, corpora: Mapping[AnyPath, Sequence[LabelledMatch]]
    ) -> None:
        self._unfitted, self._corpora = aligner, corpora
        self._readers: dict[AnyPath, Streaming] = {}

    @staticmethod
    def can_be(corpora: Mapping[AnyPath, Sequence[LabelledMatch]]) -> bool:
        """Whether each corpus with labels has enough matches without."""
        return all(
            sum(one.gold is None for one in own) >= MIN_UNLABELLED
            for own in corpora.values()
            if any(one.gold for one in own)
        )

    def infer(self, match: Match) -> tuple[Alignment, str]:
        """The answer for a match, and how the model came about that gave it."""
        labelled = [
            (path, one)
            for path, own in self._corpora.items()
            for one in own
            if one.gold and one.keys is None and not is_same_log(match, [log_sketch(one.match)])
        ]
        mine = next(p for p, own in self._corpora.items() if any(m.match is match for m in own))
        aligner = copy.copy(self._reader(mine))
        read = [Read(one.match, self._reader(path)) for path, one in labelled]
        aligner.learn_read(read, {one.match.name: one.gold or {} for _, one in labelled})
        alignment = aligner.infer(match)
        if not alignment.model.labels:
            return alignment, f"{OWN_MODELS}, without labels"
        names = sorted({path.name for path, _ in labelled})
        return alignment, f"{OWN_MODELS}, and on labels of other matches ({', '.join(names)})"

    def _reader(self, corpus: AnyPath) -> Streaming:
        if corpus not in self._readers:
            labelled = [one.match for own in self._corpora.values() for one in own if one.gold]
            matches = [
                one.match
                for one in self._corpora[corpus]
                if one.gold is None and not any(_is_same_text(one.match, m) for m in labelled)
            ]
            found = _kept_or_fitted(self._unfitted, matches, {}, {})
            if not isinstance(found, Streaming):
                raise TypeError(f"{found.name} does not learn from condensed matches")
            self._readers[corpus] = found
        return self._readers[corpus]


def held_out_by(model: Model, more: Sequence[str] = ()) -> str:
    """What a match was answered with that was left out."""
    fitted = "held out: fitted on the other matches"
    both = f"{fitted} and on {', '.join(more)}" if more else fitted
    if not model.labels:
        return f"{both}, without labels"
    return f"{both} and their labels" + (f" ({model.labels_by})" if model.labels_by else "")


def _is_same_text(one: Match, other: Match) -> bool:
    return [c.text for c in one.comments] == [c.text for c in other.comments]


def _folder() -> Path:
    return cache_folder() / "held-out"


def _key(aligner: Aligner, matches: Sequence[Match], labels: Labels, words: WordLabels) -> str:
    """A name of all that a model depends on."""
    used = [_used(match) for match in matches]
    given = [[name, [*own.items()]] for name, own in sorted(words.items())]
    return key_of(code(), aligner.name, aligner.options, used, _plain(labels), given)


def _plain(labels: Labels) -> list[Any]:
    """Labels in an order of their own, whatever that of the sets."""
    return [
        [name, [[comment, _sorted(label)] for comment, label in own.items()]]
        for name, own in sorted(labels.items())
    ]


def _sorted(label: Label) -> list[Any]:
    said = label if isinstance(label, Mapping) else {label: 1.0}
    return sorted([sorted(events), counts] for events, counts in said.items())


def _used(match: Match) -> Match:
    """A match without what no aligner looks at: the provider's own records."""
    events = (msgspec.structs.replace(event, raw={}) for event in match.events)
    return msgspec.structs.replace(match, events=tuple(events))
