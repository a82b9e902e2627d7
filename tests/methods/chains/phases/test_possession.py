"""Spells of a team on small invented matches."""

from __future__ import annotations

import numpy as np
import pytest

from tests.methods.chains.phases.test_words import SIDES, match_of
from touchline.methods.chains.phases import possession as possession_module
from touchline.methods.chains.phases.possession import STEP, Possession, Spell, largest_run


def test_a_spell_goes_on_over_a_touch_of_the_other_team():
    spell = Possession(match_of(SIDES)).spell("r", 1, 80.0)
    assert [event.id for event in spell.events] == [
        f"e{i}" for i in [*range(15, 20), *range(21, 26)]
    ]
    assert spell.size == 10 - 2
    assert spell.before.id == "e14"


def test_a_spell_is_still_there_a_while_after():
    possession = Possession(match_of(SIDES))
    assert len(possession.spell("r", 1, 110.0).events) == 4
    assert possession.spell("r", 1, 150.0).events == ()


def test_the_rank_of_a_spell_is_among_the_team_s_own():
    possession = Possession(match_of(SIDES))
    here, elsewhere = (possession.spell("r", 1, t) for t in (80.0, 150.0))
    assert possession.rank("r", here) > 0.8 > 0.5 > possession.rank("r", elsewhere) > 0


@pytest.mark.parametrize("team", ["r", "b", "nobody"])
def test_the_sizes_of_spells_at_many_moments_are_those_of_each(team: str, monkeypatch):
    monkeypatch.setattr(possession_module, "_TOGETHER", 7)
    possession = Possession(match_of(SIDES))
    times = possession.times[1]
    moments = np.arange(times[0], times[-1] + STEP, STEP)
    assert len(moments) > 7
    each = sorted(possession.spell(team, 1, moment).size for moment in moments)
    assert possession._usual_sizes(team).tolist() == each


def test_spells_where_there_is_nothing():
    possession = Possession(match_of(""))
    spell = possession.spell("r", 3, 10.0)
    assert spell == Spell((), 0.0)
    assert possession.rank("r", spell) == 0.5


@pytest.mark.parametrize(
    ("worth", "expected"),
    [
        ([], (0.0, 0, 0)),
        ([-2.0, -2.0], (0.0, 0, 0)),
        ([1.0, 1.0, -2.0, 1.0, 1.0], (2.0, 3, 5)),
        ([1.0, 1.0, 1.0, -2.0, 1.0, 1.0], (3.0, 0, 6)),
        ([1.0, 1.0, 1.0, -2.0, 1.0], (3.0, 0, 3)),
    ],
)
def test_the_largest_run(worth: list[float], expected: tuple[float, int, int]):
    assert largest_run(worth) == expected
