"""Words that go with play, learned without labels from invented matches."""

from __future__ import annotations

import msgspec
import pytest

from tests.methods.chains.phases.test_words import match_of
from touchline import Comment
from touchline.methods.chains.phases.learning import Seen, learn_words, seen_in
from touchline.methods.chains.phases.play import Play

# Both teams in turn, then the Reds for a minute and a half.
SIDES = "rb" * 60 + "r" * 30


def test_play_is_measured_against_all_moments():
    match = match_of(SIDES)
    play = Play(match)
    moments = [play.at(1, time) for time in range(0, 450, 2)]
    assert sum(moments) / len(moments) == pytest.approx(0, abs=0.05)
    assert play.at(1, 440.0) == max(moments) > 0.5
    assert play.at(1, 9999.0) == play.at(1, 449.0)
    assert play.at(2, 10.0) is None
    assert Play(match_of("")).at(1, 0.0) is None


def test_how_far_a_team_comes_is_play():
    def placed(ends: dict[int, float]):
        match = match_of("brr" * 40)
        events = (
            msgspec.structs.replace(event, location=(40.0, 40.0),
                                    end_location=(ends.get(i, 40.0), 40.0))
            for i, event in enumerate(match.events)
        )  # fmt: skip
        return Play(msgspec.structs.replace(match, events=tuple(events)))

    far = placed({61: 110.0})
    assert far.at(1, 190.0) > placed({}).at(1, 190.0)
    assert far.at(1, 190.0) > far.at(1, 120.0)


def test_what_is_seen_of_comments():
    said = "Redfield keep it.", "Rain", "Again", "Once more"
    match = match_of(SIDES, *said)
    comments = [msgspec.structs.replace(c, start=440.0, end=440.0) for c in match.comments]
    comments[1] = Comment(id=1, text="Rain")
    comments[2] = msgspec.structs.replace(comments[2], repeated=True)
    comments[3] = msgspec.structs.replace(comments[3], period=2)
    seen = seen_in(match.with_comments(comments))
    assert seen == [Seen(("it", "keep"), Play(match).at(1, 440.0))]


def test_words_are_learned_from_play():
    matches = [[Seen(("go", own), 1.0), Seen(("talk", own), -1.0)] * 200 for own in "xyz"]
    learned = learn_words(matches)
    assert set(learned.words) == {"go", "talk"}  # the others are of one match only
    assert learned.words["go"] > 0 > learned.words["talk"]
    assert learned.play(["go"]) == pytest.approx(1, abs=0.01)
    assert learned.play(["talk"]) == pytest.approx(-1, abs=0.01)


def test_rare_words_count_little():
    often = [[Seen(("go",), 1.0), Seen(("talk",), -1.0)] * 200 for _ in range(3)]
    rare = [[*match, *[Seen(("once",), 1.0)] * 4] for match in often]
    learned = learn_words(rare)
    assert 0 < learned.words["once"] < learned.words["go"] / 3


def test_words_that_are_not_plain_are_left_out():
    matches = [[Seen(("go", "smith"), 1.0), Seen(("talk",), -1.0)] * 20 for _ in range(3)]
    assert set(learn_words(matches, lambda word: word != "smith").words) == {"go", "talk"}


def test_learning_from_nothing():
    assert learn_words([]).words == {}
    assert learn_words([[], []]).score([], 1.0) == 0.5
