"""Who is on the ball when a word is said."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from touchline import Comment, Event, InputError, Match, Player
from touchline.core.records import Role
from touchline.text.touches import EARLIER, LATER, MAX_LINE, PEAK, Place, Touches, places

ADA, BO = Player(id="a", name="Ada"), Player(id="b", name="Bo")


def played(*touches: tuple[Player, float], others: tuple[Role, ...] = ()) -> Match:
    events = [
        Event(id=str(n), type="Pass", period=1, time=time, player=who, others=others)
        for n, (who, time) in enumerate(touches)
    ]
    return Match(name="m", provider="test", events=tuple(events), players=(ADA, BO))


def line(text: str, start: float, end: float | None = None, period: int = 1) -> Comment:
    return Comment(
        id=start, text=text, period=period, start=start, end=start if end is None else end
    )


def firsts(comments: list[Comment], spoken: bool = True) -> list[list[float]]:
    return [[p.first for p in own if p] for own in places(comments, spoken)]


def test_words_of_a_spoken_line_follow_one_another():
    assert firsts([line("one two six", 10, 22)]) == [[10, 14, 18]]
    (((first, *_),)) = places([line("one two six", 10, 22)], spoken=False)
    assert (first.first, first.last) == (10, 22)


def test_words_of_a_transcript_are_laid_out_by_its_pace():
    (times, *_) = firsts([line("one two six", 10), line("a b c", 13), line("d e f", 16)])
    assert times == pytest.approx([10, 11, 12])


def test_a_minute_is_no_spoken_line():
    comment = msgspec.structs.replace(line("one two", 60, 60 + 2 * MAX_LINE), anywhere=True)
    ((first, last),) = places([comment], spoken=True)
    assert first == last
    assert not first.to_the_second
    assert places([Comment(id=1, text="no clock")], spoken=True) == [[None, None]]


def test_who_just_touched_the_ball_is_likelier_than_usual():
    touches = Touches(played((ADA, 100), (BO, 200)))
    (ada, bo) = touches.ratios([Place(1, 102, 102), Place(1, 202, 202), Place(1, 150, 150)])
    assert ada[0] > 1.5 > 1 > bo[0]
    assert bo[1] > 1.5 > 1 > ada[1]
    assert ada[2] == bo[2] == 1


def test_two_seconds_after_is_likelier_than_two_before():
    touches = Touches(played((ADA, 100), (BO, 104)))
    ((ada,), (bo,)) = touches.ratios([Place(1, 102, 102)])
    assert ada > bo


def test_receivers_touch_the_ball_too():
    touches = Touches(played((ADA, 100), others=(Role("recipient", BO),)))
    assert touches.players == ["a", "b"]
    ((ada,), (bo,)) = touches.ratios([Place(1, 102, 102)])
    assert ada == bo == 1


def test_over_an_interval_shares_are_averaged():
    touches = Touches(played((ADA, 100), (BO, 200)))
    ((ada,), (bo,)) = touches.ratios([Place(1, 80, 220)])
    assert ada == pytest.approx(bo, abs=0.1)
    ((ada,), _) = touches.ratios([Place(1, 80, 120)])
    assert 1 < ada < 2


@pytest.mark.parametrize("time", [-1e9, -5.0, 1e9])
def test_far_off_the_clock_nobody_is_likelier(time):
    touches = Touches(played((ADA, 100), (BO, 200)))
    ((ada,), (bo,)) = touches.ratios([Place(1, time, time)])
    assert ada == bo == 1
    ((ada,), _) = touches.ratios([Place(7, 1, 1)])
    assert ada == 1


def test_how_often_names_are_of_who_is_on_the_ball():
    times = range(0, 3000, 60)
    match = played(*((ADA if n % 2 else BO, time) for n, time in enumerate(times)))
    touches = Touches(match)
    named = [("a" if n % 2 else "b", Place(1, t + 2, t + 2)) for n, t in enumerate(times)]
    off = [(who, Place(1, p.first + 60, p.last + 60)) for who, p in named]
    (right, likely), (wrong, unlikely) = touches.on_the_ball(named), touches.on_the_ball(off)
    assert right > 0.85
    assert wrong < 0.2
    assert likely > unlikely
    assert touches.on_the_ball([])[0] == pytest.approx(0.7)


def test_play_is_summed_over_all_seconds_around_a_touch():
    match = played((ADA, 0.0), (BO, 1.4), (ADA, 5.0), (ADA, 5.2), (BO, 30.0))
    touches = Touches(match)
    seconds = range(-10, 40)
    found = touches.ratios(Place(period=1, first=s, last=s) for s in seconds)
    weight = {"a": [0, 5], "b": [1, 30]}  # touches within a second are one
    for second, ratio in zip(seconds, found.T, strict=True):
        around = [sum(kernel(t - second) for t in weight[who]) for who in touches.players]
        share = np.array(around) / sum(around) if sum(around) else touches.usual
        assert ratio == pytest.approx(share / touches.usual)


def kernel(lag: int) -> float:
    if not -12 <= lag <= 6:
        return 0.0
    return float(np.exp(-abs(lag - PEAK) / (EARLIER if lag < PEAK else LATER)))


def test_more_players_and_seconds_than_any_match_has_are_refused(monkeypatch):
    match = played((ADA, 100), (BO, 5_000))
    assert Touches(match).usual.sum() == pytest.approx(1)
    monkeypatch.setattr("touchline.text.touches.MAX_CELLS", 10_000)
    with pytest.raises(InputError, match=r"m: 2 players act within 5,020 s .* is 10,000 players"):
        _ = Touches(match).usual
