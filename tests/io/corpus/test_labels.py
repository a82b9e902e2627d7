"""Labels to learn from: adjudicated ones, several annotators, lines that are none."""

from __future__ import annotations

import json

import pytest

from touchline.io.corpus.gold import GoldLine
from touchline.io.corpus.labels import DOUBTED, read_match_labels


@pytest.fixture
def write(tmp_path):
    def write(name, *labels):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        lines = (label if isinstance(label, str) else json.dumps(label) for label in labels)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")

    return write


def label(comment, *events, **more):
    return {"id": comment, "events": events, **more}


def test_gold_wins(write, tmp_path, small_match):
    write("gold.jsonl", label(0, "e0", "e1"))
    write("labels/ann.jsonl", label(0, "e2"), label(1, note="only weather"))
    said, bad, *_ = read_match_labels(tmp_path, small_match)
    assert said[0] == {frozenset({"e0", "e1"}): 1.0}
    assert bad == []


def test_what_was_decided_elsewhere_wins_over_annotators_and_the_file(write, tmp_path, small_match):
    write("gold.jsonl", label(0, "e0"), label(1))
    write("labels/ann.jsonl", label(0, "e2"))
    decided = {"gold": [GoldLine(id=0, events=("e1",))], "bo": [GoldLine(id=0, events=("e3",))]}
    said, bad, *_ = read_match_labels(tmp_path, small_match, decided)
    assert said[0] == {frozenset({"e1"}): 1.0}
    assert said[1] == {frozenset(): 1.0}
    assert bad == []


def test_annotators_count_by_how_far_they_agree(write, tmp_path, small_match):
    write("labels/ann.jsonl", label(0, "e0"), label("x", "e4"), label(1))
    write("labels/bea.jsonl", label(0, "e0"), label("x", "e4"))
    write("labels/cid.jsonl", label(0, "e1"), label("x", "e4"))
    said, *_ = read_match_labels(tmp_path, small_match)
    # ann and bea: three of four times the same as another; cid: two of four.
    assert said[0] == {
        frozenset({"e0"}): pytest.approx((0.75 + 0.75) / 3),
        frozenset({"e1"}): pytest.approx(0.5 / 3),
    }
    assert said["x"] == {frozenset({"e4"}): pytest.approx((0.75 + 0.75 + 0.5) / 3)}
    assert said[1] == {frozenset(): pytest.approx(0.75)}


def test_an_annotator_alone_counts_whole_and_doubts_half(write, tmp_path, small_match):
    write("labels/ann.jsonl", label(0, "e0"), label("x", "e4", sure=False))
    said, *_ = read_match_labels(tmp_path, small_match)
    assert said == {0: {frozenset({"e0"}): 1.0}, "x": {frozenset({"e4"}): DOUBTED}}


def test_agreement_with_gold_counts_too(write, tmp_path, small_match):
    write("gold.jsonl", label(0, "e0"))
    write("labels/ann.jsonl", label(0, "e1"), label("x", "e4"))
    said, *_ = read_match_labels(tmp_path, small_match)
    assert said == {0: {frozenset({"e0"}): 1.0}, "x": {}}


def test_a_person_wins_over_machines_and_keeps_their_weight(write, tmp_path, small_match):
    write("labels/ann.jsonl", label(0, "e0"))
    write("labels/model.jsonl", label(0, "e1", machine=True), label("x", "e4", machine=True))
    write("labels/other.jsonl", label("x", "e4", machine=True), label(1, machine=True))
    said, bad, machine, _ = read_match_labels(tmp_path, small_match)
    assert said[0] == {frozenset({"e0"}): 1.0}
    # model: never as ann says, always as the other machine does.
    assert said["x"] == {frozenset({"e4"}): pytest.approx((0.5 + 1.0) / 2)}
    assert (bad, machine) == ([], {"x", 1})


def test_a_machine_counts_by_how_far_it_agrees_with_gold(write, tmp_path, small_match):
    write("gold.jsonl", label(0, "e0", "e1"))
    write("labels/model.jsonl", label(0, "e0", machine=True), label("x", "e4", machine=True))
    said, _, machine, _ = read_match_labels(tmp_path, small_match)
    assert said["x"] == {frozenset({"e4"}): pytest.approx(2 / 3)}
    assert machine == {"x"}


def test_whether_a_machine_made_a_label_is_yes_or_no(write, tmp_path, small_match):
    write("labels/model.jsonl", label(0, "e0", machine="gpt"))
    said, bad, *_ = read_match_labels(tmp_path, small_match)
    assert said == {}
    assert "machine" in bad[0].problem


def test_bad_lines_are_named_and_skipped(write, tmp_path, small_match):
    write(
        "gold.jsonl",
        label(0, "e0"),
        "not json",
        label(99, "e1"),
        label("x", "e77"),
        label(0, "e1"),
        label(1),
    )
    said, bad, *_ = read_match_labels(tmp_path, small_match)
    assert said == {0: {frozenset({"e0"}): 1.0}, 1: {frozenset(): 1.0}}
    assert [(one.path.name, one.line) for one in bad] == [("gold.jsonl", n) for n in (2, 3, 4, 5)]
    problems = " ".join(one.problem for one in bad)
    for part in ("not a label", "99", "'e77' is not in the log", "duplicate"):
        assert part in problems
    assert str(bad[1]).startswith(f"{tmp_path / 'gold.jsonl'}: line 3: ")


def test_a_file_that_is_no_text_is_named(tmp_path, small_match):
    (tmp_path / "gold.jsonl").write_bytes(b"\xff\xfe\x00\x01\xff")
    said, bad, *_ = read_match_labels(tmp_path, small_match)
    assert said == {}
    assert len(bad) >= 1


def test_a_folder_without_labels(tmp_path, small_match):
    assert read_match_labels(tmp_path, small_match) == ({}, [], frozenset(), {})


def test_words_of_events_come_from_segments_then_from_annotators(write, tmp_path, small_match):
    write("segments.jsonl", {"id": 0, "event": "e0", "spans": [[0, 3]]}, "nothing",
          {"id": 0, "event": "nobody", "spans": [[0, 3]]})  # fmt: skip
    write("labels/ann.jsonl", label(0, "e0", "e1", segments={"e0": [[1, 2]], "e1": [[0, 2]]}),
          label(1, "e1", segments={"e1": [[5, 2]]}))  # fmt: skip
    _, bad, _, words = read_match_labels(tmp_path, small_match)
    assert words == {0: {"e0": ((0, 3),), "e1": ((0, 2),)}}
    assert [(line.path.name, line.line) for line in bad] == [
        ("ann.jsonl", 2), ("segments.jsonl", 2), ("segments.jsonl", 3),
    ]  # fmt: skip
