"""The first guess at the causes of words, from counts made up by hand."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.methods.chains.data.language import Language
from touchline.methods.chains.learning.word_init import Contrast, Near
from touchline.methods.chains.model.m_step import SILENT

LANGUAGE = Language(
    vocabulary=["block", "nod"],
    kinds=["?", "Block", "Block|kind=Save", "Pass"],
    types=["?", "Block", "Pass"],
    contexts=["?"],
    arguments=["body_part=Head"],
)
COMMENTS, USED = 100.0, 20.0


def causes(word: str, beside: dict[str, tuple[float, float]]) -> dict[str, float]:
    """How often each cause brings the word, given how often it is near, and with the word."""
    names = LANGUAGE.causes()
    near, both = np.zeros(len(names)), np.zeros((len(names), 1))
    for name, counted in beside.items():
        near[names.index(name)], both[names.index(name), 0] = counted
    column = LANGUAGE.vocabulary.index(word)
    seen = Contrast(LANGUAGE)
    seen.join(Near(np.array([column]), np.array([USED]), near, both, COMMENTS))
    return dict(zip(names, seen.causes()[:, column].tolist(), strict=True))


def test_kinds_are_trusted_twice_as_much_as_arguments_and_unnamed_players():
    """All three go along with the word equally well; half the strength is a quarter to start."""
    found = causes("nod", dict.fromkeys(["Pass", "body_part=Head", "Pass~"], (40.0, 20.0)))
    assert found["Pass"] == pytest.approx(20 / 41)
    assert found["body_part=Head"] == pytest.approx(found["Pass"] / 4)
    assert found["Pass~"] == pytest.approx(found["Pass"] / 4)


def test_a_label_starts_with_its_own_type_and_no_other():
    """Passes go along with "block" as well as blocks do, but the log calls a Block so."""
    every = ["Block", "Block~", "Pass", "Pass~", "body_part=Head"]
    found = causes("block", dict.fromkeys(every, (40.0, 15.0)))
    assert found["Block"] > 0.2
    assert found["Block~"] > SILENT
    assert [found[name] for name in ("Pass", "Pass~", "body_part=Head")] == [SILENT] * 3


def test_a_label_starts_with_the_type_rather_than_with_a_kind_of_it():
    found = causes("block", {"Block": (50.0, 17.0), "Block|kind=Save": (30.0, 16.0)})
    assert found["Block"] > 2 * found["Block|kind=Save"]
