"""What a match's own comments teach about their parts: where events change, which words they use.

Learned from the links of the match without labels, in one round of expectation-maximisation from
the word causes of the model. More rounds drift: nothing but the text says where an event ends.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from touchline.core.arrays import Floats
from touchline.methods.chains.words.comments import Commentary, Group
from touchline.methods.chains.words.evidence import Scene, Wordings
from touchline.methods.segments.lattice import Changes, Shares, States, states_of
from touchline.text.parts import AFTER, CLAUSE, NAME, SENTENCE, Edge

# Before anything is learned: how probably an event ends at an edge.
FIRST_SWITCH = {SENTENCE: 0.5, CLAUSE: 0.4, NAME: 0.3, AFTER: 0.15}
PHRASE_SWITCH = 0.1
FIRST_NONE, FIRST_NONE_SENTENCE, FIRST_ONWARDS, FIRST_STARTS_NONE = 0.1, 0.3, 0.7, 0.15
# Pseudo-counts.
EDGE_PRIOR, CLASS_PRIOR, NONE_PRIOR, ONWARDS_PRIOR = 10.0, 2.0, 5.0, 10.0
WORDING_PRIOR = 50.0


class Structure(NamedTuple):
    """How comments go from event to event: see `Changes`; `switch` is by edge."""

    switch: dict[Edge, float]
    by_class: dict[tuple[str, str], float]
    none: float
    none_sentence: float
    onwards: float
    starts_none: float

    def changes(self, group: Group) -> Changes:
        switch, none = np.zeros(group.there.shape), np.zeros(group.there.shape)
        for c, cut in enumerate(group.cuts):
            edges = [part.edge for part in cut.parts[1:]]
            switch[c, 1 : len(cut.parts)] = [self.at(edge) for edge in edges]
            none[c, 1 : len(cut.parts)] = [
                self.none_sentence if edge[0] == SENTENCE else self.none for edge in edges
            ]
        return Changes(switch, none, self.onwards, self.starts_none)

    def at(self, edge: Edge) -> float:
        """How probably the event changes at an edge."""
        found = self.switch.get(edge)
        return self.by_class.get(edge[:2], first_switch(edge)) if found is None else found


def first_switch(edge: Edge) -> float:
    mark, what, _ = edge
    return FIRST_SWITCH.get(mark) or FIRST_SWITCH.get(what, PHRASE_SWITCH)


UNLEARNED = Structure({}, {}, FIRST_NONE, FIRST_NONE_SENTENCE, FIRST_ONWARDS, FIRST_STARTS_NONE)


class Learned(NamedTuple):
    """What a match has taught; without `wordings` words are those of the model's causes."""

    structure: Structure = UNLEARNED
    wordings: Wordings | None = None


def learn(scene: Scene, commentary: Commentary, seen: Iterable[tuple[Group, Shares]]) -> Learned:
    """Learn from groups of comments, and how their parts were shared out."""
    seen = list(seen)
    return Learned(_structure(seen), _wordings(scene, commentary.stems, seen))


def _structure(seen: list[tuple[Group, Shares]]) -> Structure:
    changed: defaultdict[Edge, float] = defaultdict(float)
    met = Counter[Edge]()
    none, left, starts = np.zeros(2), np.zeros(2), np.zeros(2)
    for group, shares in seen:
        starts += shares.state[:, 0, -1].sum(), len(group.comments)
        for c, cut in enumerate(group.cuts):
            for i, part in enumerate(cut.parts[1:], 1):
                sentence = int(part.starts_sentence)
                changed[part.edge] += float(shares.changed[c, i])
                met[part.edge] += 1
                none[sentence] += shares.to_none[c, i]
                left[sentence] += shares.changed[c, i] - shares.from_none[c, i]
    classes = _by_class(changed, met)
    switch = {
        edge: _clipped((changed[edge] + EDGE_PRIOR * classes[edge[:2]]) / (met[edge] + EDGE_PRIOR))
        for edge in met
    }
    on, back = (sum(getattr(shares, way) for _, shares in seen) for way in ("onwards", "back"))
    nothing = (none + 1) / (left + NONE_PRIOR)
    return Structure(
        switch, classes, _clipped(nothing[0]), _clipped(nothing[1]),
        _clipped((on + ONWARDS_PRIOR * FIRST_ONWARDS) / (on + back + ONWARDS_PRIOR)),
        _clipped((starts[0] + 1) / (starts[1] + NONE_PRIOR)),
    )  # fmt: skip


def _by_class(changed: Mapping[Edge, float], met: Counter[Edge]) -> dict[tuple[str, str], float]:
    """The same for edges of one kind, whatever the word."""
    sums: dict[tuple[str, str], list[float]] = {}
    for edge, count in met.items():
        own = sums.setdefault(edge[:2], [CLASS_PRIOR * first_switch(edge), CLASS_PRIOR])
        own[0] += changed[edge]
        own[1] += count
    return {name: part / whole for name, (part, whole) in sums.items()}


def _clipped(share: float) -> float:
    return float(np.clip(share, 0.002, 0.95))


def _wordings(scene: Scene, stems: int, seen: list[tuple[Group, Shares]]) -> Wordings:
    """By type of event, drawn to what is usual for its side, and that to all words."""
    types = int(scene.tables.events.type.max(initial=0)) + 1
    of_type, of_side, of_none = np.zeros((types, stems)), np.zeros((2, stems)), np.zeros(stems)
    every = np.full(stems, 0.5)
    for group, shares in seen:
        comment, part, _, stem = group.words.T
        share = shares.state[comment, part]
        of_events = _split(share, states_of(group.events.shape[1]))
        kinds = scene.kinds(group)[comment]
        np.add.at(of_type, (kinds // 2, stem[:, None]), of_events)
        np.add.at(of_side, (kinds % 2, stem[:, None]), of_events)
        np.add.at(of_none, stem, share[:, -1])
        np.add.at(every, stem, 1.0)
    usual = every / every.sum()
    side, none = _towards(of_side, usual), _towards(of_none[None], usual)[0]
    event = np.stack([_towards(of_type, side[which]) for which in (0, 1)], axis=1)
    known = (event / usual).reshape(2 * types, stems)
    return Wordings(
        np.pad(known, [(0, 0), (0, 1)], constant_values=1.0), np.append(none / usual, 1.0)
    )


def _towards(counts: Floats, usual: Floats) -> Floats:
    total = counts.sum(axis=1, keepdims=True)
    return np.asarray((counts + WORDING_PRIOR * usual) / (total + WORDING_PRIOR))


def _split(share: Floats, states: States) -> Floats:
    """Shares of states as shares of events; what two describe together is half of each."""
    return np.asarray(
        share @ (states.holds / np.maximum(states.holds.sum(axis=1, keepdims=True), 1))
    )
