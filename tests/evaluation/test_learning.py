"""What labels bring is measured on matches left out, by labels of people alone."""

from __future__ import annotations

import pytest

from touchline import make_aligner
from touchline.core.errors import TouchlineError
from touchline.evaluation.learning import (
    MIN_COMMENTS,
    LabelledText,
    check_enough,
    left_out,
    likeliest,
    missing,
    scored,
)
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


def test_what_counts_most_is_scored_by():
    said = {frozenset({"a"}): 0.2, frozenset({"b"}): 0.5, frozenset(): 0.5}
    assert likeliest(said) == {"b"}
