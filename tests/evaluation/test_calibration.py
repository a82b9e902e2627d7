"""Reliability and calibration error worked out by hand."""

from __future__ import annotations

import pytest

from touchline import CommentLinks, Link, align, make_aligner
from touchline.evaluation import evaluate
from touchline.evaluation.calibration import (
    Bin,
    Calibration,
    calibration_error,
    judged_links,
    judged_none,
    reliability,
)
from touchline.io.corpus.layout import LabelledMatch
from touchline.sample import corpus_path

# Two bins of two: .2 where half is right, .9 where all is.
FOUR = [(0.9, True), (0.1, False), (0.9, True), (0.3, True)]


def test_bins_hold_as_many_answers_each():
    assert reliability(FOUR, 2) == [Bin(2, pytest.approx(0.2), 0.5), Bin(2, 0.9, 1.0)]
    assert [one.answers for one in reliability([(i / 23, True) for i in range(23)])] == [3] * 3 + [
        2
    ] * 7


def test_the_error_is_weighed_by_answers():
    assert calibration_error(FOUR, 2) == pytest.approx((0.3 + 0.1) / 2)
    assert calibration_error(FOUR, 1) == pytest.approx(0.75 - 0.55)
    uneven = [(0.0, False), (0.0, False), (1.0, False)]  # bins of two and of one
    assert calibration_error(uneven, 2) == pytest.approx(1 / 3)


def test_scores_that_mean_what_they_say_have_no_error():
    honest = [(0.25, i == 0) for i in range(4)] + [(0.75, i > 0) for i in range(4)]
    assert calibration_error(honest, 2) == 0
    assert calibration_error([(1.0, False)] * 5) == 1


def test_fewer_answers_than_bins_and_none_at_all():
    assert len(reliability(FOUR)) == 4
    assert reliability([]) == []
    assert calibration_error([]) == 0


def test_the_order_of_equal_scores_does_not_matter():
    tied = [(0.5, True), (0.5, False), (0.5, False), (0.5, True)]
    assert reliability(tied, 2) == reliability(tied[::-1], 2)


def test_only_labelled_comments_are_judged(small_match):
    gold = {0: frozenset(["e1"]), 1: frozenset()}
    labelled = LabelledMatch(match=small_match, gold=gold)
    linked = {0: ("e0", "e1"), 1: ("e3",), "x": ("e4",)}
    answers = [
        CommentLinks(match="small", comment=comment, none=0.25, period=1, time=None, span=None,
                     events=tuple(Link(id=i, score=0.75) for i in events))
        for comment, events in linked.items()
    ]  # fmt: skip
    assert judged_links(labelled, answers) == [(0.75, False), (0.75, True), (0.75, False)]
    assert judged_none(labelled, answers) == [(0.25, False), (0.25, True)]


def test_a_report_judges_links_and_no_event(sample):
    calibration = Calibration([], [])
    for one in sample:
        calibration.add(one, align(one.match, method="named"))
    found = calibration.to_json()
    comments = sum(len(one.gold) for one in sample)
    assert list(found) == ["links", "none"]
    assert found["none"]["answers"] == comments
    assert found["links"]["ece"] == calibration_error(calibration.links) > 0
    assert sum(bin_["answers"] for bin_ in found["links"]["bins"]) == len(calibration.links)
    report = evaluate(corpus_path(), make_aligner("named"), clock="second", calibration=True)
    assert report.to_json()["calibration"] == found
    assert "calibration" not in evaluate(corpus_path(), make_aligner("named")).to_json()
