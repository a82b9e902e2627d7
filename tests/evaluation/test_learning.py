"""What labels bring is measured on matches left out, by labels of people alone."""

from __future__ import annotations

import pytest

from touchline import load_aligner, make_aligner
from touchline.core.errors import TouchlineError
from touchline.evaluation.learning import (
    MIN_COMMENTS,
    LabelledText,
    LeftOut,
    builds_on_bundled,
    check_enough,
    left_out,
    likeliest,
    missing,
    scored,
)
from touchline.evaluation.metrics import Score
from touchline.methods.chains.bundled import loader
from touchline.methods.match_store import InMemory


@pytest.fixture(scope="module")
def aligner():
    return make_aligner("chains")


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (["text"] * 3, None),
        (["speech"] * 4, None),
        (["text"] * 2, "label 1 more match first"),
        (["speech"] * 3, "label 1 more match first"),
        (["text", None, None], "label 2 more matches first"),
        ([], "label 3 more matches first"),
    ],
)
def test_one_more_match_is_needed_than_is_learned_from(aligner, groups, said):
    problem = missing(aligner, groups)
    assert problem is None if said is None else problem.startswith(said)


def test_labels_of_machines_are_not_scored_by(aligner, sample):
    texts = [
        LabelledText(number, one.match, {c: {gold: 1.0} for c, gold in one.gold.items()})
        for number, one in enumerate(sample)
    ]
    assert [text.is_enough for text in texts] == [True, True]
    by_machine = [text._replace(machine=frozenset(text.said)) for text in texts]
    assert [text.is_enough for text in by_machine] == [False, False]
    assert scored(aligner, by_machine) == []
    with pytest.raises(TouchlineError, match="label 3 more matches first"):
        check_enough(aligner, by_machine)


def test_a_match_is_scored_by_what_has_not_seen_it(sample):
    """Its own labels change neither score, whatever they say."""
    texts = [
        LabelledText(number, one.match, {c: {gold: 1.0} for c, gold in one.gold.items()})
        for number, one in enumerate(sample)
    ]
    aligner = make_aligner("chains", {"rounds": 4, "adapt": 1})
    store = InMemory(aligner.condense(one.match) for one in sample)
    found = left_out(aligner, store, texts, texts[0])
    assert found.match == sample[0].match.name
    wrong = texts[0]._replace(said={c: {frozenset(): 1.0} for c in texts[0].said})
    other = left_out(aligner, store, [wrong, texts[1]], texts[0])
    assert (other.without, other.labels) == (found.without, found.labels)
    assert found.without != found.labels
    assert found.labels.comments == len(sample[0].gold) >= MIN_COMMENTS
    assert aligner.labelled_matches() == {}


@pytest.fixture(scope="module")
def texts(sample):
    """Two matches of which the bundled model knows nothing, with their first lines only."""
    found = []
    for number, one in enumerate(sample):
        match = one.match.with_comments(one.match.comments[:40])
        said = {c.id: {one.gold[c.id]: 1.0} for c in match.comments if c.id in one.gold}
        found.append(LabelledText(number, match, said))
    return found


def test_labels_teach_beside_a_bundled_model(texts, tmp_path, monkeypatch):
    first, second = texts
    aligner = make_aligner("chains")
    assert aligner.over_bundled([first.match], {first.match.name: first.said}) is None
    monkeypatch.setattr(loader, "MIN_KNOWN", 0.3)  # the invented words are hardly those of a page
    aligner = make_aligner("chains")
    assert aligner.bundled_for(first.match) == "unseen"
    taught = aligner.over_bundled([first.match], {first.match.name: first.said})
    assert taught.labelled_matches()["text"] > 1  # those of the bundled layer, and this one
    said, words = taught.labels_learned()
    assert words.startswith("words of events: ")  # what the bundled model has learned
    assert said.startswith("written commentary: 40 labelled comments of 1 match, used by a layer")
    assert taught.infer(second.match).model.labels
    assert list(taught.align(second.match)) != list(aligner.align(second.match))
    assert not aligner.labelled_matches()
    taught.save(tmp_path / "model")
    again = load_aligner(tmp_path / "model")
    assert list(again.align(second.match)) == list(taught.align(second.match))


def test_a_bundled_model_that_knows_a_match_is_not_built_on(texts, monkeypatch):
    monkeypatch.setattr(loader, "MIN_KNOWN", 0.3)
    aligner, (first, _) = make_aligner("chains"), texts
    monkeypatch.setattr(type(aligner), "bundled_for", lambda self, match: "seen")
    assert aligner.over_bundled([first.match], {first.match.name: first.said}) is None


def score(right):
    return Score(right=right, predicted=10, gold=10, comments=10, candidates=[])


@pytest.mark.parametrize(
    ("labels", "over", "builds"),
    [((5, 5), (6, 6), True), ((6, 6), (5, 5), False), ((5, 5), (5, 5), False),
     ((5, 5), (9, None), False)],
)  # fmt: skip
def test_the_better_of_both_models_on_what_was_left_out_is_chosen(labels, over, builds):
    compared = [
        LeftOut("m", None, score(1), score(own), None if other is None else score(other))
        for own, other in zip(labels, over, strict=True)
    ]
    assert builds_on_bundled(compared) is builds


def test_what_counts_most_is_scored_by():
    said = {frozenset({"a"}): 0.2, frozenset({"b"}): 0.5, frozenset(): 0.5}
    assert likeliest(said) == {"b"}
