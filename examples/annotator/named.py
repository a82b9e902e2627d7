"""The smallest annotator: each comment describes the nearest event of every player it names.

It is as good as that sounds. Take it as a pattern for your own: read lines of JSON, write lines of
JSON, and write each of them at once.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Which of the candidates the comment describes."""
    words = set(question["text"].replace("'s", " ").replace(",", " ").replace(".", " ").split())
    chosen: dict[str, dict[str, Any]] = {}
    for event in sorted(question["candidates"], key=lambda event: distance(question, event)):
        player = event["player"]
        if player and player.split()[-1] in words:
            chosen.setdefault(player, event)
    events = [event["id"] for event in chosen.values()]
    return {"comment": question["comment"], "events": events, "sure": len(events) == 1}


def distance(question: dict[str, Any], event: dict[str, Any]) -> float:
    """Seconds between the comment and an event; 0 where only the comment's minute is known."""
    return 0.0 if question["time"] is None else abs(event["time"] - question["time"])


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
