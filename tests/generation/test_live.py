"""Lines while a match goes on: none is written before what it says is settled."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.generation.matches import ANN, BO, CYRIL, REDS, event, goal, match_of
from touchline import Match, generate
from touchline.generation.live import LiveWriter
from touchline.io.corpus.layout import LabelledMatch


def upto(match: Match, second: float) -> Match:
    events = tuple(e for e in match.events if (e.period, e.time) <= (1, second))
    return msgspec.structs.replace(match, events=events)


def small() -> Match:
    return match_of(
        event("h", "Half Start", 0, team=REDS),
        event("s", "Shot", 100, BO, outcome="Saved", keeper=CYRIL, location=(108.0, 40.0)),
        event("k", "Goal Keeper", 100.5, CYRIL, kind="Shot Saved"),
        event("c", "Pass", 130, ANN, set_piece="Corner"),
        goal("g", 133, BO, body_part="Head"),
        event("p", "Pass", 160, CYRIL),
        event("e", "Half End", 2800, team=REDS),
    )


def test_a_line_waits_until_its_chain_is_closed_and_the_restart_is_known() -> None:
    writer, match = LiveWriter(), small()
    first = list(writer.follow(upto(match, 0)))
    assert [line.events for line in first] == [("h",)]
    assert list(writer.follow(upto(match, 100.5))) == []
    later = list(writer.follow(upto(match, 130)))
    assert [line.events for line in later] == [("s", "k")]
    assert list(writer.follow(upto(match, 133))) == []
    assert [line.events for line in writer.follow(upto(match, 160))] == [("g",)]
    assert [line.events for line in writer.follow(match)] == [("e",)]
    assert list(writer.follow(match)) == []


def test_level_after_ninety_minutes_is_not_yet_the_end() -> None:
    events = [event(f"h{p}", "Half Start", 0, team=REDS, period=p) for p in (1, 2)]
    events += [event(f"e{p}", "Half End", 2750, team=REDS, period=p) for p in (1, 2)]
    shots = [goal("a", 60, BO), goal("b", 90, CYRIL)]
    match = match_of(*sorted([*events, *shots], key=lambda e: (e.period, e.time)))
    writer = LiveWriter()
    lines = list(writer.follow(match))
    assert not writer.over
    assert "draw" not in lines[-1].text
    assert "goes on" not in lines[-1].text
    decided = msgspec.structs.replace(match, events=tuple(e for e in match.events if e.id != "b"))
    writer = LiveWriter()
    list(writer.follow(decided))
    assert writer.over


def test_as_many_lines_as_afterwards_and_never_less_than_must_be(
    sample: list[LabelledMatch],
) -> None:
    match = sample[0].match
    writer, lines = LiveWriter(), []
    for share in range(1, 41):
        events = match.events[: len(match.events) * share // 40]
        lines += writer.follow(msgspec.structs.replace(match, events=events))
    after = generate(match)
    assert 0.6 * len(after) <= len(lines) <= 1.6 * len(after)
    goals = {e.id for e in match.events if e.arguments.get("outcome") == "Goal"}
    assert goals <= {key for line in lines for key in line.events}
    assert writer.over


@pytest.mark.posix
def test_the_command_follows_a_file_to_the_end(sample_folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "touchline", "live", "--generate", "--events",
               str(sample_folder / "events.json.gz"), "--lineups",
               str(sample_folder / "lineups.json")]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) > 30
    assert list(rows[0]) == ["period", "time", "clock", "text", "events", "score", "wording",
                             "checks"]  # fmt: skip
    done = subprocess.run([*command, "--kind", "live"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "reads no commentary" in done.stderr
