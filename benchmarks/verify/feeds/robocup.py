"""RoboCup finals: `start | end | meaning (player, player)`, a line for each event."""

from __future__ import annotations

import re

from benchmarks.verify.records import Log, Record

_PIECES = {"corner_kick": "Corner", "free_kick": "Free Kick", "goal_kick": "Goal Kick"}
_MEANING = re.compile(r"(\w+)\s*(?:\(\s*(.*?)\s*\))?")


def read(text: str) -> Log:
    records, players, squads = [], dict[str, list[str]](), dict[str, str]()
    for number, row in enumerate(text.splitlines()):
        start, _, meaning = (part.strip() for part in row.split("|", 2))
        found = _MEANING.match(meaning)
        assert found is not None
        values = [word.strip() for word in (found[2] or "").split(",")]
        people = [word for word in values if re.fullmatch(r"(?:purple|pink)\d+", word)]
        for name in people:
            players[name] = [name]
            squads[name] = re.sub(r"\d", "", name)
        records.append(
            Record(id=str(number), kind=found[1], period=1, time=float(start),
                   team=squads.get(people[0], "") if people else "", players=people,
                   outcome="goal" if values[0] in ("goal_l", "goal_r") else "",
                   set_piece=_PIECES.get(values[0][:-2], ""), raw=row)
        )  # fmt: skip
    teams = {"purple": "Purple", "pink": "Pink"}
    return Log(records, players, teams, squads, related=True)
