"""Garbled names: by spelling, by sound, and by who is on the ball when they turn up."""

from __future__ import annotations

import pytest

from touchline import Comment, Event, Match, NameFinder, Player
from touchline.text.aliases import learn_aliases, likeness, sound

SOLANDER = Player(id="1", name="Viktor Solander")
BREKKE = Player(id="2", name="Tomas Brekke")


def heard_match(text: str, when_acting: str, times: int = 12) -> Match:
    """Every two minutes one of the players acts and the comment is made; the other acts between."""
    events, comments = [], []
    for n in range(times):
        near, far = (SOLANDER, BREKKE) if when_acting == "1" else (BREKKE, SOLANDER)
        for who, time in ((near, 120.0 * n + 60), (far, 120.0 * n)):
            name = f"{who.id}-{n}"
            events.append(Event(id=name, type="Pass", period=1, time=time, player=who))
        said = 120.0 * n + 62
        comments.append(Comment(id=n, text=text, period=1, start=said, end=said))
    return Match(
        name="heard",
        provider="test",
        events=tuple(sorted(events, key=lambda e: e.time)),
        players=(SOLANDER, BREKKE),
        comments=tuple(comments),
    )


@pytest.mark.parametrize(
    ("heard", "name"),
    [("Klossen", "Claesson"), ("Dyer", "Dier"), ("Kourtwa", "Courtois"), ("Azard", "Hazard")],
)
def test_what_sounds_alike_is_more_alike_than_what_does_not(heard, name):
    alike, other = likeness(heard.lower(), [name.lower(), "pickford"])
    assert alike > 0.7
    assert alike > other + 0.15


def test_sounds():
    assert sound("klossen") == sound("claesson")
    assert sound("phillips") == sound("filips")


def test_a_spelling_is_learned_as_a_players_name():
    aliases = learn_aliases(heard_match("And here comes Zolunder with it", "1"))
    assert aliases["zolunder"]["1"] > 0.8
    assert set(aliases["zolunder"]) == {"1"}


def test_who_is_on_the_ball_decides_what_spelling_leaves_open():
    """`Brolander` is as near to nobody as to one; it turns up when they are on the ball, or not."""
    when_he_acts = learn_aliases(heard_match("A pass by Bolander now", "1"))
    when_not = learn_aliases(heard_match("A pass by Bolander now", "2"))
    assert when_he_acts.get("bolander", {}).get("1", 0) > when_not.get("bolander", {}).get("1", 0)


def test_words_and_strangers_are_nobodys_name():
    said = "Nothing doing here, says Montgomery, and the solander was lower case"
    aliases = learn_aliases(heard_match(said, "1"))
    assert "nothing" not in aliases
    assert "montgomery" not in aliases
    assert "solander" not in aliases


def test_garbled_names_are_found_in_text():
    match = heard_match("And here comes Zolunder with it", "1")
    text = "Zolunder to Brekke"
    assert list(NameFinder(match).players(text)) == ["2"]
    found = NameFinder(match, learn_aliases(match)).mentions(text)
    spans = [(m.who.id, text[m.start : m.end]) for m in found]
    assert spans == [("1", "Zolunder"), ("2", "Brekke")]


def test_a_name_heard_as_two_words():
    aliases = learn_aliases(heard_match("Good from Sole Ander again", "1"))
    assert aliases["soleander"]["1"] > 0.8


def test_comments_without_a_clock_are_read_by_spelling_alone():
    match = heard_match("And here comes Solandar with it", "1")
    lost = [Comment(id=c.id, text=c.text) for c in match.comments]
    assert learn_aliases(match.with_comments(lost))["solandar"]["1"] > 0.8
