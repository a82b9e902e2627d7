"""Limits on the memory and time that the chains of one match may take."""

from __future__ import annotations

import numpy as np
import pytest

from touchline.core.errors import InputError
from touchline.methods.buckets import Window
from touchline.methods.chains.data import budget, extensions, hypotheses, tables
from touchline.methods.chains.data.budget import Budget, Limits
from touchline.methods.chains.data.candidate_chains import MAX_CHAINS
from touchline.methods.chains.data.language import learn_language
from touchline.methods.chains.data.mentions import mentions_of
from touchline.methods.chains.learning import e_step
from touchline.methods.chains.learning.em import learn


def ints(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


@pytest.fixture(scope="module")
def given(sample):
    match = sample[0].match
    mentioned = mentions_of(match)
    around = [word for own in mentioned for m in own for word in m.around]
    return match, learn_language([match], around), mentioned, Window(150, 150)


def test_a_television_match_has_room_to_spare():
    """1,845 lines of 3 words, with 140,000 events near them and 420,000 chains."""
    lines = np.ones(1845, dtype=np.int64)
    tv = Budget(words=3 * lines, mentions=lines, pairs=76 * lines)
    assert tv.most("tv", 228 * lines) == MAX_CHAINS
    assert tv.most("tv", 300 * lines) == MAX_CHAINS
    assert tv._replace(limits=budget.ALONE_LIMITS).most("tv", 300 * lines) == MAX_CHAINS


def test_there_is_a_limit_of_its_own_for_words():
    words, pairs = ints(*[10] * 1000), ints(*[10] * 1000)
    few = Budget(words, 0 * words, pairs, limits=Limits(words=1e6))
    assert few.most("a", 10 * words) == MAX_CHAINS
    assert few.most("a", 11 * words) == 100
    with pytest.raises(InputError, match=r"more than 1,000,000 comparisons of words with events"):
        few._replace(words=11 * words).most("a", pairs)


def test_a_large_log_leaves_less_room():
    small = Budget(ints(10), ints(0), ints(10), events=budget.USUAL_EVENTS)
    chains = ints(int(0.97 * budget.MAX_BYTES / budget.BYTES_OF_CHAIN))
    assert small._replace(limits=Limits(words=1e12)).allows(chains)
    assert not small._replace(limits=Limits(words=1e12), events=10_000).allows(chains)


def test_each_part_of_a_match_can_be_too_large():
    small = Budget(ints(10, 10), ints(2, 2), ints(50, 50))
    assert small.allows(ints(200, 200))
    assert not small.allows(ints(200, 2_000_000))
    assert not small._replace(words=ints(10, 200_000)).allows(ints(50, 50))
    assert not small._replace(mentions=ints(2, 200_000)).allows(ints(50, 50))
    assert not small._replace(pairs=ints(50, 1_000_000)).allows(ints(50, 50))
    many = np.ones(40_000, dtype=np.int64)
    assert not Budget(many, many, many).allows(many)


def test_long_comments_with_many_chains_take_too_long():
    assert Budget(ints(5_000), ints(0), ints(10)).allows(ints(1_000))
    assert not Budget(ints(5_000), ints(0), ints(10)).allows(ints(6_001))


def test_too_many_chains_are_fewer_of_each_comment(given, monkeypatch):
    match, language, mentioned, window = given
    whole = hypotheses.prepare(match, language, mentioned, window).hypotheses
    singles = np.diff(hypotheses.prepare(match, language, mentioned, window).candidates.start)
    own = Budget(
        budget.lengths(hypotheses.content_words(c.text) for c in match.comments),
        budget.lengths(mentioned),
        singles,
    )
    for limit in range(1, 200):  # the first that all single events fit into
        monkeypatch.setattr(budget, "MAX_BYTES", limit * 1e6)
        if own.allows(singles):
            break
    monkeypatch.setattr(budget, "MAX_BYTES", (limit + 1) * 1e6)
    fewer = hypotheses.prepare(match, language, mentioned, window).hypotheses
    assert singles.sum() <= len(fewer.head) < len(whole.head)
    assert (np.diff(fewer.start) >= singles).all()
    monkeypatch.setattr(budget, "MAX_BYTES", 1e6)
    with pytest.raises(InputError, match=r"events near them need more than 1 MB, or more than"):
        hypotheses.prepare(match, language, mentioned, window)


def test_counts_do_not_depend_on_how_many_are_looked_at_together(given, monkeypatch):
    match, language, mentioned, window = given
    whole = learn([hypotheses.prepare(match, language, mentioned, window)], language, 5)
    for module in (extensions, tables, e_step):
        monkeypatch.setattr(module, "_TOGETHER", 97)
    parts = learn([hypotheses.prepare(match, language, mentioned, window)], language, 5)
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one, other)


def test_many_mentions_in_a_comment_are_of_players_in_its_chains():
    """A few mentions are mostly of strangers to a chain, and take less."""
    chains = ints(100_000)
    few = Budget(ints(1), ints(budget.USUAL_MENTIONS), ints(100), limits=Limits(words=1e12))
    assert few.allows(chains)
    assert few._replace(mentions=ints(40)).allows(chains)
    assert not few._replace(mentions=ints(70)).allows(chains)
