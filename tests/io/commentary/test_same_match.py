"""A commentary on another match is noticed, and one on the right match never doubted."""

from __future__ import annotations

import msgspec
import pytest

from touchline import Comment, Match, read_corpus
from touchline.io.commentary.same_match import wrong_match
from touchline.sample.season import rematches, write_played


@pytest.fixture(scope="module")
def met_again(tmp_path_factory) -> list[Match]:
    """Three matches of the same two squads."""
    folder = tmp_path_factory.mktemp("met-again")
    for played in rematches(3):
        write_played(folder, played)
    return [labelled.match for labelled in read_corpus(folder)]


def test_the_bundled_matches_are_right(sample):
    assert [wrong_match(labelled.match) for labelled in sample] == [None, None]


def test_a_text_about_other_teams_is_noticed(sample):
    first, second = (labelled.match for labelled in sample)
    problem = wrong_match(first.with_comments(second.comments))
    assert problem is not None
    assert "other names" in problem


def test_the_same_teams_on_another_date_are_noticed(met_again):
    assert [wrong_match(match) for match in met_again] == [None, None, None]
    pairs = [(log, text) for log in met_again for text in met_again if log is not text]
    noticed = [wrong_match(log.with_comments(text.comments)) for log, text in pairs]
    assert sum(problem is not None for problem in noticed) >= 5  # of six: chance is on their side


def test_the_same_teams_with_minutes_only_cannot_be_distinguished(met_again):
    log, text, *_ = met_again
    coarse = [
        msgspec.structs.replace(c, start=c.start // 60 * 60, end=c.start // 60 * 60 + 60)
        for c in text.comments
    ]
    assert wrong_match(log.with_comments(coarse)) is None


def test_a_text_that_names_one_team_and_strangers_is_noticed(met_again, sample):
    """As one common team: the players of the other are called by other names."""
    log = met_again[0]
    other = log.teams[1]
    strangers = [player.label for labelled in sample for player in labelled.match.players]
    called = {
        player.label: strangers[number]
        for number, player in enumerate(log.players)
        if player.team == other
    }

    def renamed(text: str) -> str:
        for name, stranger in called.items():
            text = text.replace(name, stranger).replace(name.split()[-1], stranger.split()[-1])
        return text.replace(other.name, "Port Selwyn")

    times = list(reversed([(c.period, c.start, c.end) for c in log.comments]))
    comments = [
        msgspec.structs.replace(c, text=renamed(c.text), period=period, start=start, end=end)
        for c, (period, start, end) in zip(log.comments, times, strict=True)
    ]
    problem = wrong_match(log.with_comments(comments))
    assert problem is not None
    assert f"hardly any of {other.name}" in problem


def test_two_texts_in_one_file_are_noticed(sample):
    first, second = (labelled.match for labelled in sample)
    more = [msgspec.structs.replace(c, id=f"x{c.id}") for c in second.comments]
    problem = wrong_match(first.with_comments([*first.comments, *more]))
    assert problem is not None
    assert problem.startswith("the second half of the commentary")


def test_a_text_with_few_names_says_nothing(small_match):
    said = ("Kane to Son.", "Ball out of play near Kane.", "What a day it is.")
    comments = [Comment(id=i, text=t, period=1, start=9, end=9) for i, t in enumerate(said)]
    assert wrong_match(small_match.with_comments(comments)) is None
    more = ["And Alli, with Dier and Rose near Lloris, to Vertonghen."]
    texts = enumerate([*said, *more])
    comments = [Comment(id=i, text=t, period=1, start=9, end=9) for i, t in texts]
    assert wrong_match(small_match.with_comments(comments)) is not None


def test_the_players_who_are_named_are_counted_in_words(small_match):
    said = "Then Zidane, with Ronaldo and Figo near Raul, to Casillas and Makelele"
    known = small_match.players[0].label

    def problem(text: str) -> str | None:
        comment = Comment(id=1, text=text, period=1, start=9, end=9)
        return wrong_match(small_match.with_comments([comment]))

    assert problem(f"{said}.").startswith("the commentary names no player of this match, but 6 ")
    assert problem(f"{said} and {known}.").startswith("the commentary names 1 player of this match")


def test_nouns_with_capitals_are_no_strangers_where_the_time_is_right(sample):
    """German writes every noun so."""
    match = sample[0].match
    words = sorted({w for c in match.comments for w in c.text.split() if w.islower()})
    nouns = set(words[::3])

    def german(text: str) -> str:
        return " ".join(word.capitalize() if word in nouns else word for word in text.split())

    comments = [msgspec.structs.replace(c, text=german(c.text)) for c in match.comments]
    assert wrong_match(match.with_comments(comments)) is None


def parts(comments):
    """The whole, and its halves."""
    return [comments, *([c for c in comments if c.period == period] for period in (1, 2))]


@pytest.mark.data
@pytest.mark.parametrize(
    ("corpus", "track"),
    [("epl-2015", "comments"), ("epl-2015", "bbc"), ("radio-2018", "comments"),
     ("tv-2015", "comments"), ("tv-spanish", "comments")],
)  # fmt: skip
def test_no_real_commentary_is_doubted(data, corpus, track):
    for labelled in read_corpus(data / corpus, track=track):
        match = labelled.match
        assert [wrong_match(match.with_comments(part)) for part in parts(match.comments)] == [
            None, None, None,
        ], match.name  # fmt: skip


@pytest.mark.data
def test_real_commentaries_on_other_matches_are_noticed(data):
    matches = [labelled.match for labelled in read_corpus(data / "epl-2015")]
    pairs = [(log, text) for log in matches for text in matches if log is not text]
    noticed = [wrong_match(log.with_comments(text.comments)) for log, text in pairs]
    assert sum(problem is not None for problem in noticed) >= 0.95 * len(pairs)


def test_a_text_without_capitals_has_no_other_names(sample):
    """As some recognisers write; nothing seems to be a name that is not of the match."""
    for labelled in sample:
        match = labelled.match
        lower = [msgspec.structs.replace(c, text=c.text.lower()) for c in match.comments]
        assert wrong_match(match.with_comments(lower)) is None
