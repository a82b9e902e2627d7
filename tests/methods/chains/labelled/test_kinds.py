"""Kinds of text by their pace."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from touchline import Comment
from touchline.methods.chains.labelled.kinds import LISTED, SPEECH, TEXT, kind_of


def paced(match, seconds):
    comments = [
        Comment(id=i, text="x", period=1, start=seconds * i, end=seconds * i) for i in range(40)
    ]
    return match.with_comments(comments)


@pytest.mark.parametrize(("seconds", "kind"), [(60, TEXT), (25, TEXT), (12, SPEECH), (3, SPEECH)])
def test_speech_is_fast(small_match, seconds, kind):
    assert kind_of(paced(small_match, seconds)) == kind


def test_without_a_clock_the_kind_is_not_known(small_match):
    timeless = [replace(c, period=None, start=None, end=None) for c in small_match.comments]
    assert kind_of(small_match.with_comments(timeless)) is None


def test_listed_candidates_are_a_kind_of_their_own(small_match):
    match = paced(small_match, 60)
    first = replace(match.comments[0], candidates=("e0",))
    assert kind_of(match.with_comments([first, *match.comments[1:]])) == LISTED
