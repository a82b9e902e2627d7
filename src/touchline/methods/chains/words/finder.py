"""The words of each event of a comment: parts are shared out, and become characters.

The probability that a part describes an event is summed over all ways to share out the comment's
parts. What is more probable than not belongs to the event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints
from touchline.core.links import Links, Spans
from touchline.core.records import CommentId
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.labelled.decoding import threshold_of
from touchline.methods.chains.model.m_step import Parameters
from touchline.methods.chains.words.agreement import agreeing
from touchline.methods.chains.words.comments import Commentary, Group, group_of
from touchline.methods.chains.words.evidence import Scene, batch_of
from touchline.methods.chains.words.features import features_of
from touchline.methods.chains.words.layer import Example, WordLayer, share_out
from touchline.methods.chains.words.learning import Learned, learn
from touchline.methods.segments.lattice import Batch, Flags, Shares, sum_over
from touchline.methods.segments.spans import spans_of
from touchline.text.names import NameFinder
from touchline.text.parts import Part

DESCRIBES = 0.5
# Comments that are looked at together: all ways to share them out are held at once.
_TOGETHER = 64
# A comment and its events, by number.
Asked = tuple[int, Sequence[int]]
# Comments with the same number of events, what is known of their parts, and who describes what.
SharedOut = tuple[Group, Batch, Shares]


class WordFinder:
    """Finds the words of events in the comments of one match.

    It first learns from their links, unless `learns` is false: then the words of a comment depend
    on no other comment, as while a match goes on. A `layer` is what labels have taught.
    """

    def __init__(
        self,
        links: Links,
        tables: MatchTables,
        parameters: Parameters,
        language: Language,
        names: NameFinder | None,
        learns: bool = True,
        layer: WordLayer | None = None,
    ) -> None:
        self._match, self._language = links.match, language
        self._number = {event.id: i for i, event in enumerate(self._match.linkable)}
        self._scene = Scene.of(self._match, tables, parameters, language)
        self._commentary = Commentary(self._match, language, names)
        self._linked = [self.asked(c, (link.id for link in a.events)) for c, a in enumerate(links)]
        self._learned, self._layer, self._enough = Learned(), None, DESCRIBES
        if learns and (seen := [(g, shares) for g, _, shares in self._shared_out(self._linked)]):
            self._learned = learn(self._scene, self._commentary, seen)
        if layer is not None:
            self._layer = layer
            self._enough = self._best_threshold()

    def asked(self, comment: int, events: Iterable[str]) -> Asked:
        """A comment with its events in match order; those that cannot be linked are left out."""
        return comment, sorted({self._number[e] for e in events if e in self._number})

    def find(self, asked: Sequence[Asked]) -> list[dict[str, Spans]]:
        """The characters of each comment that describe each of its events."""
        return self._spans(asked, self._shared_out(asked))

    def linked(self) -> list[dict[str, Spans]]:
        """The words of the events that each comment is linked to."""
        return self._spans(self._linked, self._links_shared_out)

    def _spans(
        self, asked: Sequence[Asked], shared_out: Iterable[SharedOut]
    ) -> list[dict[str, Spans]]:
        places = {comment: i for i, (comment, _) in enumerate(asked)}
        found: list[dict[str, Spans]] = [{} for _ in asked]
        for group, batch, shares in shared_out:
            of_events = shares.of_events(batch.states)
            for c, comment in enumerate(group.comments.tolist()):
                text = self._match.comments[comment].text
                actor = self._scene.tables.events.actor
                own = _Sharing(group, batch, of_events, c, actor, self._enough)
                found[places[comment]] = {
                    self._match.linkable[event].id: spans_of(text, own.cut, parts)
                    for event, parts in zip(group.events[c].tolist(), own.parts(), strict=True)
                }
        return found

    def examples(
        self,
        words: Mapping[CommentId, Mapping[str, Spans]],
        links: Mapping[CommentId, Iterable[str]],
    ) -> list[Example]:
        """What can be learned from labelled words, given the links of the same comments."""
        places = {comment.id: i for i, comment in enumerate(self._match.comments)}
        asked = [
            self.asked(places[comment], [*own, *links.get(comment, ())])
            for comment, own in words.items()
        ]
        found = []
        for group, batch, said in self._grouped(asked):
            features = features_of(self._scene, group, batch, said, self._language)
            agrees = agreeing(self._match, group, batch, words)
            changes = self._learned.structure.changes(group)
            found.append(Example(features, batch, changes, agrees))
        return found

    def _best_threshold(self) -> float:
        """Given a layer, probabilities can be trusted: the threshold with the best F1 to expect."""
        shares = []
        for group, batch, found in self._links_shared_out:
            own = found.of_events(batch.states)
            for c, cut in enumerate(group.cuts):
                words = [max(len(part.words), 1) for part in cut.parts]
                shares.append(np.repeat(own[c, : len(words)], words, axis=0).ravel())
        return threshold_of(np.concatenate(shares)) if shares else DESCRIBES

    @cached_property
    def _links_shared_out(self) -> list[SharedOut]:
        """Of the comments' own events, as they are shared out after all has been learned."""
        return list(self._shared_out(self._linked))

    def _shared_out(self, asked: Sequence[Asked]) -> Iterator[SharedOut]:
        for group, batch, said in self._grouped(asked):
            changes = self._learned.structure.changes(group)
            if self._layer is None:
                yield group, batch, sum_over(batch, changes)
                continue
            features = features_of(self._scene, group, batch, said, self._language)
            yield group, *share_out(batch, changes, features, self._layer.weights)

    def _grouped(self, asked: Sequence[Asked]) -> Iterator[tuple[Group, Batch, Floats]]:
        """Some comments with the same number of events; those without parts have no words."""
        by_size: dict[int, list[Asked]] = {}
        for comment, events in asked:
            if events and self._commentary.cut(comment).parts:
                by_size.setdefault(len(events), []).append((comment, events))
        for _, own in sorted(by_size.items()):
            for first in range(0, len(own), _TOGETHER):
                group = group_of(self._commentary, own[first : first + _TOGETHER])
                yield group, *batch_of(self._scene, group, self._learned.wordings)


