"""Multiple-instance SVMs: margins and gradients of the split form, relabelling, both answers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from touchline import make_aligner
from touchline.methods.pairs.pairing import Reading, pair_up
from touchline.methods.prior_work.mi_svm.training import Instances, _fit, all_bags, learn


@pytest.fixture(scope="module")
def bags(sample) -> Instances:
    match = sample[0].match.with_comments(sample[0].match.comments[:20])
    return all_bags(pair_up([match], Reading(nodes="all")), 10, seed=1)


def vectors(bags: Instances) -> np.ndarray:
    """The instances' vectors written out, with the intercept's one."""
    parts = [bags.words[bags.sentence], bags.values[bags.row], sparse.csr_matrix(bags.strings)]
    return np.hstack([sparse.hstack(parts).toarray(), np.ones((len(bags.bag), 1))])


def test_the_split_form_is_that_of_whole_vectors(bags):
    chance = np.random.default_rng(0)
    weights, force = chance.normal(size=bags.size), chance.normal(size=len(bags.bag))
    assert bags.margins(weights) == pytest.approx(vectors(bags) @ weights)
    assert bags.pull(force) == pytest.approx(vectors(bags).T @ force)


def test_one_fit_is_that_of_scikit_learn(bags):
    chance = np.random.default_rng(2)
    positive = chance.random(len(bags.bag)) < 0.3
    mine = _fit(bags, positive, ~positive, 3.0, np.zeros(bags.size))
    # LinearSVC takes one cost for each class; its intercept is a feature here as there.
    cost = {True: 3.0 / positive.sum(), False: 3.0 / (~positive).sum()}
    svc = LinearSVC(C=1.0, class_weight=cost, fit_intercept=False, tol=1e-8, max_iter=100_000)
    svc.fit(vectors(bags), positive)
    assert mine == pytest.approx(svc.coef_[0], abs=0.01)


def test_every_positive_bag_keeps_a_positive(bags):
    weights = learn(bags, 100.0, 20, witnesses=False)
    margins = bags.margins(weights)
    best = {b: margins[bags.bag == b].max() for b in np.unique(bags.bag) if b >= 0}
    assert np.mean([value > 0 for value in best.values()]) > 0.8
    assert (margins[bags.bag < 0] > 0).mean() < 0.2


@pytest.mark.parametrize("witnesses", [True, False])
def test_all_good_instances_of_a_bag_are_positive_or_its_best_alone(witnesses):
    """Two bags with two good events and a bad one each; negative bags hold bad ones only."""
    row = np.array([0, 0, 1, 0, 0, 1, 1, 1, 1])
    bags = Instances(
        words=sparse.csr_matrix((1, 1)), values=sparse.identity(2, format="csr"),
        sentence=np.zeros(9, np.int64), row=row, strings=np.zeros((9, 1)),
        bag=np.array([0, 0, 0, 1, 1, 1, -1, -1, -1]),
    )  # fmt: skip
    margins = bags.margins(learn(bags, 1000.0, 20, witnesses=witnesses))
    # What is good stands on the border of its side: none of it is taken for a negative.
    assert margins == pytest.approx(np.where(row == 0, 1, -1), abs=0.05)


def test_instances_or_one_witness_are_linked(sample):
    match = sample[0].match
    every, one = (make_aligner(method).align(match) for method in ("mi-svm", "mi-svm-bag"))
    assert max(len(answer.events) for answer in one) == 1
    assert max(len(answer.events) for answer in every) > 1
