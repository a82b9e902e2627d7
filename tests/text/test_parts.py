"""A comment cut into names and phrases."""

from __future__ import annotations

import re

import pytest

from touchline import Match, Player, Team
from touchline.text.names import NameFinder
from touchline.text.parts import AFTER, CLAUSE, NAME, PHRASE, SENTENCE, parts_of, trimmed

CITY, ROVERS = Team(id="c", name="Harbour City"), Team(id="r", name="Rovers")
PEOPLE = (
    Player(id="novak", name="Ivan Novak", team=CITY),
    Player(id="bell", name="Tom Bell"),
    Player(id="waal", name="Piet de Waal", nickname="Waal"),
)
MATCH = Match(name="m", provider="t", events=(), teams=(CITY, ROVERS), players=PEOPLE)


def cut(text: str):
    return parts_of(text, NameFinder(MATCH).mentions(text))


def pieces(text: str) -> list[str]:
    return [text[part.start : part.end] for part in cut(text)]


def test_a_name_keeps_the_team_in_brackets_and_phrases_start_at_words_of_grammar():
    text = "Ivan Novak (Harbour City) meets a cross from Tom Bell, but his header is saved."
    assert pieces(text) == [
        "Ivan Novak (Harbour City)", "meets", "a cross", "from", "Tom Bell", "but his header",
        "is saved",
    ]  # fmt: skip
    parts = cut(text)
    assert [part.players for part in parts if part.players] == [("novak",), ("bell",)]
    assert [part.edge for part in parts[1:]] == [
        ("", AFTER, "*"), ("", PHRASE, "a"), ("", PHRASE, "from"), ("", NAME, "*"),
        (CLAUSE, AFTER, "but"), ("", PHRASE, "is"),
    ]  # fmt: skip


def test_sentences_start_parts_and_referees_are_outsiders():
    text = "Novak fouls him. The referee, Frank Stone, blows. It's over!"
    parts = cut(text)
    assert pieces(text) == ["Novak", "fouls", "him", "The referee", "Frank Stone", "blows",
                            "It's over"]  # fmt: skip
    assert [i for i, part in enumerate(parts) if part.starts_sentence] == [3, 6]
    assert [i for i, part in enumerate(parts) if part.outsider] == [4]
    assert parts[4].words == ()
    assert parts[3].edge == (SENTENCE, PHRASE, "the")


@pytest.mark.parametrize("text", ["", "...", "(((", "Bell", "Novak (", "Novak (Harbour"])
def test_any_text_is_cut_without_losing_a_word(text):
    words = re.findall(r"\w+", text)
    assert [word for piece in pieces(text) for word in re.findall(r"\w+", piece)] == words
    assert all(0 <= part.start < part.end <= len(text) for part in cut(text))


def test_a_clause_does_not_begin_with_what_joins_it_to_the_last():
    text = "but then it is cleared"
    assert trimmed(text, 0, len(text)) == (9, len(text))
    assert trimmed("and", 0, 3) is None
    assert trimmed("it is cleared and", 0, 17) == (0, 13)


def test_a_name_starts_with_its_particles():
    text = "A cross to de Waal, but de novo."
    assert pieces(text) == ["A cross", "to", "de Waal", "but de novo"]
