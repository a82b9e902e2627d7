"""What every aligner must do, whatever its method: one suite for all of them."""

from __future__ import annotations

import msgspec
import pytest

from touchline import Comment, Event, Match, UsageError
from touchline.io.links.jsonl import to_lines
from touchline.methods.registry import BUILT_IN, load_aligner, make_aligner

pytestmark = pytest.mark.parametrize("method", sorted(BUILT_IN))


@pytest.fixture(scope="module")
def short(sample) -> list[Match]:
    """The first twenty minutes of each bundled match: small enough for the slowest method."""
    return [
        msgspec.structs.replace(
            labelled.match,
            comments=labelled.match.comments[:25],
            events=tuple(e for e in labelled.match.events if e.period == 1 and e.time < 1500),
        )
        for labelled in sample
    ]


def lines(aligner, match: Match) -> str:
    return "".join(to_lines(aligner.align(match)))


def fitted(method: str, match: Match, **settings):
    aligner = make_aligner(method, settings)
    aligner.fit([match])
    return aligner


def test_answers_every_comment_in_order(method, small_match):
    links = fitted(method, small_match).align(small_match)
    assert [answer.comment for answer in links] == [c.id for c in small_match.comments]
    assert all(answer.match == "small" for answer in links)


def test_links_only_to_events_of_the_bucket(method, short):
    match = short[0]
    for comment, answer in zip(match.comments, fitted(method, match).align(match), strict=True):
        for link in answer.events:
            event = match.event_by_id[link.id]
            assert event.linkable
            assert event.period == comment.period
            assert abs(event.time - comment.time) <= 75


def test_scores_are_probabilities_and_events_in_match_order(method, short):
    match = short[0]
    for answer in fitted(method, match).align(match):
        scores = [link.score for link in (*answer.events, *answer.candidates)]
        assert all(0 <= score <= 1 for score in [*scores, answer.none])
        ranked = [link.score for link in answer.candidates]
        assert ranked == sorted(ranked, reverse=True)
        places = [match.place_of[link.id] for link in answer.events]
        assert places == sorted(places)  # also of those at the same second
        assert {link.id for link in answer.events} <= {link.id for link in answer.candidates}


def test_time_and_span_are_those_of_the_linked_events(method, short):
    match = short[0]
    for answer in fitted(method, match).align(match):
        times = [match.event_by_id[link.id].time for link in answer.events]
        if times:
            assert (answer.time, answer.span) == (times[0], (min(times), max(times)))
            assert answer.period is not None
        elif answer.time is not None:  # a clock says when a comment that describes nothing was made
            first, last = answer.span
            assert first <= answer.time <= last
            assert answer.period is not None
        else:
            assert (answer.period, answer.span) == (None, None)


def test_same_input_and_seed_give_the_same_bytes(method, short):
    match = short[0]
    assert lines(fitted(method, match, seed=3), match) == lines(
        fitted(method, match, seed=3), match
    )


def test_comes_back_from_disk_as_it_was(method, short, tmp_path):
    match = short[1]
    aligner = fitted(method, match, window="100:20", seed=5)
    aligner.save(tmp_path / "m.model")
    again = load_aligner(tmp_path / "m.model")
    assert again.options == aligner.options
    assert lines(again, match) == lines(aligner, match)


@pytest.mark.parametrize(
    "comment",
    [
        Comment(id=0, text=""),
        Comment(id=0, text="", period=1, start=9e9, end=9e9),
        Comment(id=0, text="Ñandú 🙂 ‏عربي <b>", period=1, start=10, end=10),
        Comment(id=0, text="Archer " * 5000, period=1, start=10, end=10),
        Comment(id=0, text="word", period=7, start=0, end=0),
        Comment(id=0, text="word", candidates=()),
    ],
)
def test_content_never_raises(method, small_match, comment):
    match = small_match.with_comments([comment])
    answer = fitted(method, small_match).align(match)[0]
    assert 0 <= answer.none <= 1


def test_a_match_without_comments_or_events_is_answered(method, small_match):
    aligner = fitted(method, small_match)
    assert len(aligner.align(small_match.with_comments([]))) == 0
    empty = msgspec.structs.replace(small_match, events=(), players=())
    assert all(answer.events == () for answer in aligner.align(empty))


def test_a_match_without_players_is_answered(method, small_match):
    bare = [Event(id=str(i), type="Pass", period=1, time=i) for i in range(20)]
    match = msgspec.structs.replace(small_match, events=tuple(bare), players=(), teams=())
    assert len(fitted(method, match).align(match)) == len(match.comments)


def test_a_new_match_is_answered_after_a_fit_on_another(method, short):
    aligner = fitted(method, short[0])
    assert len(aligner.align(short[1])) == len(short[1].comments)


def test_explains_a_comment_or_says_who_does(method, small_match):
    aligner = fitted(method, small_match)
    if method == "chains" or method.startswith("pairrank"):
        assert aligner.explains
        explained = aligner.infer(small_match).explain("x")
        assert msgspec.json.decode(msgspec.json.encode(explained))["method"] == method
        assert (explained.comment, explained.text) == ("x", "Foul by Archer!")
        return
    assert not aligner.explains
    for ask in (lambda: aligner.infer(small_match).explain("x"), aligner.explain_model):
        with pytest.raises(UsageError, match=f"{method} has no explanations; use --method chains"):
            ask()
