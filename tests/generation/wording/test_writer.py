"""The choice of phrases: nothing untrue, nothing said twice within 15 lines."""

from __future__ import annotations

import re

from tests.generation.matches import ANN, BLUES, BO, CYRIL, REDS, event, goal, match_of
from touchline import Event, Player
from touchline.generation.facts import MatchFacts
from touchline.generation.facts.chains import build_chains
from touchline.generation.wording import Writer


def texts(*events: Event, seeds: int = 40, **more: object) -> list[str]:
    """What is said about the last chain of a match, with many seeds."""
    facts = MatchFacts(match_of(*events, **more))
    chain = build_chains(facts)[-1]
    found = (Writer(facts, seed).write(chain) for seed in range(seeds))
    return [one.text for one in found if one is not None]


def test_without_coordinates_no_side_and_no_distance() -> None:
    shot = event("s", "Shot", 10, BO, outcome="Saved", keeper=CYRIL, body_part="Left Foot")
    said = " ".join(texts(shot))
    for word in ("yards", "box", "left side", "right side", "tight angle", "range", "corner"):
        assert word not in said
    assert "Bo Reis" in said


def test_without_names_teams_act_in_the_plural() -> None:
    nobody = Player(id="99", name="", team=REDS)
    said = texts(event("s", "Shot", 10, nobody, outcome="Off T", location=(108.0, 40.0)))
    assert said
    assert all("Redfield City" in text and "99" not in text for text in said)
    assert not any("Redfield City misses" in text or "Redfield City puts" in text for text in said)
    card = texts(event("f", "Foul Committed", 10, nobody, card="Red Card"))
    assert set(card) == {"RED CARD! Redfield City have a player sent off."}


def test_a_nameless_shooter_of_a_named_team_mate() -> None:
    nobody = Player(id="99", name="", team=REDS)
    before = event("p", "Pass", 8, ANN, cross="yes")
    shot = event("s", "Shot", 10, nobody, outcome="Off T", location=(108.0, 40.0),
                 raw={"shot": {"key_pass_id": "p"}})  # fmt: skip
    assert not any("Archer" in text for text in texts(before, shot))


def test_a_header_is_a_header_and_a_shot_is_none() -> None:
    head = event("s", "Shot", 10, BO, outcome="Off T", body_part="Head", location=(110.0, 40.0))
    foot = event(
        "s", "Shot", 10, BO, outcome="Off T", body_part="Left Foot", location=(110.0, 40.0)
    )
    assert not any("fires" in text or "shoots" in text for text in texts(head))
    assert not any("head" in text for text in texts(foot))


def test_a_header_is_called_one_where_a_phrase_is_left() -> None:
    cross = event("p", "Pass", 8, ANN, recipient=BO, cross="yes")
    head = goal("s", 9, BO, body_part="Head", location=(110.0, 40.0), end_location=(120.0, 37.0),
                raw={"shot": {"key_pass_id": "p"}}, keeper=CYRIL)  # fmt: skip
    assert all("head" in text for text in texts(cross, head))


def test_a_missed_header_is_always_called_one() -> None:
    said = texts(event("s", "Shot", 10, BO, outcome="Off T", body_part="Head",
                       set_piece="Open Play", location=(110.0, 40.0)))  # fmt: skip
    assert said
    assert [text for text in said if "head" not in text] == []


def test_a_foul_has_one_place_for_both_teams() -> None:
    """A side, or a third, is that of the team with the free kick: its line begins with that."""
    foul = event("f", "Foul Committed", 10, ANN, fouled=CYRIL, location=(25.0, 75.0))
    kick = event("k", "Pass", 30, CYRIL, set_piece="Free Kick")
    facts = MatchFacts(match_of(foul, kick))
    chain = build_chains(facts)[0]
    said = [one.text for seed in range(80) if (one := Writer(facts, seed).write(chain))]
    sided = [text for text in said if "on the left in the final third" in text]
    begins = r"(?:Free kick to Blueport|Blueport|Cyril|On the left|A foul by Ann Archer hands)"
    assert sided
    assert [text for text in sided if not re.match(begins, text)] == []
    assert any("fouls Cyril van der Meer deep in the Redfield City half" in text for text in said)


def test_a_thin_phrase_never_wins_by_chance() -> None:
    card = event("b", "Bad Behaviour", 10, BO, card="Yellow Card")
    assert all("first" in text for text in texts(card))


def test_a_penalty_goal_says_so_and_gives_the_score() -> None:
    kick = goal("s", 10, BO, set_piece="Penalty", location=(108.0, 40.0), keeper=CYRIL)
    said = texts(kick)
    assert all("penalty" in text for text in said)
    assert all("yards" not in text for text in said)
    assert all("lead" in text or "front" in text or "1-0" in text for text in said)


def test_the_equaliser_and_only_the_equaliser() -> None:
    level = texts(goal("a", 60, CYRIL), goal("b", 600, BO))
    assert all("level" in t or "equaliser" in t or "square" in t or "1-1" in t for t in level)
    ahead = texts(goal("a", 60, BO), goal("b", 600, BO))
    assert not any("equaliser" in text or "level" in text for text in ahead)
    assert any("second of the match" in text or "has two" in text for text in ahead)


