"""Which features moved an answer, and that explanations say so."""

from __future__ import annotations

import math

import pytest

from touchline import make_aligner
from touchline.methods.chains.labelled.explaining import moved
from touchline.methods.chains.labelled.layer import Judged, Layer, features_of, probabilities
from touchline.methods.chains.labelled.set_features import LOG_POSTERIOR


@pytest.fixture(scope="module")
def judged(inferred) -> Judged:
    """A layer that likes shots, whatever `chains` says."""
    layer = Layer("text", {LOG_POSTERIOR: 0.5, "Shot": 6.0, "Shot (named)": 6.0})
    features = features_of(inferred)
    return Judged(layer, features, probabilities(features, layer.weights))


def test_what_moved_the_answer(judged, inferred):
    found = [moved(judged, c) for c in range(len(inferred.match.comments))]
    changed = [one for one in found if one.before != one.after]
    assert changed
    assert all(one.features == [] for one in found if one.before == one.after)
    types = [event.type for event in inferred.match.linkable]
    for one in changed:
        names = dict(one.features)
        shots = [sum(types[e] == "Shot" for e in events) for events in (one.before, one.after)]
        gained = sum(value for name, value in names.items() if name.startswith("Shot"))
        assert gained == pytest.approx(6.0 * (shots[1] - shots[0]))
        assert set(names) <= {LOG_POSTERIOR, "Shot", "Shot (named)"}


def test_the_log_posterior_counts_as_far_as_its_weight_changed(judged, inferred):
    """All features together are the log-odds that labels have added."""
    sets = judged.features.sets
    for c in range(len(inferred.match.comments)):
        one = moved(judged, c)
        if one.before == one.after:
            continue
        own = slice(sets.start[c], sets.start[c + 1])
        best = (
            judged.probability[own].max() / judged.probability[own][sets.probability[own].argmax()]
        )
        plain = (
            sets.probability[own][judged.probability[own].argmax()] / sets.probability[own].max()
        )
        if plain > 1e-6:
            added = math.log(best) - math.log(plain)
            assert sum(value for _, value in one.features) == pytest.approx(added, abs=0.2)


def test_an_explanation_says_what_labels_changed(chains, matches, judged):
    aligner = make_aligner("chains")
    aligner.restore(chains.parameters())
    assert aligner.infer(matches[0]).explain(matches[0].comments[0].id).labels is None
    aligner._learned = aligner._learned._replace(layers=(judged.layer,))
    alignment = aligner.infer(matches[0])
    explained = [alignment.explain(comment.id) for comment in matches[0].comments]
    changed = [one for one in explained if one.labels]
    assert changed
    shown = "\n".join(getattr(block, "text", "") for block in changed[0].blocks())
    assert "without labels: " in shown
    assert "moved by labels: " in shown
    assert dict(changed[0].notes())["Without labels"] == changed[0].labels.before
    assert changed[0].to_json()["labels"]["features"][0]["feature"].startswith("Shot")
