"""The nine zones of the pitch."""

from __future__ import annotations

import pytest

from touchline.feeds.pitch import zone


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
