"""`pairrank` against a second writing of the paper's algorithms that shares no code with it."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
import pytest

from tests import paper_reference as paper
from touchline import Links, Match, NameFinder, make_aligner, read_corpus
from touchline.methods.pairrank.ranking.graph import rank_all
from touchline.methods.pairrank.ranking.system import make_model
from touchline.methods.pairs.pairing import Pairs

K = 4


class Both(NamedTuple):
    """What the package and the reference make of a stretch of a match."""

    links: Links
    pairs: Pairs
    ranks: np.ndarray
    rho: np.ndarray
    corpus: paper.Corpus
    ranking: paper.Ranking


def both(match: Match, period: int, comments: int) -> Both:
    stretch = msgspec.structs.replace(
        match,
        comments=tuple(c for c in match.comments if c.period == period)[:comments],
        events=tuple(e for e in match.events if e.period == period),
    )
    aligner = make_aligner("pairrank:paper", {"k": K})
    links = aligner.align(stretch)
    learned, ranked, _ = aligner._placed(stretch)
    model = make_model(learned.pairs, aligner.options.system())
    ranks, _ = rank_all(model.confidences(learned.models), len(learned.pairs))
    finder = NameFinder(stretch)
    mentioned = [{p.id for p in finder.players_mentioned(c.text)} for c in stretch.comments]
    corpus = paper.read_corpus(stretch, mentioned)
    return Both(
        links, learned.pairs, ranks.toarray(), ranked.rho, corpus, paper.rank_pairs(corpus, K)
    )


SAMPLE = [pytest.param((number, half), id=f"sample-{number}-half-{half}")
          for number, half in [(0, 1), (0, 2), (1, 1)]]  # fmt: skip
REAL = pytest.param(("man-city-chelsea", 1), id="man-city-chelsea", marks=pytest.mark.data)


@pytest.fixture(scope="module", params=[*SAMPLE, REAL])
def stretch(request, sample) -> Both:
    name, period = request.param
    if isinstance(name, int):
        return both(sample[name].match, period, comments=12)
    folder = request.getfixturevalue("data") / "epl-2015" / name
    return both(next(iter(read_corpus(folder, clock="minute"))).match, period, comments=30)


def test_pairs(stretch):
    ours = stretch.pairs
    assert list(zip(ours.sentence.tolist(), ours.event.tolist(), strict=True)) == (
        stretch.corpus.pairs
    )
    assert len(ours) > 50


def test_features(stretch):
    ours, theirs = stretch.pairs, stretch.corpus
    assert ours.vocabulary == theirs.vocabulary
    assert ours.columns == theirs.columns
    parts = ours.words[ours.sentence].toarray(), ours.values[ours.row[ours.event]].toarray()
    expected = [theirs.features(*pair) for pair in theirs.pairs]
    assert np.array_equal(np.hstack([*parts, ours.strings]), expected)
    assert np.array_equal(ours.frequency, theirs.frequency)


def test_ranks(stretch):
    """Equal ranks under every model need equal negatives, costs and solutions."""
    assert np.array_equal(stretch.ranks, stretch.ranking.ranks)


def test_popularity(stretch):
    assert stretch.rho == pytest.approx(stretch.ranking.rho, rel=1e-7)


def test_macro_events(stretch):
    events = stretch.links.match.linkable
    grown = stretch.ranking.macro_events
    for sentence, answer in enumerate(stretch.links):
        group = grown[sentence][-1] if sentence in grown else ()
        expected = {events[stretch.corpus.pairs[pair][1]].id for pair in group}
        assert {link.id for link in answer.events} == expected
    assert any(len(groups) > 1 for groups in grown.values())
    assert any(len(groups[-1]) < K for groups in grown.values())
