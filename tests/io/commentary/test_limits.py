"""Limits of a commentary: cut or refused in one sentence, before any work is done."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import touchline
from touchline import Comment, InputError, Match, Player, TouchlineWarning
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


LONG = "Archer scores! " * 2_000


def test_only_the_beginning_of_an_overlong_comment_is_read(tmp_path):
    file = text(tmp_path, "1' Kick-off.", f"2' {LONG}")
    with pytest.warns(TouchlineWarning, match=r"comment 1 has 29,999 .* only the first 5,000 are"):
        _, second = touchline.read_comments(file)
    assert LONG.startswith(f"{second.text} ")
    assert 4_900 < len(second.text) <= 5_000


def test_an_overlong_comment_is_not_cut_where_it_is_split_into_sentences(tmp_path, recwarn):
    file = text(tmp_path, "1' Kick-off.", f"2' {LONG}")
    assert len(touchline.read_comments(file, sentences=True)) == 2_001
    assert not recwarn


def test_a_word_longer_than_the_limit_is_cut(tmp_path):
    assert limits.trimmed(Comment(id=1, text="x" * 20_000)).text == "x" * 5_000
    exact = Comment(id=1, text="x" * 5_000)
    assert limits.trimmed(exact) is exact


def test_an_overlong_line_of_a_recording_ends_with_the_words_that_are_read():
    spoken = tuple((at, float(at)) for at in range(0, 10_000, 5))
    said = Comment(id=1, text="Goal " * 2_000, start=0.0, end=10_000.0, spoken=spoken)
    read = limits.trimmed(said)
    assert (len(read.text), read.end, read.spoken[-1]) == (4_999, 4_999.0, (4_995, 4_995.0))
    minute = msgspec.structs.replace(said, anywhere=True, spoken=(), end=60.0)
    assert limits.trimmed(minute).end == 60.0


def test_many_overlong_comments_give_one_warning():
    comments = [Comment(id=number, text=LONG) for number in range(1, 8)]
    (warning,) = limits.overlong(comments)
    assert warning.startswith("comments 1, 2, 3, 4, 5 and 2 more have over 5,000 characters; only")


def test_the_warning_stays_with_the_match(log, tmp_path):
    with pytest.warns(TouchlineWarning, match="only the first 5,000 are read"):
        match = touchline.read_match(log, text(tmp_path, "1' Kick-off.", f"2' {LONG}"))
    assert any("comment 1 has 29,999 characters" in warning for warning in match.warnings)
    assert max(len(comment.text) for comment in match.comments) <= 5_000


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


def test_live_reads_the_beginning_of_an_overlong_line_and_says_so_once():
    said: list[str] = []
    commentary = Commentary(Path("-"), None, said.append)
    commentary.add("1' Kick-off.\n2' " + "x" * 20_000)
    for _ in range(2):
        found = commentary.comments({1: 2700.0, 2: 2700.0})
    assert [len(comment.text) for comment in found] == [len("Kick-off."), 5_000]
    assert len(said) == 1
    assert said[0].startswith("warning: -: comment 1 has 20,000 characters; only the first 5,000")
    assert commentary.left_out == 0