def test_a_card_is_never_left_out() -> None:
    foul = event("f", "Foul Committed", 10, ANN, fouled=CYRIL, card="Yellow Card",
                 location=(60.0, 40.0))  # fmt: skip
    said = texts(foul)
    words = ("yellow", "book", "caution")
    assert all(any(word in text.lower() for word in words) for text in said)


def test_a_foul_has_a_free_kick_only_where_one_follows() -> None:
    foul = event("f", "Foul Committed", 10, ANN, fouled=CYRIL, location=(60.0, 40.0))
    assert not any("free kick" in text.lower() for text in texts(foul))
    kick = event("k", "Pass", 30, CYRIL, set_piece="Free Kick")
    facts = MatchFacts(match_of(foul, kick))
    chain = build_chains(facts)[0]
    said = [Writer(facts, seed).write(chain) for seed in range(30)]
    assert any(one and "free kick" in one.text.lower() for one in said)


def test_no_phrase_comes_again_within_15_lines() -> None:
    fouls = [event(f"f{n}", "Foul Committed", 60.0 * n, ANN, fouled=CYRIL, location=(60.0, 40.0))
             for n in range(40)]  # fmt: skip
    facts = MatchFacts(match_of(*fouls))
    writer, lines = Writer(facts), []
    for chain in build_chains(facts):
        found = writer.write(chain)
        lines.append(found.phrases[0] if found else None)
    for place, phrase in enumerate(lines):
        assert phrase is None or phrase not in lines[max(place - 15, 0) : place]


def test_the_same_seed_gives_the_same_words() -> None:
    shot = event("s", "Shot", 10, BO, outcome="Off T", location=(95.0, 40.0))
    assert texts(shot) == texts(shot)
    assert len(set(texts(shot))) > 3


def test_a_namesake_is_told_apart_by_the_team() -> None:
    one = Player(id="20", name="Raul Gara", team=REDS)
    two = Player(id="21", name="Raul Gara", team=BLUES)
    foul = event("f", "Foul Committed", 10, one, fouled=two, location=(60.0, 40.0))
    match = match_of(foul)
    facts = MatchFacts(match.__class__(**{**{f: getattr(match, f) for f in match.__struct_fields__},
                                          "players": (one, two)}))  # fmt: skip
    found = Writer(facts).write(build_chains(facts)[0])
    assert found is not None
    assert "Raul Gara (Redfield City)" in found.text or "Raul Gara (Blueport United)" in found.text
    assert "(Redfield City) (Redfield City)" not in found.text


def test_the_middle_of_the_box_only_where_the_shot_is_central() -> None:
    def said(y: float) -> str:
        shot = event("s", "Shot", 10, BO, outcome="Saved", keeper=CYRIL, location=(108.0, y))
        return " ".join(texts(shot))

    assert "the middle of the box" in said(42.0)
    assert "the middle of the box" not in said(51.5)
    assert "inside the box" in said(51.5)


def test_a_pass_within_the_box_is_not_played_into_it() -> None:
    def said(x: float) -> str:
        return " ".join(texts(event("p", "Pass", 10, BO, recipient=ANN, outcome="Incomplete",
                                    location=(x, 30.0), end_location=(113.0, 38.0))))  # fmt: skip

    assert "into the box" in said(90.0)
    assert "into the box" not in said(112.0)
    assert "in the box" in said(112.0)


def test_a_redirected_goal_does_not_come_back_out() -> None:
    first = event("a", "Shot", 5, ANN, outcome="Blocked", location=(104.0, 50.0))
    said = texts(first, goal("b", 5.5, BO, redirect="yes", location=(113.0, 37.0)))
    assert any("turns in Ann Archer's effort" in text for text in said)
    assert not any("back out" in text or "rebound" in text for text in said)


def test_a_turnover_in_robocup_is_not_called_a_tackle() -> None:
    lost = event("t", "turnover", 10, BO, winner=CYRIL)
    said = " ".join(texts(lost, provider="robocup"))
    assert "Cyril" in said
    assert "dispossessed" not in said


def test_a_team_does_not_stand_beside_itself_for_a_nameless_player() -> None:
    nobody = Player(id="99", name="", team=REDS)
    for shot in ("Blocked", "Off T", "Saved"):
        said = texts(event("s", "Shot", 10, nobody, outcome=shot, location=(90.0, 40.0)))
        assert said
        assert [text for text in said if text.count("Redfield City") > 1] == []


def test_a_dive_is_no_foul_on_anybody() -> None:
    said = texts(event("f", "Foul Committed", 10, BO, kind="Dive", card="Yellow Card",
                       location=(113.0, 13.0)))  # fmt: skip
    assert said
    assert all("div" in text and "foul" not in text for text in said)


def test_a_shot_without_an_outcome_and_a_goal_of_nobody_have_words() -> None:
    assert any("attempt at goal by Bo Reis" in text for text in texts(event("s", "Shot", 10, BO)))
    assert set(texts(event("g", "Goal", 10))) == {"GOAL! The ball is in the net."}
