"""Texts that count the second half from 1', distinguished from the first half by the names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from touchline import Comment, Match, align
from touchline.core.clocks import clock_at, live_clock
from touchline.io.commentary import read_comments, with_commentary
from touchline.io.commentary.checks import doubts, reports
from touchline.io.corpus.layout import LabelledMatch, read_match_folder
from touchline.pipeline.read import known_by

READ = "the text is read as the second half, judging by the names; the clock restarts at 1'"


def half(match: Match, period: int) -> list[Comment]:
    return [c for c in match.comments if c.period == period and c.start is not None]


def from_one(comment: Comment) -> str:
    """The minute of the comment where each half counts from 1'."""
    return live_clock(1, comment.time or 0.0)


def exact_from_zero(comment: Comment) -> str:
    seconds = max(int(comment.time or 0.0), 0)
    return f"{seconds // 60}:{seconds % 60:02d}"


def page(path: Path, rows: Iterable[tuple[str, str]]) -> Path:
    """A live text, or JSON Lines with clock and text alone."""
    lines = [
        json.dumps({"clock": clock, "text": text}) if path.suffix == ".jsonl" else f"{clock} {text}"
        for clock, text in rows
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def about_halves(match: Match) -> list[str]:
    return [one for one in (*reports(match), *doubts(match)) if "half" in one]


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl"])
@pytest.mark.parametrize("clock", [from_one, exact_from_zero])
@pytest.mark.parametrize("order", [1, -1])
def test_a_second_half_counted_from_one(
    sample: list[LabelledMatch], tmp_path: Path, name: str, clock, order: int
) -> None:
    for labelled in sample:
        said = half(labelled.match, 2)
        path = page(tmp_path / name, [(clock(c), c.text) for c in said][::order])
        read = with_commentary(labelled.match, path)
        assert {c.period for c in read.comments} == {2}
        for now, then in zip(read.comments[::order], said, strict=True):
            assert now.clock == clock(then)
            assert now.start - 1 <= max(then.time or 0.0, 0.0) <= now.end + 1
            assert known_by("minute", read).second_half == read.second_half
        assert list(reports(read)) == [READ]
        assert not list(doubts(read))


def test_seconds_without_a_period(sample: list[LabelledMatch], tmp_path: Path) -> None:
    said = half(sample[0].match, 2)
    rows = [{"time": c.start, "text": c.text} for c in said]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    read = with_commentary(sample[0].match, path)
    assert [(c.period, c.start) for c in read.comments] == [(2, c.start) for c in said]


def test_links_reach_the_second_half(sample: list[LabelledMatch], tmp_path: Path) -> None:
    match = sample[0].match
    path = page(tmp_path / "a.txt", [(from_one(c), c.text) for c in half(match, 2)])
    links = align(with_commentary(match, path), method="named-nearest")
    linked = [event for answer in links for event in links.events_of(answer.comment)]
    assert linked
    assert {event.period for event in linked} == {2}


def test_parts_of_both_halves_that_count_from_one(
    sample: list[LabelledMatch], tmp_path: Path
) -> None:
    """Nineteen minutes each: no fall of the clock is long enough for a half."""
    match = sample[1].match
    halves = [
        [(from_one(c), c.text) for c in half(match, period) if (c.time or 0.0) < 19 * 60]
        for period in (1, 2)
    ]
    files = [page(tmp_path / f"{n}.txt", rows) for n, rows in enumerate(halves)]
    whole = page(tmp_path / "whole.txt", halves[0] + halves[1])
    for given in (files, whole):
        read = with_commentary(match, given)
        assert [c.period for c in read.comments] == [1] * len(halves[0]) + [2] * len(halves[1])
        second = f"{len(halves[1])} of {len(read.comments)} comments are read as the second half"
        assert next(iter(reports(read))).startswith(second)


def test_weak_evidence_is_a_doubt(sample: list[LabelledMatch], tmp_path: Path) -> None:
    match = sample[0].match
    few = half(match, 2)[:8]
    read = with_commentary(match, page(tmp_path / "a.txt", [(from_one(c), c.text) for c in few]))
    assert {c.period for c in read.comments} == {1}
    assert not list(reports(read))
    assert list(doubts(read)) == [
        "the text is read as the first half, but the names fit the second better; if it is about "
        "the second half, write its clock from 46' on, or add a period column"
    ]


def test_what_the_text_says_is_kept(sample: list[LabelledMatch], tmp_path: Path) -> None:
    match = sample[0].match
    rows = [(from_one(c), c.text) for c in half(match, 2)]
    path = page(tmp_path / "a.txt", rows)
    path.write_text("First half\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    read = with_commentary(match, path)
    assert {c.period for c in read.comments} == {1}
    assert not about_halves(read)


def right_texts(comments: Sequence[Comment]) -> Iterable[list[tuple[str, str]]]:
    """The whole text, its halves and stretches of 20 minutes, with clocks of the match."""
    timed = [c for c in comments if c.start is not None and c.period is not None]

    def rows(some: Iterable[Comment]) -> list[tuple[str, str]]:
        return [(str(clock_at(c.period or 1, c.time or 0.0)), c.text) for c in some]

    yield rows(timed)
    around_break = [c for c in timed if 1800 < (c.time or 0) + 2700 * ((c.period or 1) - 1) < 3000]
    yield rows(around_break)
    for period in (1, 2):
        yield rows(c for c in timed if c.period == period)
        for start in range(0, 40, 10):
            span = range(60 * start, 60 * (start + 20))
            yield rows(c for c in timed if c.period == period and int(c.time or 0) in span)


def check_right_texts(match: Match, path: Path) -> int:
    texts = [rows for rows in right_texts(match.comments) if rows]
    for rows in texts:
        read = with_commentary(match, page(path, rows))
        assert read.comments == read_comments(path, extra_time=False)
        assert not about_halves(read)
    return len(texts)


def test_right_texts_stay_as_they_are(sample: list[LabelledMatch], tmp_path: Path) -> None:
    assert sum(check_right_texts(one.match, tmp_path / "a.jsonl") for one in sample) == 24


@pytest.mark.data
@pytest.mark.parametrize("track", ["comments", "bbc"])
def test_real_texts(data: Path, tmp_path: Path, track: str) -> None:
    folders = sorted(path.parent for path in (data / "epl-2015").glob("*/bbc.jsonl"))
    assert len(folders) == 6
    for folder in folders:
        match = read_match_folder(folder, track=track).match
        assert check_right_texts(match, tmp_path / "a.jsonl") >= 10
        said = half(match, 2)
        path = page(tmp_path / "b.jsonl", [(from_one(c), c.text) for c in said])
        read = with_commentary(match, path)
        assert {c.period for c in read.comments} == {2}
        assert about_halves(read) == [READ]
