"""Pairs and their features, by hand on a small match."""

from __future__ import annotations

import numpy as np
import pytest

from touchline import Comment
from touchline.methods.pairs.features import event_values, vocabulary
from touchline.methods.pairs.pairing import Reading, appended, pair_up
from touchline.methods.pairs.storing import pack_pairs, unpack_pairs


def joined(match, **reading) -> list[tuple[int, str]]:
    pairs = pair_up([match], Reading(min_count=1, **reading))
    return [
        (int(s), match.linkable[e].id) for s, e in zip(pairs.sentence, pairs.event, strict=True)
    ]


def test_nodes_are_pairs_with_a_matching_name(small_match):
    assert joined(small_match) == [(0, "e0"), (0, "e1"), (2, "e4")]
    assert (0, "e2") in joined(small_match, nodes="all")
    assert joined(small_match, players="all") == joined(small_match)


def test_the_vocabulary_has_frequent_words_and_no_names_of_players(small_match):
    assert vocabulary([small_match], 1) == sorted(
        ["finds", "who", "shoots", "it", "is", "raining", "foul", "by"]
    )
    assert vocabulary([small_match], 2) == []


def test_words_of_teams_are_in_the_vocabulary(small_match):
    """The only string argument is the player's name; Figure 2 weighs 'chelsea' and 'city'."""
    said = Comment(id=9, text="Redfield City look for a way past Archer", period=1)
    match = small_match.with_comments([*small_match.comments, said])
    assert {"redfield", "city"} <= set(vocabulary([match], 1))
    assert "archer" not in vocabulary([match], 1)


def test_event_features_are_type_and_chosen_arguments(small_match):
    shot = small_match.linkable[1]
    assert event_values(shot, ["*"]) == ["type=Shot", "outcome=Saved"]
    assert event_values(shot, ["*", "-outcome"]) == ["type=Shot"]
    assert event_values(shot, ["outcome", "team"]) == [
        "type=Shot",
        "outcome=Saved",
        "team=Redfield City",
    ]
    assert event_values(shot, []) == ["type=Shot"]


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        # Archer and Reis are named; Archer's pass, Reis's shot and the keeper follow each other.
        ({"strings": "binary"}, [[1], [1], [1]]),
        ({"strings": "three"}, [[2], [2], [1]]),
        ({"strings": "three-after"}, [[2], [1], [1]]),
        ({"strings": "binary", "players": "all"}, [[1, 1], [1, 0], [1, 0]]),
    ],
)
def test_the_string_part_in_every_reading(small_match, reading, expected):
    assert pair_up([small_match], Reading(min_count=1, **reading)).strings.tolist() == expected


def test_frequency_counts_the_types_of_the_log(small_match):
    pairs = pair_up([small_match], Reading())
    assert pairs.frequency.tolist() == [2, 1, 1, 2, 1]
    assert pairs.lag.tolist() == [5, 1, 3]


def test_a_new_match_is_appended_without_renumbering(sample):
    reading = Reading()
    first = pair_up([sample[0].match], reading)
    both = appended(first, pair_up([sample[1].match], reading, first))
    assert both.vocabulary == first.vocabulary
    assert both.players[: len(first.players)] == first.players
    assert (both.sentence[: len(first)] == first.sentence).all()
    assert (both.words[: first.words.shape[0]] != first.words).nnz == 0
    alone = pair_up([sample[1].match], reading)
    assert len(both) == len(first) + len(alone)
    assert (both.lag[len(first) :] == alone.lag).all()


def test_pairs_come_back_from_arrays(sample):
    pairs = pair_up([sample[0].match], Reading())
    again, _ = unpack_pairs(pack_pairs(pairs))
    for name in pairs.__struct_fields__:
        ours, theirs = getattr(pairs, name), getattr(again, name)
        if hasattr(ours, "toarray"):
            ours, theirs = ours.toarray(), theirs.toarray()
        assert np.array_equal(ours, theirs), name
