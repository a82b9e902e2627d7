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


SPAN = Comment(id=1, text="Here's Cole, to Costa", period=1, start=10, end=14)


@pytest.mark.parametrize(
    ("offset", "second"),
    [
        (0, 10),
        (3, 10),
        (7, 11),
        (9, 11),
        (13, 12),
        (16, 13),
        (20, 13),
        (21, 14),
        (99, 14),
        (-5, 10),
    ],
)
def test_without_word_times_words_share_the_time(offset: int, second: float) -> None:
    assert SPAN.second_at(offset) == second


@pytest.mark.parametrize(
    ("offset", "second"),
    [(0, 10.5), (7, 11), (10, 11.25), (13, 11.5), (16, 13), (21, 14), (99, 14)],
)
def test_between_words_time_passes_evenly(offset: int, second: float) -> None:
    spoken = ((0, 10.5), (7, 11.0), (13, 11.5), (16, 13.0))
    assert msgspec.structs.replace(SPAN, spoken=spoken).second_at(offset) == second


def test_word_times_beyond_the_ends() -> None:
    comment = msgspec.structs.replace(SPAN, spoken=((7, 9.0), (13, 15.0)))
    assert [comment.second_at(at) for at in (0, 7, 13, 21)] == [9.0, 9.0, 15.0, 15.0]


def test_no_second_is_known_within_a_page_s_minute() -> None:
    assert Comment(id=1, text="a b", start=60, end=120, anywhere=True).second_at(2) == 90
    assert Comment(id=1, text="a b", start=5, end=5).second_at(2) == 5
    assert Comment(id=1, text="", start=5, end=7).second_at(0) == 6
    assert Comment(id=1, text="a b").second_at(2) is None


def test_a_comment_moves_with_its_words() -> None:
    comment = msgspec.structs.replace(SPAN, spoken=((0, 10.5), (7, 11.1)))
    moved = comment.moved(-4.1)
    assert (moved.start, moved.end) == (5.9, 9.9)
    assert moved.spoken == ((0, 6.4), (7, 7.0))
    unknown = Comment(id=1, text="a")
    assert unknown.moved(3) == unknown


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
