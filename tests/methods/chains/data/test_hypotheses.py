"""Whose name a lag is counted from, and when it is heard."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from touchline import Comment, Match
from touchline.methods.buckets import Window
from touchline.methods.chains.data.hypotheses import prepare
from touchline.methods.chains.data.language import learn_language
from touchline.methods.chains.data.mentions import mentions_of
from touchline.methods.chains.data.tables import MatchTables
from touchline.methods.chains.explain.model_summary import NAMED
from touchline.methods.chains.model.sufficient_stats import LAG_BINS, LAG_EDGES
from touchline.text import speech


@pytest.fixture(autouse=True)
def spoken(monkeypatch):
    """However few words there are: names of written comments have no time of their own."""
    monkeypatch.setattr(speech, "SPOKEN_PACE", 0.0)


PASS, SHOT, SAVE = range(3)  # by Archer to Reis at 10 s, by Reis at 14 s, by van der Meer at 15 s
SPOKEN: dict[str, Any] = {"period": 1, "start": 15.0, "end": 20.0}


def tables(match: Match, *comments: Comment) -> MatchTables:
    match = match.with_comments(comments)
    mentioned = mentions_of(match)
    return prepare(match, learn_language([match], []), mentioned, Window(60, 60))


def lags(match: Match, text: str, **times: Any) -> list[tuple[str, float]]:
    """Whose name the lag of each of the first three events is counted from; its bin's start."""
    m = tables(match, Comment(id=0, text=text, **times))
    who, bins = np.divmod(m.candidates.lag[:3, 0], LAG_BINS)
    assert m.candidates.event[:3].tolist() == [PASS, SHOT, SAVE]
    named = [NAMED[i] for i in who]
    return list(zip(named, LAG_EDGES[bins - 1].tolist(), strict=True))


def test_a_lag_is_counted_from_the_name_of_the_actor(small_match):
    """Five words in five seconds: Archer is heard at 15, Reis at 17."""
    found = lags(small_match, "Archer finds Reis who shoots", **SPOKEN)
    assert found == [("actor", 5), ("actor", 3), ("nobody", 2)]


def test_the_other_player_counts_where_the_actor_is_not_named(small_match):
    found = lags(small_match, "and over to Reis now", **SPOKEN)
    assert found == [("receiver", 8), ("actor", 4), ("nobody", 2)]


def test_the_actor_counts_where_both_are_named_in_whatever_order(small_match):
    found = lags(small_match, "Reis now has it from Archer", **{**SPOKEN, "end": 21.0})
    assert found == [("actor", 10), ("actor", 1), ("nobody", 3)]


def test_without_a_name_a_lag_is_counted_from_the_middle_of_the_comment(small_match):
    found = lags(small_match, "what a save that is", **SPOKEN)
    assert found == [("nobody", 7), ("nobody", 3), ("nobody", 2)]


def test_lags_of_written_comments_are_counted_from_their_time(small_match, monkeypatch):
    """Whoever is named."""
    monkeypatch.setattr(speech, "SPOKEN_PACE", 60.0)
    found = lags(small_match, "Archer finds Reis who shoots", **SPOKEN)
    assert found == [("nobody", 7), ("nobody", 3), ("nobody", 2)]


def test_words_with_times_say_when_a_name_is_heard(small_match):
    text = "Archer finds Reis"
    found = lags(small_match, text, **SPOKEN, spoken=((0, 15.5), (text.index("Reis"), 19.2)))
    assert found == [("actor", 5), ("actor", 5), ("nobody", 2)]


def test_names_of_a_comment_that_is_posted_have_its_time(small_match):
    found = lags(small_match, "Archer finds Reis", period=1, start=15.0, end=15.0)
    assert found == [("actor", 5), ("actor", 1), ("nobody", 0)]


def test_a_lag_that_is_not_known_counts_as_none(small_match):
    assert lags(small_match, "Archer shoots") == [("actor", 0), ("nobody", 0), ("nobody", 0)]


@pytest.mark.parametrize(
    ("said", "start"),
    [(9.0, -1), (10.4, 0), (49.9, 39), (54.0, 40), (-15.0, -25), (600.0, 200), (-191.0, -205)],
)
def test_bins_are_of_a_second_near_the_head_and_of_five_elsewhere(small_match, said, start):
    m = tables(
        small_match.with_comments([]),
        Comment(id=0, text="Archer", period=1, start=said, end=said, candidates=("e0",)),
    )
    who, (bin_,) = np.divmod(m.candidates.lag[:, 0], LAG_BINS)
    assert who.tolist() == [0]
    assert [-205.0, *LAG_EDGES][bin_] == start


def test_when_each_name_is_heard(small_match):
    """Each time; padding and comments without a time have none."""
    m = tables(
        small_match,
        Comment(id=0, text="Archer to Reis and Archer", **SPOKEN),
        Comment(id=1, text="from Reis", **SPOKEN),
        Comment(id=2, text="Reis"),
    )
    nan = float("nan")
    assert m.comments.heard == pytest.approx(
        np.array([[15.0, 17.0, 19.0], [17.5, nan, nan], [nan, nan, nan]]), nan_ok=True
    )


def test_a_player_who_is_named_again_has_a_lag_for_each_time(small_match):
    m = tables(small_match, Comment(id=0, text="Archer to Reis and Archer", **SPOKEN))
    who, bins = np.divmod(m.candidates.lag, LAG_BINS)
    assert who[:2].tolist() == [[0, 0], [0, -1]]  # the pass by Archer, twice; the shot by Reis
    assert LAG_EDGES[bins[:1] - 1].tolist() == [[5, 9]]
    assert m.comments.first.tolist() == [[True, True, False]]


def test_a_player_of_a_written_comment_counts_once(small_match, monkeypatch):
    """All its words have the same time."""
    monkeypatch.setattr(speech, "SPOKEN_PACE", 60.0)
    m = tables(small_match, Comment(id=0, text="Archer to Reis and Archer", **SPOKEN))
    assert m.comments.mentions.shape == (1, 2)


@pytest.mark.parametrize(
    ("role", "named"),
    [("recipient", "receiver"), ("fouled", "fouled"), ("replacement", "replacement"),
     ("keeper", "other")],
)  # fmt: skip
def test_roles_of_other_players_have_lags_of_their_own(small_match, role, named):
    first, *rest = small_match.events
    others = (msgspec.structs.replace(first.others[0], role=role),)
    changed = msgspec.structs.replace(first, others=others)
    match = msgspec.structs.replace(small_match, events=(changed, *rest))
    assert lags(match, "and over to Reis now", **SPOKEN)[0] == (named, 8)


def test_a_line_that_was_only_written_again_weighs_nothing(small_match):
    line = Comment(id=0, text="Archer", **SPOKEN)
    again = Comment(id=1, text="Archer", **SPOKEN, repeated=True)
    assert tables(small_match, line, again).comments.weight.tolist() == [1, 0]
