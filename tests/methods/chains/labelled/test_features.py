"""Features by name, and the arithmetic over them."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.chains.data.language import content_words, stem
from touchline.methods.chains.labelled.features import Features
from touchline.methods.chains.labelled.layer import features_of
from touchline.methods.chains.labelled.pair_features import NAMED
from touchline.methods.chains.labelled.set_features import LOG_POSTERIOR, MIN_PROBABILITY
from touchline.methods.pairs.features import name_words


@pytest.fixture(scope="module")
def features(inferred) -> Features:
    return features_of(inferred)


def column(features: Features, table: str, name: str) -> np.ndarray:
    """The values of a feature in all rows."""
    own = getattr(features, table)
    size = len(features.sets) if table == "of_sets" else len(features.sets.event)
    some = own.column == features.names.index(name)
    return np.bincount(own.row[some], own.value[some], size)


def test_no_name_is_a_feature(features, inferred, matches):
    names = {form for word in name_words(matches[1:]) for form in (word, stem(word))}
    words = {name.split(": ")[1] for name in features.names if ": " in name}
    assert len(words) > 30
    assert not words & names
    assert words <= set(inferred.language.vocabulary)


def test_a_label_says_whether_the_player_is_named(features, inferred):
    sets, m = features.sets, inferred.tables
    named = m.comments.mentioned[sets.comment, m.events.actor[sets.event]]
    shot = np.array([e.type == "Shot" for e in inferred.match.linkable])[sets.event]
    assert (shot & named).any()
    assert (shot & ~named).any()
    assert np.array_equal(column(features, "of_pairs", "Shot" + NAMED) > 0, shot & named)
    assert np.array_equal(column(features, "of_pairs", "Shot") > 0, shot & ~named)


def test_words_stand_beside_the_events_of_their_comment(features, inferred):
    sets = features.sets
    name = next(n for n in features.names if n.startswith("Shot (named): "))
    word = name.removeprefix("Shot (named): ")
    said = np.array([word in content_words(c.text) for c in inferred.match.comments])
    assert 0 < said.sum() < len(said)
    label = column(features, "of_pairs", "Shot (named)") > 0
    assert np.array_equal(column(features, "of_pairs", name) > 0, said[sets.comment] & label)


def test_the_probability_of_a_pair_is_that_of_all_its_chains(features, inferred):
    m, sets = inferred.tables, features.sets
    found = column(features, "of_pairs", "probability")
    for pair in range(0, len(sets.event), 37):
        own = slice(*m.hypotheses.start[sets.comment[pair] : sets.comment[pair] + 2])
        holds = (m.hypotheses.events[own] == sets.event[pair]).any(axis=1)
        assert found[pair] == pytest.approx(inferred.agreed.chains[own][holds].sum(), abs=1e-4)


def test_the_log_posterior_and_size_of_sets(features):
    sets = features.sets
    likely = np.log(np.maximum(sets.probability, MIN_PROBABILITY))
    assert column(features, "of_sets", LOG_POSTERIOR) == pytest.approx(likely)
    assert np.array_equal(column(features, "of_sets", "2 events") > 0, sets.size == 2)


def test_players_of_a_set_are_covered(features, inferred):
    m, sets = inferred.tables, features.sets
    covered = column(features, "of_sets", "players covered")
    left_out = column(features, "of_sets", "players left out")
    mentioned = (m.comments.mentions >= 0).sum(axis=1)[sets.owner]
    assert np.array_equal(covered + left_out, mentioned)
    assert (covered[sets.size == 0] == 0).all()
    assert covered.max() >= 2


def test_scores_are_sums_over_the_events_of_a_set(features):
    chance = np.random.default_rng(1)
    weights = chance.normal(size=len(features.names))
    sets = features.sets
    scores = features.scores(weights)
    pairs = features.of_pairs.times(weights, len(sets.event))
    own = features.of_sets.times(weights, len(sets))
    for s in range(0, len(sets), 53):
        members = sets.member[sets.member_of == s]
        assert scores[s] == pytest.approx(own[s] + pairs[members].sum())


def test_the_gradient_is_that_of_the_scores(features):
    chance = np.random.default_rng(2)
    weights, by_score = (
        chance.normal(size=len(features.names)),
        chance.normal(size=len(features.sets)),
    )
    way = chance.normal(size=len(features.names))
    change = by_score @ (features.scores(weights + way) - features.scores(weights))
    assert features.gradient(by_score) @ way == pytest.approx(change)


def test_some_features_only(features):
    names = [LOG_POSTERIOR, "never seen", "Shot"]
    some = features.only(names)
    weights = np.array([2.0, 5.0, 3.0])
    by_name = dict(zip(names, weights, strict=True))
    every = np.array([by_name.get(name, 0.0) for name in features.names])
    assert some.names == names
    assert some.scores(weights) == pytest.approx(features.scores(every))


def test_only_speech_has_features_of_seconds(inferred, features):
    speech, m = features_of(inferred, speech=True), inferred.tables
    comment, event = speech.sets.comment, speech.sets.event
    lag = m.comments.time[comment] - m.events.time[event]
    actor, other = m.events.actor[event], m.events.others[event, 0]
    is_named = m.comments.mentioned[comment, actor], m.comments.mentioned[comment, other]
    for number, who in enumerate(["nobody", "actor", "other", "both"]):
        some = (is_named[0] + 2 * is_named[1] == number) & (lag >= 0) & (lag < 2)
        name = f"{who} named, 0 s"
        assert name not in features.names
        found = column(speech, "of_pairs", name) if name in speech.names else np.zeros(len(event))
        assert np.array_equal(found > 0, some)
