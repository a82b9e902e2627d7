"""What kloppy has loaded, beside what the readers here make of the same file."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace as Bag
from typing import Any

import pytest

from touchline import Match, TouchlineError, from_kloppy, read_events


class Dataset(Bag):
    """What kloppy calls an EventDataset, as far as it is looked at."""

    def transform(self, to_orientation: str, to_coordinate_system: str) -> Dataset:
        assert (to_orientation, to_coordinate_system) == ("ACTION_EXECUTING_TEAM", "statsbomb")
        return self


REDS = Bag(team_id=7, name="Redfield City", players=[])
ANN = Bag(player_id=71, first_name="Ann", last_name="Archer", name=None, jersey_no=9)
BO = Bag(player_id=72, first_name=None, last_name=None, name="Bo Reis", jersey_no=None)
REDS.players = [ANN, BO]


def record(number: int, kind: str, player: Bag | None = ANN, **more: Any) -> Bag:
    fields = {"event_name": kind.lower(), "coordinates": Bag(x=60.0, y=20.0), "qualifiers": None,
              "related_event_ids": None, "raw_event": {"id": number}, "result": None}  # fmt: skip
    return Bag(event_id=number, event_type=Bag(name=kind), period=Bag(id=1), player=player,
               team=REDS, timestamp=timedelta(seconds=10 * number),
               **{**fields, **more})  # fmt: skip


def qualifier(name: str, value: Any) -> Any:
    return type(f"{name}Qualifier", (), {"value": value, "name": name})()


def loaded(*events: Bag) -> Match:
    return from_kloppy(Dataset(metadata=Bag(teams=[REDS]), events=list(events)))


def test_what_kloppy_has_is_kept():
    corner = qualifier("SetPiece", Bag(name="CORNER_KICK"))
    cross = qualifier("Pass", Bag(name="CROSS"))
    match = loaded(
        record(1, "PASS", qualifiers=[corner, cross], result=Bag(name="COMPLETE")),
        record(2, "SHOT", BO, result=Bag(name="OFF_TARGET"),
               qualifiers=[qualifier("BodyPart", Bag(name="HEAD")),
                           qualifier("CounterAttack", True)]),
        record(3, "GENERIC", event_name="generic:Ball Receipt*"),
        record(4, "GENERIC", event_name="ball touch", player=None),
    )  # fmt: skip
    first, shot, receipt, touch = match.events
    assert [player.names for player in match.players] == [("Ann Archer",), ("Bo Reis",)]
    assert dict(first.arguments) == {"set_piece": "Corner", "cross": "yes", "zone": "middle left"}
    assert [(o.role, o.player.id) for o in first.others] == [("recipient", "72")]
    assert (first.id, first.type, first.time, first.raw) == ("1", "Pass", 10.0, {"id": 1})
    assert dict(shot.arguments) == {"set_piece": "Open Play", "body_part": "Head",
                                    "counterattack": "yes", "outcome": "Off T",
                                    "zone": "middle left"}  # fmt: skip
    assert (receipt.type, receipt.linkable) == ("Ball Receipt*", False)
    assert (touch.type, touch.linkable, touch.player) == ("Ball Touch", True, None)


def test_cards_and_substitutions():
    match = loaded(
        record(1, "FOUL_COMMITTED"),
        record(2, "CARD", card_type=Bag(name="FIRST_YELLOW")),
        record(3, "SUBSTITUTION", replacement_player=BO),
        record(4, "CARD", BO, card_type=Bag(name="RED")),
        record(5, "DUEL", result=Bag(name="LOST"),
               qualifiers=[qualifier("Duel", Bag(name="AERIAL"))]),
    )  # fmt: skip
    assert [(e.type, e.arguments.get("card")) for e in match.linkable] == [
        ("Foul Committed", "Yellow Card"), ("Substitution", None), ("Bad Behaviour", "Red Card"),
        ("Duel", None)]  # fmt: skip
    assert match.linkable[1].others[0].player.id == "72"
    assert match.linkable[3].arguments["kind"] == "Aerial Lost"


@pytest.mark.data
def test_an_opta_match_through_kloppy(data: Path):
    from kloppy import opta

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
        found = {e.id: e.arguments.get("outcome") for e in match.linkable if e.type == kind}
        assert found.keys() == {e.id for e in ours.linkable if e.type == kind}
    shots = {e.id: (e.arguments["outcome"], e.arguments["set_piece"]) for e in ours.linkable
             if e.type == "Shot"}  # fmt: skip
    assert shots == {e.id: (e.arguments["outcome"], e.arguments["set_piece"])
                     for e in match.linkable if e.type == "Shot"}  # fmt: skip
    cards = [sum("card" in e.arguments for e in m.linkable) for m in (match, ours)]
    assert cards == [9, 9]
    swaps = [e for e in match.linkable if e.type == "Substitution"]
    assert all([o.role for o in e.others] == ["replacement"] for e in swaps)


def test_something_else_is_refused():
    with pytest.raises(TouchlineError, match="needs a kloppy EventDataset"):
        from_kloppy([1, 2, 3])
