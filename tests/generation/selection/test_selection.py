"""Which events get a line."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.generation.matches import ANN, BO, CYRIL, DEE, EVA, REDS, event, goal, match_of
from touchline import CommentLinks, InputError, Link, Links, Match
from touchline.generation.facts import MatchFacts
from touchline.generation.selection import Choice, SelectionModel, bundled_selection, fit_selection
from touchline.generation.selection.choice import in_order
from touchline.generation.selection.features import features
from touchline.generation.selection.model import best_threshold, decode_selection

FLAT = SelectionModel(bias=0.0, weights={}, rate=1.0)


def eventful() -> Match:
    """Ninety passes into the box, and among them all that must not be missed."""
    passes = [event(f"p{n}", "Pass", 60.0 * n, ANN, recipient=BO, end_location=(110.0, 40.0),
                    location=(90.0, 40.0)) for n in range(1, 44)]  # fmt: skip
    musts = [
        event("start", "Half Start", 0, team=REDS),
        goal("goal", 1000, BO),
        event("og", "Own Goal Against", 1003, EVA),
        event("card", "Foul Committed", 1006, CYRIL, card="Yellow Card"),
        event("sub", "Substitution", 1009, ANN, replacement=DEE),
        event("foul", "Foul Committed", 1200, CYRIL, penalty="yes"),
        event("pen", "Shot", 1260, BO, set_piece="Penalty", outcome="Saved"),
        event("end", "Half End", 2700, team=REDS),
    ]
    return match_of(*sorted([*passes, *musts], key=lambda e: e.time))


def test_what_must_not_be_missed_is_picked_first() -> None:
    facts = MatchFacts(eventful())
    ranking = Choice(facts, FLAT).ranked()
    first = [next(ranking).chain.head.id for _ in range(8)]
    assert set(first) == {"start", "goal", "og", "card", "sub", "foul", "pen", "end"}


def test_other_lines_are_apart_and_spread() -> None:
    facts = MatchFacts(eventful())
    picked = [one for one, _ in zip(Choice(facts, FLAT).ranked(), range(24), strict=False)]
    times = [one.chain.head.event.time for one in in_order(picked, facts)]
    gaps = [b - a for a, b in pairwise(times)]
    assert max(gaps) <= 300
    others = [one.chain.head.event.time for one in picked if not one.needed]
    assert all(abs(a - b) >= 10 for n, a in enumerate(others) for b in others[:n])


def test_a_ball_to_somebody_offside_has_its_place_in_the_match() -> None:
    start = event("start", "Half Start", 0, team=REDS)
    ball = event("p", "Pass", 60, ANN, outcome="Incomplete", through_ball="yes")
    flag = event("flag", "Offside", 60, BO)
    later, end = goal("goal", 1000, BO), event("end", "Half End", 2700, team=REDS)
    facts = MatchFacts(match_of(start, ball, flag, later, end))
    lines = [one.chain.head.id for one in in_order(Choice(facts, FLAT).ranked(), facts)]
    assert lines == ["start", "p", "goal", "end"]


def test_a_free_kick_near_a_foul_counts_less_than_a_cross() -> None:
    kick = event("k", "Pass", 70, ANN, set_piece="Free Kick", end_location=(110.0, 40.0))
    foul = event("f", "Foul Committed", 100, EVA, card="Yellow Card")
    cross = event("c", "Pass", 130, ANN, cross="yes", end_location=(110.0, 40.0))
    facts = MatchFacts(match_of(event("h", "Half Start", 0, team=REDS), kick, foul, cross))
    picked = [one.chain.head.id for one in Choice(facts, FLAT).ranked() if not one.needed]
    assert picked == ["c", "k"]


def test_a_shot_and_its_assist_are_one_line() -> None:
    assist = event("a", "Pass", 98, ANN, recipient=BO, end_location=(110.0, 40.0))
    shot = event("s", "Shot", 100, BO, outcome="Off T", raw={"shot": {"key_pass_id": "a"}})
    facts = MatchFacts(match_of(event("h", "Half Start", 0, team=REDS), assist, shot))
    picked = list(Choice(facts, FLAT).ranked())
    assert [one.chain.ids for one in picked if not one.needed] == [("a", "s")]


def test_min_score_leaves_out_the_unlikely() -> None:
    model = SelectionModel(bias=-3.0, weights={"kind shot": 6.0}, rate=1.0)
    shot = event("s", "Shot", 100, BO, outcome="Off T")
    passing = event("p", "Pass", 50, ANN, end_location=(110.0, 40.0), location=(90.0, 40.0))
    choice = Choice(MatchFacts(match_of(passing, shot)), model)
    heads = [one.chain.head.id for one in choice.ranked(min_score=0.5) if not one.needed]
    assert heads == ["s"]


def test_learned_from_links_alone() -> None:
    passes = [event(f"p{n}", "Pass", 10.0 * n, ANN) for n in range(40)]
    shots = [event(f"s{n}", "Shot", 10.0 * n + 5, BO, outcome="Off T") for n in range(40)]
    match = match_of(*sorted([*passes, *shots], key=lambda e: e.time))
    links = Links(match, [
        CommentLinks(match="small", comment=n, events=(Link(id=f"s{n}", score=0.9),), none=0.1,
                     period=1, time=None, span=None) for n in range(40)
    ])  # fmt: skip
    model = fit_selection([links])
    scores = model.scores(match)
    assert min(scores[f"s{n}"] for n in range(40)) > 0.7
    assert max(scores[f"p{n}"] for n in range(40)) < 0.3
    assert decode_selection(model.to_bytes(), "x") == model


def fitted(score: float) -> SelectionModel:
    """From 40 shots, every second of which a comment is linked to with that probability."""
    shots = [event(f"s{n}", "Shot", 60.0 * n, BO, outcome="Off T") for n in range(40)]
    answers = [CommentLinks(match="small", comment=n, events=(Link(id=f"s{n}", score=score),),
                            none=0.1, period=1, time=None, span=None)
               for n in range(0, 40, 2)]  # fmt: skip
    return fit_selection([Links(match_of(*shots), answers)])


def test_an_unsure_link_counts_for_less() -> None:
    match = match_of(event("s", "Shot", 60, BO, outcome="Off T"))
    sure, unsure = (fitted(score).scores(match)["s"] for score in (1.0, 0.6))
    assert sure > unsure


def test_the_threshold_has_the_highest_expected_f1() -> None:
    # One, two or three picked: 2 * 0.9 / 2.8, 2 * 1.7 / 3.8, 2 * 1.8 / 4.8.
    assert best_threshold(np.array([0.1, 0.9, 0.8])) == 0.8


def test_a_record_beside_another_and_the_passes_before_are_features() -> None:
    events = [event(f"p{n}", "pass", 10.0 + n, ANN, raw={"start": 10.0 + n, "end": 15.0 + n})
              for n in range(3)]  # fmt: skip
    events += [event("b", "badPass", 20, ANN), event("t", "turnover", 20, ANN)]
    match = match_of(*events, provider="robocup")
    rows = features(list(MatchFacts(match).all()), {})
    assert "pass/incomplete at once turnover" in rows[3]
    assert "pass/incomplete passes before 3" in rows[3]
    assert any(name.startswith("pass/complete lasts") for name in rows[0])


def test_the_bundled_weights_hold_no_names() -> None:
    for provider in ("statsbomb", "robocup"):
        model = bundled_selection(provider)
        assert model.weights
        assert 0 < model.threshold < 1
        words = {word for name in model.weights for word in name.split()}
        assert not {"Chelsea", "Purple9", "purple", "Southampton"} & words


def test_a_later_format_is_refused() -> None:
    data = SelectionModel(format=99, bias=0.0, weights={}, rate=1.0).to_bytes()
    with pytest.raises(InputError, match="format 99"):
        decode_selection(data, "x.json")
    with pytest.raises(InputError, match="not a selection model"):
        decode_selection(b"[]", "x.json")