class _Sharing(NamedTuple):
    """The parts of one comment and its events."""

    group: Group
    batch: Batch
    of_events: Floats
    number: int
    actor: Ints
    enough: float

    @property
    def cut(self) -> list[Part]:
        return self.group.cuts[self.number].parts

    def parts(self) -> list[list[int]]:
        """The parts of each event, in order."""
        size = len(self.cut)
        describes = self.of_events[self.number, :size] > self.enough
        actors = self.actor[self.group.events[self.number]]
        found = []
        for e in range(describes.shape[1]):
            own = np.flatnonzero(describes[:, e]).tolist()
            if not any(self.group.covers[self.number, i] for i in own):
                own = sorted({*own, *self._shared(describes, e)})
            found.append(sorted({*own, *self._actor_name(describes, actors, e)}))
        return found

    def _shared(self, describes: Flags, e: int) -> list[int]:
        """For an event without a part of its own: those of the event that has its likeliest."""
        size = len(self.cut)
        could = self.group.covers[self.number, :size]
        taken = could & describes.any(axis=1)
        could = taken if taken.any() else could
        if not could.any():
            return []
        score = self.batch.score[self.number, :size]
        best = int(np.where(could, score[:, e] - score[:, -1], -np.inf).argmax())
        alike = (describes == describes[best]).all(axis=1)
        return np.flatnonzero(could & alike).tolist() if taken.any() else [best]

    def _actor_name(self, describes: Flags, actors: Ints, e: int) -> list[int]:
        """The name of an event's actor where it is said of another event of the same player."""
        comment, part, player = self.group.names.T
        named = part[(comment == self.number) & (player == actors[e])].tolist()
        if any(describes[i, e] for i in named):
            return []
        same = np.flatnonzero(actors == actors[e])
        return next(([i] for i in named if describes[i, same].any()), [])


def with_words(links: Links, finder: WordFinder) -> Links:
    """The links of a match with the words of each event; nothing else is changed."""
    answers = (
        answer.with_words(words) for answer, words in zip(links, finder.linked(), strict=True)
    )
    return Links(links.match, answers, links.method)
