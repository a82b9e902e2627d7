"""Scoring words: tokens, given the gold links and end to end, and the baselines."""

from __future__ import annotations

import shutil

import msgspec
import pytest

from touchline import InputError, UsageError, evaluate, make_aligner
from touchline.evaluation.comparison import compare, comparison_sheet
from touchline.evaluation.segments import Tokens, tokens_in
from touchline.io.corpus.layout import read_corpus
from touchline.io.corpus.segments import SegmentLine, write_segments
from touchline.sample import corpus_path


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The sample with segments of one match: all words of each gold event."""
    folder = tmp_path_factory.mktemp("corpus") / "corpus"
    shutil.copytree(corpus_path(), folder)
    first = next(iter(read_corpus(folder)))
    texts = {comment.id: comment.text for comment in first.match.comments}
    found = [
        SegmentLine(id=comment, event=event, spans=((0, len(texts[comment])),))
        for comment, events in first.gold.items()
        for event in sorted(events)
    ]
    (folder / first.match.name / "segments.jsonl").write_bytes(b"".join(write_segments(found)))
    return folder, first.match.name, len(found)


def test_tokens_count_where_all_their_characters_lie_inside():
    text = "It's Bell's goal"
    assert tokens_in(text, [(0, 4)]) == {0, 3}
    assert tokens_in(text, [(6, 11)]) == {10}
    assert Tokens(1, 2, 4).metrics() == {
        "precision": 0.5,
        "recall": 0.25,
        "f1": pytest.approx(1 / 3),
    }


def test_only_matches_with_segments_are_scored_and_whole_comments_are_right_here(corpus):
    folder, name, pairs = corpus
    report = evaluate(folder, make_aligner("chains:unlabelled"), track="segments")
    found = report.to_json()
    assert list(found["matches"]) == [name]
    assert found["total"]["pairs"] == pairs
    assert set(found["total"]) == {"precision", "recall", "f1", "pairs", "end_to_end"}
    assert set(found["total"]["end_to_end"]) == {"precision", "recall", "f1"}
    whole = found["baselines"]["whole comment"]
    assert (whole["precision"], whole["recall"], whole["f1"]) == (1.0, 1.0, 1.0)
    assert found["total"]["precision"] == 1.0 > found["total"]["recall"]
    assert whole["end_to_end"]["f1"] < 1.0
    low, high = found["interval"]["f1"]
    assert low <= found["total"]["f1"] <= high
    msgspec.json.encode(found)


def test_a_method_that_knows_no_words_is_refused(corpus):
    with pytest.raises(UsageError, match="named does not say which words"):
        evaluate(corpus[0], make_aligner("named"), track="segments")


def test_without_segments_there_is_nothing_to_score():
    with pytest.raises(InputError, match=r"expected <match>/segments\.jsonl"):
        evaluate(corpus_path(), make_aligner("named"), track="segments")


def test_methods_and_baselines_stand_side_by_side(corpus):
    folder, name, pairs = corpus
    aligners = {m: make_aligner(m, {"rounds": 2}) for m in ("koncel2014", "liang2009")}
    found = compare(folder, aligners, track="segments")
    assert list(found["methods"]) == [
        "koncel2014", "liang2009", "whole comment", "clause with the actor's name",
    ]  # fmt: skip
    assert found["methods"]["whole comment"]["total"]["f1"] == 1.0
    assert found["methods"]["koncel2014"]["matches"][name]["pairs"] == pairs
    sheet = comparison_sheet(found)
    assert [row[0] for row in sheet.rows] == list(found["methods"])
    assert all(len(row) == len(sheet.columns) for row in sheet.rows)
    with pytest.raises(UsageError, match="named does not say"):
        compare(folder, {"named": make_aligner("named")}, track="segments")
