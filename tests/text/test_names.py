"""Who is mentioned: the hard cases of names, one by one."""

from __future__ import annotations

import msgspec
import pytest

from touchline import Comment, Event, Match, Player, Team
from touchline.text.names import MENTIONED, SURNAME, Mention, NameFinder, finder_of

CITY = Team(id="c", name="Harbour City")
UNITED = Team(id="u", name="Harbour United")
ALBION = Team(id="w", name="West Fordham Albion")

PLAYERS = {
    "aguilero": Player(id="aguilero", name="Sergio Lionel Agüilero del Campo",
                       nickname="Sergio Agüilero", team=CITY),
    "zeco": Player(id="zeco", name="Anselmo Teixeira dos Reis", nickname="Zeco", team=CITY),
    "reis": Player(id="reis", name="Paulo Reis", team=UNITED),
    "vandermeer": Player(id="vandermeer", name="Cyril van der Meer", team=CITY),
    "macallum": Player(id="macallum", name="Ross Mac Allum", team=CITY),
    "oshane": Player(id="oshane", name="Liam O'Shane", team=UNITED),
    "ward": Player(id="ward", name="Jack Ward-Prior", team=UNITED),
    "smith1": Player(id="smith1", name="Adam Smith", team=CITY),
    "smith2": Player(id="smith2", name="Barry Smith", team=UNITED),
    "young": Player(id="young", name="Ashton Young", team=UNITED),
    "ozul": Player(id="ozul", name="Mehmet Özül", team=CITY),
    "odegard": Player(id="odegard", name="Nils Ødegård", team=UNITED),
    "long": Player(id="long", name="Maria José Freitas Lobo Antunes", team=UNITED),
    "initial": Player(id="initial", name="K. Brandt", team=CITY),
    "joe": Player(id="joe", name="Joe Gomersal", team=UNITED),
}  # fmt: skip


def finder(*comments: str, teams: tuple[Team, ...] = (CITY, UNITED)) -> NameFinder:
    said = tuple(Comment(id=i, text=text) for i, text in enumerate(comments))
    return NameFinder(
        Match(name="m", provider="t", events=(), teams=teams, players=tuple(PLAYERS.values()),
              comments=said)
    )  # fmt: skip


def mentioned(text: str, *comments: str) -> set[str]:
    weights = finder(text, *comments).players(text)
    return {player for player, weight in weights.items() if weight >= MENTIONED}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sergio Agüilero shoots wide.", {"aguilero"}),
        ("A low shot from Aguilero!", {"aguilero"}),  # accents
        ("A header by Oezuel.", {"ozul"}),  # transliteration
        ("A header by Ozul.", {"ozul"}),
        ("Played back to Odegaard.", {"odegard"}),
        ("Then Zeco's cross.", {"zeco"}),  # nickname and possessive
        ("The cross by Zeco’s captain.", {"zeco"}),
        ("It falls to van der Meer.", {"vandermeer"}),  # particles
        ("It falls to Van der Meer.", {"vandermeer"}),
        ("It falls to Meer.", {"vandermeer"}),
        ("Now van der something.", set()),
        ("And MacAllum clears.", {"macallum"}),  # joined particle
        ("And Mac Allum clears.", {"macallum"}),
        ("A tackle by O'Shane.", {"oshane"}),
        ("A tackle by O’Shane's marker.", {"oshane"}),
        ("Free kick, Ward-Prior.", {"ward"}),
        ("Free kick, Ward Prior.", {"ward"}),
        ("Free kick, Prior.", {"ward"}),
        ("A chance for Reis.", {"reis"}),  # Zeco's official surname is not what they go by
        ("Sergio del Campo", {"aguilero"}),
        ("It is Lobo with the pass.", {"long"}),  # a word of a long official name
        ("K. Brandt wins it, Brandt again.", {"initial"}),
        ("The ball from Karl Brandt.", {"initial"}),  # an initial stands for the first name
        ("A shot by Joseph Gomersal.", {"joe"}),
        ("Nothing happens.", set()),
        ("", set()),
        ("All the young lads are up front", set()),  # a word, not the player
    ],
)
def test_single_mentions(text: str, expected: set[str]):
    assert mentioned(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The manager, Jürgen Young, is furious.",
        "A yellow from referee Trevor Reis.",
        "Words from Young Thompson upstairs.",
        "In the box sits Dame Maria Freitas-Holt.",
    ],
)
def test_other_people_are_not_players(text: str):
    assert mentioned(text) == set()


def test_whose_surname_it_is_has_the_whole_weight():
    """Zeco's official name ends in Reis too, but they do not go by it."""
    assert finder().players("A chance for Reis.") == {"reis": SURNAME}


