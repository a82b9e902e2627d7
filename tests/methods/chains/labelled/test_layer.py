"""The softmax over candidate sets: where it starts, and what it learns."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.chains.labelled.layer import (
    MIN_COMMENTS,
    Example,
    Judged,
    Layer,
    Mean,
    features_of,
    label_probabilities,
    learn,
    log_likelihood,
    probabilities,
)
from touchline.methods.chains.labelled.set_features import LOG_POSTERIOR
from touchline.methods.chains.labelled.targets import target_of


@pytest.fixture(scope="module")
def features(inferred):
    return features_of(inferred)


@pytest.fixture(scope="module")
def example(features, matches, labels):
    number = {event.id: i for i, event in enumerate(matches[0].linkable)}
    own = labels[matches[0].name]
    said = {
        c: {frozenset(number[e] for e in own[comment.id]): 1.0}
        for c, comment in enumerate(matches[0].comments)
        if comment.id in own
    }
    return Example(features, target_of(features.sets, said))


def likelihood(example: Example, weights: dict[str, float]) -> float:
    share = probabilities(example.features, weights)
    counts = example.target.weight[example.features.sets.owner] * example.target.share
    return float(counts @ np.log(share))


def test_it_starts_as_the_posterior_of_the_sets(features):
    sets = features.sets
    share = probabilities(features, {LOG_POSTERIOR: 1.0})
    known = np.maximum(sets.probability, 1e-6)
    every = np.add.reduceat(known, sets.start[:-1])
    assert share == pytest.approx(known / every[sets.owner])


def test_probabilities_of_a_comment_add_up_to_one(features):
    share = probabilities(features, {"Shot": 50.0, "2 events": -800.0})
    assert np.isfinite(share).all()
    assert np.add.reduceat(share, features.sets.start[:-1]) == pytest.approx(1)


def test_labels_become_more_probable(example):
    before = likelihood(example, {LOG_POSTERIOR: 1.0})
    assert likelihood(example, learn([example])) > before / 2  # logarithms of small numbers


def test_the_weights_are_the_best_under_their_pull(example):
    """No step along any weight lowers the loss."""
    strength = 2.0
    weights = learn([example], strength)

    def loss(moved: dict[str, float]) -> float:
        away = sum((w - (n == LOG_POSTERIOR)) ** 2 for n, w in moved.items())
        return strength / 2 * away - likelihood(example, moved)

    best = loss(weights)
    for name in list(weights)[::200]:
        for step in (-0.05, 0.05):
            assert loss({**weights, name: weights[name] + step}) > best - 1e-3


def test_without_labels_it_stays_where_it_starts(example):
    unlabelled = example.target._replace(weight=np.zeros_like(example.target.weight))
    assert learn([Example(example.features, unlabelled)]) == {LOG_POSTERIOR: 1.0}


def test_learning_is_deterministic(example):
    assert learn([example]) == learn([example])


def test_weights_are_drawn_to_what_is_known_before(example):
    prior = {LOG_POSTERIOR: 0.5, "Shot (named): unheard": 2.0}
    weights = learn([example], strength=1e6, prior=prior)
    assert weights[LOG_POSTERIOR] == pytest.approx(0.5, abs=1e-3)
    assert weights["Shot (named): unheard"] == 2.0


def test_labels_that_are_no_candidate_set_are_hardly_probable(example):
    likely = label_probabilities(example, {LOG_POSTERIOR: 1.0})
    exact = example.target.exact
    assert len(likely) == len(exact) == len(example.target.counts)
    assert (likely[exact >= 0] > 0).all()
    nothing = Example(example.features, example.target._replace(exact=np.full_like(exact, -1)))
    found = log_likelihood(nothing, label_probabilities(nothing, {LOG_POSTERIOR: 1.0}))
    assert found == pytest.approx(len(exact) * np.log(1e-6))
    assert log_likelihood(example, likely) > found


def test_the_mean_of_two_layers(features):
    one = Judged(Layer("text", {LOG_POSTERIOR: 1.0}), features, probabilities(features, {}))
    two = one._replace(probability=probabilities(features, {LOG_POSTERIOR: 1.0}))
    mean = Mean(one, two)
    assert mean.none == pytest.approx((one.none + two.none) / 2)
    for both, first, second in zip(mean.marginals(), one.marginals(), two.marginals(), strict=True):
        for event, share in both.items():
            assert share == pytest.approx((first.get(event, 0) + second.get(event, 0)) / 2)


def test_a_strong_pull_changes_little(example):
    weights = learn([example], strength=1e6)
    assert weights[LOG_POSTERIOR] == pytest.approx(1, abs=1e-3)
    assert max(abs(w) for name, w in weights.items() if name != LOG_POSTERIOR) < 1e-3


def test_rare_features_are_not_learned(example):
    learned = learn([example])
    of_pairs, sets = example.features.of_pairs, example.features.sets
    labelled = example.target.weight > 0
    for number, name in enumerate(example.features.names):
        if ": " in name:
            own = np.unique(sets.comment[of_pairs.row[of_pairs.column == number]])
            assert (name in learned) == (labelled[own].sum() >= MIN_COMMENTS)


def test_marginals_sum_the_sets_with_an_event(features):
    weights = {LOG_POSTERIOR: 1.0}
    judged = Judged(Layer("text", weights), features, probabilities(features, weights))
    sets, found = features.sets, judged.marginals()
    assert judged.none == pytest.approx(judged.probability[sets.start[:-1]])
    for pair in range(0, len(sets.event), 29):
        of = sets.member_of[sets.member == pair]
        share = found[sets.comment[pair]][sets.event[pair]]
        assert share == pytest.approx(judged.probability[of].sum())
        assert share <= 1 - judged.none[sets.comment[pair]] + 1e-9
