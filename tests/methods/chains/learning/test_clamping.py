"""Labelled comments may only describe what their labels say."""

from __future__ import annotations

import numpy as np

from touchline import make_aligner
from touchline.methods.chains.data.hypotheses import in_language
from touchline.methods.chains.inference.posterior import infer
from touchline.methods.chains.learning.clamping import clamped, mark_of
from touchline.methods.chains.learning.streaming import learn_clamped
from touchline.methods.chains.model.serialization import unpack_match
from touchline.methods.match_store import InMemory


def fitted(sample):
    aligner = make_aligner("chains", {"rounds": 5})
    condensed = [aligner.condense(one.match) for one in sample]
    aligner.learn(InMemory(condensed))
    learned = aligner._learned
    tables = in_language(*unpack_match(condensed[0]), learned.language, aligner.options.parts)
    return aligner, condensed, tables, learned


def test_only_the_nearest_hypotheses_are_left(sample):
    aligner, _, tables, learned = fitted(sample)
    start = tables.hypotheses.start
    other = int(tables.hypotheses.events[start[1]][0])
    unknown = len(tables.events.time) + 5
    held = clamped(tables, {0: frozenset(), 1: frozenset({other}), 2: frozenset({unknown})})
    found = infer(held, aligner._parameters(learned)[0])
    assert found.none[0] == 1
    assert found.none[1] == 0
    own = slice(start[1], start[2])
    described = tables.hypotheses.events[own][found.chains[own] > 0]
    assert described.tolist() == [[other, *[-1] * (described.shape[1] - 1)]]
    assert (found.chains[start[2] : start[3]] > 0).sum() > 1  # nothing is near that label


def test_clamped_rounds_learn_what_labels_say(sample):
    aligner, condensed, tables, learned = fitted(sample)
    store, parts = InMemory(condensed), aligner.options.parts
    nothing = {i: frozenset() for i in range(len(tables.comments.time))}
    taught = learn_clamped(store, learned, {mark_of(condensed[0]): nothing}, 2, parts)
    plain = learn_clamped(store, learned, {}, 2, parts)
    assert float(taught.counts.heads.sum()) < 0.8 * float(plain.counts.heads.sum())
    other = learn_clamped(store, learned, {"another match": nothing}, 2, parts)
    assert np.array_equal(other.counts.heads, plain.counts.heads)


def test_matches_have_marks_of_their_own(sample):
    _, condensed, _, _ = fitted(sample)
    assert len({mark_of(match) for match in condensed}) == len(condensed)
