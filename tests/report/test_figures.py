"""Pictures for papers: drawn, named, the same bytes each time."""

from __future__ import annotations

import re

import msgspec
import pytest

from touchline import CommentLinks, Link, Links, align
from touchline.report.figures import draw_match, k_scores


def test_pictures_of_a_match(sample, tmp_path):
    links = align(sample[0].match, method="named-nearest")
    written = draw_match(links, tmp_path, chosen=[34])
    names = sorted(path.name for path in written)
    assert names == [f"{name}.{kind}" for name in ("macro-event-34", "sizes", "timeline")
                     for kind in ("png", "svg")]  # fmt: skip
    drawn = re.sub(r"<[^>]+>", " ", (tmp_path / "macro-event-34.svg").read_text())
    event = links.events_of(34)[0]
    assert f"E: {event.type}" in drawn
    assert event.player.label in drawn


def test_the_largest_macro_events_are_drawn_and_names_are_no_formulas(links, tmp_path):
    comments = [links.match.comments[0], *links.match.comments[1:]]
    comments[0] = msgspec.structs.replace(comments[0], text="Worth $5 and $_{x")
    match = links.match.with_comments(comments)
    written = draw_match(type(links)(match, links), tmp_path / "new")
    assert "macro-event-0.svg" in [path.name for path in written]
    assert "Worth $5 and $_{x" in (tmp_path / "new" / "macro-event-0.svg").read_text()


def test_the_same_links_give_the_same_bytes(links, tmp_path):
    first, second = draw_match(links, tmp_path / "a"), draw_match(links, tmp_path / "b")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_f1_over_k_counts_the_surest_events(small_match):
    """Two right events, the second less sure: at k = 1 one of them is missed."""
    first, second = small_match.linkable[:2]
    answer = CommentLinks(
        match="small", comment=small_match.comments[0].id, none=0.0, period=1, time=10.0,
        span=(10.0, 14.0),
        events=(Link(id=first.id, score=0.6), Link(id=second.id, score=0.9)),
    )  # fmt: skip
    links = Links(small_match.with_comments(small_match.comments[:1]), [answer])
    labels = {answer.comment: frozenset([first.id, second.id])}
    assert k_scores(links, labels)[:2] == pytest.approx([2 / 3, 1.0])
    assert k_scores(links, {answer.comment: frozenset([first.id])})[:2] == pytest.approx([0, 2 / 3])
