"""The records, how they show themselves, and their flat forms."""

from __future__ import annotations

import re

import msgspec
import pytest

import touchline
from touchline import Comment, CommentLinks, Link, Links, Match, Phase, Player


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
    assert "<script>" not in match._repr_html_()


def test_a_notebook_shows_outcomes_on_a_small_pitch_and_no_ids(small_match: Match):
    links = touchline.align(small_match, method="named")
    shown = links._repr_html_()
    assert "Shot (Saved) Bo Reis" in shown
    assert '<img src="data:image/svg+xml;base64,' in shown
    assert "<svg" not in shown  # Jupyter and GitHub remove it from stored output
    assert "no event" in shown
    assert "e1" not in re.sub(r"<[^>]*>", "", shown)


def test_a_notebook_shows_how_a_match_went(sample):
    match = sample[0].match
    shown = match._repr_html_()
    assert "Shot (Goal) Çağrı Demirsoy" in shown
    assert "Yellow Card" in shown
    assert match.events[-1].id not in shown
    many = touchline.align(match, method="named-nearest")._repr_html_()
    assert many.count("<tr>") == 13  # the first comments and a head
    assert "114 more comments" in many


def test_reprs_are_short(sample, small_match: Match):
    for match in (small_match, sample[0].match):
        links = touchline.align(match, method="named")
        records = [match, links, *links[:9], *match.events[:99], *match.comments, *match.players]
        records += [*match.teams, sample[0], *(link for answer in links for link in answer.events)]
        assert max(len(repr(record)) for record in records if len(getattr(record, "events", ())) < 9
                   or isinstance(record, Match)) < 400  # fmt: skip
    assert repr(small_match.events[1]) == "Event(1' Shot (Saved) Bo Reis, id='e1')"
    assert repr(small_match.players[0]) == "Player('Ann Archer', Redfield City)"
    comment = Comment(id=3, text="word " * 40, period=2, start=60, end=60)
    assert repr(comment) == f"Comment(3, 47' '{('word ' * 12)[:59]}…')"


def test_flat_rows_have_one_row_for_a_comment_without_events(small_match: Match):
    frame = touchline.align(small_match, method="named-nearest").to_pandas()
    assert list(frame["comment"]) == [0, 0, 1, "x", 3]
    assert frame.loc[1, "type"] == "Shot"
    assert frame.loc[1, "x"] == 108.0
    assert frame["event"].isna().tolist() == [False, False, True, False, True]


def test_arrow_polars_and_pandas_hold_the_same_rows(small_match: Match):
    links = touchline.align(small_match, method="named-nearest")
    rows = [{**row, "comment": str(row["comment"])} for row in links.rows()]
    assert links.to_arrow().to_pylist() == rows
    assert links.to_polars().to_dicts() == rows
    assert list(links.to_pandas()["event"].dropna()) == [r["event"] for r in rows if r["event"]]


def test_rows_say_outcome_recipient_set_piece_card_words_and_phase(sample):
    match = sample[0].match
    goal = next(e for e in match.events if e.arguments.get("outcome") == "Goal")
    passed = next(e for e in match.events if e.recipient and "set_piece" in e.arguments)
    foul = next(e for e in match.events if e.arguments.get("card") == "Yellow Card")
    text = "Goal! A corner, and a booking."
    comment = Comment(id=1, text=text, period=1, start=0, end=0)
    links = tuple(Link(id=event.id, score=0.9, words=words) for event, words in
                  [(goal, ((0, 5),)), (passed, ((8, 14), (20, 29))), (foul, None)])  # fmt: skip
    phase = Phase(team="Castlebrook Athletic", span=(0, 1), events=(), score=0.9, kind="attack")
    answer = CommentLinks(match="m", comment=1, events=links, none=0, period=1, time=0.0,
                          span=(0, 0), phase=phase)  # fmt: skip
    shot, taken, booked = Links(match.with_comments([comment]), [answer]).rows()
    assert (shot["outcome"], shot["words"], shot["card"]) == ("Goal", "Goal!", None)
    assert taken["recipient"] == passed.recipient.label
    assert taken["set_piece"] == passed.arguments["set_piece"]
    assert taken["words"] == "corner … a booking"
    assert (booked["card"], booked["words"]) == ("Yellow Card", None)
    assert {(row["phase_team"], row["phase_kind"]) for row in (shot, taken, booked)} == {
        ("Castlebrook Athletic", "attack")
    }


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
