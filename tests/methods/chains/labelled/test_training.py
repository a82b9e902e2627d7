"""Layers from labelled matches, each read by a model that has not seen it."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from touchline import UsageError, load_aligner, make_aligner
from touchline.core.errors import InputError
from touchline.io.model_file import read_model, write_model
from touchline.methods.chains.labelled.kinds import MIN_LABELS
from touchline.methods.chains.labelled.parts import PartModels
from touchline.methods.chains.labelled.training import FOLDS, Labelled, folds, learn_layers
from touchline.methods.chains.model.seen import is_seen
from touchline.methods.match_store import InMemory


@pytest.fixture(scope="module")
def fitted(matches, labels):
    aligner = make_aligner("chains")
    aligner.fit(matches, labels)
    return aligner


def links(aligner, match):
    return [(a.events, a.none) for a in aligner.align(match)]


def test_no_match_is_read_by_a_model_that_has_seen_it(matches, labels, monkeypatch):
    aligner, read = make_aligner("chains"), []
    infer = aligner._inferred

    def spied(match, learned):
        read.append((match.name, is_seen(match, learned.seen)))
        return infer(match, learned)

    monkeypatch.setattr(aligner, "_inferred", spied)
    aligner.fit(matches, labels)
    assert read == [(match.name, False) for match in matches]


def test_a_text_that_is_there_twice_is_left_out_twice(matches):
    aligner = make_aligner("chains")
    twice = [matches[0], matches[0].named("a copy"), matches[1]]
    store = InMemory(map(aligner.condense, twice))
    learned = []
    models = PartModels(store, lambda part: learned.append(len(part)), "", None)
    models.without([matches[0]])
    models.without([matches[1]])
    assert learned == [1, 2]
    assert models.without(matches) is None


def test_part_models_are_kept(matches, tmp_path):
    aligner = make_aligner("chains")
    store = InMemory(map(aligner.condense, matches))
    one, other = (PartModels(store, aligner._learn, about, tmp_path) for about in ("a", "b"))
    found = one.without(matches[:1])
    assert len(list(tmp_path.iterdir())) == 1
    again = PartModels(store, None, "a", tmp_path).without(matches[:1])
    assert again.seen == found.seen
    assert np.array_equal(again.counts.heads, found.counts.heads)
    other.without(matches[:1])
    assert len(list(tmp_path.iterdir())) == 2
    for path in tmp_path.iterdir():
        path.write_bytes(b"broken")
    assert one.without(matches[:1]).seen == found.seen


def test_labels_change_the_answers(fitted, matches, labels):
    plain = make_aligner("chains")
    plain.fit(matches)
    assert links(plain, matches[0]) != links(fitted, matches[0])
    assert fitted.infer(matches[0]).model.labels
    assert not plain.infer(matches[0]).model.labels
    assert fitted.labelled_matches() == {"text": 2}
    assert plain.labelled_matches() == {}


def test_unlabelled_is_the_same_as_never_labelled(fitted, matches):
    plain = make_aligner("chains:unlabelled")
    plain.fit(matches)
    fitted_off = make_aligner("chains:unlabelled")
    fitted_off.restore(fitted.parameters())
    assert links(fitted_off, matches[0]) == links(plain, matches[0])
    assert not fitted_off.infer(matches[0]).model.labels


def test_unlabelled_refuses_labels(matches, labels):
    with pytest.raises(UsageError, match="does not learn from labels"):
        make_aligner("chains:unlabelled").fit(matches, labels)


def test_what_labels_taught_is_stored(fitted, matches, tmp_path):
    fitted.save(tmp_path / "model")
    again = load_aligner(tmp_path / "model")
    assert links(again, matches[1]) == links(fitted, matches[1])
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


@pytest.mark.parametrize("damage", ["twice", "short", "nan"])
def test_a_damaged_layer_is_refused(fitted, tmp_path, damage):
    fitted.save(tmp_path / "model")
    model = read_model(tmp_path / "model")
    names, weights = model.arrays["layer.text.features"], model.arrays["layer.text.weights"]
    if damage == "twice":
        model.arrays["layer.text.features"] = np.frombuffer(b'["a","a"]', dtype=np.uint8)
        model.arrays["layer.text.weights"] = weights[:2]
    elif damage == "short":
        model.arrays["layer.text.weights"] = weights[:-1]
    else:
        model.arrays["layer.text.weights"] = np.full_like(weights, np.nan)
    assert len(names)
    write_model(tmp_path / "model", model.method, model.options, model.arrays)
    with pytest.raises(InputError, match="damaged"):
        load_aligner(tmp_path / "model")


def test_too_few_labelled_matches_teach_nothing(matches, labels):
    aligner = make_aligner("chains")
    aligner.fit(matches, {matches[0].name: labels[matches[0].name]})
    assert aligner.labelled_matches() == {}
    assert not aligner.infer(matches[0]).model.labels


def test_a_few_labelled_comments_teach_nothing(matches, labels):
    few = {name: dict(list(own.items())[: MIN_LABELS // 2 - 1]) for name, own in labels.items()}
    assert min(map(len, labels.values())) >= MIN_LABELS // 2
    aligner = make_aligner("chains")
    aligner.fit(matches, few)
    assert aligner.labelled_matches() == {}


def test_a_layer_answers_its_kind_of_text_only(fitted, matches):
    def hurried(comment):
        start = None if comment.start is None else comment.start / 10
        return replace(comment, start=start, end=start)

    fast = matches[0].with_comments(map(hurried, matches[0].comments))
    assert not fitted.infer(fast).model.labels


def test_many_labelled_matches_need_few_models(matches):
    many = [Labelled(matches[0].named(str(i)), {}) for i in range(14)]
    groups = list(folds(many))
    assert len(groups) == FOLDS
    assert sorted(one.match.name for group in groups for one in group) == sorted(
        one.match.name for one in many
    )
    assert [len(group) for group in folds(many[:3])] == [1, 1, 1]


def test_without_other_matches_there_is_no_layer(matches, labels):
    own = [Labelled(match, labels[match.name]) for match in matches]
    assert learn_layers(own, lambda some: None, None) == ()
