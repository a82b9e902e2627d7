"""A comment in a notebook: its words, a small pitch, its events; text stays text."""

from __future__ import annotations

import msgspec
import pytest
from lxml import etree

from touchline import align


def test_a_notebook_shows_the_comment_on_a_pitch(small_match):
    view = align(small_match, method="named").show(0)
    assert repr(view).splitlines() == [
        "Archer finds Reis, who shoots.",
        "  1' Pass Ann Archer → Bo Reis",
        "  1' Shot (Saved) Bo Reis",
    ]
    picture = etree.fromstring(view.svg())
    texts = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["2", "Bo Reis"]  # the pass has no place
    assert view.svg() in view._repr_html_()


def test_the_second_team_attacks_to_the_left(small_match):
    event = msgspec.structs.replace(small_match.events[2], location=(10.0, 20.0))
    events = (*small_match.events[:2], event, *small_match.events[3:])
    comment = msgspec.structs.replace(small_match.comments[0], text="Van der Meer holds it.")
    match = msgspec.structs.replace(small_match, events=events).with_comments([comment])
    assert 'cx="110.0" cy="60.0"' in align(match, method="named").show(0).svg()


def test_text_stays_text_and_no_event_is_said(small_match):
    comment = msgspec.structs.replace(small_match.comments[1], text="<script>x</script>")
    view = align(small_match.with_comments([comment]), method="named").show(1)
    assert "<script" not in view._repr_html_()
    assert "no event" in view._repr_html_()
    with pytest.raises(KeyError, match="no comment 99"):
        align(small_match, method="named").show(99)
