"""The baselines: chance, names, names and time; and how aligners are made and kept."""

from __future__ import annotations

import numpy as np
import pytest

from touchline import Comment, InputError, TouchlineError, align, load_aligner, make_aligner
from touchline.io.model_file import FORMAT, write_model


def linked(links, comment) -> list[str]:
    answer = next(a for a in links if a.comment == comment)
    return [link.id for link in answer.events]


def test_named_takes_every_event_of_a_mentioned_player(small_match):
    assert linked(align(small_match, method="named"), 0) == ["e0", "e1"]
    assert linked(align(small_match, method="named"), "x") == ["e4"]
    assert linked(align(small_match, method="named", window=300), "x") == ["e0", "e4"]


def test_named_nearest_takes_one_event_a_player(small_match):
    assert linked(align(small_match, method="named-nearest", window=300), "x") == ["e4"]
    assert linked(align(small_match, method="named-nearest"), 1) == []


def said(match, text: str, time: float):
    """The match with one comment."""
    return match.with_comments([Comment(id=0, text=text, period=1, start=time, end=time)])


def test_named_needs_a_name_that_is_sure_enough(small_match):
    """Reis is not called Silva; the word may mean them all the same."""
    (answer,) = make_aligner("named").align(said(small_match, "A low shot by Silva.", 15))
    assert answer.events == ()
    assert [link.id for link in answer.candidates] == ["e1"]


def test_named_nearest_prefers_the_event_that_joins_those_mentioned(small_match):
    """Archer's foul is nearer, but only the pass is to Reis."""
    match = said(small_match, "Archer finds Reis.", 128)
    assert linked(align(match, method="named-nearest", window=300), 0) == ["e0", "e1"]
    alone = said(small_match, "Archer.", 128)
    assert linked(align(alone, method="named-nearest", window=300), 0) == ["e4"]


def test_named_rarest_takes_the_rarest_type(small_match):
    """Archer passes now, and there are two passes; the one foul is long after."""
    match = said(small_match, "Archer.", 12)
    assert linked(align(match, method="named-rarest", window=300), 0) == ["e4"]


def test_random_draws_for_each_comment(small_match):
    comments = [Comment(id=i, text="", period=1, start=70, end=70) for i in range(30)]
    links = align(small_match.with_comments(comments), method="random", window=300)
    assert len({answer.events[0].id for answer in links}) == 5


def test_random_depends_on_the_seed_alone(sample):
    match = sample[0].match
    first = [linked(align(match, method="random", seed=1), c.id) for c in match.comments]
    again = [linked(align(match, method="random", seed=1), c.id) for c in match.comments[:1]]
    other = [linked(align(match, method="random", seed=2), c.id) for c in match.comments]
    assert first[:1] == again
    assert first != other


def test_min_score_leaves_out_events_and_keeps_the_rest_consistent(small_match):
    everything = align(small_match, method="named-nearest")
    scores = [link.score for link in everything[0].events]
    fewer = align(small_match, method="named-nearest", min_score=max(scores))
    assert len(fewer[0].events) == 1
    assert fewer[0].span == (fewer[0].time, fewer[0].time)
    assert align(small_match, min_score=1.0, method="named-nearest")[0].time is None


def test_unknown_methods_presets_and_options_are_named():
    with pytest.raises(
        TouchlineError, match=r"unknown method 'magic'; expected one of .*named-nearest"
    ):
        make_aligner("magic")
    with pytest.raises(TouchlineError, match="preset"):
        make_aligner("named:paper")
    with pytest.raises(TouchlineError, match="no option 'k'; it has window, seed"):
        make_aligner("named", {"k": 3})
    with pytest.raises(TouchlineError, match="window"):
        make_aligner("named", {"window": "wide"})


def test_aligning_a_match_without_comments_says_so(small_match):
    with pytest.raises(TouchlineError, match="no comments"):
        align(small_match.with_comments([]), method="named-nearest")


def test_a_file_that_is_no_model_is_refused(tmp_path):
    path = tmp_path / "m.model"
    for content in (b"hello", b"PK\x03\x04 broken", b"\x93NUMPY"):
        path.write_bytes(content)
        with pytest.raises(InputError, match="not a touchline model"):
            load_aligner(path)


def test_a_model_of_a_newer_format_or_method_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "m.model"
    write_model(path, "tomorrow", {}, {"weights": np.ones(3)})
    with pytest.raises(InputError, match="'tomorrow'"):
        load_aligner(path)
    monkeypatch.setattr("touchline.io.model_file.FORMAT", FORMAT + 1)
    write_model(path, "named", {}, {})
    monkeypatch.undo()
    with pytest.raises(InputError, match=f"format {FORMAT + 1}"):
        load_aligner(path)
