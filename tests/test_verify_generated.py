"""The script that verifies generated commentary against a provider's file must find lies itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.verify_generated import verify

CITY, UNITED = {"id": 1, "name": "Redfield City"}, {"id": 2, "name": "Blueport United"}
ANN, BO = {"id": 10, "name": "Ann Archer"}, {"id": 11, "name": "Bo Reis"}
EVA = {"id": 20, "name": "Eva Ives"}


def record(key: str, kind: str, second: int, team: dict, player: dict, **more) -> dict:
    time = f"00:{second // 60:02d}:{second % 60:02d}.000"
    return {"id": key, "index": second, "period": 1, "timestamp": time, "type": {"name": kind},
            "team": team, "player": player, "possession_team": team, **more}  # fmt: skip


LOG = [
    record("p", "Pass", 100, CITY, BO, location=[60, 20], **{"pass": {"recipient": ANN}}),
    record("g", "Shot", 600, CITY, ANN, location=[110, 40], related_events=["k"],
           shot={"outcome": {"name": "Goal"}, "body_part": {"name": "Head"},
                 "end_location": [120, 37, 0.4], "type": {"name": "Open Play"}}),
    record("k", "Goal Keeper", 600, UNITED, EVA),
    record("f", "Foul Committed", 900, UNITED, EVA, location=[30, 40],
           foul_committed={"card": {"name": "Yellow Card"}}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("event", "text", "wrong"),
    [
        ("g", "GOAL! Ann Archer heads it in from 10 yards, 1-0.", None),
        ("g", "GOAL! Ann Archer scores past Ives into the bottom left corner.", None),
        ("f", "Eva Ives (Blueport United) is shown a yellow card.", None),
        ("g", "GOAL! Bo Reis scores.", "name"),
        ("g", "GOAL! Ann Archer scores after a pass by Zlatan.", "name"),
        ("g", "GOAL! Ann Archer makes it 2-0.", "score"),
        ("g", "GOAL! Archer scores. Redfield City 0, Blueport United 1.", "score"),
        ("g", "Ann Archer's header is saved.", "detail"),
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
