"""What a layer of labelled words looks at: features of parts and of the steps between them.

A feature of a part is about one event or about nothing: a stem or the first word of grammar with
the event's type (`corner|Pass`), who a name is to the event (`name=actor`). A step has what the
next part starts with. Names are made of types, words of grammar and stems of the model's
vocabulary, so that no player's name can be read back from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats, Ints, distinct
from touchline.methods.chains.data.language import Language
from touchline.methods.chains.labelled.features import Numbering, Table, joined
from touchline.methods.chains.words.comments import Group
from touchline.methods.chains.words.evidence import Scene
from touchline.methods.segments.lattice import Batch, States, Weights
from touchline.text.parts import OTHER_WORD
from touchline.text.tokens import FUNCTION_WORDS

WORDS, PAIR, ONWARDS, MISSING = "words", "pair", "onwards", "missing"
NOTHING = "nothing"
_ROLES = ("stranger", "other", "actor")
_CHANGED, _TO_NONE, _FROM_NONE = range(3)


class Features(NamedTuple):
    """The features of comments with the same number of events.

    Rows of `of_parts` are comment, part and event, with nothing as the last event, all in one
    number. Those of `of_steps` are the kind of step, comment and part. `words[c, i, k]` is what the
    words of a part say for a state without labels; labels say how far to believe it. `pairs` is one
    where a part may describe two events.
    """

    names: list[str]
    states: States
    words: Floats
    pairs: Floats
    of_parts: Table
    of_steps: Table

    @property
    def shape(self) -> tuple[int, int]:
        """How many comments and parts there are."""
        count, parts, _ = self.words.shape
        return count, parts

    @property
    def _event_shares(self) -> Floats:
        """How much each event counts for each state; nothing is the last event."""
        holds = self.states.holds / np.maximum(self.states.holds.sum(axis=1, keepdims=True), 1)
        none = np.zeros((len(holds), 1))
        none[-1] = 1.0
        return np.hstack([holds, none])

    def apply(self, weights: Floats) -> tuple[Floats, Weights]:
        """What weights add to the score of each part and state, and to each step."""
        shares, (count, parts) = self._event_shares, self.shape
        own = dict(zip(self.names, weights.tolist(), strict=True))
        of_parts = self.of_parts.times(weights, count * parts * shares.shape[1])
        score = of_parts.reshape(count, parts, -1) @ shares.T
        score += own[WORDS] * self.words + own[PAIR] * self.pairs
        steps = self.of_steps.times(weights, 3 * count * parts).reshape(3, count, parts)
        changed, to_none, from_none = steps
        return score, Weights(changed, to_none, from_none, own[ONWARDS], own[MISSING])

    def expected(self, state: Floats, steps: Sequence[Floats], rest: tuple[float, float]) -> Floats:
        """How often each feature is expected, given the probabilities of states and of steps."""
        size = len(self.names)
        found = self.of_parts.transposed_times((state @ self._event_shares).ravel(), size)
        found += self.of_steps.transposed_times(np.stack(steps).ravel(), size)
        own = {
            WORDS: (state * self.words).sum(),
            PAIR: (state * self.pairs).sum(),
            ONWARDS: rest[0],
            MISSING: rest[1],
        }
        for name, value in own.items():
            found[self.names.index(name)] += value
        return found

    def only(self, names: Sequence[str]) -> Features:
        """Those with the given names, in their order; the others are dropped."""
        number = {name: i for i, name in enumerate(names)}
        renumbered = np.array([number.get(name, -1) for name in self.names], dtype=np.int64)
        of_parts, of_steps = (
            table.of_columns(renumbered >= 0, renumbered)
            for table in (self.of_parts, self.of_steps)
        )
        return self._replace(names=list(names), of_parts=of_parts, of_steps=of_steps)

    def comments_with(self) -> Ints:
        """In how many comments each feature occurs."""
        count, parts = self.shape
        per_comment = parts * (self.states.holds.shape[1] + 1)
        owners = self.of_parts.row // per_comment, self.of_steps.row // parts % max(count, 1)
        size, found = len(self.names), np.zeros(len(self.names), dtype=np.int64)
        columns = self.of_parts.column, self.of_steps.column
        pairs = [owner * size + column for owner, column in zip(owners, columns, strict=True)]
        np.add.at(found, distinct(np.concatenate(pairs)) % size, 1)
        return found


# The features that every comment has.
ALWAYS = (WORDS, PAIR, ONWARDS, MISSING)


def features_of(
    scene: Scene, group: Group, batch: Batch, words: Floats, language: Language
) -> Features:
    """The features of a group of comments."""
    number = Numbering()
    for name in ALWAYS:
        number(name)
    own = _Maker(scene, group, language, number)
    of_parts = joined([own.stems(), own.first_words(), own.edges(), own.roles()])
    of_steps = own.steps()
    pairs = (group.there[..., None] & batch.states.is_pair).astype(float)
    return Features(number.names, batch.states, words, pairs, of_parts, of_steps)


class _Maker:
    def __init__(self, scene: Scene, group: Group, language: Language, number: Numbering) -> None:
        self._scene, self._group, self._language, self._number = scene, group, language, number
        self._events, self._parts = group.events.shape[1], group.there.shape[1]
        self._types = scene.tables.events.type[group.events]
        places = [(c, i) for c, cut in enumerate(group.cuts) for i in range(len(cut.parts))]
        self._place = np.array(places, dtype=np.int64).reshape(len(places), 2)
        self._edges = [part.edge for cut in group.cuts for part in cut.parts]

    def stems(self) -> Table:
        """The stems of each part that the model knows, with the type of each event."""
        known = self._group.words[self._group.words[:, 2] >= 0]
        return self._with_types(known[:, :2], known[:, 2], self._language.vocabulary)

    def first_words(self) -> Table:
        """The word of grammar that each part starts with, for each event and for nothing."""
        said = [f"first={word}" for _, _, word in self._edges]
        names = sorted(set(said))
        which = {name: i for i, name in enumerate(names)}
        attribute = np.array([which[name] for name in said], dtype=np.int64)
        of_events = self._with_types(self._place, attribute, names)
        return joined([of_events, self._of_nothing(self._place, said)])

    def edges(self) -> Table:
        """What comes before a part, and whether it names somebody: for nothing."""
        said = [f"edge={mark} {what}" for mark, what, _ in self._edges]
        outside = self._group.outsider[tuple(self._place.T)]
        others = [f"outsider={bool(is_it)}" for is_it in outside.tolist()]
        tables = (self._of_nothing(self._place, names) for names in (said, others))
        return joined(tables)

    def roles(self) -> Table:
        """Who a name is to each event, alone and with the word of grammar before it."""
        comment, part, player = self._group.names.T
        events, about = self._group.events[comment], self._scene.tables.events
        acts = about.actor[events] == player[:, None]
        meets = (about.others[events] == player[:, None, None]).any(axis=2)
        best = np.full((*self._group.there.shape, self._events), -1)
        np.maximum.at(best, (comment, part), np.where(acts, 2, np.where(meets, 1, 0)))
        c, i, e = np.nonzero(best >= 0)
        role, before = best[c, i, e].tolist(), self._words_before()
        names = [f"name={_ROLES[r]}" for r in role]
        places = zip(c.tolist(), i.tolist(), strict=True)
        after = [f"{n}|after={before[place]}" for n, place in zip(names, places, strict=True)]
        row = self._row(c, i, e)
        return joined(self._table(row, self._number.every(own)) for own in (names, after))

    def steps(self) -> Table:
        """What each part but the first starts with, where something else starts there."""
        inner = self._place[:, 1] > 0
        edges = [edge for edge, kept in zip(self._edges, inner.tolist(), strict=True) if kept]
        place = self._place[inner]
        count, parts = self._group.there.shape
        row = place[:, 0] * parts + place[:, 1]
        named = [
            (_CHANGED, ["changed" for _ in edges]),
            (_CHANGED, [f"changed {mark} {what}" for mark, what, _ in edges]),
            (_CHANGED, [f"changed first={word}" for _, _, word in edges]),
            (_TO_NONE, [f"ends {mark}" for mark, _, _ in edges]),
            (_FROM_NONE, [f"starts {mark}" for mark, _, _ in edges]),
        ]
        return joined(
            self._table(kind * count * parts + row, self._number.every(names))
            for kind, names in named
        )

    def _words_before(self) -> dict[tuple[int, int], str]:
        """The word of grammar before each part, if there is one."""
        found = {}
        for c, cut in enumerate(self._group.cuts):
            words = [part.words[-1:] for part in cut.parts]
            for i, before in enumerate([(), *words[:-1]]):
                known = bool(before) and before[0] in FUNCTION_WORDS
                found[c, i] = before[0] if known else OTHER_WORD
        return found

    def _with_types(self, place: Ints, attribute: Ints, names: Sequence[str]) -> Table:
        """An attribute of some parts with the type of each event."""
        types, size = self._types[place[:, 0]], len(self._language.types)
        codes = (attribute[:, None] * size + types).ravel()
        every, which = np.unique(codes, return_inverse=True)
        said = [f"{names[c // size]}|{self._language.types[c % size]}" for c in every.tolist()]
        row = self._row(place[:, :1], place[:, 1:], np.arange(self._events)).ravel()
        return self._table(row, self._number.every(said)[which])

    def _of_nothing(self, place: Ints, names: Sequence[str]) -> Table:
        column = self._number.every(f"{name}|{NOTHING}" for name in names)
        return self._table(self._row(place[:, 0], place[:, 1], self._events), column)

    def _row(self, comment: Ints, part: Ints, event: Ints | int) -> Ints:
        return np.asarray((comment * self._parts + part) * (self._events + 1) + event)

    def _table(self, row: Ints, column: Ints) -> Table:
        return Table(row, column, np.ones(len(row)))
