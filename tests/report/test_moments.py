"""The scoreboard and the key moments of a match, by its log."""

from __future__ import annotations

import msgspec

from touchline import align
from touchline.generation.facts import MatchFacts
from touchline.io.links.origin import Origin
from touchline.report.data import report
from touchline.report.moments import moments, scoreboard


def of(match):
    facts = MatchFacts(match)
    place = {event.id: number for number, event in enumerate(match.events)}
    return scoreboard(facts), list(moments(facts, place))


def test_the_result_is_that_of_the_log(sample):
    result, found = of(sample[0].match)
    assert (result.score, result.periods) == ((2, 1), ((1, (1, 0)), (2, (2, 1))))
    goals = [one for one in found if one.score]
    assert [(one.name, one.clock, one.side, one.note) for one in goals] == [
        ("Çağrı Demirsoy", "23'", 0, ""),
        ("Pape Gaye-Lambert", "65'", 1, ""),
        ("Haruto Mizunoe", "79'", 0, "pen."),
    ]
    assert [one.score for one in goals] == [(1, 0), (1, 1), (2, 1)]
    assert {one.kind for one in found} >= {"goal", "yellow card"}


def test_an_own_goal_counts_for_the_other_side(sample):
    match = sample[0].match
    goal = next(one for one in of(match)[1] if one.kind == "goal" and one.side == 0)
    event = match.events[goal.event]
    own = msgspec.structs.replace(event, type="Own Goal Against")
    events = tuple(own if one is event else one for one in match.events)
    result, found = of(msgspec.structs.replace(match, events=events))
    assert result.score == (1, 2)
    (moment,) = (one for one in found if one.kind == "own goal")
    assert (moment.side, moment.name) == (1, goal.name)


def test_a_shoot_out_does_not_count_for_the_score(sample):
    match = sample[0].match
    goal = next(one for one in of(match)[1] if one.kind == "goal" and one.side == 0)
    kick = msgspec.structs.replace(match.events[goal.event], id="kick", period=5, time=30.0)
    result, found = of(msgspec.structs.replace(match, events=(*match.events, kick)))
    assert (result.score, result.shootout) == ((2, 1), (1, 0))
    assert "kick" not in {match.events[one.event].id for one in found}


def test_a_log_without_shots_has_no_result(sample):
    match = sample[0].match
    events = tuple(event for event in match.events if event.type not in ("Shot", "Own Goal For"))
    result, found = of(msgspec.structs.replace(match, events=events))
    assert result is None
    assert all(one.score is None for one in found)


def test_comments_know_where_they_are_in_the_recording(sample, record, tmp_path):
    from touchline.io.commentary import with_commentary

    match = sample[0].match
    path = record(tmp_path / "tv.srt", match.comments, {1: 100.0, 2: 4000.0})
    heard = with_commentary(match.with_comments(()), path, kickoffs={1: 100.0, 2: 4000.0})
    (page,) = report([align(heard, method="named-nearest")], Origin(method="x")).matches
    assert page.recordings == ((1, 2),)
    assert (page.comments[0].kickoff, page.comments[-1].kickoff) == (100.0, 4000.0)
