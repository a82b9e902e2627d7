"""Two short labelled matches, and what `chains` infers of them."""

from __future__ import annotations

from typing import Any

import pytest

from touchline import Match, make_aligner
from touchline.io.corpus.layout import LabelledMatch
from touchline.methods.chains.aligner import Chains
from touchline.methods.chains.labelled.features import Inferred

COMMENTS = 40


def shortened(labelled: LabelledMatch) -> Match:
    return labelled.match.with_comments(labelled.match.comments[:COMMENTS])


@pytest.fixture(scope="package")
def matches(sample) -> list[Match]:
    return [shortened(one) for one in sample]


@pytest.fixture(scope="package")
def labels(sample, matches) -> dict[str, dict[Any, frozenset[str]]]:
    return {
        match.name: {c.id: one.gold[c.id] for c in match.comments if c.id in one.gold}
        for match, one in zip(matches, sample, strict=True)
    }


@pytest.fixture(scope="package")
def chains(matches) -> Chains:
    """Learned from the second match only."""
    aligner = make_aligner("chains")
    aligner.fit(matches[1:])
    assert isinstance(aligner, Chains)
    return aligner


@pytest.fixture(scope="package")
def inferred(chains, matches) -> Inferred:
    """The first match, by a model that has not seen it."""
    return chains._inferred(matches[0], chains._learned)
