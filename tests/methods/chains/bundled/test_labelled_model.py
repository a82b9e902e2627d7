"""What the bundled model has learned from labels holds no text and no names."""

from __future__ import annotations

import numpy as np

from touchline.io.model_file import read_model
from touchline.methods.chains.bundled.loader import FOLDER, KINDS, bundled_model
from touchline.methods.chains.labelled.kinds import TEXT
from touchline.methods.chains.labelled.pair_features import NAMED


def test_only_live_text_has_learned_from_labels():
    layers = {kind: bundled_model(kind).layers for kind in KINDS}
    assert [layer.kind for layer in layers.pop("live-text")] == [TEXT]
    assert not layers["templated"]


def test_features_are_kinds_and_single_stems():
    model = bundled_model("live-text")
    (layer,) = model.layers
    kinds = {kind + end for kind in (*model.language.kinds, *model.language.types)
             for end in ("", NAMED)}  # fmt: skip
    words = [name.split(": ") for name in layer.weights if ": " in name]
    assert len(words) > 1000
    assert {label for label, _ in words} <= kinds
    assert {word for _, word in words} <= set(model.language.vocabulary)
    assert len(layer.logs) == 6


def test_weights_are_rounded():
    arrays = read_model(FOLDER / "live-text.npz").arrays
    weights = arrays["layer.text.weights"]
    assert np.array_equal(weights, np.round(weights, 4))
    assert weights.all()
