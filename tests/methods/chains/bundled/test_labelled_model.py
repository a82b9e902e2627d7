"""What the bundled model has learned from labels holds no text and no names."""

from __future__ import annotations

import numpy as np

from touchline.io.model_file import read_model
from touchline.methods.chains.bundled.loader import FOLDER, KINDS, bundled_model
from touchline.methods.chains.labelled.kinds import SPEECH, TEXT
from touchline.methods.chains.labelled.pair_features import NAMED


def test_each_kind_has_learned_from_labels_of_its_own():
    kinds = {name: {layer.kind for layer in bundled_model(name).layers} for name in KINDS}
    assert kinds == {
        "live-text": {TEXT},
        "speech-radio": {SPEECH},
        "speech-tv": {SPEECH},
        "templated": set(),
    }


def test_all_speech_has_the_same_layer():
    radio, tv = (bundled_model(name).layers for name in ("speech-radio", "speech-tv"))
    assert radio == tv
    assert len(tv[0].logs) == 4


def test_features_are_kinds_and_single_stems():
    model = bundled_model("live-text")
    kinds = {kind + end for kind in (*model.language.kinds, *model.language.types)
             for end in ("", NAMED)}  # fmt: skip
    assert model.layers
    for layer in model.layers:
        words = [name.split(": ") for name in layer.weights if ": " in name]
        assert len(words) > 1000
        assert {label for label, _ in words} <= kinds
        assert {word for _, word in words} <= set(model.language.vocabulary)
        assert len(layer.logs) == 6


def test_words_of_speech_are_those_of_the_bundled_vocabularies():
    models = [bundled_model(name) for name in ("speech-radio", "speech-tv")]
    known = {word for model in models for word in model.language.vocabulary}
    beside = {word for model in models for word in model.language.contexts}
    (layer,) = models[0].layers
    words = {name.rpartition(": ")[2] for name in layer.weights if ": " in name}
    contexts = {name.rpartition(" ")[2] for name in layer.weights if set(name) & set("<>")}
    assert len(words) > 200
    assert words <= known
    assert len(contexts) > 20
    assert contexts <= beside


def test_weights_are_rounded():
    arrays = read_model(FOLDER / "live-text.npz").arrays
    weights = arrays["layer.text.weights"]
    assert np.array_equal(weights, np.round(weights, 4))
    assert weights.all()
