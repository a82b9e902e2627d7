"""The paper's system as an aligner: presets, scopes, twins, new matches, storage."""

from __future__ import annotations

import pytest

from touchline import evaluate, make_aligner
from touchline.core.errors import TouchlineError
from touchline.io.links.jsonl import to_lines
from touchline.methods.pairrank import aligner as pairrank
from touchline.methods.pairrank.ranking import system
from touchline.methods.registry import load_aligner
from touchline.sample import corpus_path


def f1(method: str, **settings) -> float:
    return evaluate(corpus_path(), make_aligner(method, settings)).total.metrics()["f1"]


def test_macro_events_are_at_most_k(sample):
    match = sample[0].match
    sizes = {
        k: max(len(answer.events) for answer in make_aligner("pairrank", {"k": k}).align(match))
        for k in (1, 3)
    }
    assert sizes == {1: 1, 3: 3}


@pytest.mark.parametrize("preset", ["paper", "paper-printed", "paper-plus"])
def test_presets_beat_chance_by_far(preset):
    assert f1(f"pairrank:{preset}") > 0.25 > 3 * f1("random")


def test_literal_and_efficient_merging_give_the_same_links(sample):
    settings = {"scope": "half", "k": 3}
    match = sample[1].match.with_comments(sample[1].match.comments[:30])
    links = [
        list(to_lines(make_aligner("pairrank", {**settings, "merging": way}).align(match)))
        for way in ("literal", "bordered")
    ]
    assert links[0] == links[1]


def test_halves_and_matches_learn_from_themselves_alone(sample):
    first, second = (labelled.match for labelled in sample)
    for scope in ("half", "match"):
        alone, together = (make_aligner("pairrank", {"scope": scope, "k": 1}) for _ in range(2))
        alone.fit([first])
        together.fit([first, second])
        assert list(alone.align(first)) == list(together.align(first))


def test_a_match_that_was_learned_from_is_known_again(sample):
    aligner = make_aligner("pairrank", {"k": 2})
    aligner.fit([labelled.match for labelled in sample])
    first = list(aligner.align(sample[0].match))
    assert [a.comment for a in first] == [c.id for c in sample[0].match.comments]
    shorter = sample[0].match.with_comments(sample[0].match.comments[:10])
    assert len(aligner.align(shorter)) == 10  # another commentary: not the one learned from


def test_a_new_match_uses_the_stored_models(sample, tmp_path):
    aligner = make_aligner("pairrank", {"k": 2})
    aligner.fit([sample[0].match])
    before = {name: array.copy() for name, array in aligner.parameters().items()}
    links = list(aligner.align(sample[1].match))
    assert all((before[name] == array).all() for name, array in aligner.parameters().items())
    aligner.save(tmp_path / "m.model")
    assert list(load_aligner(tmp_path / "m.model").align(sample[1].match)) == links
    alone = make_aligner("pairrank", {"k": 2}).align(sample[1].match)
    assert links != list(alone)  # the other match has its say


def test_the_first_event_described_scores_best(sample):
    """A score is the share of less popular pairs; a sentence describes its most popular one."""
    match = sample[0].match.with_comments(sample[0].match.comments[:30])
    answers = [a for a in make_aligner("pairrank", {"k": 1}).align(match) if len(a.candidates) > 1]
    assert answers
    for answer in answers:
        scores = [link.score for link in answer.candidates]
        assert answer.events[0].score == max(scores) > min(scores)


def test_consensus_may_stay_silent(sample):
    match = sample[0].match
    links = make_aligner("pairrank", {"silence": "consensus", "k": 1}).align(match)
    for answer in links:
        best = max((link.score for link in answer.candidates), default=0)
        assert bool(answer.events) == (best >= 0.5)
        assert answer.none == pytest.approx(1 - best, abs=1e-6)


@pytest.mark.data
def test_the_papers_method_on_the_real_matches(data):
    """Published F1 on its own corpus is 41.4; ours on this one lies in the same range."""
    report = evaluate(data / "epl-2015", make_aligner("pairrank"))
    assert 0.40 < report.total.metrics()["f1"] < 0.50


def first_minutes(match, number: int):
    """The comments of the first half hour, under another name for each copy."""
    early = [c for c in match.comments if c.period == 1 and (c.time or 0) < 1800]
    return match.with_comments(early[number:])


def test_shards_learn_from_themselves_alone_and_are_stored(sample, tmp_path):
    matches = [first_minutes(one.match, number) for one in sample for number in (0, 1)]
    sharded = make_aligner("pairrank", {"k": 2, "shard": 2})
    sharded.fit(iter(matches))
    sharded.save(tmp_path / "shards")
    stored = load_aligner(tmp_path / "shards")
    for shard in (matches[:2], matches[2:]):
        alone = make_aligner("pairrank", {"k": 2})
        alone.fit(shard)
        for match in shard:
            expected = list(to_lines(alone.align(match)))
            assert list(to_lines(sharded.align(match))) == expected
            assert list(to_lines(stored.align(match))) == expected
    everybody = make_aligner("pairrank", {"k": 2})
    everybody.fit(matches)
    assert list(everybody.align(matches[0])) != list(sharded.align(matches[0]))


def test_a_match_of_no_shard_joins_the_last(sample):
    matches = [first_minutes(one.match, 0) for one in sample]
    stranger = first_minutes(sample[0].match, 1)
    sharded, last = make_aligner("pairrank:sharded", {"shard": 1}), make_aligner("pairrank")
    sharded.fit(matches)
    last.fit(matches[1:])
    assert list(sharded.align(stranger)) == list(last.align(stranger))
    assert sharded.together == 1
    assert make_aligner("pairrank:sharded").together == 6


def test_only_the_macro_events_of_the_match_that_is_asked_for_are_grown(sample, monkeypatch):
    matches = [first_minutes(one.match, 0) for one in sample]
    aligner, grow, asked = make_aligner("pairrank", {"k": 2}), system.macro_events, []

    def noted(*given):
        asked.append(given[-1])
        return grow(*given)

    aligner.fit(matches)
    monkeypatch.setattr(system, "macro_events", noted)
    aligner.align(matches[1])
    first = len(matches[0].comments)
    assert asked == [range(first, first + len(matches[1].comments))]
    aligner.explain(matches[1], matches[1].comments[0].id)
    assert len(asked) == 1


def test_more_pairs_than_a_graph_can_hold_are_refused(sample, monkeypatch):
    match = sample[0].match.with_comments(sample[0].match.comments[:40])
    learned = make_aligner("pairrank")
    learned.fit([match])
    monkeypatch.setattr(pairrank, "MAX_PAIRS", len(learned._shards[0].pairs))
    make_aligner("pairrank").align(match)
    other = sample[1].match.with_comments(sample[1].match.comments[:5])
    for refused in (
        lambda: make_aligner("pairrank").fit([match, other]),
        lambda: learned.align(other),
    ):
        with pytest.raises(TouchlineError, match=r"too many .at most .*pairrank:sharded"):
            refused()
