"""Long comments cut into sentences."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from touchline import Comment, read_comments
from touchline.core.errors import TouchlineError
from touchline.io.commentary.sentences import in_sentences, split


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("Foul", ["Foul"]),
        ("Foul by Field. Free kick!", ["Foul by Field.", "Free kick!"]),
        ("Man. Utd lead. St. Mary's is quiet.", ["Man. Utd lead.", "St. Mary's is quiet."]),
        ("It is 3-1 on agg. Rovers need two.", ["It is 3-1 on agg. Rovers need two."]),
        ("1.5 xG, F.C. Rovers? Yes.", ["1.5 xG, F.C. Rovers?", "Yes."]),
        ("😀 גול. עוד אחד!", ["😀 גול.", "עוד אחד!"]),
        ("a " * 500_000 + "end", ["a " * 500_000 + "end"]),
    ],
    ids=lambda value: str(value)[:20],
)
def test_split(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


COMMENT = Comment(
    id=7, text="Foul by Field. Free kick!", period=1, start=60, end=120, clock="2'", anywhere=True
)
SPEECH = msgspec.structs.replace(COMMENT, anywhere=False)


def test_ids_lead_back_and_single_sentences_keep_theirs() -> None:
    single = Comment(id="b", text="Goal!", period=1, start=10, end=10)
    cut = in_sentences([COMMENT, single])
    assert [(c.id, c.text, c.start, c.end, c.clock) for c in cut] == [
        ("7.1", "Foul by Field.", 60, 120, "2'"),
        ("7.2", "Free kick!", 60, 120, "2'"),
        ("b", "Goal!", 10, 10, None),
    ]


def test_speech_takes_its_time() -> None:
    first, second = in_sentences([SPEECH])
    assert (first.start, second.end) == (60, 120)
    assert first.end == second.start == pytest.approx(60 + 60 * 3 / 5)
    nowhere = Comment(id=1, text="A foul. A goal.")
    assert [c.start for c in in_sentences([nowhere])] == [None, None]


def test_an_id_that_a_part_would_take() -> None:
    with pytest.raises(TouchlineError, match=r"'7.1' occurs twice"):
        in_sentences([COMMENT, Comment(id="7.1", text="x")])


def test_read_comments_cuts_on_request(tmp_path: Path) -> None:
    path = tmp_path / "live.txt"
    path.write_text("12' Foul by Field. Free kick!\n13' Goal\n")
    assert [c.id for c in read_comments(path)] == [0, 1]
    assert [c.id for c in read_comments(path, sentences=True)] == ["0.1", "0.2", 1]


def test_sentences_take_the_times_of_their_words() -> None:
    words = ((0, 61.0), (5, 61.3), (8, 61.5), (15, 110.0), (20, 110.4))
    first, second = in_sentences([msgspec.structs.replace(SPEECH, spoken=words)])
    assert (first.start, first.end) == (61.0, 62.5)  # the pause after it is not part of it
    assert (second.start, second.end) == (110.0, 120)
    assert first.spoken == ((0, 61.0), (5, 61.3), (8, 61.5))
    assert second.spoken == ((0, 110.0), (5, 110.4))
    assert [second.text[at:] for at, _ in second.spoken] == ["Free kick!", "kick!"]


def test_a_minute_without_full_stops_is_cut_at_pauses() -> None:
    text = " ".join(f"word{i}" for i in range(20))
    minute = Comment(id=1, text=text, period=1, start=0, end=60)
    halves = in_sentences([minute])
    assert [(c.id, c.start, c.end) for c in halves] == [("1.1", 0, 30), ("1.2", 30, 60)]
    assert " ".join(c.text for c in halves) == text
    # With word times, the parts end where the speaker stops: here after the seventh word.
    offsets = [text.index(f"word{i}") for i in range(20)]
    spoken = tuple((at, 0.5 * i + (40 if i >= 7 else 0)) for i, at in enumerate(offsets))
    timed = in_sentences([msgspec.structs.replace(minute, spoken=spoken)])
    assert [c.text.split()[0] for c in timed] == ["word0", "word7"]
    assert [(c.start, c.end) for c in timed] == [(0, 4.0), (43.5, 60)]


@pytest.mark.parametrize("end", [60, 29])
def test_what_is_short_or_on_a_page_is_not_cut(end: float) -> None:
    text = " ".join(["word"] * 20)
    comment = Comment(id=1, text=text, start=0, end=end, anywhere=end > 30)
    assert in_sentences([comment]) == (comment,)


def test_parts_begin_when_their_first_word_is_said() -> None:
    text = "  Oh dear. Field, to Archer now. Saved! What a save that is "
    line = Comment(id=1, text=text, start=100, end=120)
    words = ((2, 101.0), (11, 104.0), (21, 106.0), (40, 119.0))
    for comment in (line, msgspec.structs.replace(line, spoken=words)):
        parts = in_sentences([comment])
        assert len(parts) == 4
        for part in parts:
            assert part.start == pytest.approx(comment.second_at(text.index(part.text)))


def test_a_line_of_a_million_characters() -> None:
    """As many sentences as that must not each be counted from the start."""
    line = Comment(id=1, text="Oh yes. " * 150_000, start=0, end=3000)
    assert len(in_sentences([line])) == 150_000
    long = Comment(id=1, text="oh " * 300_000, start=0, end=3000)
    parts = in_sentences([long])
    assert " ".join(part.text for part in parts) == long.text.strip()
    assert all((part.end or 0) - (part.start or 0) <= 31 for part in parts)
