"""Limits of a commentary: refused in one sentence, before any work is done."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import touchline
from touchline import Comment, InputError, Match, Player
from touchline.io import feeds
from touchline.io.commentary import limits
from touchline.pipeline.live.sources import Commentary
from touchline.sample import corpus_path

FOLDER = sorted(p for p in corpus_path().iterdir() if p.is_dir())[0]
LOG = FOLDER / "events.json.gz"


@pytest.fixture(scope="module")
def log() -> Match:
    return touchline.read_events(LOG)


def text(folder: Path, *lines: str) -> Path:
    (folder / "live.txt").write_text("\n".join(lines))
    return folder / "live.txt"


def test_a_comment_longer_than_any_is_refused(tmp_path):
    problem = r"a comment of 1,000,000 characters; the limit is 5,000; give one comment per line"
    with pytest.raises(InputError, match=problem):
        touchline.read_comments(text(tmp_path, "1' Kick-off.", "2' " + "x" * 1_000_000))
    assert len(touchline.read_comments(text(tmp_path, "1' Off.", "2' " + "x" * 5_000))) == 2


def test_more_text_than_a_match_has_is_refused(tmp_path):
    lines = [f"{minute}' " + "Long. " * 800 for minute in range(1, 120)]
    with pytest.raises(InputError, match=r"characters in all; the limit for one match is 500,000"):
        touchline.read_comments(text(tmp_path, *lines))


def test_too_many_comments_on_too_many_events_are_refused(log, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_PAIRS", 1_000)
    lines = ["12' Foul."] * 60
    with pytest.raises(InputError, match=r"60 comments with [\d,]+ events within 150 s of them; "):
        touchline.read_match(log, text(tmp_path, *lines))
    assert touchline.read_match(log, text(tmp_path, *lines[:5])).comments


def test_every_event_is_within_reach_of_a_comment_without_a_clock(log):
    times: dict[int, list[float]] = {}
    for event in log.linkable:
        times.setdefault(event.period, []).append(event.time)
    assert limits._within_reach(Comment(id=1, text="Foul"), times) == len(log.linkable)
    assert limits._within_reach(Comment(id=1, text="Hello", candidates=()), times) == 0


def test_more_players_than_two_squads_are_refused(log, monkeypatch):
    crowd = [Player(id=f"p{number}", name="Ann Archer") for number in range(10_000)]
    crowded = msgspec.structs.replace(log, players=tuple(crowd))
    with pytest.raises(InputError, match=r"10,000 players with the line-ups; a match has about 40"):
        feeds._check_players(LOG, crowded)
    monkeypatch.setattr(feeds, "MAX_PLAYERS", 10)
    with pytest.raises(InputError, match=r"the limit is 10; give those of this match"):
        touchline.read_events(LOG)


def test_live_leaves_out_a_line_that_is_too_long():
    said: list[str] = []
    commentary = Commentary(Path("-"), None, said.append)
    commentary.add("1' Kick-off.\n2' " + "x" * 20_000)
    found = commentary.comments({1: 2700.0, 2: 2700.0})
    assert [comment.text for comment in found] == ["Kick-off."]
    assert "the limit is 5,000" in said[0]
    assert commentary.left_out == 1
