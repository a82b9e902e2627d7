"""A layer of labelled words: what it learns, what it may change, and that it is stored."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.chains.aligner import Chains
from touchline.methods.chains.words import layer as layers
from touchline.methods.chains.words.features import ALWAYS
from touchline.methods.registry import load_aligner


@pytest.fixture(scope="module")
def fitted(sample):
    aligner = Chains()
    aligner.fit([sample[0].match])
    return aligner


@pytest.fixture(scope="module")
def words(sample, fitted):
    """Labels of our own: each event has the clause with its words, the first five are left out."""
    alignment = fitted.infer(sample[0].match)
    found = {}
    for answer in alignment.links:
        own = {link.id: link.words[:1] for link in answer.events if link.words}
        if len(own) >= 2:
            found[answer.comment] = own
    assert len(found) >= 20
    return found


@pytest.fixture(scope="module")
def examples(sample, fitted, words):
    return fitted._word_finder(sample[0].match).examples(words, {})


def test_the_gradient_is_that_of_the_loss(examples):
    one = examples[0]
    chance = np.random.default_rng(0)
    weights = chance.normal(scale=0.1, size=len(one.features.names))
    _, gradient = layers._surprise(one, weights)
    places = [*(one.features.names.index(name) for name in ALWAYS), *chance.integers(4, 200, 12)]
    for place in places:
        step = np.zeros_like(weights)
        step[place] = 1e-5
        above, below = (layers._surprise(one, weights + sign * step)[0] for sign in (1, -1))
        assert gradient[place] == pytest.approx((above - below) / 2e-5, abs=1e-4)


def test_labels_become_more_probable(examples):
    examples = examples[:1]
    weights = layers.learn(examples, {})
    assert layers.log_likelihood(examples, weights) > layers.log_likelihood(examples, {})
    assert set(ALWAYS) <= set(weights)


def test_without_weights_nothing_changes(examples):
    for one in examples:
        _, shares = layers.share_out(one.batch, one.changes, one.features, {})
        plain = layers.sum_over(one.batch, one.changes)
        assert np.allclose(shares.state, plain.state)


def test_no_name_is_among_the_features(examples, sample):
    players = {part.lower() for p in sample[0].match.players for part in p.name.split()}
    said = {name.split("|")[0] for one in examples for name in one.features.names}
    assert not said & players


def test_an_event_whose_words_nobody_gave_may_have_any_part(sample, fitted, words):
    comment, own = next(iter(words.items()))
    first, *others = own
    finder = fitted._word_finder(sample[0].match)
    (closed,) = finder.examples({comment: own}, {})
    (open_,) = finder.examples({comment: {first: own[first]}}, {comment: [first, *others]})
    assert open_.agrees.shape == closed.agrees.shape
    assert open_.agrees.sum() > closed.agrees.sum()


def test_fit_learns_words_and_stores_them(sample, words, tmp_path):
    match = sample[0].match
    aligner = Chains()
    aligner.fit([match], words={match.name: words})
    said = [line for line in aligner.labels_learned() if line.startswith("words of events")]
    assert said == [str(aligner._learned.word_layers[0])]
    assert f"{len(words)} labelled comments of 1 match, used" in said[0]
    aligner.save(tmp_path / "model.npz")
    again = load_aligner(tmp_path / "model.npz")
    assert again._learned.word_layers == aligner._learned.word_layers
    alignment, without = again.infer(match), _unlabelled(tmp_path).infer(match)
    assert alignment.model.labels
    assert alignment.model.labels_by == "words"
    assert not without.model.labels
    both = list(zip(alignment.links, without.links, strict=True))
    assert all([e.id for e in a.events] == [e.id for e in b.events] for a, b in both)
    assert any(a.events != b.events for a, b in both)


def _unlabelled(folder):
    aligner = load_aligner(folder / "model.npz")
    aligner.options = type(aligner.options)(labels=False)
    return aligner


def test_too_few_labels_teach_nothing(sample, words):
    match = sample[0].match
    aligner = Chains()
    aligner.fit([match], words={match.name: dict(list(words.items())[:5])})
    assert aligner._learned.word_layers == ()
    assert not aligner.infer(match).model.labels


def test_labels_that_do_not_help_are_not_used(sample, words, monkeypatch):
    from touchline.methods.chains.words import training

    monkeypatch.setattr(training, "log_likelihood", lambda held, weights: -float(len(weights)))
    match = sample[0].match
    aligner = Chains()
    aligner.fit([match], words={match.name: words})
    assert "not used because they did not help" in aligner.labels_learned()[0]
    assert not aligner.infer(match).model.labels
