"""Layers from labelled matches, each read by a model that has not seen it."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from touchline import UsageError, load_aligner, make_aligner
from touchline.core.errors import InputError
from touchline.io.model_file import read_model, write_model
from touchline.methods.chains.labelled.kinds import MIN_CLAMPED
from touchline.methods.chains.labelled.layer import BOTH, CLAMPED, LAYER, NONE, way_of
from touchline.methods.chains.labelled.parts import PartModels
from touchline.methods.chains.labelled.training import FOLDS, Labelled, Ways, folds
from touchline.methods.chains.model.seen import is_seen
from touchline.methods.match_store import InMemory

SHORT = {"rounds": 5}


@pytest.fixture(scope="module")
def fitted(matches, labels):
    aligner = make_aligner("chains", SHORT)
    aligner.fit(matches, labels)
    return aligner


@pytest.fixture(scope="module")
def unlabelled(matches):
    aligner = make_aligner("chains:unlabelled", SHORT)
    aligner.fit(matches)
    return aligner


def links(aligner, match):
    return [(a.events, a.none) for a in aligner.align(match)]


def test_no_match_is_read_by_a_model_that_has_seen_it(matches, labels, monkeypatch):
    aligner, read = make_aligner("chains", SHORT), []
    infer = aligner._inferred

    def spied(match, learned):
        read.append((match.name, is_seen(match, learned.seen)))
        return infer(match, learned)

    monkeypatch.setattr(aligner, "_inferred", spied)
    aligner.fit(matches, labels)
    once = [(match.name, False) for match in matches for _ in ("without labels", "clamped")]
    assert read == once


def test_a_text_that_is_there_twice_is_left_out_twice(matches):
    aligner = make_aligner("chains", SHORT)
    twice = [matches[0], matches[0].named("a copy"), matches[1]]
    store = InMemory(map(aligner.condense, twice))
    learned = []
    models = PartModels(store, lambda part: learned.append(len(part)), "", None)
    models.without([matches[0]])
    models.without([matches[1]])
    assert learned == [1, 2]
    assert models.without(matches) is None


def test_part_models_are_kept(matches, tmp_path):
    aligner = make_aligner("chains", SHORT)
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
    plain = make_aligner("chains", SHORT)
    plain.fit(matches)
    assert links(plain, matches[0]) != links(fitted, matches[0])
    assert fitted.infer(matches[0]).model.labels
    assert not plain.infer(matches[0]).model.labels
    assert fitted.labelled_matches() == {"text": 2}
    assert plain.labelled_matches() == {}


def test_unlabelled_is_the_same_as_never_labelled(fitted, unlabelled, matches):
    fitted_off = make_aligner("chains:unlabelled", SHORT)
    fitted_off.restore(fitted.parameters())
    assert links(fitted_off, matches[0]) == links(unlabelled, matches[0])
    assert not fitted_off.infer(matches[0]).model.labels


def test_unlabelled_refuses_labels(matches, labels):
    with pytest.raises(UsageError, match="does not learn from labels"):
        make_aligner("chains:unlabelled", SHORT).fit(matches, labels)


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


def test_one_labelled_match_teaches_no_layer(matches, labels):
    aligner = make_aligner("chains", SHORT)
    aligner.fit(matches, {matches[0].name: labels[matches[0].name]})
    (choice,) = aligner._learned.choices
    assert list(choice.likelihood) == [NONE, CLAMPED]
    assert choice.matches == 1
    assert way_of(aligner._learned.layers) in (NONE, CLAMPED)


def test_a_few_labelled_comments_teach_no_layer(matches, labels):
    few = {name: dict(list(own.items())[:MIN_CLAMPED]) for name, own in labels.items()}
    aligner = make_aligner("chains", SHORT)
    aligner.fit(matches, few)
    (choice,) = aligner._learned.choices
    assert list(choice.likelihood) == [NONE, CLAMPED]


def test_very_few_labelled_comments_teach_nothing(matches, labels):
    few = {name: dict(list(own.items())[: MIN_CLAMPED // 2 - 1]) for name, own in labels.items()}
    aligner = make_aligner("chains", SHORT)
    aligner.fit(matches, few)
    assert aligner.labelled_matches() == {}
    assert aligner.labels_learned() == []
    assert not aligner.infer(matches[0]).model.labels


def test_the_way_in_which_left_out_labels_are_most_probable_answers(fitted, matches, labels):
    (choice,) = fitted._learned.choices
    assert list(choice.likelihood) == [NONE, LAYER, CLAMPED, BOTH]
    best = max(choice.likelihood.values())
    assert round(choice.likelihood[choice.way]) == round(best)
    assert fitted.infer(matches[0]).model.labels_by == choice.way
    (said,) = fitted.labels_learned()
    comments = sum(map(len, labels.values()))
    assert said.startswith(f"written commentary: {comments} labelled comments of 2 matches, used")
    assert fitted.explain_model().labels[0]["way"] == choice.way


@pytest.mark.parametrize("way", [NONE, LAYER, CLAMPED, BOTH])
def test_every_way_can_be_chosen_and_stored(
    unlabelled, matches, labels, tmp_path, monkeypatch, way
):
    found = {NONE: -9.0, LAYER: -9.0, CLAMPED: -9.0, BOTH: -9.0, way: -1.0}
    monkeypatch.setattr(Ways, "likelihoods", lambda self, with_layer: found)
    aligner = make_aligner("chains", SHORT)
    aligner.fit(matches, labels)
    alignment = aligner.infer(matches[0])
    assert alignment.model.labels_by == ("" if way == NONE else way)
    assert set(aligner._learned.clamped) == ({"text"} if way in (CLAMPED, BOTH) else set())
    aligner.save(tmp_path / "model")
    again = load_aligner(tmp_path / "model")
    assert links(again, matches[0]) == links(aligner, matches[0])
    assert again.labels_learned() == aligner.labels_learned()
    off = make_aligner("chains:unlabelled", SHORT)
    off.restore(again.parameters())
    assert links(off, matches[0]) == links(unlabelled, matches[0])
    explained = [alignment.explain(comment.id).labels for comment in matches[0].comments]
    changed = [labels for labels in explained if labels]
    assert bool(changed) == (way != NONE)
    by_model = [one for own in changed for one in own.features if one.feature == CLAMPED]
    assert bool(by_model) == (way in (CLAMPED, BOTH))


def test_each_half_of_a_single_matchs_labels_is_held_out(matches, labels):
    one = Labelled(matches[0], labels[matches[0].name])
    first, second = folds([one])
    assert not first.unseen
    assert not second.unseen
    assert [fold.held[0].labels for fold in (first, second)] == [
        fold.others[0].labels for fold in (second, first)
    ]
    assert {**first.held[0].labels, **second.held[0].labels} == one.labels


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
    assert sorted(one.match.name for group in groups for one in group.held) == sorted(
        one.match.name for one in many
    )
    assert [len(group.held) for group in folds(many[:3])] == [1, 1, 1]
    for group in groups:
        names = {one.match.name for one in group.others}
        assert names.isdisjoint(match.name for match in group.unseen)
        assert len(names) + len(group.held) == len(many)


def test_without_other_matches_labels_are_not_used(matches, labels):
    twice = [matches[0], matches[0].named("a copy")]
    aligner = make_aligner("chains", SHORT)
    aligner.fit(twice, {match.name: labels[matches[0].name] for match in twice})
    assert aligner.labelled_matches() == {}
