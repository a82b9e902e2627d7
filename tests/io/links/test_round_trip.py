"""What comes back from each format, whatever the texts, ids and numbers are.

JSON Lines lose nothing. The tables keep every pair with all digits, but not the candidates, the
spans, or whether an id was a number; captions keep the events and scores and time to the
millisecond, but not the end of a span; subtitles keep text and time alone, chapters less.
"""

from __future__ import annotations

import csv
import json
import re

import pyarrow.parquet
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline import (
    Comment,
    CommentLinks,
    Event,
    Link,
    Links,
    Match,
    Team,
    read_comments,
    read_links,
    write_links,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
SCORE = st.floats(0, 1)
TIME = st.floats(-60, 4000)
EVENTS = tuple(
    Event(
        id=f"e{i}", type="Pass", period=1 + i // 5, time=7.25 * (i % 5), team=Team(id="t", name="T")
    )
    for i in range(10)
)


@st.composite
def links(draw) -> Links:
    """Answers for comments with any texts and ids; described events are of one period."""
    ids = draw(st.lists(st.integers(-(2**53), 2**53) | NAME, unique_by=str, max_size=5))
    comments = [
        Comment(id=i, text=draw(TEXT), period=1, start=s, end=s)
        for i, s in [(i, draw(TIME)) for i in ids]
    ]
    match = Match(name=draw(NAME), provider="t", events=EVENTS, comments=tuple(comments))
    return Links(match, [_answer(draw, match.name, comment) for comment in comments], "m")


def _answer(draw, match: str, comment: Comment) -> CommentLinks:
    period = draw(st.sampled_from([1, 2]))
    events = st.sampled_from([e for e in EVENTS if e.period == period])
    described = draw(st.lists(events, unique=True, max_size=3))
    described = sorted(described, key=lambda event: event.time)
    scored = tuple(Link(id=event.id, score=draw(SCORE)) for event in described)
    return CommentLinks(
        match=match,
        comment=comment.id,
        events=scored,
        none=draw(SCORE),
        period=period if described else None,
        time=described[0].time if described else None,
        span=(described[0].time, described[-1].time) if described else None,
        candidates=draw(st.sampled_from([None, scored])),
    )


def written(tmp_path_factory, some: Links, ending: str):
    path = tmp_path_factory.getbasetemp() / f"round-trip{ending}"
    write_links(some, path)
    return path


@settings(max_examples=60)
@given(some=links())
def test_json_lines_lose_nothing(tmp_path_factory, some):
    path = written(tmp_path_factory, some, ".jsonl")
    if len(some):  # a file without a line is refused as empty
        assert read_links(path) == list(some)


def pairs(some: Links) -> list[tuple[str, str, str | None, float | None, float]]:
    return [
        (answer.match, str(answer.comment), link and link.id, link and link.score, answer.none)
        for answer in some
        for link in (answer.events or (None,))
    ]


def unmarked(text: str) -> str:
    """A text that a spreadsheet would run has a mark before it."""
    return text[1:] if re.match(r"'[=+\-@\t\r]", text) else text


@settings(max_examples=60)
@given(some=links())
def test_csv_keeps_every_pair_and_text(tmp_path_factory, some):
    with written(tmp_path_factory, some, ".csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [
        (unmarked(row["match"]), unmarked(row["comment"]), row["event"] or None,
         float(row["score"]) if row["score"] else None, float(row["none"]))
        for row in rows
    ] == [
        (unmarked(match), unmarked(comment), *rest) for match, comment, *rest in pairs(some)
    ]  # fmt: skip
    texts = {comment.id: comment.text for comment in some.match.comments}
    said = [texts[answer.comment] for answer in some for _ in answer.events or (None,)]
    assert [unmarked(row["text"]) for row in rows] == list(map(unmarked, said))


@settings(max_examples=60)
@given(some=links())
def test_parquet_keeps_every_pair_and_text(tmp_path_factory, some):
    rows = pyarrow.parquet.read_table(written(tmp_path_factory, some, ".parquet")).to_pylist()
    assert [
        (row["match"], row["comment"], row["event"], row["score"], row["none"]) for row in rows
    ] == pairs(some)
    texts = {str(comment.id): comment.text for comment in some.match.comments}
    assert all(row["text"] == texts[row["comment"]] for row in rows)


@settings(max_examples=60)
@given(some=links())
def test_captions_keep_events_and_scores_and_time_to_the_millisecond(tmp_path_factory, some):
    captions = json.loads(written(tmp_path_factory, some, ".json").read_bytes())["annotations"]
    texts = {comment.id: comment.text for comment in some.match.comments}
    assert len(captions) == len(some)
    for caption, answer in zip(captions, some, strict=True):
        assert (caption["comment"], caption["none"]) == (answer.comment, answer.none)
        assert caption["description"] == texts[answer.comment]
        assert [(e["id"], e["score"]) for e in caption["events"]] == [
            (link.id, link.score) for link in answer.events
        ]
        if answer.events:
            assert caption["position"] == str(round(1000 * answer.time))


@settings(max_examples=60)
@given(some=links())
def test_subtitles_keep_text_and_time(tmp_path_factory, some):
    """Texts that hold a letter or digit; what is only marks or spaces may be no comment."""
    path = written(tmp_path_factory, some, ".vtt")
    kept = [c for c in some.match.comments if re.search(r"\w", c.text) and c.text.isprintable()]
    if len(kept) < len(some) or not kept:
        return
    again = [" ".join(comment.text.split()) for comment in read_comments(path)]
    assert sorted(again) == sorted(" ".join(comment.text.split()) for comment in kept)
