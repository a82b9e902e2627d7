"""Kinds of spells, by where they start and how far they get."""

from __future__ import annotations

import pytest

from touchline import Event, Team
from touchline.methods.chains.phases.kinds import KINDS, kind_of
from touchline.methods.chains.phases.possession import Spell

REDS, BLUES = Team(id="r", name="Redfield"), Team(id="b", name="Blueport")
LOST = Event(id="x", type="Pass", period=1, time=0.0, team=BLUES)
OWN = Event(id="y", type="Pass", period=1, time=0.0, team=REDS)


def spell(*places: float, every: float = 5.0, before: Event | None = None) -> Spell:
    """A run of passes from each place to the next."""
    events = tuple(
        Event(id=f"e{i}", type="Pass", period=1, time=i * every, team=REDS, location=(x, 40.0),
              end_location=(end, 40.0))
        for i, (x, end) in enumerate(zip(places, [*places[1:], places[-1]], strict=True))
    )  # fmt: skip
    return Spell(events, float(len(events)), before)


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (spell(30, 60, 105, before=LOST), "counter"),
        (spell(30, 60, 105, before=OWN), "attack"),
        (spell(30, 60, 105), "attack"),
        (spell(70, 90, 105, before=LOST), "attack"),
        (spell(30, 40, 50, 60, 70, 105, before=LOST), "attack"),
        (spell(85, 75, 90, 95, 101, 105), "pressure"),
        (spell(85, 75, 90, 95, 101, 105, every=3.0), "attack"),
        (spell(30, 50, 85), "build-up"),
        (spell(65, 70, 85), "possession"),
        (spell(30, 40, 50), "possession"),
        (Spell((), 0.0), None),
        (Spell((LOST, LOST), 2.0), None),
    ],
)
def test_the_kind_of_a_run(run: Spell, kind: str | None):
    assert kind_of(run) == kind
    assert kind is None or kind in KINDS
