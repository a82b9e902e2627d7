"""What a text claims, by the lexicon."""

from __future__ import annotations

import pytest

from tests.generation.matches import match_of
from touchline.generation.check.claims import claims_of, scores_of, values_of
from touchline.text.names import NameFinder


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("Archer shoots and the keeper saves.", {"saved"}),
        ("Archer heads it wide of the left post.", {"off"}),
        ("Goal! Archer finds the back of the net.", {"goal"}),
        ("Her shot is blocked by a defender.", {"blocked"}),
        ("Her shot comes back off the crossbar.", {"post"}),
        ("Archer goes for goal from long range.", set()),
        ("How has she not scored?", set()),
        ("She almost scored.", set()),
        ("A goal kick for Redfield.", set()),
        ("Archer misses a great chance, the keeper saves.", {"saved"}),
    ],
)
def test_how_a_shot_is_said_to_have_ended(text, outcomes):
    assert set(values_of(claims_of(text), "outcome")) == outcomes


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Archer is sent off.", "card", "red"),
        ("A second yellow card for Archer.", "card", "red"),
        ("Archer is booked.", "card", "yellow"),
        ("A header from Archer.", "body", "head"),
        ("A right-footed shot.", "body", "right foot"),
        ("She tries from outside the box.", "place", "outside the box"),
        ("It flies into the bottom left corner.", "side", "left"),
        ("The penalty kick goes wide.", "set piece", "penalty"),
    ],
)
def test_details_that_are_claimed(text, kind, value):
    claim = values_of(claims_of(text), kind)[value]
    assert text[claim.start : claim.end]


def test_the_sideline_is_no_cross():
    assert "cross" not in values_of(claims_of("The ball has crossed the sideline."), "act")
    assert "cross" in values_of(claims_of("Archer crosses the ball."), "act")


def scores(text: str) -> list[tuple[tuple[int, int], bool, bool]]:
    match = match_of()
    return [(c.goals, c.ordered, c.sure) for c in scores_of(text, match, NameFinder(match))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The score is 1:0.", [((1, 0), False, True)]),
        ("Archer makes it 2-1!", [((2, 1), False, True)]),
        ("It's two-nil.", [((2, 0), False, True)]),
        ("2-1 to Blueport United.", [((1, 2), True, True)]),
        ("Goal! Redfield City 3, Blueport United 1.", [((3, 1), True, True)]),
        ("Blueport United 2, Redfield City 0.", [((0, 2), True, True)]),
        ("Corners at the break: Redfield City 4, Blueport United 2.", []),
        ("They lost 4-0 here.", []),
        ("The shot count is 15-6.", []),
        ("She plays a one-two with Reis.", []),
        ("Kick-off is at 15:00 in a 4-4-2.", []),
    ],
)
def test_scores_that_are_stated(text, found):
    assert scores(text) == found


def test_an_equaliser_claims_a_level_score():
    match = match_of()
    (claim,) = scores_of("Archer equalises!", match, NameFinder(match))
    assert claim.level
    assert not list(scores_of("They hope to equalise.", match, NameFinder(match)))
