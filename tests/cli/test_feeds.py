"""`touchline align` on the files of every feed: real ones, ours, and what is missing or wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import run
from touchline import Event, Match, read_events
from touchline.io.corpus.layout import LabelledMatch
from touchline.sample.exports import write

REAL = {
    "opta-f24": "f24*",
    "statsperform-ma3": "*.json",
    "whoscored": "*.json",
    "wyscout": "*.json",
}


def lines_about(match: Match) -> tuple[list[str], list[Event]]:
    """A live text of ours on the shots, fouls and substitutions of a match."""
    templates = {
        "Shot": "Shot by {}!",
        "Foul Committed": "Foul by {}.",
        "Substitution": "{} goes off.",
    }
    events = [e for e in match.linkable if e.type in templates and e.player and e.player.names]
    texts = [templates[e.type].format(e.player.names[-1]) for e in events if e.player]
    return [f"{e.clock} {text}" for e, text in zip(events, texts, strict=True)], events


@pytest.mark.data
@pytest.mark.parametrize("feed", REAL)
def test_a_real_file_end_to_end(data: Path, feed: str, tmp_path: Path):
    folder = data / "feeds" / feed
    (log,) = folder.glob(REAL[feed])
    lineups = list(folder.glob("f7*"))
    lines, events = lines_about(read_events(log, lineups=lineups))
    (tmp_path / "live.txt").write_text("\n".join(lines), encoding="utf-8")
    given = [word for path in lineups for word in ("--lineups", path)]
    done = run("align", log, tmp_path / "live.txt", *given)
    assert (done.returncode, "warning" in done.stderr) == (0, False)
    assert "answered with the bundled model" in done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == len(lines)
    found = [event.id in {e["id"] for e in row["events"]}
             for row, event in zip(rows, events, strict=True)]  # fmt: skip
    assert sum(found) > 0.5 * len(found)


def test_a_log_without_names_says_what_it_lacks(sample: list[LabelledMatch], tmp_path: Path):
    files = write(sample[0].match, "opta", tmp_path)
    (tmp_path / "live.txt").write_text("1' Kick-off.\n2' A pass.\n")
    done = run("align", files.events, tmp_path / "live.txt", "--method", "random")
    assert done.returncode == 0
    assert done.stderr == (
        "touchline: warning: the log contains no player names; pass them with --lineups\n"
    )
    words = ("align", files.events, tmp_path / "live.txt", "--method", "random")
    assert run(*words, "--lineups", files.lineups[0]).stderr == ""


def test_a_match_of_a_season_is_named_by_its_id(sample: list[LabelledMatch], tmp_path: Path):
    files = write(sample[0].match, "wyscout", tmp_path)
    events = json.loads(files.events.read_text())
    other = [{**event, "id": f"other-{event['id']}", "matchId": 2} for event in events]
    files.events.write_text(json.dumps([*events, *other]))
    (tmp_path / "live.txt").write_text("1' Kick-off.\n2' A pass.\n")
    words = ("align", files.events, tmp_path / "live.txt", "--method", "random")
    done = run(*words)
    assert done.returncode == 1
    assert "contains 2 matches (1, 2 ...); choose one with --match ID" in done.stderr
    done = run(*words, "--match", "2")
    assert done.returncode == 0
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["match"] for row in rows} == {"2"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('<!DOCTYPE x [<!ENTITY a "b">]><Games>&a;</Games>', "declares a document type"),
        ("<Games><Game id='1'><Event id='1'></Games>", "line 1: not valid XML (mismatched tag)"),
        ("<html><body>Not found</body></html>", "looks like a web page or XML"),
        ("<SoccerFeed/>", "looks like line-ups (they go with --lineups)"),
    ],
)
def test_a_bad_file_is_one_sentence_and_exit_1(tmp_path: Path, content: str, message: str):
    (tmp_path / "f24.xml").write_text(content)
    (tmp_path / "live.txt").write_text("1' Kick-off.\n")
    done = run("align", tmp_path / "f24.xml", tmp_path / "live.txt")
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
