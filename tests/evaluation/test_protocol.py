"""Scoring a method on a corpus: clocks, tracks, predictions, real data's own counts."""

from __future__ import annotations

import pytest

from touchline import Alignment, InputError, TouchlineError, evaluate, make_aligner, write_links
from touchline.core.links import Links
from touchline.evaluation import evaluate_predictions
from touchline.io.links.origin import Origin
from touchline.methods.registry import Aligner
from touchline.sample import corpus_path

ORIGIN = Origin(method="test", options={}, inputs={})


class Spy(Aligner):
    """Answers nothing and remembers what it was shown."""

    name = "spy"

    def __init__(self):
        super().__init__()
        self.learned = []
        self.seen = []

    def fit(self, matches, labels=None):
        self.learned = list(matches)

    def infer(self, match):
        self.seen.append(match)
        return Alignment(Links(match, []), self.name)


def test_the_minute_clock_hides_the_seconds():
    spy = Spy()
    evaluate(corpus_path(), spy, clock="minute")
    assert len(spy.learned) == 2
    shown = [comment for match in spy.seen for comment in match.comments]
    assert not any(comment.exact for comment in shown)
    assert {comment.end - comment.start for comment in shown} == {60}
    evaluate(corpus_path(), spy := Spy(), clock="second")
    assert all(comment.exact for match in spy.seen for comment in match.comments)


def test_a_fitted_aligner_is_not_fitted_again_and_matches_can_be_picked():
    spy = Spy()
    name = sorted(p.name for p in corpus_path().iterdir() if p.is_dir())[0]
    report = evaluate(corpus_path(), spy, fitted=True, only=[name])
    assert spy.learned == []
    assert list(report.scores) == [name]
    with pytest.raises(TouchlineError, match="no labelled match 'nobody'"):
        evaluate(corpus_path(), spy, only=["nobody"])


def test_also_fit_adds_text_to_learn_from(tmp_path):
    spy = Spy()
    evaluate(corpus_path(), spy, also_fit=[corpus_path()])
    assert len(spy.learned) == 4


def test_a_links_file_scores_like_the_method_that_wrote_it(tmp_path, sample):
    aligner = make_aligner("named-nearest")
    path = tmp_path / "links.jsonl"
    write_links([aligner.align(labelled.match) for labelled in sample], path, ORIGIN)
    direct = evaluate(corpus_path(), aligner, clock="second").to_json()
    read = evaluate_predictions(corpus_path(), path, clock="second").to_json()
    assert read["matches"] == direct["matches"]
    assert read["total"] == direct["total"]
    assert list(direct) == [
        "corpus", "method", "clock", "track", "matches", "total", "answered", "labels", "interval",
    ]  # fmt: skip
    assert read["interval"] == direct["interval"]
    for name, (low, high) in direct["interval"].items():
        assert low < direct["total"][name] < high


def test_predictions_for_another_match_or_with_foreign_events_are_refused(tmp_path, sample):
    path = tmp_path / "links.jsonl"
    renamed = sample[0].match.named("elsewhere")
    write_links(make_aligner("named").align(renamed), path, ORIGIN)
    with pytest.raises(InputError, match="no labelled match of"):
        evaluate_predictions(corpus_path(), path)
    name = sample[0].match.name
    foreign = make_aligner("named").align(sample[1].match.named(name))
    write_links(foreign, path, ORIGIN)
    with pytest.raises(InputError, match="is not in the match log"):
        evaluate_predictions(corpus_path(), path)


def test_a_corpus_without_labels_says_what_is_missing(tmp_path, sample_folder):
    folder = tmp_path / "match"
    folder.mkdir()
    for name in ("events.json.gz", "comments.jsonl"):
        (folder / name).write_bytes((sample_folder / name).read_bytes())
    with pytest.raises(InputError, match=r"gold\.jsonl"):
        evaluate(tmp_path, make_aligner("named"))


@pytest.mark.data
def test_counts_of_the_protocol_on_the_real_matches(data):
    total = evaluate(data / "epl-2015", make_aligner("named-nearest")).total.metrics()
    assert (total["gold"], total["comments"]) == (733, 444)
    lines = evaluate(data / "epl-2015", make_aligner("named"), track="bbc").total.metrics()
    assert lines["lines"] == 345
    radio = evaluate(data / "radio-2018", make_aligner("named")).to_json()
    assert list(radio["matches"]) == ["england-sweden"]
    assert (radio["total"]["gold"], radio["total"]["comments"]) == (186, 280)


@pytest.mark.data
def test_baselines_order_as_they_should_on_the_real_matches(data):
    f1 = {
        method: evaluate(data / "epl-2015", make_aligner(method), clock="second").total.metrics()
        for method in ("random", "named", "named-nearest")
    }
    assert f1["random"]["f1"] < 0.1 < f1["named"]["f1"] < f1["named-nearest"]["f1"]
