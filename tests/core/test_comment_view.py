"""A comment in a notebook: its words, a small pitch, its events; text stays text."""

from __future__ import annotations

import re

import msgspec
import pytest
from lxml import etree

from touchline import Link, align
from touchline.core.comment_view import CommentView


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
    assert view.image() in view._repr_html_()


def test_names_do_not_cover_each_other(small_match):
    """Two players at one place: one name above it, one below; no third, and none twice."""
    crowd = [msgspec.structs.replace(event, location=(60.0, 40.0)) for event in small_match.events]
    answer = align(small_match, method="named")[0]
    links = tuple(Link(id=event.id, score=1.0) for event in crowd)
    match = msgspec.structs.replace(small_match, events=tuple(crowd))
    view = CommentView(match, msgspec.structs.replace(answer, events=links))
    names = re.findall(r'y="([\d.]+)" font-size="3"[^>]*>([^<]+)', view.svg())
    assert [place for place, _ in names] == ["37.0", "45.0"]
    assert len({name for _, name in names}) == 2


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
