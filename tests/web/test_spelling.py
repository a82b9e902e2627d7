"""Near spellings where a search finds nothing."""

from __future__ import annotations

import pytest

API = "/api/v1"


def meant(client, **asked):
    got = client.get(f"{API}/search", params=asked).json()
    assert bool(got["hits"]) == bool(got["total"])
    return got["meant"]


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("Havlovek", "Havlovec"),  # a letter
        ("Hvalovec cornr", "Havlovec corner"),  # two that changed places; the ending is missing
        ("gaye-lambrt", "gaye-lambert"),
        ('"the barr"', '"the bar"'),
        ("Sav€", None),  # a part of the word is known
    ],
)
def test_words_that_are_not_found_are_replaced(client, q, found):
    got = meant(client, q=q)
    if found is None:
        assert got is None
        return
    assert got["q"] == found
    assert got["total"] == client.get(f"{API}/search", params={"q": found}).json()["total"] > 0


@pytest.mark.parametrize("q", ["qqqqzzzz", "xx", "", "§§§", "-Havlovek", "phase:Havlovek"])
def test_what_resembles_nothing_has_no_suggestion(client, q):
    assert meant(client, q=q) is None


def test_words_that_are_known_are_kept(client):
    """All words are there, but nowhere together: that is no matter of spelling."""
    assert meant(client, q="corner Havlovec penalty offside header woodwork") is None


def test_a_suggestion_keeps_the_filters(client):
    assert meant(client, q="Havlovek", **{"from": 1, "to": 90})["total"] > 0
    assert meant(client, q="Havlovek", team="nobody") is None