def test_two_players_of_one_surname_share_the_weight():
    weights = finder().players("A tackle by Smith.")
    assert set(weights) == {"smith1", "smith2"}
    assert MENTIONED <= weights["smith1"] == weights["smith2"] < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "A tackle by Barry Smith.",
        "A tackle by B. Smith.",
        "A tackle by Smith (Harbour United).",
        "A tackle by United's Smith.",
        "A tackle by the United captain Smith.",
        "A tackle by the United full back Smith.",
        "A tackle by Smith of United.",
        "Barry Smith wins it. Good from Smith.",
    ],
)
def test_first_name_team_or_an_earlier_mention_decides(text: str):
    assert mentioned(text) == {"smith2"}


def test_a_player_who_acts_is_preferred_to_one_who_sits_on_the_bench():
    act = Event(id="1", type="Pass", period=1, time=0, player=PLAYERS["smith1"], team=CITY)
    match = Match(name="m", provider="t", events=(act,), teams=(CITY, UNITED),
                  players=tuple(PLAYERS.values()))  # fmt: skip
    assert set(NameFinder(match).players("A tackle by Smith.")) == {"smith1"}


def test_capitals_at_the_start_of_a_sentence_are_weak_for_words_used_without_one():
    plain = finder().players("Young goes down.")["young"]
    usual = ["See the young side", "A young team", "Be young or old", "Good from Young."]
    assert finder(*usual).players("Young goes down.")["young"] < plain
    assert finder(*usual).players("It is Young again.")["young"] == plain


def test_words_of_grammar_are_weak_names_at_the_start_of_a_sentence():
    can = Player(id="can", name="Emin Can", team=CITY)
    match = Match(name="m", provider="t", events=(), teams=(CITY, UNITED), players=(can,))
    assert NameFinder(match).players("Can United hold on?")["can"] < MENTIONED / 2
    assert NameFinder(match).players("A pass by Can.") == {"can": SURNAME}


def test_words_of_grammar_before_a_name_are_no_strangers_name():
    assert mentioned("With Young through on goal, who can miss?") == {"young"}
    assert mentioned("Trevor Young through on goal, who can miss?") == set()


def test_capitals_mean_nothing_in_speech_recognition_or_headlines():
    assert mentioned("and here is aguilero with the shot") == {"aguilero"}
    assert mentioned("GOAL! ZECO SCORES FOR HARBOUR CITY FROM THE SPOT") == {"zeco"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Harbour City attack.", {"c"}),
        ("City attack.", {"c"}),
        ("Good from United.", {"u"}),
        ("Good from Harbour Utd.", {"u"}),
        ("Good from Harb City.", {"c"}),
        ("The city is quiet, united in hope.", set()),
        ("Derby day in Harbour.", {"c", "u"}),
    ],
)
def test_teams(text: str, expected: set[str]):
    assert set(finder().teams(text)) == expected


def test_short_forms_of_a_team_need_two_words():
    west = finder(teams=(CITY, ALBION))
    assert set(west.teams("West Ford are pressing.")) == {"w"}
    assert set(west.teams("Alb are pressing.")) == set()


def test_a_team_both_could_mean_counts_half():
    weights = finder().teams("Derby day in Harbour.")
    assert weights["c"] == weights["u"] < 0.5


def test_mentions_say_where():
    text = "Then Sergio Agüilero's shot (Harbour City)."
    mentions = finder().mentions(text)
    assert [text[m.start : m.end] for m in mentions] == ["Sergio Agüilero", "Harbour City"]
    assert isinstance(mentions[0], Mention)


def test_a_particle_that_goes_on_with_somebody_else_is_not_part_of_the_name():
    text = "A low pass by Cyril van and then out."
    assert [text[m.start : m.end] for m in finder().mentions(text)] == ["Cyril"]


@pytest.mark.data
@pytest.mark.parametrize("corpus", ["epl-2015", "radio-2018"])
def test_real_text_is_read_without_an_error(data, corpus):
    from touchline import read_corpus

    for labelled in read_corpus(data / corpus):
        names = NameFinder(labelled.match)
        linked = [names.players(comment.text) for comment in labelled.match.comments]
        assert sum(map(bool, linked)) > 0.2 * len(linked)


def test_who_asks_about_one_match_in_turn_shares_its_finder():
    match = Match(name="m", provider="t", events=(), teams=(CITY,), players=(PLAYERS["young"],),
                  comments=(Comment(id=1, text="Young scores."),))  # fmt: skip
    shared = finder_of(match)
    assert finder_of(match.with_warnings(["late"])) is shared
    others = (
        match.with_comments([Comment(id=1, text="A young side.")]),
        msgspec.structs.replace(match, players=(PLAYERS["reis"],)),
        msgspec.structs.replace(match, teams=(UNITED,)),
    )
    for other in others:
        assert finder_of(other) is not finder_of(match)
    event = Event(id="1", type="Pass", period=1, time=0.0, player=PLAYERS["young"])
    assert finder_of(msgspec.structs.replace(match, events=(event,))) is not finder_of(match)
