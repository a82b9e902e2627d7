"""What kloppy has loaded, beside what the readers here make of the same file."""

from __future__ import annotations

from pathlib import Path

import pytest

from touchline import TouchlineError, from_kloppy, read_events

opta = pytest.importorskip("kloppy.opta", reason="kloppy is an extra")


@pytest.mark.data
def test_an_opta_match_through_kloppy(data: Path):
    folder = data / "feeds" / "opta-f24"
    (f24,), (f7,) = folder.glob("f24*"), folder.glob("f7*")
    match = from_kloppy(opta.load(f7_data=str(f7), f24_data=str(f24)), "final")
    ours = read_events(f24, lineups=[f7])
    assert (match.name, match.provider) == ("final", "kloppy")
    assert {t.name for t in match.teams} == {t.name for t in ours.teams}
    assert {p.id: p.shirt for p in match.players} == {p.id: p.shirt for p in ours.players}
    same = [(e, ours.event_by_id[e.id]) for e in match.events if e.id in ours.event_by_id]
    assert len(same) > 1500
    for theirs, our in same:
        assert (theirs.period, theirs.time) == (our.period, pytest.approx(our.time, abs=1.6))
        assert (theirs.player and theirs.player.id) == (our.player and our.player.id)
        if theirs.location and our.location:  # kloppy stretches the pitch to its lines
            assert theirs.location == pytest.approx(our.location, abs=4)
    for kind in ("Pass", "Shot", "Dribble", "Foul Committed", "Substitution"):
        found = {e.id: e.arguments.get("outcome") for e in match.tellable if e.type == kind}
        assert found.keys() == {e.id for e in ours.tellable if e.type == kind}
    shots = {e.id: (e.arguments["outcome"], e.arguments["set_piece"]) for e in ours.tellable
             if e.type == "Shot"}  # fmt: skip
    assert shots == {e.id: (e.arguments["outcome"], e.arguments["set_piece"])
                     for e in match.tellable if e.type == "Shot"}  # fmt: skip
    cards = [sum("card" in e.arguments for e in m.tellable) for m in (match, ours)]
    assert cards == [9, 9]
    swaps = [e for e in match.tellable if e.type == "Substitution"]
    assert all([o.role for o in e.others] == ["replacement"] for e in swaps)


def test_something_else_is_refused():
    with pytest.raises(TouchlineError, match="needs a kloppy EventDataset"):
        from_kloppy([1, 2, 3])
