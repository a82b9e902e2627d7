"""Files that somebody else is writing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from touchline import UsageError
from touchline.pipeline.live.sources import Commentary, Feed, GrowingFile


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def feed(tmp_path, played, said) -> Feed:
    return Feed(tmp_path / "log.json", None, [played.lineups], None, said.append)


ENDS = {1: 2800.0, 2: 2900.0}


def write(path: Path, text: str) -> None:
    """Write a file such that its time differs from before, however coarse the clock is."""
    path.write_text(text)
    write.time = getattr(write, "time", 10**18) + 10**9
    os.utime(path, ns=(write.time, write.time))


def test_a_feed_is_read_when_it_changes(tmp_path, feed, played, said):
    assert [feed.look(), feed.look()] == [None, None]
    assert feed.error is not None
    assert [line.partition(": ")[2] for line in said] == ["no such file; waiting for it"]
    write(tmp_path / "log.json", played.log(300))
    first = feed.look()
    assert first.events
    assert feed.error is None
    assert feed.look() is None
    write(tmp_path / "log.json", played.log(600))
    assert len(feed.look().events) > len(first.events)
    assert len(said) == 1


def test_half_a_log_leaves_the_last_good_one(tmp_path, feed, played, said):
    path = tmp_path / "log.json"
    write(path, played.log(300))
    assert feed.look() is not None
    whole = played.log(600)
    write(path, whole[: len(whole) // 2])
    assert feed.look() is None
    assert feed.look() is None
    assert len(said) == 1
    assert "waiting for it" in said[0]
    write(path, whole)
    assert feed.look() is not None
    assert feed.error is None


def test_a_shorter_log_counts_when_it_stays(tmp_path, feed, played):
    path = tmp_path / "log.json"
    write(path, played.log(600))
    longer = feed.look()
    write(path, played.log(300))
    assert feed.look() is None
    shorter = feed.look()
    assert len(shorter.events) < len(longer.events)
    assert feed.look() is None


def test_a_feed_that_goes_away_is_kept(tmp_path, feed, played):
    path = tmp_path / "log.json"
    write(path, played.log(300))
    assert feed.look() is not None
    path.unlink()
    assert feed.look() is None
    assert feed.error is None


def test_lines_are_read_as_a_whole(said):
    commentary = Commentary(Path("-"), None, said.append)
    assert commentary.comments(ENDS) == ()
    commentary.add("1' Kick-off.\n")
    commentary.add("2' A shot,")
    assert [c.text for c in commentary.comments(ENDS)] == ["Kick-off.", "A shot,"]
    commentary.add("well wide.")  # goes on
    commentary.add("HT\n46' Back.")
    found = commentary.comments(ENDS)
    assert [c.text for c in found] == ["Kick-off.", "A shot, well wide.", "Back."]
    assert [c.period for c in found] == [1, 1, 2]
    assert not said


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (['{"id": "a", "text": "Shot.", "minute": 3}'], "JSON Lines"),
        (["minute,text", "3,Shot."], "a table"),
        (["Good evening.", "3' Shot."], "live text that starts without a clock"),
    ],
)
def test_the_kind_shows_in_the_first_lines(lines, kind, said):
    commentary = Commentary(Path("-"), None, said.append)
    for line in lines:
        commentary.add(line)
        commentary.comments(ENDS)
    last = commentary.comments(ENDS)[-1]
    assert (last.text, last.start) == ("Shot.", 120.0), kind
    assert not said


def test_an_id_that_comes_again_corrects_its_comment(said):
    commentary = Commentary(Path("-"), None, said.append)
    for text, name in (("One.", 1), ("Tow.", 2), ("Three.", 3), ("Two.", 2)):
        commentary.add(f'{{"id": {name}, "minute": {name}, "text": "{text}"}}')
    assert [c.text for c in commentary.comments(ENDS)] == ["One.", "Two.", "Three."]
    assert not said


def test_a_line_that_cannot_be_read_is_left_out(said):
    commentary = Commentary(Path("-"), None, said.append)
    commentary.add('{"text": "One.", "minute": 1}\n{"text": "Tw\n{"text": "Three.", "minute": 3}')
    assert [c.text for c in commentary.comments(ENDS)] == ["One.", "Three."]
    commentary.add('{"minute": 4}')
    assert [c.text for c in commentary.comments(ENDS)] == ["One.", "Three."]
    assert commentary.left_out == 2
    assert all(sentence.endswith("left out") for sentence in said)
    assert "line 2" in said[0]


def test_recordings_cannot_be_followed(said):
    with pytest.raises(UsageError, match="the kind srt cannot be followed"):
        Commentary(Path("-"), "srt", said.append)
    commentary = Commentary(Path("-"), None, said.append)
    commentary.add("1\n00:00:01,000 --> 00:00:05,000\nKick off\n")
    with pytest.raises(UsageError, match="the kind srt cannot be followed"):
        commentary.comments(ENDS)


def test_a_growing_file_gives_whole_lines(tmp_path):
    path = tmp_path / "live.txt"
    growing = GrowingFile(path)
    assert growing.look() is None
    write(path, "1' One.\n2' Tw")
    assert growing.look() == "1' One.\n"
    write(path, "1' One.\n2' Two.\n3' Thr")
    assert growing.look() == "1' One.\n2' Two.\n"
    assert growing.look() == "1' One.\n2' Two.\n3' Thr"  # nobody goes on writing
    assert growing.look() is None
    write(path, "1' Another match.\n")
    assert growing.look() == "1' Another match.\n"
