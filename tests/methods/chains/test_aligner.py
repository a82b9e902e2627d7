"""What the aligner makes of probabilities, and that it adapts what it has learned."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from touchline import Match, make_aligner
from touchline.text import speech


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


def by_the_minute(match: Match, late: float = 0.0) -> Match:
    """The match with comments of which only a minute is known, so much too late."""
    minutes = [60 * (c.start // 60) + late for c in match.comments]
    return match.with_comments(
        msgspec.structs.replace(c, start=minute, end=minute + 60, anywhere=True)
        for c, minute in zip(match.comments, minutes, strict=True)
    )


@pytest.mark.parametrize("late", [0.0, 120.0])
def test_the_clock_of_lines_that_were_laid_out_is_that_of_the_comments(match, monkeypatch, late):
    """Lags are from the middle of the minute, not from where in it a line is laid out."""
    monkeypatch.setattr(speech, "SPOKEN_PACE", 0.0)
    minutes = by_the_minute(match, late)
    aligner = make_aligner("chains", {"rounds": 4})
    aligner.fit([match])
    found = aligner.infer(minutes)
    # So much later than the middle of its minute is each comment really made.
    expected = np.array(
        [m.time - c.time for m, c in zip(minutes.comments, match.comments, strict=True)]
    )
    apart = found.clock.lag - expected
    assert np.abs(apart - np.median(apart)).mean() < 15
    assert abs(np.median(apart)) < 20


def test_a_comment_that_tells_nothing_is_placed_within_its_minute(match, monkeypatch):
    """By the clock of its own time, though the line was laid out elsewhere in the minute."""
    monkeypatch.setattr(speech, "SPOKEN_PACE", 0.0)
    weather = "Such lovely weather, it never rains here in spring."
    silenced = match.with_comments(
        msgspec.structs.replace(c, text=weather if i % 5 == 4 else c.text)
        for i, c in enumerate(match.comments)
    )
    found = make_aligner("chains").infer(by_the_minute(silenced))
    silent = [i for i, answer in enumerate(found.links) if not answer.events]
    assert silent
    for i in silent:
        comment = found.links.match.comments[i]
        assert comment.anywhere
        assert found.links[i].time == pytest.approx(comment.time - found.clock.lag[i], abs=0.06)


def test_another_language_is_said_to_be_one(match):
    """Words that no bundled model knows: the models are English."""
    german = ["Ecke von der rechten Seite", "Der Torwart hält sicher", "Freistoß aus guter Lage"]
    comments = [
        msgspec.structs.replace(comment, text=german[number % 3])
        for number, comment in enumerate(match.comments[:12])
    ]
    german_match = match.with_comments(comments)
    alignment = make_aligner("chains").infer(german_match)
    assert alignment.model.name == "this match alone"
    assert alignment.model.doubt.startswith("the bundled models are English and know")
    assert german_match.warnings == ()
    assert alignment.links.warnings[0] == alignment.model.doubt
