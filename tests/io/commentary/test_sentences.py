"""Long comments cut into sentences."""

from __future__ import annotations

from pathlib import Path

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


COMMENT = Comment(id=7, text="Foul by Field. Free kick!", period=1, start=60, end=120, clock="2'")


def test_ids_lead_back_and_single_sentences_keep_theirs() -> None:
    single = Comment(id="b", text="Goal!", period=1, start=10, end=10)
    cut = in_sentences([COMMENT, single], spread=False)
    assert [(c.id, c.text, c.start, c.end, c.clock) for c in cut] == [
        ("7.1", "Foul by Field.", 60, 120, "2'"),
        ("7.2", "Free kick!", 60, 120, "2'"),
        ("b", "Goal!", 10, 10, None),
    ]


def test_speech_takes_its_time() -> None:
    first, second = in_sentences([COMMENT], spread=True)
    assert (first.start, second.end) == (60, 120)
    assert first.end == second.start == pytest.approx(60 + 60 * 14 / 24)
    nowhere = Comment(id=1, text="A foul. A goal.")
    assert [c.start for c in in_sentences([nowhere], spread=True)] == [None, None]


def test_an_id_that_a_part_would_take() -> None:
    with pytest.raises(TouchlineError, match=r"'7.1' occurs twice"):
        in_sentences([COMMENT, Comment(id="7.1", text="x")], spread=False)


def test_read_comments_cuts_on_request(tmp_path: Path) -> None:
    path = tmp_path / "live.txt"
    path.write_text("12' Foul by Field. Free kick!\n13' Goal\n")
    assert [c.id for c in read_comments(path)] == [0, 1]
    assert [c.id for c in read_comments(path, sentences=True)] == ["0.1", "0.2", 1]
