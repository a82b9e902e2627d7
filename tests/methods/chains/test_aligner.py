"""What the aligner makes of probabilities, and that it adapts what it has learned."""

from __future__ import annotations

import pytest

from touchline import make_aligner


@pytest.fixture(scope="module")
def match(sample):
    return sample[0].match.with_comments(sample[0].match.comments[:40])


def test_events_are_linked_from_a_half_on(match):
    links = make_aligner("chains").align(match)
    scores = [link.score for answer in links for link in answer.candidates]
    assert any(0.5 < score < 0.8 for score in scores)
    for answer in links:
        linked = {link.id for link in answer.events}
        assert linked == {link.id for link in answer.candidates if link.score > 0.5}


def test_a_match_adapts_what_was_learned(match):
    adapted, plain = (make_aligner("chains", {"adapt": rounds}).align(match) for rounds in (3, 0))
    apart = [abs(one.none - other.none) for one, other in zip(adapted, plain, strict=True)]
    assert max(apart) > 0.01
