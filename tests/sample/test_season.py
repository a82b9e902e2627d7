"""The invented season: the same every time, growing, readable, never saying a thing twice."""

from __future__ import annotations

import pytest

from touchline.io.corpus.layout import read_corpus
from touchline.sample.season import SEASON, TEAMS, _fixture, season, write_season


@pytest.fixture(scope="module")
def played():
    return list(season(12, seed=3, minutes=10))


def test_it_is_the_same_every_time_and_however_long(played):
    again = list(season(4, seed=3, minutes=10))
    assert again == played[:4]
    assert next(season(1, seed=4, minutes=10)).comments != played[0].comments


def test_no_comment_is_made_twice(played):
    texts = [comment["text"] for match in played for comment in match.comments]
    assert len(set(texts)) == len(texts) > 200


def test_names_and_words_grow(played):
    def known(matches):
        names = {
            row["player_name"] for m in matches for side in m.lineups for row in side["lineup"]
        }
        words = {word for m in matches for c in m.comments for word in c["text"].lower().split()}
        return len(names), len(words)

    for few, more in ((2, 6), (6, 12)):
        assert all(a < b for a, b in zip(known(played[:few]), known(played[:more]), strict=True))


def test_everybody_plays_everybody_at_home_and_away():
    fixtures = [_fixture(number, 0) for number in range(SEASON)]
    pairs = {(fixture.home.id, fixture.away.id) for fixture in fixtures}
    assert len(pairs) == SEASON == TEAMS * (TEAMS - 1)
    for day in range(0, SEASON, TEAMS // 2):
        clubs = {c.id for f in fixtures[day : day + TEAMS // 2] for c in (f.home, f.away)}
        assert len(clubs) == TEAMS
    first, last = fixtures[0].home, _fixture(SEASON, 0).home
    assert first.name == last.name
    assert {p.name for p in first.players}.isdisjoint({p.name for p in last.players}) is False
    assert {p.id for p in first.players} != {p.id for p in last.players}


def test_it_is_read_as_a_corpus_with_its_labels(tmp_path):
    write_season(tmp_path, 2, minutes=10)
    for labelled in read_corpus(tmp_path):
        assert len(labelled.match.comments) == len(labelled.gold or {}) == 26
        described = [events for events in (labelled.gold or {}).values() if events]
        assert len(described) > 15
        linkable = {event.id for event in labelled.match.linkable}
        assert all(events <= linkable for events in described)
