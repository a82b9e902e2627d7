"""PairModel: negatives by the book, and SVMs that equal liblinear's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import LinearSVC

from touchline.methods.pairrank.pair_model._kernels import solve_all, spread
from touchline.methods.pairrank.pair_model.model import PairModel, narrow
from touchline.methods.pairs._kernels import farthest, nearest
from touchline.methods.pairs.features import inner_products
from touchline.methods.pairs.pairing import Pairs, Reading, pair_up

COST = 100.0


@pytest.fixture(scope="module")
def starts(sample) -> np.ndarray:
    """The first event of each match after the first."""
    return np.cumsum([len(labelled.match.linkable) for labelled in sample])[:-1]


@pytest.fixture(scope="module")
def pairs(sample) -> Pairs:
    return pair_up([labelled.match for labelled in sample], Reading())


@pytest.fixture(scope="module")
def model(pairs) -> PairModel:
    return PairModel(pairs, count=50, pairing="zip", cost=COST, seed=0)


def vectors(pairs: Pairs, sentences, rows, strings) -> np.ndarray:
    """The feature vectors of instances, written out."""
    parts = [pairs.words[sentences].toarray(), pairs.values[rows].toarray(), strings]
    return np.hstack(parts).astype(float)


def instances(model: PairModel, starts, group) -> tuple[np.ndarray, np.ndarray]:
    """Algorithm 1, lines 1-6: the positives, and as many negatives of each as of the others."""
    pairs, negatives = model.pairs, model.negatives
    joined = [(int(pairs.sentence[pair]), int(pairs.event[pair])) for pair in group]
    for place in range(negatives.sentences.shape[1]):
        pair = group[place % len(group)]
        joined.append((int(negatives.sentences[pair, place]), int(negatives.events[pair, place])))
    sentences, events = map(list, zip(*joined, strict=True))
    strings = np.array([[players_matched(pairs, starts, s, e)] for s, e in joined])
    labels = np.where(np.arange(len(joined)) < len(group), 1.0, -1.0)
    return vectors(pairs, sentences, pairs.row[events], strings), labels


def players_matched(pairs: Pairs, starts, sentence: int, event: int) -> float:
    """Section 4.1: players matched between the sentence and 3 consecutive events."""
    borders = [0, *starts, len(pairs.row)]
    first = max(border for border in borders if border <= event)
    last = min(border for border in borders if border > event)
    three = range(max(event - 1, first), min(event + 2, last))
    players = {int(who) for e in three for who in pairs.named[e] if who >= 0}
    return float(len(players & {int(who) for who in pairs.mentioned[sentence]}))


def objective(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """The primal: squared hinge, c for negatives, N-/N+ times as much for positives."""
    costs = COST * np.where(y > 0, (y < 0).sum() / (y > 0).sum(), 1.0)
    return float(0.5 * weights @ weights + costs @ np.maximum(0, 1 - y * (x @ weights)) ** 2)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_models_equal_those_of_liblinear(pairs, model, starts, size):
    buckets = [np.flatnonzero(pairs.sentence == s) for s in range(0, pairs.words.shape[0], 9)]
    groups = [tuple(bucket[:size]) for bucket in buckets if len(bucket) >= size][:12]
    models = model.train(groups)
    for m, group in enumerate(groups):
        x, y = instances(model, starts, group)
        ours = models.weights[m][: len(x)] @ x
        weights = {1: (y < 0).sum() / (y > 0).sum(), -1: 1.0}
        oracle = LinearSVC(C=COST, class_weight=weights, fit_intercept=False, tol=1e-10,
                           max_iter=10_000_000, dual=True)  # fmt: skip
        theirs = oracle.fit(x, y).coef_[0]
        cosine = ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs)
        assert cosine >= 0.99999
        assert objective(x, y, ours) <= objective(x, y, theirs) * (1 + 1e-6)


def test_confidence_is_the_inner_product_with_the_weight_vector(pairs, model, starts):
    groups = [(3,), (10, 11), (50,)]
    models = model.train(groups)
    ((_, confidences),) = list(model.confidences(models))
    every = vectors(pairs, pairs.sentence, pairs.row[pairs.event], pairs.strings)
    for m, group in enumerate(groups):
        x, _ = instances(model, starts, group)
        assert confidences[m] == pytest.approx(every @ (models.weights[m][: len(x)] @ x), abs=1e-5)


def test_negatives_are_as_algorithm_1_wants_them(pairs, model):
    negatives = model.negatives
    words, values = pairs.words.toarray(), pairs.values.toarray()
    for pair in range(0, len(pairs), 97):
        sentence, row = pairs.sentence[pair], pairs.row[pairs.event[pair]]
        to_sentence = ((words - words[sentence]) ** 2).sum(axis=1)[negatives.sentences[pair]]
        to_event = ((values - values[row]) ** 2).sum(axis=1)[negatives.rows[pair]]
        assert len(to_sentence) == 100
        near, far = slice(0, 50), slice(50, 100)
        assert (to_sentence > 0).all()  # never identical
        assert (to_event > 0).all()
        assert to_sentence[near].max() <= to_sentence[far].min()
        assert to_event[near].min() >= to_event[far].max()


def test_no_negative_has_a_matching_name(sample):
    """Where every sentence names somebody and every event is theirs, only others' are drawn."""
    pairs = pair_up([sample[0].match], Reading())
    model = PairModel(pairs, count=50, pairing="block", cost=COST, seed=1)
    by_row: dict[int, set[int]] = {}
    for event, row in enumerate(pairs.row):
        by_row.setdefault(int(row), set()).update(int(p) for p in pairs.named[event] if p >= 0)
    for pair in range(0, len(pairs), 50):
        drawn = zip(model.negatives.sentences[pair], model.negatives.rows[pair], strict=True)
        for sentence, row in drawn:
            mentioned = {int(p) for p in pairs.mentioned[sentence] if p >= 0}
            # Some event of that row is by somebody the sentence does not mention.
            assert not by_row[int(row)] or by_row[int(row)] - mentioned


