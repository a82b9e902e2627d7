"""What the log knows about an event, and what it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generation.matches import ANN, BLUES, BO, CYRIL, DEE, EVA, REDS, event, goal, match_of
from touchline import Match, Player, Team, read_events
from touchline.generation.facts import MatchFacts
from touchline.generation.facts.geometry import FARTHEST, area, distance, in_yards, is_tight, side
from touchline.generation.facts.names import surname_of
from touchline.sample.exports import carried, write


def test_what_the_log_does_not_know_is_none() -> None:
    facts = MatchFacts(match_of(event("e", "Shot", 5, BO, outcome="Saved"))).of("e")
    unknown = ("distance", "side", "area", "tight", "body", "first_time", "target", "narrow",
               "assist_kind", "restart", "follows", "card", "penalty", "set_piece")  # fmt: skip
    assert {name: getattr(facts, name) for name in unknown} == dict.fromkeys(unknown)
    assert (facts.kind, facts.outcome, facts.player) == ("shot", "saved", "Bo Reis")


def test_score_equaliser_lead_and_comeback() -> None:
    match = match_of(
        goal("a", 60, CYRIL), goal("b", 120, EVA), goal("c", 180, BO),
        event("og", "Own Goal Against", 240, EVA), goal("d", 300, BO), goal("e", 360, ANN),
    )  # fmt: skip
    facts = MatchFacts(match)
    effects = [facts.of(key).effect for key in ("a", "b", "c", "og", "d", "e")]
    assert effects == ["opener", "extends", "reduces", "equaliser", "lead", "extends"]
    assert [facts.of(key).comeback for key in ("c", "og", "d", "e")] == [None, 2, 2, None]
    assert (facts.of("og").before, facts.of("og").after) == ((1, 2), (2, 2))
    assert [facts.of(key).tally for key in ("c", "d", "og")] == [1, 2, None]
    assert facts.scoring.final() == (4, 2)


def test_no_score_without_shots_and_none_in_a_shootout() -> None:
    facts = MatchFacts(match_of(event("p", "Pass", 5, BO)))
    assert facts.scoring.final() is None
    assert facts.of("p").before is None
    shootout = match_of(goal("a", 5, BO), goal("b", 9, BO, period=5))
    assert MatchFacts(shootout).scoring.final() == (1, 0)


def test_an_event_between_goals_has_the_score_of_its_time() -> None:
    match = match_of(goal("a", 60, BO), event("p", "Pass", 90, ANN), goal("b", 120, CYRIL))
    assert MatchFacts(match).of("p").after == (1, 0)


def test_restart_after_a_save_and_after_play_that_went_on() -> None:
    shot = event("s", "Shot", 10, BO, outcome="Saved", keeper=CYRIL)
    save = event("k", "Goal Keeper", 10.5, CYRIL, kind="Shot Saved")
    corner = event("c", "Pass", 40, ANN, set_piece="Corner")
    facts = MatchFacts(match_of(shot, save, corner)).of("s")
    assert (facts.restart, facts.restart_team) == ("corner", "Redfield City")
    on = event("p", "Pass", 14, CYRIL)
    assert MatchFacts(match_of(shot, save, on, corner)).of("s").restart is None


def test_a_penalty_is_known_by_the_flag_or_by_the_kick_that_follows() -> None:
    foul = event("f", "Foul Committed", 100, EVA, fouled=BO)
    kick = event("k", "Shot", 160, BO, set_piece="Penalty", outcome="Goal")
    assert MatchFacts(match_of(foul, kick)).of("f").penalty is True
    assert MatchFacts(match_of(foul)).of("f").penalty is False
    theirs = event("k", "Shot", 160, EVA, set_piece="Penalty", outcome="Goal")
    assert MatchFacts(match_of(foul, theirs)).of("f").penalty is False
    flagged = event("f", "Foul Committed", 100, EVA, penalty="yes")
    assert MatchFacts(match_of(flagged)).of("f").penalty is True


def test_set_up_by_what_the_feed_says_only() -> None:
    before = event("p", "Pass", 8, ANN, recipient=BO, cross="yes")
    shot = event("s", "Shot", 10, BO, outcome="Off T")
    assert "assist" not in MatchFacts(match_of(before, shot)).of("s").roles
    by_id = event("s", "Shot", 10, BO, outcome="Off T", raw={"shot": {"key_pass_id": "p"}})
    facts = MatchFacts(match_of(before, by_id)).of("s")
    assert (facts.roles["assist"], facts.assist_kind) == ("Ann Archer", "cross")
    marked = event("p", "Pass", 8, ANN, shot_assist="yes", set_piece="Corner")
    facts = MatchFacts(match_of(marked, shot)).of("s")
    assert (facts.roles["assist"], facts.assist_kind) == ("Ann Archer", "corner")


def test_who_touches_the_ball_much_later_did_not_receive_it() -> None:
    given = event("p", "Pass", 8, ANN, recipient=BO)
    for second, roles in ((10, {"recipient": "Bo Reis"}), (17, {})):
        match = match_of(given, event("q", "Pass", second, BO), provider="opta")
        assert MatchFacts(match).of("p").roles == roles
    assert MatchFacts(match_of(given)).of("p").roles == {"recipient": "Bo Reis"}


def test_an_unintended_assist_of_opta_is_none() -> None:
    before = event("p", "Pass", 8, ANN)
    given = {"outcome": "Off T", "related": ("p",), "assisted": "yes"}
    meant = event("s", "Shot", 10, BO, intentional_assist="yes", **given)
    assert MatchFacts(match_of(before, meant)).of("s").roles["assist"] == "Ann Archer"
    chance = event("s", "Shot", 10, BO, **given)
    assert "assist" not in MatchFacts(match_of(before, chance)).of("s").roles


def test_a_shot_soon_after_a_corner_comes_from_it() -> None:
    corner = event("c", "Pass", 100, ANN, set_piece="Corner")
    soon = event("s", "Shot", 104, BO, outcome="Off T")
    late = event("t", "Shot", 130, BO, outcome="Off T")
    other = event("u", "Shot", 105, EVA, outcome="Off T")
    facts = MatchFacts(match_of(corner, soon, other, late))
    assert [facts.of(key).follows for key in "sut"] == ["corner", None, None]


@pytest.mark.parametrize(
    ("arguments", "raw", "target"),
    [
        ({"outcome": "Goal"}, [120, 37, 0.3], "bottom left"),
        ({"outcome": "Goal"}, [120, 43.5, 2.2], "top right"),
        ({"outcome": "Saved"}, [112, 37, 0.3], None),
        ({"outcome": "Off T"}, [120, 45, 0.3], "wide right"),
        ({"outcome": "Off T"}, [120, 40, 3.3], "over"),
        ({"outcome": "Post"}, [120, 36, 1.3], "left post"),
        ({"outcome": "Goal", "goal_mouth": "low left"}, None, "bottom left"),
        ({"outcome": "Off T", "goal_mouth": "close right"}, None, "wide right"),
        ({"outcome": "Off T", "goal_mouth": "out high left"}, None, "over"),
        ({"outcome": "Blocked", "goal_mouth": "low left"}, None, None),
    ],
)
def test_where_a_shot_goes(arguments: dict[str, str], raw: list[float], target: str | None) -> None:
    more = {"raw": {"shot": {"end_location": raw}}} if raw else {}
    shot = event("s", "Shot", 10, BO, **arguments, **more)
    assert MatchFacts(match_of(shot)).of("s").target == target


def test_lines_of_a_feed_lie_where_a_pitch_has_them() -> None:
    penalty_spot = (88.5 * 1.2, 40.0)  # Opta draws it at 88.5 %
    moved = in_yards("opta", penalty_spot)
    assert moved is not None
    assert distance(moved) == pytest.approx(12)
    assert in_yards("statsbomb", (108.0, 40.0)) == (108.0, 40.0)
    assert in_yards("wyscout", (90 * 1.2, 40.0)) == pytest.approx((108.0, 40.0))
    assert in_yards("opta", (60.0, 80.0)) == (60.0, 80.0)


def test_parts_of_the_pitch() -> None:
    places = [(116, 40), (108, 40), (102, 40), (98, 40), (85, 40), (60, 10), (10, 40)]
    found = [area(place) for place in places]
    assert found == ["six-yard box", "box", "edge of the box", "edge of the box", "final third",
                     "midfield", "own box"]  # fmt: skip
    assert [side((60, y)) for y in (5, 40, 75)] == ["left", "centre", "right"]
    assert is_tight((116, 28))
    assert not is_tight((100, 40))


def test_names_as_they_are_shown() -> None:
    sterling = Player(id="9", name="Raheem Shaquille Sterling", short="R. Sterling", team=REDS)
    number = Player(id="10", name="", team=Team(id="77", name="77"))
    match = Match(name="m", provider="t", events=(), teams=(REDS, BLUES), players=(sterling, EVA))
    names = MatchFacts(match).names
    assert names.player(sterling) == "Raheem Sterling"
    assert names.surname(sterling) == "Sterling"
    assert names.player(number) is None
    assert names.team(number.team) == "Team 77"
    assert surname_of("Cyril van der Meer") == "van der Meer"
    twin = Player(id="11", name="Tom Sterling", team=BLUES)

    match = Match(name="m", provider="t", events=(), teams=(REDS,), players=(sterling, twin))
    assert MatchFacts(match).names.surname(sterling) == "Raheem Sterling"


@pytest.mark.parametrize("provider", ["opta", "statsperform", "whoscored", "wyscout"])
def test_the_same_shot_from_every_feed(provider: str, tmp_path: Path) -> None:
    """The sample's exports carry what each feed has; kind, outcome and score are the same."""
    match = match_of(
        event("h", "Half Start", 0, team=REDS),
        event("p", "Pass", 8, ANN, location=(60.0, 20.0), recipient=BO),
        event("s", "Shot", 10, BO, outcome="Goal", body_part="Head", set_piece="Open Play",
              location=(110.0, 40.0)),
        event("f", "Foul Committed", 50, CYRIL, location=(60.0, 20.0)),
        event("q", "Pass", 90, DEE, location=(60.0, 20.0)),
    )  # fmt: skip
    files = write(carried(match, provider), provider, tmp_path)
    read = read_events(files.events, lineups=files.lineups)
    facts = MatchFacts(read)
    shot = next(one for one in facts.all() if one.kind == "shot")
    assert (shot.outcome, shot.body, shot.after) == ("goal", "head", (1, 0))
    assert shot.distance == pytest.approx(10, abs=2)


