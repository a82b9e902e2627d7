"""The events that one line describes together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.generation.matches import ANN, BO, CYRIL, EVA, REDS, event, goal, match_of
from touchline import Event
from touchline.generation.facts import MatchFacts
from touchline.generation.facts.chains import Chain, build_chains


def chains(*events: Event, **more: Any) -> list[Chain]:
    return build_chains(MatchFacts(match_of(*events, **more)))


def test_a_pass_that_sets_up_a_shot_at_once_has_no_line_of_its_own() -> None:
    raw = {"shot": {"key_pass_id": "p"}}
    cross = event("p", "Pass", 5, ANN, cross="yes", recipient=BO)

    def heads(time: float) -> list[str]:
        shot = event("s", "Shot", time, BO, outcome="Off T", raw=raw)
        return [chain.head.id for chain in chains(cross, shot)]

    assert (heads(6.5), heads(14.0)) == (["s"], ["p", "s"])


def test_a_redirected_shot_is_no_rebound() -> None:
    first = event("a", "Shot", 5, ANN, outcome="Blocked")
    turned = goal("b", 5.5, BO, redirect="yes")
    plain = goal("b", 5.5, BO)
    more = [chains(first, last)[-1].more for last in (turned, plain)]
    assert [one.get("rebound") for one in more] == [None, "blocked"]
    assert [one.get("redirect") for one in more] == [True, None]
    assert more[0]["first"] == "Ann Archer"


def test_a_corner_that_ends_with_a_foul_by_its_own_team() -> None:
    corner = event("c", "Pass", 5, ANN, set_piece="Corner", outcome="Unknown")
    foul = event("f", "Foul Committed", 6.5, BO, fouled=EVA)
    chain = chains(corner, foul)[0]
    assert chain.ids == ("c", "f")
    assert (chain.more["ended"], chain.more["ender"]) == ("foul", "Bo Reis")
    assert chain.more["fouled"] == "Eva Ives"
    other = event("f", "Foul Committed", 6.5, CYRIL)
    assert "ended" not in chains(corner, other)[0].more


@pytest.mark.parametrize("cross", ["yes", ""])
def test_a_ball_to_somebody_offside_is_told_as_that(cross: str) -> None:
    flags = {"cross": "yes"} if cross else {"through_ball": "yes"}
    ball = event("p", "Pass", 5, ANN, outcome="Incomplete", **flags)
    flag = event("o", "Offside", 7, BO)
    chain = chains(ball, flag)[0]
    known = chain.known
    assert chain.ids == ("p", "o")
    assert (known["kind"], known["outcome"], known["recipient"]) == ("pass", "offside", "Bo Reis")
    theirs = event("o", "Offside", 7, EVA)
    assert chains(ball, theirs)[0].known["outcome"] == "incomplete"


def test_a_cross_that_wins_a_corner_did_not_come_to_nothing() -> None:
    cross = event("p", "Pass", 5, ANN, outcome="Incomplete", cross="yes", related=("c",))
    clearance = event("c", "Clearance", 4.5, EVA, related=("p",))
    corner = event("k", "Pass", 40, BO, set_piece="Corner")
    more = chains(clearance, cross, corner)[0].more
    assert (more["won"], more["ended"], more["ender"]) == ("corner", "cleared", "Eva Ives")
    throw = event("k", "Pass", 40, BO, set_piece="Throw-in")
    assert "won" not in chains(clearance, cross, throw)[0].more


def test_a_clearance_of_a_corner_has_no_line_of_its_own() -> None:
    corner = event("c", "Pass", 5, ANN, set_piece="Corner", outcome="Incomplete")
    clearance = event("d", "Clearance", 6, EVA)
    later = event("e", "Clearance", 30, EVA)
    assert [chain.ids for chain in chains(corner, clearance, later)] == [("c", "d"), ("e",)]


def test_who_overruns_the_ball_was_not_stopped() -> None:
    run = event("d", "Dribble", 5, ANN, outcome="Incomplete", opponent=EVA, related=("e",))
    past = event("e", "Dribbled Past", 5, EVA, related=("d",))
    tackle = event("e", "Duel", 5, EVA, kind="Tackle", outcome="Won", related=("d",))
    assert chains(run, past)[0].more == {"overrun": True}
    assert chains(run, tackle)[0].more == {}


def test_a_dribble_after_which_the_ball_is_lost_has_no_line() -> None:
    run = event("d", "Dribble", 5, ANN, outcome="Complete", opponent=EVA)
    lost = [event("l", "Dispossessed", time, ANN, opponent=EVA) for time in (6, 9)]
    heads = [[chain.head.id for chain in chains(run, loss)] for loss in lost]
    assert heads == [["l"], ["d", "l"]]


def test_a_pass_into_the_box_that_is_blocked_did_not_go_astray() -> None:
    ball = event("p", "Pass", 5, ANN, recipient=BO, outcome="Incomplete", related=("b",),
                 location=(95.0, 40.0), end_location=(106.0, 40.0))  # fmt: skip
    block = event("b", "Block", 5.2, EVA, related=("p",))
    more = chains(ball, block)[0].more
    assert (more["ended"], more["ender"]) == ("blocked", "Eva Ives")


def test_a_team_mate_in_the_way_is_no_blocker() -> None:
    shot = event("s", "Shot", 5, BO, outcome="Blocked", blocker=ANN)
    known = chains(shot)[0].known
    assert known["team_mate"] == "Ann Archer"
    assert "blocker" not in known
    assert chains(event("s", "Shot", 5, BO, outcome="Blocked", blocker=EVA))[0].known["blocker"]


def test_a_goalkeeper_who_takes_an_opponents_ball_has_a_line() -> None:
    held = event("k", "Goal Keeper", 7, EVA, kind="Keeper pick-up")
    lost = event("p", "Pass", 5, ANN, outcome="Incomplete")
    own = event("p", "Pass", 5, CYRIL, outcome="Incomplete")
    assert chains(lost, held)[-1].more == {"passer": "Ann Archer", "taken": "pass"}
    assert chains(own, held) == []


def test_bookings_are_counted_over_both_teams() -> None:
    cards = [event(key, "Foul Committed", time, player, card="Yellow Card")
             for key, time, player in (("a", 5, ANN), ("b", 50, EVA), ("c", 90, BO))]  # fmt: skip
    assert [chain.more["booking"] for chain in chains(*cards)] == [1, 2, 3]


def simulated(key: str, type_: str, time: float, player: Any = None, **more: Any) -> Event:
    return event(key, type_, time, player, **more)


KICK_OFFS = (
    simulated("1", "playmode", 1, value="kick_off_l"),
    simulated("2", "kick", 3, ANN),
    simulated("3", "playmode", 1000, value="kick_off_r"),
    simulated("4", "kick", 1002, EVA),
)


def test_a_goal_of_a_simulated_match_is_for_the_team_that_kicks_off_from_that_side() -> None:
    kick = simulated("5", "kick", 1500, BO)
    scored = simulated("6", "playmode", 1502, value="goal_l")
    known = chains(*KICK_OFFS, kick, scored, provider="robocup")[-1].known
    assert (known["mode"], known["team"], known["player"]) == ("goal", REDS.name, "Bo Reis")
    theirs = simulated("6", "playmode", 1502, value="goal_r")
    assert chains(*KICK_OFFS, kick, theirs, provider="robocup")[-1].known.get("player") is None
    unknown = chains(KICK_OFFS[0], kick, scored, provider="robocup")[-1].known
    assert "team" not in unknown


def test_a_steal_and_its_turnover_are_one_line() -> None:
    lost = simulated("t", "turnover", 5, BO, winner=EVA)
    steal = simulated("s", "steal", 5, EVA)
    (chain,) = chains(steal, lost, provider="robocup")
    assert (chain.ids, chain.more["opponent"]) == (("s", "t"), "Bo Reis")


def test_a_goal_soon_after_the_other_sides_is_a_reply_to_it() -> None:
    goals = [goal("a", 100, ANN), goal("b", 220, EVA), goal("c", 230, EVA), goal("d", 900, BO)]
    replies = [chain.more.get("reply") for chain in chains(*goals)]
    assert replies == [None, 2, None, None]
