"""Which words a model learns: no numbers, nothing that may be somebody's name."""

from __future__ import annotations

import pytest

from touchline import Comment, Match, Player, Team
from touchline.methods.chains.data.language import Language, MinCounts, Survey, language_of, survey

TEAM = Team(id="t", name="Harbour")
TWICE = MinCounts(comments=2, matches=2)


def match_of(name: str, player: str, *texts: str, contexts: tuple[str, ...] = ()) -> Survey:
    """What a match says in which a player takes part."""
    who = Player(id=name, name=player, team=TEAM)
    comments = tuple(Comment(id=i, text=text) for i, text in enumerate(texts))
    match = Match(name=name, provider="test", events=(), teams=(TEAM,), players=(who,),
                  comments=comments)  # fmt: skip
    return survey(match, contexts)


def language(*surveys: Survey) -> Language:
    found = Survey.nothing()
    for one in surveys:
        found.add(one)
    return language_of(found, TWICE)


def said_in_two(text: str, first: str = "Ann Archer", second: str = "Bo Reis") -> set[str]:
    """The vocabulary of two matches that say the same beside a third that is about nothing."""
    rest = match_of("3", "Cyril Meer", "the ball goes out of play", "the ball again in play")
    both = [match_of(str(i), who, text, text) for i, who in enumerate((first, second))]
    return set(language(*both, rest).vocabulary)


def test_ordinary_words_are_learned():
    assert {"ball", "cross"} <= said_in_two("and the ball comes in from a cross")


@pytest.mark.parametrize("number", ["606", "85058", "12th", "2018"])
def test_numbers_are_not(number):
    assert number not in said_in_two(f"call us on {number} or the ball goes")


def test_garbled_names_are_not():
    """In lower case and in two matches, but only where a player sounds like it."""
    text = "it is played by clawson to the left"
    assert "clawson" not in said_in_two(text, "Viktor Claesson", "Viktor Claesson")
    assert "clawson" in said_in_two(text)


def test_a_word_is_learned_though_in_most_matches_a_player_is_called_like_it():
    texts = "a yellow card is shown", "and a red card is shown"
    found = language(*(match_of(str(i), "James Ward", *texts) for i in range(2)))
    assert "card" in found.vocabulary


@pytest.mark.parametrize("text", ["we go to Kaliningrad for this", "so says Kaliningrad today"])
def test_names_of_others_are_not(text):
    assert "kaliningrad" not in said_in_two(text)


def test_a_match_without_capitals_does_not_outvote_the_others():
    """Speech recognition writes some matches in lower case; names are in them all the same."""
    lower = match_of("1", "Ann Archer", *["now kate and kate again and kate there"] * 5)
    cased = match_of("2", "Bo Reis", "so now says Kate to us", "and then it is Kate")
    rest = match_of("3", "Cyril Meer", "the ball goes out of play")
    assert "kate" not in language(lower, cased, rest).vocabulary


def test_what_only_starts_sentences_must_be_common():
    """`Bancer.` may be anybody; `Assisted by ...` is in every match."""
    once = [match_of(str(i), "Ann Archer", "Bancer. And it goes.", "Bancer. It comes.")
            for i in range(2)]  # fmt: skip
    others = [match_of(str(i), "Bo Reis", "the ball is out") for i in range(2, 5)]
    assert "bancer" not in language(*once, *others).vocabulary
    always = [match_of(str(i), "Ann Archer", "It goes in. Assisted by her.") for i in range(3)]
    assert "assist" in language(*always).vocabulary


def test_first_names_are_no_words_beside_a_name():
    texts = ["and Mo Archer plays it", "on to Mo Archer now"]
    beside = ("<mo", "plays>", "<to") * 5
    found = [match_of(str(i), "Ann Archer", *texts, contexts=beside) for i in range(2)]
    assert language(*found).contexts == ["?", "<to", "plays>"]
