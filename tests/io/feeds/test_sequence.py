"""Receivers and cards by the order of the records."""

from __future__ import annotations

import pytest

from touchline.io.feeds.sequence import Step, fouls_of_cards, receivers


def steps(*parts: tuple[float, str, str]) -> list[Step]:
    """Steps from time, player and what they do; a player's team is their first letter."""
    return [Step(str(i), 1, time, who[0], who, does) for i, (time, who, does) in enumerate(parts)]


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ([(0, "a1", "pass"), (2, "a2", "")], {"0": "a2"}),
        ([(0, "a1", "pass"), (2, "a2", "pass"), (3, "a1", "")], {"0": "a2", "1": "a1"}),
        ([(0, "a1", "pass"), (1, "b1", "miss"), (2, "a2", "")], {"0": "a2"}),
        ([(0, "a1", "pass"), (1, "b1", "foul"), (2, "a2", "")], {"0": "a2"}),
        ([(0, "a1", "pass"), (1, "b1", ""), (2, "a2", "")], {}),
        ([(0, "a1", "pass"), (2, "a1", ""), (3, "a2", "")], {}),
        ([(0, "a1", "pass"), (20, "a2", "")], {}),
        ([(0, "a1", "pass"), (1, "b1", "card"), (2, "a2", "")], {"0": "a2"}),
        ([(0, "a1", ""), (2, "a2", "")], {}),
    ],
)
def test_the_next_touch_of_the_team_receives(parts: list, found: dict[str, str]):
    assert dict(receivers(steps(*parts))) == found


def test_half_time_is_between():
    """The second half's clock starts again, so that nothing seems long ago."""
    foul, card = Step("0", 1, 10.0, "a", "a1", "foul"), Step("1", 2, 12.0, "a", "a1", "card")
    kick, touch = Step("2", 1, 10.0, "a", "a1", "pass"), Step("3", 2, 12.0, "a", "a2")
    assert dict(fouls_of_cards([foul, card])) == {}
    assert dict(receivers([kick, touch])) == {}


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ([(0, "a1", "foul"), (60, "a1", "card")], {"1": "0"}),
        ([(0, "a1", "foul"), (5, "a1", "foul"), (60, "a1", "card")], {"2": "1"}),
        ([(0, "a1", "foul"), (60, "a2", "card")], {}),
        ([(0, "a1", "foul"), (200, "a1", "card")], {}),
        ([(0, "a1", "foul"), (1, "a1", "card"), (2, "a1", "card")], {"1": "0"}),
    ],
)
def test_a_card_is_for_the_last_foul(parts: list, found: dict[str, str]):
    assert dict(fouls_of_cards(steps(*parts))) == found