def test_facts_of_robocup_name_players_and_no_score(tmp_path: Path) -> None:
    log = tmp_path / "events"
    log.write_text("1 | 5 | pass ( purple9 , purple2 )\n6 | 9 | badPass ( purple2 , pink3 )\n")
    facts = list(MatchFacts(read_events(log)).all())
    assert [(one.kind, one.outcome) for one in facts] == [("pass", "complete"),
                                                         ("pass", "incomplete")]  # fmt: skip
    assert facts[0].roles == {"recipient": "Purple2"}
    assert facts[0].before is None
    assert facts[0].distance is None


def test_a_team_that_has_led_since_did_not_come_from_behind() -> None:
    match = match_of(
        goal("a", 60, CYRIL), goal("b", 120, BO), goal("c", 180, BO),
        goal("d", 240, CYRIL), goal("e", 300, ANN),
    )  # fmt: skip
    facts = MatchFacts(match)
    assert [facts.of(key).comeback for key in ("c", "e")] == [1, None]


@pytest.mark.parametrize(
    ("y", "central"), [(29.3, False), (31.0, True), (49.0, True), (50.7, False)]
)
def test_the_middle_of_the_box_is_as_wide_as_the_six_yard_box(y: float, central: bool) -> None:
    match = match_of(event("s", "Shot", 5, BO, outcome="Saved", location=(108.0, y)))
    facts = MatchFacts(match).of("s")
    assert (facts.area, facts.side, facts.central) == ("box", "centre", central)


