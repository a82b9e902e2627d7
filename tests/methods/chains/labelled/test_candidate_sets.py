"""Which sets of events a layer may choose from."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.chains.data.candidate_chains import GAP, REACH
from touchline.methods.chains.labelled.candidate_sets import (
    AFTER,
    BEFORE,
    LIKELIEST,
    MIN_PROBABILITY,
    VARIED,
    candidate_sets,
)


@pytest.fixture(scope="module")
def sets(inferred):
    return candidate_sets(inferred.tables, inferred.agreed)


def by_comment(sets):
    """The sets of each comment as events, with their probabilities."""
    members = [[] for _ in range(len(sets))]
    for of, pair in zip(sets.member_of, sets.member, strict=True):
        members[of].append(int(sets.event[pair]))
    for c in range(len(sets.start) - 1):
        own = range(sets.start[c], sets.start[c + 1])
        yield [(tuple(members[s]), float(sets.probability[s])) for s in own]


def hypotheses(inferred, c):
    own = slice(*inferred.tables.hypotheses.start[c : c + 2])
    rows = inferred.tables.hypotheses.events[own]
    chains = [tuple(e for e in row.tolist() if e >= 0) for row in rows]
    return dict(zip(chains, inferred.agreed.chains[own].tolist(), strict=True))


def test_no_event_comes_first_and_no_set_twice(inferred, sets):
    for c, found in enumerate(by_comment(sets)):
        assert found[0] == ((), pytest.approx(inferred.agreed.none[c]))
        assert len({events for events, _ in found}) == len(found)
        assert sum(not events for events, _ in found) == 1


def test_probabilities_are_those_of_the_hypotheses(inferred, sets):
    unlike = 0
    for c, found in enumerate(by_comment(sets)):
        known = hypotheses(inferred, c)
        for events, share in found[1:]:
            assert share == known.get(events, 0.0)
            unlike += events not in known
    assert unlike, "some set should be no hypothesis"


def test_the_likeliest_hypotheses_are_there(inferred, sets):
    for c, found in enumerate(by_comment(sets)):
        best = sorted(hypotheses(inferred, c).items(), key=lambda one: -one[1])[:LIKELIEST]
        wanted = {events for events, share in best if share >= MIN_PROBABILITY}
        assert wanted <= {events for events, _ in found}


def test_the_best_are_varied_by_one_event(inferred, sets):
    time, period = inferred.tables.events.time, inferred.tables.events.period
    for c, found in enumerate(by_comment(sets)):
        there = {events for events, _ in found}
        best = sorted(hypotheses(inferred, c).items(), key=lambda one: -one[1])[:VARIED]
        for events, _ in (one for one in best if one[1] >= MIN_PROBABILITY):
            for event in events:
                assert tuple(e for e in events if e != event) in there
                after = event + 1
                near = after < len(time) and period[after] == period[event]
                if near and after not in events and time[after] - time[event] <= GAP:
                    assert REACH >= 1
                    assert tuple(sorted((*events, after))) in there


def test_of_speech_every_event_near_the_line_is_a_candidate(inferred, sets):
    m = inferred.tables
    speech = list(by_comment(candidate_sets(m, inferred.agreed, speech=True)))
    assert sum(map(len, speech)) > len(sets)
    for c, found in enumerate(speech):
        bucket = m.candidates.event[m.candidates.start[c] : m.candidates.start[c + 1]]
        lag = m.comments.time[c] - m.events.time[bucket]
        near = bucket[(lag >= -AFTER) & (lag <= BEFORE)].tolist()
        assert {(event,) for event in near} <= {events for events, _ in found}


def test_a_match_without_events_has_empty_sets_only(chains, matches):
    empty = chains._inferred(matches[0].with_comments(matches[0].comments[:3]), chains._learned)
    none = np.ones(3)
    bare = empty.tables._replace(
        hypotheses=empty.tables.hypotheses._replace(start=np.zeros(4, dtype=np.int64))
    )
    found = candidate_sets(bare, empty.agreed._replace(none=none, chains=np.zeros(0)))
    assert found.start.tolist() == [0, 1, 2, 3]
    assert len(found.event) == 0