def test_neighbours_of_a_negative_event_count_for_its_string_part(pairs, model, starts):
    drawn = model.negatives
    some = [(pair, place) for pair in range(0, len(pairs), 40) for place in range(100)]
    counted = [players_matched(pairs, starts, int(drawn.sentences[at]), int(drawn.events[at]))
               for at in some]  # fmt: skip
    assert [drawn.strings[at] for at in some] == counted
    assert any(counted)


def test_selection_equals_a_stable_sort(pairs):
    products = inner_products(pairs.values)
    lengths = np.diag(products)
    every = np.arange(len(products))
    near, far = (choose(products, pairs.row, every, 30) for choose in (nearest, farthest))
    for vector in range(0, len(products), 40):
        distance = (lengths[vector] + lengths - 2 * products[vector])[pairs.row]
        order = np.argsort(distance, kind="stable")
        assert near[vector].tolist() == [i for i in order if distance[i] > 0][:30]
        assert far[vector].tolist() == np.argsort(-distance, kind="stable")[:30].tolist()


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(0, 40), st.integers(0, 10_000))
def test_solutions_meet_the_conditions_of_optimality(positives, negatives, seed):
    """Karush-Kuhn-Tucker: multipliers are not negative, slopes vanish where they are positive."""
    chance = np.random.default_rng(seed)
    n = positives + negatives
    words, values = (chance.random((20, 12)) < 0.3), (chance.random((15, 8)) < 0.3)
    products = [(x.astype(np.float32) @ x.T.astype(np.float32)) for x in (words, values)]
    sentences = chance.integers(0, 20, (1, n))
    rows = chance.integers(0, 15, (1, n))
    strings = chance.integers(0, 3, (1, n, 1)).astype(float)
    alpha = solve_all(sentences, rows, strings, np.array([positives]), COST, *products)[0]
    x = np.hstack([words[sentences[0]], values[rows[0]], strings[0]]).astype(float)
    y = np.where(np.arange(n) < positives, 1.0, -1.0)
    cost = COST * np.where(y > 0, negatives / positives if negatives else 1.0, 1.0)
    slope = (y[:, None] * x) @ ((y * alpha) @ x) + alpha / (2 * cost) - 1
    assert (alpha >= 0).all()
    assert (slope >= -1e-6).all()
    assert np.abs(slope[alpha > 0]).max(initial=0) < 1e-6


def test_a_model_does_not_depend_on_those_before_it(model):
    """Though the pairs of one sentence start from each other's multipliers."""
    groups = [(pair,) for pair in range(40)]
    together = model.train(groups)
    for m, group in enumerate(groups):
        assert (model.train([group]).weights[0] == together.weights[m]).all()


def test_a_corpus_too_small_for_negatives_is_trained_all_the_same(small_match):
    pairs = pair_up([small_match], Reading(min_count=1))
    model = PairModel(pairs, count=50, pairing="zip", cost=COST, seed=0)
    models = model.train([(pair,) for pair in range(len(pairs))])
    ((_, confidences),) = list(model.confidences(models))
    assert (np.diag(confidences) > 0).all()


def test_training_nothing_gives_nothing(model):
    assert len(model.train([])) == 0


def test_inner_products_become_bytes_only_where_that_loses_nothing():
    small, large, broken = np.array([[0.0, 127.0]]), np.array([[128.0]]), np.array([[0.5]])
    assert narrow(small).dtype == np.int8
    assert narrow(large) is large
    assert narrow(broken) is broken


def test_confidences_are_rounded_sums_of_their_parts():
    chance = np.random.default_rng(0)
    words, values, names = (chance.normal(size=(3, n)) for n in (4, 5, 7))
    sentence, row = chance.integers(4, size=7), chance.integers(5, size=7)
    found = spread(words, values, names, sentence, row, 6)
    assert (found == np.round(words[:, sentence] + values[:, row] + names, 6)).all()