@pytest.mark.parametrize(
    ("end", "target"),
    [((120, 44.8, 2.8), "wide right"), ((120, 44.8, 3.4), "over"), ((120, 40, 2.8), "over"),
     ((120, 33.0, 2.9), "wide left")],
)  # fmt: skip
def test_a_ball_hardly_higher_than_the_bar_and_clearly_wide_is_wide(
    end: tuple[float, float, float], target: str
) -> None:
    raw = {"shot": {"end_location": list(end)}}
    facts = MatchFacts(match_of(event("s", "Shot", 5, BO, outcome="Off T", raw=raw))).of("s")
    assert facts.target == target


def test_a_miss_with_a_save_beside_it_was_saved() -> None:
    shot = event("s", "Shot", 5, BO, outcome="Off T", related=("k",))
    save = event("k", "Goal Keeper", 5, CYRIL, kind="Shot Saved", related=("s",))
    facts = MatchFacts(match_of(shot, save)).of("s")
    assert (facts.outcome, facts.roles["keeper"]) == ("saved", "Cyril van der Meer")
    faced = event("k", "Goal Keeper", 5, CYRIL, kind="Shot Faced", related=("s",))
    assert MatchFacts(match_of(shot, faced)).of("s").outcome == "off"


def test_no_two_places_are_farther_apart_than_any_pitch_is_long() -> None:
    assert distance((1e308, -1e308)) == FARTHEST
    far = event("p", "Pass", 5, ANN, location=(1e308, 40.0), end_location=(-1e308, 40.0))
    assert MatchFacts(match_of(far)).of(far).length == FARTHEST
