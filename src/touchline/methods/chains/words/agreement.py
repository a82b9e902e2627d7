"""Which states of a part agree with the words that an annotator has given to events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from touchline.core.links import Spans
from touchline.core.records import CommentId, Match
from touchline.methods.chains.words.comments import Group
from touchline.methods.segments.lattice import Batch, Flags
from touchline.text.parts import CONNECTORS, Part
from touchline.text.tokens import tokenise

# The numbers of the events, among those of a comment, that something describes.
Described = frozenset[int]


def agreeing(
    match: Match, group: Group, batch: Batch, words: Mapping[CommentId, Mapping[str, Spans]]
) -> Flags:
    """`[c, i, k]`: whether state k of part i agrees with the labels.

    An event whose words nobody has given may have any part that is not given to others.
    """
    found = np.repeat(batch.allowed[:, None], group.there.shape[1], axis=1)
    for c, number in enumerate(group.comments.tolist()):
        comment = match.comments[number]
        given, ids = words[comment.id], [match.linkable[e].id for e in group.events[c]]
        spans = [given.get(event, ()) for event in ids]
        open_ = frozenset(e for e, event in enumerate(ids) if event not in given)
        for i, part in enumerate(group.cuts[c].parts):
            if (described := _described(comment.text, part, spans)) is not None:
                allowed = batch.allowed[c]
                found[c, i] = allowed & _states(batch.states.events, described, open_, allowed)
    return found


def _described(text: str, part: Part, spans: Sequence[Spans]) -> Described | None:
    """What most words of a part describe; None if it has only words that join clauses."""
    counts: Counter[Described] = Counter()
    for token in tokenise(text):
        inside = part.start <= token.start and token.end <= part.end
        if inside and token.key not in CONNECTORS:
            counts[_at(token.start, token.end, spans)] += 1
    return (
        max(counts, key=lambda described: (counts[described], len(described))) if counts else None
    )


def _at(start: int, end: int, spans: Sequence[Spans]) -> Described:
    return frozenset(
        e for e, own in enumerate(spans) if any(a <= start and end <= b for a, b in own)
    )


def _states(
    events: Sequence[tuple[int, ...]], described: Described, open_: Described, allowed: Flags
) -> Flags:
    """The states that describe just that; where two cannot be described at once, one of them."""
    if not described:
        return np.array([open_.issuperset(state) for state in events])
    exactly = np.array([described == frozenset(state) for state in events])
    if (exactly & allowed).any():
        return exactly
    return np.array([bool(state) and described.issuperset(state) for state in events])
