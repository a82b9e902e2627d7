"""Who of a head is named, and whether a comment leads with them."""

from __future__ import annotations

import numpy as np
import pytest

from touchline import Comment, Match
from touchline.methods.buckets import Window
from touchline.methods.chains.data.hypotheses import prepare
from touchline.methods.chains.data.language import learn_language
from touchline.methods.chains.data.mentions import mentions_of
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.model.m_step import start
from touchline.methods.chains.model.scoring import score_parts
from touchline.methods.chains.model.sufficient_stats import Counts
from touchline.methods.chains.model.word_likelihood import wordings

PASS, SHOT = 0, 1  # by Archer to Reis, by Reis
TEXTS = ["rain", "Archer plays", "to Reis", "Archer to Reis", "Reis from Archer", "van der Meer"]


@pytest.fixture
def match(small_match: Match) -> Match:
    times = {"period": 1, "start": 15, "end": 15}
    return small_match.with_comments(
        Comment(id=i, text=text, **times) for i, text in enumerate(TEXTS)
    )


@pytest.fixture
def tables(match: Match) -> MatchTables:
    return prepare(match, learn_language([match], []), mentions_of(match), Window(60, 60))


def each_about(tables: MatchTables, event: int) -> np.ndarray:
    """The candidates that are that event, one of each comment."""
    return np.flatnonzero(tables.candidates.event == event)


def test_of_two_players_nobody_one_or_both_are_named(tables):
    found = tables.heads.naming[each_about(tables, PASS)]
    assert found.tolist() == [0, 1, 2, 3, 3, 0]


def test_a_head_without_two_players_has_no_pattern(tables):
    found = tables.heads.naming[each_about(tables, SHOT)]
    assert found.tolist() == [-1] * len(TEXTS)


def test_a_comment_leads_with_the_actor_or_with_the_receiver_alone(tables):
    """ "Reis from Archer" names the actor, but late."""
    found = tables.heads.leads[each_about(tables, PASS)]
    assert found.tolist() == [False, True, True, True, False, False]
    found = tables.heads.leads[each_about(tables, SHOT)]
    assert found.tolist() == [False, False, True, False, True, False]


def test_a_receiver_alone_is_a_pattern_of_its_own(tables, match):
    """Where receivers are named alone as often as actors, a receiver's name speaks for the pass."""
    language = learn_language([match], [])
    before = start(Counts.zero(language), 0.2)

    def names(*often: float) -> np.ndarray:
        """What the names of each comment say for the pass."""
        p = before._replace(naming=np.tile(often, (len(language.kinds), 1)))
        scores = score_parts(tables, p, wordings(tables, p))
        return scores.names[tables.hypotheses.start[:-1] + PASS]

    seldom, often = names(0.2, 0.6, 0.1, 0.1), names(0.2, 0.35, 0.35, 0.1)
    apart = np.log([1, 0.35 / 0.6, 3.5, 1, 1, 1])
    assert often - seldom == pytest.approx(apart)
