"""The records, how they show themselves, and their flat forms."""

from __future__ import annotations

import msgspec
import pytest

import touchline
from touchline import Comment, CommentLinks, Link, Match, Player


def test_a_player_goes_by_nickname_first_and_keeps_every_name():
    player = Player(id="1", name="Anselmo dos Reis", nickname="Zeco", short="A. Reis")
    assert player.label == "Zeco"
    assert player.names == ("Zeco", "A. Reis", "Anselmo dos Reis")


def test_records_are_immutable(small_match: Match):
    with pytest.raises(AttributeError):
        small_match.events[0].time = 3.0


def test_only_tellable_events_are_candidates(small_match: Match):
    assert [event.id for event in small_match.linkable] == ["e0", "e1", "e2", "e3", "e4"]


def test_a_comments_time_is_the_middle_of_what_is_known():
    assert Comment(id=1, text="", start=60, end=120).time == 90
    assert Comment(id=1, text="").time is None
    assert Comment(id=1, text="", start=5, end=5).exact


def test_links_know_their_events(small_match: Match):
    links = touchline.align(small_match, method="named-nearest")
    assert [event.id for event in links.events_of(0)] == ["e0", "e1"]
    assert len(links) == 4
    assert links[1].events == ()


def test_a_notebook_shows_tables_in_which_commentary_is_no_markup(small_match: Match):
    hostile = Comment(id=9, text="<script>alert(1)</script>", period=1, start=1, end=1)
    match = small_match.with_comments([hostile])
    shown = touchline.align(match, method="named-nearest")._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "<td>Shot</td>" in match._repr_html_()


def test_flat_rows_have_one_row_for_a_comment_without_events(small_match: Match):
    frame = touchline.align(small_match, method="named-nearest").to_pandas()
    assert list(frame["comment"]) == [0, 0, 1, "x", 3]
    assert frame.loc[1, "type"] == "Shot"
    assert frame.loc[1, "x"] == 108.0
    assert frame["event"].isna().tolist() == [False, False, True, False, True]


def test_arrow_and_pandas_hold_the_same_rows(small_match: Match):
    links = touchline.align(small_match, method="named-nearest")
    assert links.to_arrow().column("event").to_pylist() == [r["event"] for r in links.rows()]


def test_raw_records_keep_everything_of_the_feed(sample):
    event = next(e for e in sample[0].match.events if e.type == "Shot")
    assert event.raw["type"]["name"] == "Shot"
    assert event.raw["id"] == event.id
    assert msgspec.json.encode(dict(event.raw))


@pytest.mark.parametrize(
    ("events", "none", "state"),
    [
        ((Link(id="e0", score=0.6),), 0.4, "linked"),
        ((Link(id="e0", score=0.2),), 0.8, "linked"),
        ((), 0.5, "none"),
        ((), 0.49, "unsure"),
    ],
)
def test_a_comment_is_linked_or_not_or_unsure(events, none, state):
    answer = CommentLinks(
        match="m", comment=1, events=events, none=none, period=None, time=None, span=None
    )
    assert answer.state == state
