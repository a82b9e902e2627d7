"""A match with more chains than its words may be looked at in."""

from __future__ import annotations

import pytest

from touchline.methods.chains import aligner
from touchline.methods.chains.aligner import Chains, ChainsOptions
from touchline.methods.chains.data.budget import Limits

ALONE = ChainsOptions(bundled=False)


def test_fewer_chains_than_usual_are_said_to_the_user(sample, monkeypatch: pytest.MonkeyPatch):
    match = sample[0].match
    assert not Chains(ALONE).infer(match).links.warnings
    monkeypatch.setattr(aligner, "ALONE_LIMITS", Limits(words=3e5))
    (warning,) = Chains(ALONE).infer(match).links.warnings
    assert "too many events near its comments, or too many words" in warning
    assert "were tried for each comment" in warning


def test_the_tables_are_made_once_to_learn_and_to_answer(sample, monkeypatch: pytest.MonkeyPatch):
    made, prepare = [], aligner.prepare
    monkeypatch.setattr(aligner, "prepare", lambda *a: made.append(a) or prepare(*a))
    Chains(ALONE).infer(sample[0].match)
    assert len(made) == 1
