"""The nine zones of the pitch."""

from __future__ import annotations

import pytest

from touchline.core.pitch import from_percent, zone, zoned


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ((0, 0), "back left"),
        ((39.9, 26.6), "back left"),
        ((40, 26.7), "middle centre"),
        ((60, 40), "middle centre"),
        ((80, 53.4), "front right"),
        ((120, 80), "front right"),
        ((120.6, -0.4), "front left"),
        ((-3, 83), "back right"),
    ],
)
def test_zones(location: tuple[float, float], expected: str):
    assert zone(location) == expected


def test_places_in_percent():
    assert from_percent(50, 25) == (60, 20)
    assert from_percent(101.7, -1.7) == pytest.approx((122.04, -1.36))
    assert from_percent(400, 0) is None
    assert from_percent(float("nan"), 0) is None


def test_zones_stand_among_the_arguments():
    arguments = {"outcome": "Goal"}
    assert zoned(arguments, (110, 40), None) == {"outcome": "Goal", "zone": "front centre"}
    assert zoned({}, None, (1, 1)) == {"end_zone": "back left"}
