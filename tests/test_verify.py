"""What verifies generated commentary against a provider's file must find lies itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.verify.feeds import CARD_AFTER, read
from benchmarks.verify.matches import sources, verify
from benchmarks.verify.records import Record
from touchline import generate, read_events

CITY, UNITED = {"id": 1, "name": "Redfield City"}, {"id": 2, "name": "Blueport United"}
ANN, BO = {"id": 10, "name": "Ann Archer"}, {"id": 11, "name": "Bo Reis"}
EVA = {"id": 20, "name": "Eva Ives"}


def record(key: str, kind: str, second: int, team: dict, player: dict, **more) -> dict:
    time = f"00:{second // 60:02d}:{second % 60:02d}.000"
    return {"id": key, "index": second, "period": 1, "timestamp": time, "type": {"name": kind},
            "team": team, "player": player, "possession_team": team, **more}  # fmt: skip


LOG = [
    record("p", "Pass", 100, CITY, BO, location=[60, 20],
           **{"pass": {"recipient": ANN, "end_location": [60, 60]}}),
    record("g", "Shot", 600, CITY, ANN, location=[110, 40], related_events=["k"],
           shot={"outcome": {"name": "Goal"}, "body_part": {"name": "Head"},
                 "end_location": [120, 37, 0.4], "type": {"name": "Open Play"}}),
    record("k", "Goal Keeper", 600, UNITED, EVA),
    record("w", "Shot", 700, CITY, BO, location=[95, 40],
           shot={"outcome": {"name": "Off T"}, "body_part": {"name": "Other"},
                 "end_location": [120, 33, 0.4], "type": {"name": "Open Play"}}),
    record("f", "Foul Committed", 900, UNITED, EVA, location=[30, 40],
           foul_committed={"card": {"name": "Yellow Card"}}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("event", "text", "wrong"),
    [
        ("g", "GOAL! Ann Archer heads it in from 10 yards, 1-0.", None),
        ("g", "GOAL! Ann Archer scores past Ives into the bottom left corner.", None),
        ("f", "Eva Ives (Blueport United) is shown a yellow card.", None),
        ("f", "Eva Ives is booked for a foul deep in the Blueport United half.", None),
        ("f", "Eva Ives is booked for a foul deep in the Redfield City half.", "detail"),
        ("g", "GOAL! Bo Reis scores.", "name"),
        ("g", "GOAL! Ann Archer scores after a pass by Zlatan.", "name"),
        ("g", "GOAL! Ann Archer makes it 2-0.", "score"),
        ("g", "GOAL! Archer scores. Redfield City 0, Blueport United 1.", "score"),
        ("g", "Ann Archer's header is saved.", "detail"),
        ("g", "GOAL! Ann Archer (Blueport United) scores.", "name"),
        ("g", "GOAL! Ann Archer scores. Blueport United lead 1-0.", "score"),
        ("g", "GOAL! Ann Archer scores. That is the equaliser.", "score"),
        ("g", "GOAL! A hat-trick for Ann Archer.", "score"),
        ("g", "GOAL! Ann Archer scores from 12 yards.", "detail"),
        ("g", "GOAL! Ann Archer scores from the left side of the box.", "detail"),
        ("g", "GOAL! Ann Archer scores first time.", "detail"),
        ("g", "GOAL! Ann Archer scores into the top left corner.", "detail"),
        ("g", "GOAL! Ann Archer scores from a tight angle.", "detail"),
        ("g", "GOAL! Ann Archer scores from the penalty spot.", "detail"),
        ("g", "A header by Ann Archer into the bottom left corner.", "detail"),
        ("w", "Bo Reis's header goes wide to the left.", "detail"),
        ("w", "A header by Bo Reis goes wide to the left.", "detail"),
        ("w", "Bo Reis shoots wide of the right post.", "detail"),
        ("w", "Bo Reis shoots over the bar.", "detail"),
        ("w", "Bo Reis shoots just wide to the left.", "detail"),
        ("w", "Bo Reis shoots wide to the left.", None),
        ("w", "Eva Ives shoots wide to the left.", "name"),
        ("w", "Bo Reis shoots wide to the left. Corner to Redfield City.", "detail"),
        ("f", "Yellow card for Eva Ives after a foul in the final third.", None),
        ("f", "Yellow card for Eva Ives after a foul in midfield.", "detail"),
        ("f", "Yellow card for Eva Ives after a foul on the left.", "detail"),
        ("f", "Yellow card for Eva Ives after a foul 40 yards from goal.", "detail"),
        ("f", "A second yellow card for Eva Ives.", "detail"),
        ("f", "Yellow card for Eva Ives, and a penalty.", "detail"),
        ("p", "Bo Reis finds Ann Archer with a through ball.", "detail"),
        ("p", "Bo Reis switches play to Ann Archer with a 10-yard ball.", "detail"),
        ("g", "GOAL! Ann Archer scores from 25 yards.", "detail"),
        ("g", "GOAL! Ann Archer scores with the right foot.", "detail"),
        ("g", "GOAL! Ann Archer scores from outside the box.", "detail"),
        ("g", "GOAL! Ann Archer scores into the bottom right corner.", "detail"),
        ("f", "Eva Ives is sent off.", "detail"),
        ("f", "A foul by Eva Ives.", "detail"),
        ("p", "Bo Reis passes to Ann Archer and wins a penalty.", "detail"),
        ("p", "GOAL! Bo Reis scores.", "detail"),
    ],
)
def test_lies_are_counted(tmp_path: Path, event: str, text: str, wrong: str | None) -> None:
    log, generated = tmp_path / "events.json", tmp_path / "lines.jsonl"
    log.write_text(json.dumps(LOG), encoding="utf-8")
    at = next(r for r in LOG if r["id"] == event)
    time = 60 * int(at["timestamp"][3:5]) + int(at["timestamp"][6:8])
    line = {"period": 1, "time": time, "clock": "1'", "text": text, "events": [event]}
    generated.write_text(json.dumps(line) + "\n", encoding="utf-8")
    expected = {"lines": 1, "name": 0, "score": 0, "detail": 0}
    found = verify(log, generated)
    if wrong is None:
        assert found == expected
    else:
        assert found[wrong] == 1


def matters(record: Record) -> bool:
    """Goals, cards, penalties, substitutions: what no commentary may leave out."""
    kick = record.set_piece == "Penalty" and record.outcome
    goal = record.goal or record.own_goal or record.kind == "playmode"
    return bool((goal and record.outcome == "goal") or record.own_goal or record.card or kick
                or record.kind == "Substitution")  # fmt: skip


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    ["chelsea-watford", "Opta F24", "Opta F24, cut", "Stats Perform MA3", "WhoScored", "Wyscout",
     "Opta packed", "RoboCup 2003"],
)  # fmt: skip
def test_no_feed_is_silent_on_what_matters(name: str, data: Path) -> None:
    """By the provider's own records, whatever touchline makes of them."""
    source = next(source for source in sources(data) if source.name == name)
    lines = generate(read_events(source.log, lineups=source.lineups), lines=1)
    said = {event for line in lines for event in line.events}
    moments = [(line.period, line.time) for line in lines]
    left_out = [
        record.raw
        for record in read(source.log, source.lineups).records
        if matters(record) and record.id not in said
        # The player who comes on and the card of a foul have records of their own.
        and not any(record.period == period and abs(record.time - time) <= CARD_AFTER
                    and record.kind in ("Substitution", "Card") for period, time in moments)
    ]  # fmt: skip
    assert left_out == []
    assert min(moments)[0] == 1
